/**
 * A document for tests of components, without a browser. To be imported before anything that renders.
 *
 * @module
 */
import { Window } from "happy-dom";
import { type ComponentChild, options, render } from "preact";
import { flush } from "./clock.ts";

const window = new Window();
Object.assign(globalThis, { document: window.document });

/** What waits for the next frame: effects, mostly. A frame comes when the test says so. */
const frames: (() => void)[] = [];
options.requestAnimationFrame = (run) => void frames.push(run);

/** Lets everything run that waits for promises or for renderings, and no effects. */
export async function rendered(): Promise<void> {
  await flush();
}

/** Lets everything run that waits for promises, for renderings, for effects, and for what those bring. */
export async function settled(): Promise<void> {
  do {
    await flush();
    for (const run of frames.splice(0)) run();
    await flush();
  } while (frames.length > 0);
}

/** An app in a document. */
export interface Mounted extends AsyncDisposable {
  /** What it was rendered into. */
  readonly host: HTMLElement;
  /** The text a person sees: without what is hidden. */
  readonly text: string;
  /** Renders something else in its place. */
  render(app: ComponentChild): void;
  /** The first element that a selector finds. */
  find<E extends HTMLElement = HTMLElement>(selector: string): E;
  /** Takes it out of the document. */
  unmount(): void;
}

/**
 * Renders an app into the document.
 *
 * @param app What to render.
 * @returns The app, to be looked at; it unmounts at the end of an `await using`.
 */
export function mount(app: ComponentChild): Mounted {
  const host = document.createElement("div");
  document.body.append(host);
  render(app, host);
  return {
    host,
    get text() {
      return visibleText(host);
    },
    render: (other) => render(other, host),
    find(selector) {
      const found = host.querySelector(selector);
      if (found === null) throw new Error(`${selector} is not in ${host.innerHTML}`);
      return found as never;
    },
    unmount() {
      render(null, host);
      host.remove();
    },
    async [Symbol.asyncDispose]() {
      this.unmount();
      await settled();
    },
  };
}

function visibleText(node: Node): string {
  if (node.nodeType === 3) return (node as Text).data;
  if ((node as HTMLElement).style?.display === "none") return "";
  return [...node.childNodes].map(visibleText).join("");
}
