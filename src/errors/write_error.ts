import { RejoinError } from "./rejoin_error.ts";
import { said } from "./texts.ts";

/**
 * The server accepted a mutation, but its reply could not be stored: `response` is what it sent, `cause` why it could
 * not be written. What the mutation showed before the answer is gone, and what holds the record is stale.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Endpoint, Entity, WriteError } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   static key = "Article";
 * }
 * const publish = new Endpoint(async () => await Promise.resolve(["not", "an", "article"]), {
 *   name: "publish",
 *   schema: Article,
 *   sideEffect: true,
 * });
 * const error = await new Controller().fetch(publish).catch((reason: unknown) => reason);
 * assert(error instanceof WriteError && Array.isArray(error.response));
 * ```
 */
export class WriteError extends RejoinError {
  override readonly name = "WriteError";
  /** What the server sent. */
  declare readonly response: unknown;

  /**
   * @param endpoint The name of the endpoint.
   * @param response What the server sent.
   * @param cause Why it could not be written.
   */
  constructor(endpoint: string, response: unknown, cause: unknown) {
    const details = { cause, response };
    super(said(609, { endpoint, cause }), details);
  }
}
