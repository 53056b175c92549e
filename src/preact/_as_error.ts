import { isInstance } from "../errors/is_instance.ts";
import { reasonOf } from "../errors/reason.ts";

const wrapped = new WeakMap<object, Error>();

/** What was thrown as an `Error`: what is none is its cause. The same one for the same object. */
export function asError(thrown: unknown): Error {
  if (isInstance(thrown, Error)) return thrown;
  const object = thrown as object;
  let error = wrapped.get(object);
  if (error === undefined) {
    error = new Error(reasonOf(thrown), { cause: thrown });
    // Texts and numbers are no keys.
    if (Object(thrown) === thrown) wrapped.set(object, error);
  }
  return error;
}
