import { RejoinError } from "./rejoin_error.ts";
import { said } from "./texts.ts";

/**
 * A reply that came too late to have a value: the record it describes was deleted, or the store was reset, after the
 * request had started. `reason` tells which.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Endpoint, OvertakenError } from "@rejoin/data";
 *
 * const controller = new Controller();
 * const ask = new Endpoint(() => new Promise<string>(() => {}), { name: "ask" });
 * const answer = controller.fetch(ask).catch((reason: unknown) => reason);
 * controller.resetEntireStore();
 * const error = await answer;
 * assert(error instanceof OvertakenError && error.reason === "reset");
 * ```
 */
export class OvertakenError extends RejoinError {
  override readonly name = "OvertakenError";
  /** What came in between. */
  declare readonly reason: "delete" | "reset" | "cleanup";

  /**
   * @param endpoint The name of the endpoint.
   * @param reason What came in between.
   */
  constructor(endpoint: string, reason: "delete" | "reset" | "cleanup") {
    super(said(608, { endpoint, reason }), undefined, { reason });
  }
}
