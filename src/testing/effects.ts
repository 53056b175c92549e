import { options } from "../deps/preact.ts";

/** What waits for the next frame: effects, mostly. */
const frames: (() => void)[] = [];
/** How many apps are mounted: while there is one, effects run soon, with no timer that would outlive a test. */
let mounted = 0, before: typeof options.requestAnimationFrame;

const runFrames = (): void => frames.splice(0).forEach((run) => run());

/** Effects of what is rendered run in the next task. Returns how to end it, to be called once. */
export function takeFrames(): () => void {
  if (!mounted++) {
    before = options.requestAnimationFrame;
    options.requestAnimationFrame = (run) => {
      frames.push(run);
      later(runFrames);
    };
  }
  return () => {
    if (--mounted) return;
    options.requestAnimationFrame = before!; // `undefined` is what Preact has at first
    runFrames();
  };
}

/** Lets everything run that waits for promises, for renderings, for effects, and for what those bring. */
export async function runEffects(): Promise<void> {
  do {
    await flush();
    runFrames();
    await flush();
  } while (frames.length);
}

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
