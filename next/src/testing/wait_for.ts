import { UsageError } from "../errors/mod.ts";
import { runEffects } from "./effects.ts";
import { afterReal } from "./flush.ts";
import type { SettledOptions } from "./settled.ts";

/** ms that really pass before it looks again. */
const REST = 5;

/**
 * Waits until something holds: a text is on the page, a server was asked. Effects and renderings run meanwhile. Where all
 * requests go through one controller, `settled(controller)` waits for just as long as they take.
 *
 * @example
 * ```ts
 * import { assert, assertEquals } from "@std/assert";
 * import { waitFor } from "@rejoin/data/testing";
 *
 * const rows: string[] = [];
 * setTimeout(() => rows.push("one"), 10);
 * await waitFor(() => rows.length === 1);
 * assertEquals(await waitFor(() => (assert(rows.length > 0), rows[0])), "one");
 * ```
 *
 * @param look Is called again and again, until it neither throws nor gives `false`; what it gives may be a promise.
 * @param options How long at most.
 * @returns What it gave then.
 * @throws What it threw last, or a {@linkcode UsageError}, when the time is over.
 */
export async function waitFor<T>(look: () => T | Promise<T>, { timeout = 1000 }: SettledOptions = {}): Promise<T> {
  let isLate = false;
  const stop = afterReal(timeout, () => isLate = true);
  try {
    for (;;) {
      await runEffects();
      // It looks once more after the time is over: it may have been the machine that was late.
      const isLast = isLate;
      try {
        const seen = await look();
        if (seen !== false) return seen;
        if (isLast) throw new UsageError(1106, [timeout, look]);
      } catch (error) {
        if (isLast) throw error;
      }
      await new Promise<void>((resolve) => afterReal(REST, resolve));
    }
  } finally {
    stop();
  }
}
