import { tried } from "./report_error.ts";

/**
 * `value instanceof Class` for what somebody threw: that may be anything, and of a revoked proxy `instanceof` throws.
 *
 * @param value Anything.
 * @param Class The class.
 */
export function isInstance<T>(value: unknown, Class: abstract new (...args: never[]) => T): value is T {
  return tried(() => value instanceof Class) ?? false;
}
