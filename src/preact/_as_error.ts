import { isInstance } from "../errors/is_instance.ts";
import { reasonOf } from "../errors/reason.ts";

const wrapped = new WeakMap<object, Error>();

/** What was thrown as an `Error`: what is none is its cause. The same one for the same object. */
export function asError(thrown: unknown): Error {
  if (isInstance(thrown, Error)) return thrown;
  const known = typeof thrown === "object" && thrown !== null ? wrapped.get(thrown) : undefined;
  if (known !== undefined) return known;
  const error = new Error(reasonOf(thrown), { cause: thrown });
  if (typeof thrown === "object" && thrown !== null) wrapped.set(thrown, error);
  return error;
}
