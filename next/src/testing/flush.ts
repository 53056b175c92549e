/**
 * Lets everything run that waits for promises only: it resolves when the queue of microtasks is empty.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { flush } from "@rejoin/data/testing";
 *
 * const steps: number[] = [];
 * Promise.resolve().then(() => steps.push(1)).then(() => steps.push(2));
 * await flush();
 * assertEquals(steps, [1, 2]);
 * ```
 */
export function flush(): Promise<void> {
  return new Promise((resolve) => later(resolve));
}

// A task of the platform, and not a number of microtasks: a chain of promises may be as long as it likes. It is taken
// when this is loaded: a test may put timers of its own in place.
const { setImmediate, setTimeout, clearTimeout } = globalThis as unknown as { // of a browser, Node or Deno
  readonly setImmediate?: (fn: () => void) => void;
  readonly setTimeout: (fn: () => void, ms: number) => unknown;
  readonly clearTimeout: (timer: unknown) => void;
};

/** Calls a function when the queue of microtasks is empty. */
export const later: (fn: () => void) => void = setImmediate ?? ((fn) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    fn();
  };
  port2.postMessage(undefined);
});

/**
 * Calls a function after some time of the platform, also under fake timers.
 *
 * @returns How to take it back.
 */
export function afterReal(ms: number, fn: () => void): () => void {
  const timer = setTimeout(fn, ms);
  return () => clearTimeout(timer);
}
