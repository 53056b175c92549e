import type { Controller } from "../controller/controller.ts";
import { UsageError } from "../errors/mod.ts";
import { runEffects } from "./effects.ts";
import { openCalls } from "./fixtures.ts";
import { afterReal, flush } from "./flush.ts";

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
 * @throws {UsageError} If requests are still in flight then: it names those that fixtures have not answered.
 */
export async function settled(
  controller?: Pick<Controller, "flights">,
  { timeout = 1000 }: SettledOptions = {},
): Promise<void> {
  let wake!: () => void, isLate = false;
  const late = new Promise<void>((resolve) => wake = resolve), stop = afterReal(timeout, () => (isLate = true, wake()));
  try {
    for (;;) {
      await runEffects();
      const flights = [...controller?.flights ?? []];
      if (!flights.length) return;
      await Promise.race([late, Promise.allSettled(flights.map(({ promise }) => promise))]);
      await flush();
      if (isLate) {
        throw new UsageError(1105, [timeout, openCalls(controller!).map(({ key }) => key).join(", ")]);
      }
    }
  } finally {
    stop();
  }
}
