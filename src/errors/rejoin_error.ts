import { codeOf, type Problem, sentenceOf } from "./texts.ts";

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
  /** Which error it is, as `docs/errors.md` has it; 0 where its sentence is not ours. */
  declare readonly code: number;

  /**
   * @param problem What is wrong, then the way out.
   * @param options The original error as `cause`.
   * @param code Which error it is, where the sentence is made of more than one.
   * @param before What the sentence begins with.
   * @param facts What of it the error has as members.
   */
  constructor(
    problem: Problem = "",
    options?: ErrorOptions,
    code: number = codeOf(problem),
    before = "",
    facts?: object,
  ) {
    super(before + sentenceOf(problem), options);
    Object.assign(this, { code }, facts);
  }

  /** Whether a value is an error of this library, of this or another copy of it. */
  static is(value: unknown): value is RejoinError {
    try {
      return REJOIN_ERROR in (value as object);
    } catch {
      // No object, a revoked proxy, or one that does not let itself be asked.
      return false;
    }
  }
}
