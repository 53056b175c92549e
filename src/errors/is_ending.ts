import { RejoinError } from "./rejoin_error.ts";
import { tried } from "./report_error.ts";

/**
 * Whether an error says that a call was ended on purpose, and not that it failed: it was aborted, the store was reset,
 * its controller stopped, or a delete overtook it. For handlers that have nothing to tell anybody then.
 *
 * @param error What was thrown; also of another copy of this library.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Endpoint, isEnding } from "@rejoin/data";
 *
 * const save = new Endpoint(() => new Promise<string>(() => {}), { name: "save", sideEffect: true });
 * const controller = new Controller();
 * const reported: unknown[] = [];
 * const saved = controller.fetch(save).catch((error) => isEnding(error) || reported.push(error));
 * controller.abort(save);
 * await saved;
 * assert(reported.length === 0);
 * ```
 */
export function isEnding(error: unknown): boolean {
  const name = tried(() => (error as Error).name);
  return name === "AbortError" || name === "OvertakenError" && RejoinError.is(error);
}
