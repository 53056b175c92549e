/** The messages of errors and warnings in development, by code. */
export type Sentences = { readonly [code: number]: (...about: any[]) => string }; // each takes facts of its own

let sentences: Sentences | undefined;

/** Turns on the messages of development, and warnings. Only `dev/texts.ts` calls it, which only `mod.ts` imports. */
export function useSentences(given: Sentences): void {
  sentences = given;
}

/** The message of a code; in production the code and its facts. */
function sentenceOf(code: number, about: readonly unknown[]): string {
  // In production objects are left out, because they may hold data of users.
  return sentences?.[code]?.(...about) ??
    `Rejoin ${code}: ${about.filter((one) => one && typeof one != "object").join(", ")}`;
}

/** Prints a warning in development, and nothing in production. */
export function warn(code: number, ...about: unknown[]): void {
  if (sentences) console.warn(sentenceOf(code, about));
}

/**
 * The base class of all errors that this library makes. Tell them apart by `instanceof`, or by `name`, the name of the
 * class.
 *
 * `code` says exactly what happened; docs/reference/errors.md lists all codes. In development the message is a sentence
 * that says what to do, in production it is one short line. `cause` is the error that led to this one.
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
  /** The name of the class. It is the same in minified code. */
  override name = "RejoinError";
  /** The number that says what happened. */
  declare readonly code: number;

  /**
   * @param code The number that says what happened.
   * @param about The facts that go into the message.
   * @param cause The error that led to this one.
   * @param facts Further members. Consoles and reports do not print them, because a response may hold secrets.
   */
  constructor(
    code: number,
    about: readonly unknown[] = [],
    cause?: unknown,
    facts: { [name: string]: unknown } = {},
  ) {
    super(sentenceOf(code, about), cause ? { cause } : undefined);
    this.code = code;
    for (const name in facts) Object.defineProperty(this, name, { value: facts[name], writable: true });
  }
}
