/**
 * A page for the components of examples: `const page = await show(<Feed />)`.
 *
 * @module
 */
import "../support/dom.ts";
import { Controller, type Part } from "@rejoin/data";
import { AsyncBoundary, DataProvider } from "@rejoin/data/preact";
import { mount, settled } from "@rejoin/data/testing";
import type { ComponentChild } from "preact";
import { atEnd } from "./_helpers.ts";

// The base of paths without an origin.
Object.defineProperty(globalThis, "location", { value: new URL("https://api.example.com/") });

/** What a user sees and does. */
export interface Shown {
  readonly controller: Controller;
  /** The visible text. */
  readonly text: string;
  /** Clicks the first button, or another element with this text, and waits for the outcome. */
  press(text: string): Promise<void>;
  /** Types into the first field that a selector finds, and waits. */
  type(selector: string, value: string): Promise<void>;
  /** Waits until no request is in flight and all data are rendered. */
  settled(): Promise<void>;
}

/** Renders a component in a provider and a boundary, and waits for its data. */
export async function show(app: ComponentChild, use: readonly Part[] = []): Promise<Shown> {
  const controller = new Controller({ use });
  const mounted = mount(
    <DataProvider controller={controller}>
      <AsyncBoundary fallback="…">{app}</AsyncBoundary>
    </DataProvider>,
  );
  atEnd(async () => {
    await mounted[Symbol.asyncDispose]();
    controller.cleanup();
  });
  const wait = () => settled(controller, { timeout: 20_000 });
  await wait();
  return {
    controller,
    get text() {
      return mounted.text;
    },
    async press(text) {
      const named = [...mounted.host.querySelectorAll<HTMLElement>("button, a, input")];
      const found = named.find((element) => (element.textContent || element.getAttribute("aria-label")) === text);
      if (!found) throw new Error(`"${text}" is not in ${mounted.host.innerHTML}`);
      found.click();
      await wait();
    },
    async type(selector, value) {
      const field = mounted.find<HTMLInputElement>(selector);
      field.value = value;
      // deno-lint-ignore no-explicit-any -- events of the document of the test
      const { Event } = (field.ownerDocument as any).defaultView;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      await wait();
    },
    settled: wait,
  };
}
