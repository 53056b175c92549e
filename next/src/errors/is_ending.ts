/**
 * Whether a call was ended on purpose and did not fail: it was aborted, or the store was reset. Then there is nothing to
 * report.
 *
 * @param error What was thrown.
 * @returns Whether its name is "AbortError", as that of aborted calls of the platform is.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Endpoint, isEnding } from "@rejoin/data";
 *
 * const search = new Endpoint(() => new Promise<string>(() => {}), { name: "search" });
 * const controller = new Controller(), result = controller.fetch(search).catch((error: unknown) => error);
 * controller.resetEntireStore();
 * assert(isEnding(await result));
 * ```
 */
export function isEnding(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}
