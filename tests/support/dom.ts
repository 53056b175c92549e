/**
 * A document for tests of components, without a browser. Import it before anything that renders.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { Window } from "happy-dom";
import { type ComponentChild, options, render } from "preact";

// deno-lint-ignore no-explicit-any -- the window of happy-dom has types of its own
const window: any = new Window({ url: "http://x.test/" });
for (const name of ["document", "Event", "Node", "Element", "HTMLElement", "Text"]) {
  Object.assign(globalThis, { [name]: window[name] });
}
const frames: (() => void)[] = [];
options.requestAnimationFrame = (run) => void frames.push(run);

/** An app in the document. */
export interface Mounted {
  readonly host: HTMLElement;
  /** The visible text, without hidden elements. */
  readonly text: string;
  /** Waits until it is settled, and gives its visible text. */
  settledText(): Promise<string>;
  /** Waits until it is settled, and asserts its visible text. */
  shows(text: string, message?: string): Promise<void>;
  render(app: ComponentChild): void;
  find<E extends HTMLElement = HTMLElement>(selector: string): E;
  unmount(): void;
  [Symbol.asyncDispose](): Promise<void>;
}
/** Renders an app into the document. `await using` unmounts it. */
export function mount(app: ComponentChild): Mounted {
  const host = document.createElement("div");
  document.body.append(host);
  let isGone = false;
  const unmount = (): void => {
    if (isGone) return;
    isGone = true;
    render(null, host);
    host.remove();
  };
  render(app, host);
  return {
    host,
    get text() {
      return seen(host);
    },
    async settledText() {
      await settled();
      return this.text;
    },
    async shows(text, message) {
      assertEquals(await this.settledText(), text, message);
    },
    render: (next) => render(next, host),
    find: (selector) => host.querySelector(selector)!,
    unmount,
    async [Symbol.asyncDispose]() {
      unmount();
      await settled();
    },
  };
}
/** {@linkcode mount}s an app, and waits until it is settled. */
export async function mounted(app: ComponentChild): Promise<Mounted> {
  const page = mount(app);
  await settled();
  return page;
}
function seen(node: Node): string {
  if (node.nodeType === 3) return (node as Text).data;
  if ((node as HTMLElement).style?.display === "none") return "";
  return [...node.childNodes].map(seen).join("");
}
/** Waits until promises and renderings are done, but not effects. */
export async function rendered(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise<void>((go) => setTimeout(go, 0));
}
/** Waits until promises, renderings and effects are done, including those that they cause. */
export async function settled(): Promise<void> {
  do {
    await rendered();
    for (const run of frames.splice(0)) run();
    await rendered();
  } while (frames.length > 0);
}
