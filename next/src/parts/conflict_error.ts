import { NetworkError } from "../errors/errors.ts";

/**
 * The server refused a write (412), because what it has is not the version that the write was based on: somebody else was
 * first. Nothing was changed. Comes of endpoints with `use: [ifMatch()]`.
 *
 * @example
 * ```ts
 * import { ConflictError, NetworkError } from "@rejoin/data";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const error = new ConflictError(605, ["/articles/5"], undefined, { mine: { title: "Hello" }, theirs: undefined });
 * assert(error instanceof NetworkError);
 * assertEquals(error.mine, { title: "Hello" });
 * ```
 */
export class ConflictError extends NetworkError {
  override name = "ConflictError";
  /** What was sent: the body of the call; `undefined` for a delete. */
  declare readonly mine: unknown;
  /** What the server has, as its reply or a read of the same URL gave it; `undefined` when neither did. */
  declare readonly theirs: unknown;
}
