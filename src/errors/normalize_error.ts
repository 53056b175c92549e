import { RejoinError } from "./rejoin_error.ts";
import { type Problem, sentenceOf } from "./texts.ts";

/**
 * A value that does not have the shape its schema declares. Nothing of it was written.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Entity, normalize, NormalizeError } from "@rejoin/data";
 *
 * class User extends Entity {
 *   id = "";
 *   static key = "User";
 * }
 * try {
 *   normalize([User], { error: "maintenance" });
 * } catch (error) {
 *   assert(error instanceof NormalizeError && error.message.startsWith("Cannot normalize"));
 * }
 * ```
 */
export class NormalizeError extends RejoinError {
  override readonly name = "NormalizeError";
  /** What was to be normalized: the name of an entity, or the schema in words. */
  declare readonly subject: string;
  /** Where in the value, as one would write it in code: `results[3].author`; `""` for the value itself. */
  declare readonly path: string;
  /** What is wrong, then the way out. */
  declare readonly problem: string;

  /**
   * @param subject What was to be normalized: the name of an entity, or the schema in words.
   * @param path Where in the value.
   * @param problem What is wrong, then the way out.
   * @param options The original error as `cause`.
   */
  constructor(subject: string, path: string, problem: Problem, options?: ErrorOptions) {
    const facts = { subject, path, problem: sentenceOf(problem) };
    super(problem, options, facts, `Cannot normalize ${subject}${path && ` at ${path}`}: `);
  }
}
