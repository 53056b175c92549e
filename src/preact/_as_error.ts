import { isInstance } from "../errors/is_instance.ts";
import { reasonOf } from "../errors/reason.ts";
import { isThenable } from "./_internals.ts";

const wrapped = new WeakMap<object, Error>();

/**
 * What was thrown as an `Error` that can be thrown on: what is none is its cause, and what looks like a promise, which
 * frameworks wait for. The same one for the same object.
 *
 * @param of For what something was thrown that is no object: the same one for the same of these.
 */
export function asError(thrown: unknown, of?: object): Error {
  if (isInstance(thrown, Error) && !isThenable(thrown, true)) return thrown;
  const key = Object(thrown) === thrown ? thrown as object : of;
  const known = key && wrapped.get(key);
  if (known !== undefined) return known;
  const error = new Error(reasonOf(thrown), { cause: thrown });
  if (key !== undefined) wrapped.set(key, error);
  return error;
}
