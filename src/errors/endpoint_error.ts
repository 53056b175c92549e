import { RejoinError } from "./rejoin_error.ts";
import type { Problem } from "./texts.ts";

/**
 * An endpoint is declared or called in a way that cannot work: it has no name to make a key of, an argument that no key
 * can hold, a body that cannot be sent. Nothing was sent; the message says what to write instead.
 *
 * @example An argument that no key can hold
 * ```ts
 * import { assert } from "@std/assert";
 * import { Endpoint, EndpointError } from "@rejoin/data";
 *
 * const getUser = new Endpoint(async (id: unknown) => await Promise.resolve({ id }), { name: "getUser" });
 * try {
 *   getUser.key(() => "5");
 * } catch (error) {
 *   assert(error instanceof EndpointError && error.endpoint === "getUser");
 * }
 * ```
 */
export class EndpointError extends RejoinError {
  override readonly name = "EndpointError";
  /** The name of the endpoint; `""` when it has none. */
  declare readonly endpoint: string;

  /**
   * @param endpoint The name of the endpoint; `""` when it has none.
   * @param problem What cannot be done and why, then the way out: a sentence that begins with "Cannot".
   * @param options The original error as `cause`.
   */
  constructor(endpoint: string, problem: Problem, options?: ErrorOptions) {
    super(problem, options, { endpoint });
  }
}
