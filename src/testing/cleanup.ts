import { settled } from "./settled.ts";

const cleanups = new Set<() => void>();

/** Something is to be undone at the end of the test. Returns how to do that before, once. */
export function untilCleanup(undo: () => void): () => void {
  const once = (): void => {
    if (cleanups.delete(once)) undo();
  };
  cleanups.add(once);
  return once;
}

/**
 * Takes out of the document what `mount` and `renderDataHook` have put there, and stops the controllers that they made.
 *
 * It runs by itself after each test where the runner says when that is: in `Deno.test`, and wherever `afterEach` is global
 * (Vitest with `globals: true`, Jest, Mocha, Bun). Elsewhere write `afterEach(cleanup)`.
 *
 * @throws What one of them threw as it went; the others are gone by then.
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
 */
export async function cleanup(): Promise<void> {
  if (cleanups.size === 0) return;
  const errors: unknown[] = [];
  for (const undo of [...cleanups].reverse()) {
    try {
      undo();
    } catch (error) {
      errors.push(error);
    }
  }
  await settled();
  if (errors.length > 0) throw errors[0];
}

/** What a runner may have put there. */
interface Runner {
  readonly afterEach?: (run: () => Promise<void>) => void;
  readonly Deno?: { readonly test?: Runner };
}

const runner = globalThis as Runner;
(runner.afterEach ?? runner.Deno?.test?.afterEach)?.(cleanup);
