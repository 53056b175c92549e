/**
 * What a platform says of a page: seen or hidden, with or without network. For code that listens to it, without a
 * browser and without a document that anything could be rendered into.
 *
 * @module
 */

type Global = { document?: unknown };

/** A page that does what the test says. It is in the place of the platform's until it is disposed of. */
export class FakePage implements Disposable {
  readonly #document: EventTarget & { visibilityState: string };
  readonly #before: PropertyDescriptor | undefined;
  readonly #listeners = new Set<string>();
  readonly #restore: (() => void)[] = [];
  #count = 0;

  /** A page that is seen, with a network. */
  constructor() {
    this.#document = Object.assign(new EventTarget(), { visibilityState: "visible" });
    this.#before = Object.getOwnPropertyDescriptor(globalThis, "document");
    Object.defineProperty(globalThis, "document", { value: this.#document, configurable: true, writable: true });
    this.#setOnline(true);
    this.#watch(globalThis);
    this.#watch(this.#document);
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
    for (const restore of this.#restore.splice(0)) restore();
    delete (navigator as { onLine?: boolean }).onLine;
    if (this.#before === undefined) delete (globalThis as Global).document;
    else Object.defineProperty(globalThis, "document", this.#before);
  }

  #setOnline(onLine: boolean): void {
    Object.defineProperty(navigator, "onLine", { value: onLine, configurable: true });
  }

  #watch(target: EventTarget): void {
    const ids = new Map<unknown, string>();
    const id = (type: string, listener: unknown) => {
      let known = ids.get(listener);
      if (known === undefined) ids.set(listener, known = String(++this.#count));
      return `${type} ${known}`;
    };
    const { addEventListener: add, removeEventListener: remove } = target;
    target.addEventListener = (...args: Parameters<typeof add>): void => {
      this.#listeners.add(id(args[0], args[1]));
      add.apply(target, args);
    };
    target.removeEventListener = (...args: Parameters<typeof remove>): void => {
      this.#listeners.delete(id(args[0], args[1]));
      remove.apply(target, args);
    };
    this.#restore.push(() => Object.assign(target, { addEventListener: add, removeEventListener: remove }));
  }
}
