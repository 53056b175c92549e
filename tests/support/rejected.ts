/**
 * Asserts what a promise rejects with, or what a function throws.
 *
 * @module
 */
import { assert } from "@std/assert";

/** The expected error: a class, a text in its message, or a test. */
export type Expected = RegExp | ((error: never) => unknown) | (abstract new (...args: never[]) => Error);

function assertExpected(error: unknown, expected: Expected): void {
  if (expected instanceof RegExp) assert(expected.test(String(error)), `unexpected ${error}`);
  else if (expected.prototype instanceof Error) {
    assert(error instanceof (expected as abstract new (...args: never[]) => Error), `unexpected ${error}`);
  } else assert((expected as (error: unknown) => unknown)(error), `unexpected ${error}`);
}

/** Asserts that a promise rejects with the expected error. */
export async function assertRejected(promise: Promise<unknown>, expected: Expected = /./): Promise<void> {
  const [error] = await promise.then(() => [], (error: unknown) => [error]) as unknown[]; // an error or nothing
  assert(error !== undefined, "it did not reject");
  assertExpected(error, expected);
}

/** Asserts that a function throws the expected error. */
export function assertThrown(run: () => unknown, expected: Expected): void {
  let thrown: unknown[] = [];
  try {
    run();
  } catch (error) {
    thrown = [error];
  }
  assert(thrown.length, "it did not throw");
  assertExpected(thrown[0], expected);
}
