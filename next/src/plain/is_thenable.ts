import type { Value } from "./value.ts";

/** Whether a value is a promise, or like one. */
export const isThenable = (value: Value): value is PromiseLike<unknown> => typeof value?.then == "function";
