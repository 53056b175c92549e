import type { Value } from "./value.ts";

/** Whether a value is an object, an array too, but no function. */
export const isObject = (value: unknown): boolean => typeof value == "object" && value !== null;

/** Whether a value is a promise, or like one. */
export const isThenable = (value: Value): value is PromiseLike<unknown> => typeof value?.then == "function";

/** A list without what is `undefined`. The usual result is the list itself. */
export const defined = (list: Value[]): Value[] =>
  list.includes(undefined) ? list.filter((one) => one !== undefined) : list;

/** A pk as text; `undefined`: not saved yet. */
export function pkText(pk: unknown): string | undefined {
  if (typeof pk == "string") return pk || undefined;
  return typeof pk == "bigint" || Number.isFinite(pk) ? `${pk}` : undefined;
}

/** A member of an object; `undefined` where it has none of its own. */
export const own = (from: Value, name: string): Value => from && Object.hasOwn(from, name) ? from[name] : undefined;
