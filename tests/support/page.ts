/**
 * What a platform says of a page: seen or hidden, with or without network. For code that listens to it, without a
 * browser and without a document that anything could be rendered into.
 *
 * @module
 */

import { replaceGlobals } from "./replace_globals.ts";

/** A page that does what the test says. It is in the place of the platform's until it is disposed of. */
export class FakePage implements Disposable {
  readonly #document: EventTarget & { visibilityState: string };
  readonly #replaced: Disposable;
  readonly #listeners = new Set<string>();
  #count = 0;

  /** A page that is seen, with a network. */
  constructor() {
    this.#document = Object.assign(new EventTarget(), { visibilityState: "visible" });
    this.#replaced = replaceGlobals({ document: this.#document, ...this.#counting(globalThis) });
    Object.assign(this.#document, this.#counting(this.#document));
    this.#setOnline(true);
  }

  /** Listeners that were added since, and not removed. */
  get listeners(): number {
    return this.#listeners.size;
  }

  /** Another tab is in front. */
  hide(): void {
    this.#document.visibilityState = "hidden";
    this.#document.dispatchEvent(new Event("visibilitychange"));
  }

  /** It is in front again. */
  show(): void {
    this.#document.visibilityState = "visible";
    this.#document.dispatchEvent(new Event("visibilitychange"));
  }

  /** Its window gets the focus. */
  focus(): void {
    globalThis.dispatchEvent(new Event("focus"));
  }

  /** The network goes. */
  goOffline(): void {
    this.#setOnline(false);
    globalThis.dispatchEvent(new Event("offline"));
  }

  /** The network comes. */
  goOnline(): void {
    this.#setOnline(true);
    globalThis.dispatchEvent(new Event("online"));
  }

  /** Puts back what was there. */
  [Symbol.dispose](): void {
    delete (navigator as { onLine?: boolean }).onLine;
    this.#replaced[Symbol.dispose]();
  }

  #setOnline(onLine: boolean): void {
    Object.defineProperty(navigator, "onLine", { value: onLine, configurable: true });
  }

  /** What adds and removes listeners of a target, and counts them. */
  #counting(target: EventTarget): Pick<EventTarget, "addEventListener" | "removeEventListener"> {
    const ids = new Map<unknown, string>();
    const id = (type: string, listener: unknown) => {
      let known = ids.get(listener);
      if (known === undefined) ids.set(listener, known = String(++this.#count));
      return `${type} ${known}`;
    };
    const { addEventListener: add, removeEventListener: remove } = target;
    return {
      addEventListener: (...args: Parameters<typeof add>): void => {
        this.#listeners.add(id(args[0], args[1]));
        add.apply(target, args);
      },
      removeEventListener: (...args: Parameters<typeof remove>): void => {
        this.#listeners.delete(id(args[0], args[1]));
        remove.apply(target, args);
      },
    };
  }
}
