import type { Value } from "./value.ts";

/** Whether a value is an object, an array too, but no function. */
export const isObject = (value: unknown): boolean => typeof value == "object" && value !== null;

/** Whether a value is a promise, or like one. */
export const isThenable = (value: Value): value is PromiseLike<unknown> => typeof value?.then == "function";
