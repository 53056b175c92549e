import { type ComponentChild, render } from "../deps/preact.ts";
import { UsageError } from "../errors/mod.ts";
import type { AsyncDisposable } from "../plain/value.ts";
import { runEffects, takeFrames } from "./effects.ts";

/** An app that was rendered into the document. */
export interface Mounted extends AsyncDisposable {
  /** The element that holds the app. */
  readonly host: HTMLElement;
  /** The visible text, without elements hidden by `display: none`. */
  readonly text: string;
  /** Renders another app in its place. */
  render(app: ComponentChild): void;
  /**
   * Finds the first element of a tag, or of a selector.
   *
   * @throws {UsageError} If there is none.
   */
  find<K extends keyof HTMLElementTagNameMap>(tag: K): HTMLElementTagNameMap[K];
  find<E extends HTMLElement = HTMLElement>(selector: string): E;
  /** Removes the app from the document. */
  unmount(): void;
}

/**
 * Renders an app into the document of the test. It is unmounted at the end of an `await using`, else by `cleanup()`.
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
 * @returns The mounted app.
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
  if ((node as HTMLElement).style?.display === "none") return ""; // only elements have a style
  return Array.from(node.childNodes, visibleText).join("");
}

/** The functions that `cleanup()` calls. */
const undos = new Set<() => void>();

/** Registers a function for `cleanup()`. Returns a function that calls it earlier; it is called only once. */
export function untilCleanup(undo: () => void): () => void {
  const once = (): void => {
    if (undos.delete(once)) undo();
  };
  undos.add(once);
  return once;
}

/**
 * Unmounts everything that `mount` and `renderDataHook` rendered, and stops the controllers that they made. Call it
 * after each test, as in `afterEach(cleanup)`.
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
 * @throws The first error that an unmounting threw, after everything was unmounted.
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
