import type { Value } from "./value.ts";

/** Whether a value is an object or an array; a function is not. */
export const isObject = (value: unknown): boolean => typeof value == "object" && value !== null;

/** Whether a value is a promise, or has a `then` like one. */
export const isThenable = (value: Value): value is PromiseLike<unknown> => typeof value?.then == "function";

/** A list without its `undefined` items. If it has none, the result is the list itself. */
export const defined = (list: Value[]): Value[] =>
  list.includes(undefined) ? list.filter((one) => one !== undefined) : list;

/**
 * A pk as text; `undefined` if the value is no pk, so the record is not saved yet. Neither is `"undefined"`, which
 * `${this.id}` gives for a record without id.
 */
export function pkText(pk: unknown): string | undefined {
  if (typeof pk == "string") return pk && pk !== "undefined" ? pk : undefined;
  return typeof pk == "bigint" || Number.isFinite(pk) ? `${pk}` : undefined;
}

/** An own member of an object; `undefined` for one that is only on the prototype, such as `constructor`. */
export const own = (from: Value, name: string): Value => from && Object.hasOwn(from, name) ? from[name] : undefined;
