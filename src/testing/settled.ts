import type { Controller } from "../controller/controller.ts";
import { UsageError } from "../errors/mod.ts";
import { afterReal, runEffects } from "./effects.ts";

/** Options of {@linkcode settled}. */
export interface SettledOptions {
  /** The longest time to wait, in real ms, also under fake timers. 1,000 by default. */
  readonly timeout?: number | undefined;
}

/**
 * Waits until everything has run that waits for promises, renderings and effects. With a controller, it also waits
 * until none of its requests is in flight and their data are rendered.
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
 * @param controller The controller whose requests to wait for; none if it is left out.
 * @param options The longest time to wait.
 * @throws {UsageError} If requests are in flight after that time. The error names them.
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

/** Real ms between two looks. */
const REST = 5;

/**
 * Waits until a condition holds: a text is on the page, or a server got a request. Effects and renderings run
 * meanwhile. If all requests go through one controller, prefer `settled(controller)`: it waits no longer than they
 * take.
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
 * @param look The condition. It is called again until it neither throws nor gives `false`. It may be async.
 * @param options The longest time to wait.
 * @returns The value that the condition gave then.
 * @throws The last error of the condition, or a {@linkcode UsageError}, when the time is over.
 */
export async function waitFor<T>(look: () => T | Promise<T>, { timeout = 1000 }: SettledOptions = {}): Promise<T> {
  let isLate = false;
  const stop = afterReal(timeout, () => isLate = true);
  try {
    for (;;) {
      await runEffects();
      // The condition is checked once more after the time is over, because the machine may have been slow.
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
