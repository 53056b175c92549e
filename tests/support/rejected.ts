/**
 * What a promise rejects with, or a function throws.
 *
 * @module
 */
import { assert } from "@std/assert";

/** A class, a text that the message has, or a test. */
export type Expected = RegExp | ((error: never) => unknown) | (abstract new (...args: never[]) => Error);

function assertExpected(error: unknown, expected: Expected): void {
  if (expected instanceof RegExp) assert(expected.test(String(error)), `unexpected ${error}`);
  else if (expected.prototype instanceof Error) {
    assert(error instanceof (expected as abstract new (...args: never[]) => Error), `unexpected ${error}`);
  } else assert((expected as (error: unknown) => unknown)(error), `unexpected ${error}`);
}

/** A promise rejects, with an error that is as expected. */
export async function assertRejected(promise: Promise<unknown>, expected: Expected = /./): Promise<void> {
  const [error] = await promise.then(() => [], (error: unknown) => [error]) as unknown[]; // an error or nothing
  assert(error !== undefined, "it did not reject");
  assertExpected(error, expected);
}

/** A function throws an error that is as expected. */
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
