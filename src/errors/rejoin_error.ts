/** The sentences of errors and warnings, by code. */
export type Sentences = { readonly [code: number]: (...about: any[]) => string }; // each sentence knows what it is about

let sentences: Sentences | undefined;

/** Makes the messages of errors sentences, and warnings come: `dev/texts.ts` does, which only `mod.ts` imports. */
export function useSentences(given: Sentences): void {
  sentences = given;
}

/** The sentence of a code, or in production the code and what it is about. */
function sentenceOf(code: number, about: readonly unknown[]): string {
  // In production texts alone: what is an object may hold data.
  return sentences?.[code]?.(...about) ??
    `Rejoin ${code}: ${about.filter((one) => one && typeof one != "object").join(", ")}`;
}

/** Says something to developers; in production nothing. */
export function warn(code: number, ...about: unknown[]): void {
  if (sentences) console.warn(sentenceOf(code, about));
}

/**
 * The base of every error that this library makes. Tell them apart by `instanceof`, or by `name`, the name of the class.
 * `code` is the same in development, where the message is a sentence with the way out, and in production, where it is one
 * short line; docs/reference/errors.md has all codes. `cause` is what went wrong below.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Entity, normalize, RejoinError } from "@rejoin/data";
 *
 * class User extends Entity {
 *   id = "";
 *   static key = "User";
 * }
 * try {
 *   normalize([User], { error: "maintenance" });
 * } catch (error) {
 *   assert(error instanceof RejoinError && error.name === "NormalizeError" && error.code === 201);
 * }
 * ```
 */
export class RejoinError extends Error {
  /** The name of the class, also in minified code. */
  override name = "RejoinError";

  /**
   * @param code Which error it is.
   * @param about What the sentence of the code names.
   * @param cause What went wrong below.
   * @param facts Further members. Consoles and reports do not print them, for a reply may hold secrets.
   */
  constructor(
    readonly code: number,
    about: readonly unknown[] = [],
    cause?: unknown,
    facts: { [name: string]: unknown } = {},
  ) {
    super(sentenceOf(code, about), cause ? { cause } : undefined);
    for (const name in facts) Object.defineProperty(this, name, { value: facts[name], writable: true });
  }
}
