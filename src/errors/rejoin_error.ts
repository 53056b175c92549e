const REJOIN_ERROR = Symbol.for("@rejoin/data/error");

/**
 * The base of every error that this library makes. `cause` holds what went wrong below; `name` names the class, and
 * `docs/errors.md` has a section of that name.
 *
 * @example Telling our errors from others
 * ```ts
 * import { assert } from "@std/assert";
 * import { RejoinError, TimeoutError } from "@rejoin/data";
 *
 * const error: unknown = new TimeoutError("GET", "https://api.example.com/articles", 30_000);
 * assert(error instanceof RejoinError);
 * assert(RejoinError.is(error));
 * ```
 */
export class RejoinError extends Error {
  /** The name of the class, also in minified code. */
  override readonly name: string = "RejoinError";
  /** Marks the family across copies of this library. */
  readonly [REJOIN_ERROR] = true;

  /** Whether a value is an error of this library, of this or another copy of it. */
  static is(value: unknown): value is RejoinError {
    try {
      return typeof value === "object" && value !== null && REJOIN_ERROR in value;
    } catch {
      // A revoked proxy, or one that does not let itself be asked.
      return false;
    }
  }
}
