import { isObject } from "./is_object.ts";
import type { Value } from "./value.ts";

/** Whether two values are equal: arrays and plain objects by their members, to any depth; others by `Object.is`. */
export function equal(a: Value, b: Value): boolean {
  if (Object.is(a, b)) return true;
  if (!isPlain(a) || !isObject(b) || Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (Array.isArray(a)) {
    if (a.length !== b.length) return false;
    for (let at = 0; at < a.length; at++) if (a[at] !== b[at] && !equal(a[at], b[at])) return false;
    return true;
  }
  const names = Object.keys(a);
  return names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && equal(a[name], b[name]));
}

/** Whether a value is an array, or an object as a literal or JSON makes it. */
export function isPlain(value: unknown): boolean {
  const prototype = isObject(value) && Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
}
