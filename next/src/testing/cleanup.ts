import { runEffects } from "./effects.ts";

/** What is to be undone at the end of the test. */
const undos = new Set<() => void>();

/** Something is to be undone at the end of the test. Returns how to do that before, once. */
export function untilCleanup(undo: () => void): () => void {
  const once = (): void => {
    if (undos.delete(once)) undo();
  };
  undos.add(once);
  return once;
}

/**
 * Takes out of the document what `mount` and `renderDataHook` have put there, and stops the controllers that they made.
 * Write `afterEach(cleanup)` in the words of your runner.
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
 * @throws What one of them threw as it went; the others are gone by then.
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
