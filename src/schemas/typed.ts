/**
 * A type as a value, for options that only say a type, such as `searchParams` and `body`. It is an empty
 * object at run time.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { typed } from "@rejoin/data";
 *
 * const searchParams = typed<{ page?: number }>();
 * assert(Object.keys(searchParams).length === 0);
 * ```
 */
export const typed = <T>(): T => ({}) as T; // a body that is declared is not undefined
