import { isMet } from "../schemas/containers.ts";

/** Steps after which a comparison watches for values that contain themselves; no honest JSON is slowed before that. */
const WATCH_AFTER = 10_000;

/**
 * Whether two values of plain JSON are equal, however deep: an explicit stack, no recursion. `NaN` equals itself; dates
 * are compared by their time.
 */
export function deepEqual(a: unknown, b: unknown): boolean {
  const stack: unknown[] = [a, b];
  let compared: Map<object, Set<object>> | undefined;
  for (let steps = 0; stack.length > 0; steps++) {
    const right = stack.pop() as { readonly [name: string]: unknown };
    const left = stack.pop() as typeof right;
    if (left === right || (left !== left && right !== right)) continue;
    if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
    if (steps > WATCH_AFTER && isMet(compared ??= new Map(), left, right)) continue;
    if (Array.isArray(left)) {
      if (!Array.isArray(right) || left.length !== right.length) return false;
      for (let at = 0; at < left.length; at++) if (left[at] !== right[at]) stack.push(left[at], right[at]);
      continue;
    }
    const prototype = Object.getPrototypeOf(left);
    if (prototype !== Object.getPrototypeOf(right)) return false;
    if (left instanceof Date && Object.is(left.getTime(), (right as unknown as Date).getTime())) continue;
    const names = Object.keys(left);
    // A Map, a File …: what it holds cannot be seen, so it equals only itself.
    if (names.length === 0 && prototype !== Object.prototype && prototype !== null) return false;
    if (names.length !== Object.keys(right).length) return false;
    for (const name of names) {
      if (!Object.hasOwn(right, name)) return false;
      if (left[name] !== right[name]) stack.push(left[name], right[name]);
    }
  }
  return true;
}
