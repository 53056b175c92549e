import { isObject } from "./is_object.ts";
import type { Value } from "./value.ts";

/** Whether two values are equal as JSON is: arrays and plain objects to any depth. */
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

/** An array, or an object that a literal or JSON makes. */
export function isPlain(value: unknown): boolean {
  const prototype = isObject(value) && Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
}
