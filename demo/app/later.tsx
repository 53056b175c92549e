/** Parts of the page that are loaded after the first list is shown. */
import { signal } from "@preact/signals";
import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

/** How long the rest of the page waits for the list, in ms: that may fail, or never come. */
const PATIENCE = 4_000;

const shown = Promise.withResolvers<void>();
let waited: Promise<void> | undefined;

/** Called by the list when it is there. */
export const listIsShown: () => void = shown.resolve;

/** The list is there, or it takes too long. */
export function whenListIsShown(): Promise<void> {
  return waited ??= Promise.race([shown.promise, new Promise<void>((resolve) => setTimeout(resolve, PATIENCE))]);
}

/** A component whose script is not loaded before the first list is there, unless somebody loads it. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>, fallback: ComponentChildren) {
  // One signal for all places: a second visit has the component at once.
  const loaded = signal<{ readonly Component: ComponentType<P> } | undefined>(undefined);
  const loadNow = async (): Promise<void> => {
    const Component = await load();
    loaded.value ??= { Component };
  };
  function Later(props: P): ComponentChildren {
    const [error, setError] = useState<unknown>();
    const { Component } = loaded.value ?? {};
    useEffect(() => {
      if (!Component) whenListIsShown().then(loadNow).catch(setError);
    }, []);
    if (error) throw error;
    return Component ? <Component {...props} /> : fallback;
  }
  return Object.assign(Later, { load: loadNow });
}
