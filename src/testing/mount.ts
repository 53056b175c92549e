import type { AsyncDisposable } from "../deps/disposable.ts";
import { type ComponentChild, render } from "../deps/preact.ts";
import { RejoinError } from "../errors/rejoin_error.ts";
import { untilCleanup } from "./cleanup.ts";
import { takeFrames } from "./effects.ts";
import { settled } from "./settled.ts";

/** An app in a document. */
export interface Mounted extends AsyncDisposable {
  /** What it was rendered into. */
  readonly host: HTMLElement;
  /** The text a person sees: without what is hidden. */
  readonly text: string;
  /**
   * Renders something else in its place.
   *
   * @throws {RejoinError} If it was taken out of the document: nothing would ever take that out again.
   */
  render(app: ComponentChild): void;
  /**
   * The first element of a tag.
   *
   * @throws {RejoinError} If there is none.
   */
  find<K extends keyof HTMLElementTagNameMap>(tag: K): HTMLElementTagNameMap[K];
  /**
   * The first element that a selector finds.
   *
   * @throws {RejoinError} If there is none.
   */
  find<E extends HTMLElement = HTMLElement>(selector: string): E;
  /** Takes it out of the document. */
  unmount(): void;
}

/**
 * Renders an app into the document of the test. At the end of an `await using` it unmounts, else by `cleanup()`, which runs
 * by itself after each test in most runners.
 *
 * @param app What to render.
 * @returns The app, to be looked at.
 * @throws {RejoinError} If there is no document.
 */
export function mount(app: ComponentChild): Mounted {
  const host = documentFor("mount").createElement("div");
  document.body.append(host);
  const release = takeFrames();
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
      if (isGone) throw new RejoinError("It was unmounted: call mount() or renderDataHook() again");
      render(other, host);
    },
    find<E extends HTMLElement>(selector: string): E {
      const found = host.querySelector<E>(selector);
      if (found === null) throw new RejoinError(`${selector} is not in ${host.innerHTML}`);
      return found;
    },
    unmount,
    async [Symbol.asyncDispose]() {
      unmount();
      await settled();
    },
  };
}

function documentFor(name: string): Document {
  const { document } = globalThis as { readonly document?: Document };
  if (typeof document?.createElement === "function") return document;
  throw new RejoinError(
    `${name}() renders into a document, and there is none. Install happy-dom. With Vitest write ` +
      '"// @vitest-environment happy-dom" at the top of the file, or environment: "happy-dom" into its configuration; ' +
      'elsewhere import { Window } from "happy-dom"; and globalThis.document = new Window().document; before the test',
  );
}

function visibleText(node: Node): string {
  // What is hidden has another `data` than it shows.
  if (node.nodeType === 3) return node.textContent!;
  if ((node as HTMLElement).style?.display === "none") return "";
  return [...node.childNodes].map(visibleText).join("");
}
