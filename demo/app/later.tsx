/** Parts of the page that are loaded after the first list is shown. */
import { signal } from "@preact/signals";
import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

/** How long the rest of the page waits for the list, in ms: that may fail, or never come. */
const PATIENCE = 4_000;

const shown = Promise.withResolvers<void>();

/** Called by the list when it is there. */
export const listIsShown: () => void = shown.resolve;

/** The list is there, or it takes too long. */
export const whenListIsShown: Promise<void> = Promise.race([
  shown.promise,
  new Promise<void>((resolve) => setTimeout(resolve, PATIENCE)),
]);

/** A component whose script is not loaded before the first list is there. */
export function later<P extends object>(
  load: () => Promise<ComponentType<P>>,
  fallback: ComponentChildren,
): (props: P) => ComponentChildren {
  // One signal for all places: a second visit has the component at once.
  const loaded = signal<{ readonly Component: ComponentType<P> } | undefined>(undefined);
  return function Later(props: P) {
    const [error, setError] = useState<unknown>();
    const { Component } = loaded.value ?? {};
    useEffect(() => {
      if (loaded.peek()) return;
      whenListIsShown.then(load).then((Component) => loaded.value = { Component }, setError);
    }, []);
    if (error) throw error;
    return Component ? <Component {...props} /> : fallback;
  };
}
