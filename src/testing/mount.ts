import { type ComponentChild, render } from "../deps/preact.ts";
import { UsageError } from "../errors/mod.ts";
import type { AsyncDisposable } from "../plain/value.ts";
import { runEffects, takeFrames } from "./effects.ts";

/** An app in a document. */
export interface Mounted extends AsyncDisposable {
  /** What it was rendered into. */
  readonly host: HTMLElement;
  /** The text that a person sees: without what is hidden. */
  readonly text: string;
  /** Renders something else in its place. */
  render(app: ComponentChild): void;
  /**
   * The first element of a tag, or that a selector finds.
   *
   * @throws {UsageError} If there is none.
   */
  find<K extends keyof HTMLElementTagNameMap>(tag: K): HTMLElementTagNameMap[K];
  find<E extends HTMLElement = HTMLElement>(selector: string): E;
  /** Takes it out of the document. */
  unmount(): void;
}

/**
 * Renders an app into the document of the test. At the end of an `await using` it is unmounted, else by `cleanup()`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Window } from "happy-dom";
 * import { mount } from "@rejoin/data/testing";
 *
 * Object.assign(globalThis, { document: new Window().document });
 *
 * await using app = mount("Hello");
 * assertEquals(app.text, "Hello");
 * ```
 *
 * @param app What to render.
 * @returns The app, to be looked at.
 * @throws {UsageError} If there is no document.
 */
export function mount(app: ComponentChild): Mounted {
  if (typeof document == "undefined") throw new UsageError(1107);
  const host = document.createElement("div"), release = takeFrames();
  document.body.append(host);
  let isGone = false;
  const unmount = untilCleanup(() => {
    isGone = true;
    try {
      render(null, host);
    } finally {
      host.remove();
      release();
    }
  });
  try {
    render(app, host);
  } catch (error) {
    unmount();
    throw error;
  }
  return {
    host,
    get text() {
      return visibleText(host);
    },
    render(other) {
      if (isGone) throw new UsageError(1108);
      render(other, host);
    },
    find<E extends HTMLElement>(selector: string): E {
      const found = host.querySelector<E>(selector);
      if (!found) throw new UsageError(1109, [selector, host.innerHTML]);
      return found;
    },
    unmount,
    async [Symbol.asyncDispose]() {
      unmount();
      await runEffects();
    },
  };
}

function visibleText(node: Node): string {
  if (node.nodeType === 3) return node.textContent!;
  if ((node as HTMLElement).style?.display === "none") return ""; // an element, if it has a style
  return Array.from(node.childNodes, visibleText).join("");
}

/** What is to be undone at the end of the test. */
const undos = new Set<() => void>();

/** Something is to be undone at the end of the test. Returns how to do that before, once. */
export function untilCleanup(undo: () => void): () => void {
  const once = (): void => {
    if (undos.delete(once)) undo();
  };
  undos.add(once);
  return once;
}

/**
 * Takes out of the document what `mount` and `renderDataHook` have put there, and stops the controllers that they made.
 * Write `afterEach(cleanup)` in the words of your runner.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Window } from "happy-dom";
 * import { cleanup, mount } from "@rejoin/data/testing";
 *
 * Object.assign(globalThis, { document: new Window().document });
 *
 * mount("Hello");
 * assertEquals(document.body.textContent, "Hello");
 * await cleanup();
 * assertEquals(document.body.textContent, "");
 * ```
 *
 * @throws What one of them threw as it went; the others are gone by then.
 */
export async function cleanup(): Promise<void> {
  const errors: unknown[] = [];
  for (const undo of [...undos].reverse()) {
    try {
      undo();
    } catch (error) {
      errors.push(error);
    }
  }
  await runEffects();
  if (errors.length) throw errors[0];
}
