import { options } from "../deps/preact.ts";

/** Callbacks that Preact scheduled for the next frame, mostly effects. */
const frames: (() => void)[] = [];
/** The number of mounted apps. While there is one, effects run in the next task, so that no timer outlives the test. */
let mounted = 0, before: typeof options.requestAnimationFrame;

const runFrames = (): void => frames.splice(0).forEach((run) => run());

/**
 * Makes effects run in the next task instead of the next frame. Returns a function that ends this, to be called once.
 */
export function takeFrames(): () => void {
  if (!mounted++) {
    before = options.requestAnimationFrame;
    // Preact 11 renders by `queueMicrotask`, which fake timers may have taken.
    options.debounceRendering ??= (run) => void Promise.resolve().then(run);
    options.requestAnimationFrame = (run) => {
      frames.push(run);
      later(runFrames);
    };
  }
  return () => {
    if (--mounted) return;
    options.requestAnimationFrame = before!; // `undefined` restores Preact's default
    runFrames();
  };
}

/** Runs everything that waits for promises, renderings and effects, until none of these is left. */
export async function runEffects(): Promise<void> {
  do {
    await flush();
    runFrames();
    await flush();
  } while (frames.length);
}

/**
 * Waits until the queue of microtasks is empty, so that everything has run that waits for promises only.
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

// These wait for a task of the platform and not for a number of microtasks, because a chain of promises may have any
// length. They are taken when the module is loaded, before a test can install fake timers.
const { setImmediate, setTimeout, clearTimeout } = globalThis as unknown as { // typed for browsers, Node and Deno
  readonly setImmediate?: (fn: () => void) => void;
  readonly setTimeout: (fn: () => void, ms: number) => unknown;
  readonly clearTimeout: (timer: unknown) => void;
};

/** Calls a function when the queue of microtasks is empty. */
export const later: (fn: () => void) => void = setImmediate ?? ((fn) => setTimeout(fn, 0));

/**
 * Calls a function after some real time, also under fake timers.
 *
 * @returns A function that cancels the call.
 */
export function afterReal(ms: number, fn: () => void): () => void {
  const timer = setTimeout(fn, ms);
  return () => clearTimeout(timer);
}
