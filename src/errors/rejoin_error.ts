import { tried } from "./report_error.ts";
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
   * @param details The original error as `cause`; what else the error tells who asks for it, and nobody else.
   * @param facts What it has as members.
   * @param before What the sentence begins with.
   */
  constructor(problem: Problem = "", details: ErrorOptions = {}, facts?: object, before = "") {
    super(before + sentenceOf(problem), details);
    Object.assign(this, { code: codeOf(problem) }, facts);
    // No values of its own: consoles and reports print those, and an answer may hold secrets (`set-cookie`, a token).
    for (const name of Object.keys(details) as (keyof ErrorOptions)[]) {
      if (!Object.hasOwn(this, name)) Object.defineProperty(this, name, { get: () => details[name] });
    }
  }

  /** Whether a value is an error of this library, of this or another copy of it. */
  static is(value: unknown): value is RejoinError {
    // It may be no object, a revoked proxy, or one that does not let itself be asked.
    return tried(() => REJOIN_ERROR in (value as object)) ?? false;
  }
}
