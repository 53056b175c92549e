import type { Controller } from "../controller/controller.ts";
import { UsageError } from "../errors/mod.ts";
import { afterReal, runEffects } from "./effects.ts";

/** How {@linkcode settled} waits. */
export interface SettledOptions {
  /** How long at most, in ms that really pass, also under fake timers. 1,000 by default. */
  readonly timeout?: number | undefined;
}

/**
 * Lets everything run that waits for promises, for renderings and for effects, and for what those bring; with a
 * controller, also until no request of it is in flight, and what came is on the page.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Controller, Endpoint } from "@rejoin/data";
 * import { settled } from "@rejoin/data/testing";
 *
 * const getTime = new Endpoint(async () => await Promise.resolve(12), { name: "getTime" });
 * const controller = new Controller();
 * controller.fetch(getTime);
 * await settled(controller);
 * assertEquals(controller.getResponse(getTime).data, 12);
 * ```
 *
 * @param controller Whose requests are waited for; left out: none are.
 * @param options How long at most.
 * @throws {UsageError} If requests are still in flight then: it names them.
 */
export async function settled(
  controller?: Pick<Controller, "flights">,
  { timeout = 1000 }: SettledOptions = {},
): Promise<void> {
  let stop!: () => void;
  const late = new Promise<true>((resolve) => stop = afterReal(timeout, () => resolve(true)));
  try {
    for (;;) {
      await runEffects();
      const flights = [...controller?.flights ?? []];
      if (!flights.length) return;
      const isLate = await Promise.race([late, Promise.allSettled(flights.map(({ promise }) => promise))]);
      if (isLate === true) {
        throw new UsageError(1105, [timeout, flights.map(({ endpoint, args }) => endpoint.key(...args)).join(", ")]);
      }
    }
  } finally {
    stop();
  }
}

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
