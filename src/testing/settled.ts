import type { Controller } from "../controller/controller.ts";
import { clock } from "../deps/clock.ts";
import { RejoinError } from "../errors/rejoin_error.ts";
import { runEffects } from "./effects.ts";
import { afterReal, flush } from "./flush.ts";
import { openCalls } from "./fixtures.ts";

/** How {@linkcode settled} waits. */
export interface SettledOptions {
  /** How long at most, in ms that really pass, whatever clock is in place. Defaults to 1,000. */
  readonly timeout?: number | undefined;
}

/**
 * Lets everything run that waits for promises, for renderings and for effects, and for what those bring; with a
 * controller, also until no request of it is in flight, and what came is on the page.
 *
 * @param controller Whose requests are waited for; left out: none are.
 * @param options How long at most.
 * @throws {RejoinError} If requests are still in flight then: it names those that fixtures have not answered.
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
 */
export async function settled(controller?: Controller, { timeout = 1_000 }: SettledOptions = {}): Promise<void> {
  let isLate = false;
  let wake = (): void => {};
  const stop = afterReal(timeout, () => {
    isLate = true;
    wake();
  });
  try {
    for (;;) {
      await runEffects();
      if (controller === undefined) return;
      let isQuiet = false;
      const quiet = controller.allSettled().then(() => isQuiet = true);
      await flush();
      if (isQuiet) return;
      await Promise.race([quiet, new Promise<void>((resolve) => isLate ? resolve() : wake = resolve)]);
      if (isLate) throw new RejoinError(lateProblem(controller, timeout));
    }
  } finally {
    stop();
  }
}

function lateProblem(controller: Controller, timeout: number): string {
  const open = openCalls(controller).map(({ key }) => key).join(", ");
  return `Requests are still in flight after ${timeout} ms${open && `: ${open}`}. ${clockHint()}`;
}

/** What to do where something does not come in time. */
export function clockHint(): string {
  return clock.isReplaced
    ? "A fake clock is in place, whose time does not pass by itself: await clock.tickAsync(ms) first"
    : "Wait for what it waits for first, or give { timeout } more time";
}
