/**
 * Gives a type to an option that exists for the type checker only, such as `searchParams` or `body`. At run time it is
 * an empty object.
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
export const typed = <T>(): T => ({}) as T; // an object, because an endpoint with `body: undefined` takes no body
