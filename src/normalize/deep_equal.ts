/** Steps after which a comparison watches for values that contain themselves; no honest JSON is slowed before that. */
const WATCH_AFTER = 10_000;

/**
 * Whether two values of plain JSON are equal, however deep: an explicit stack, no recursion. `NaN` equals itself; dates
 * are compared by their time.
 */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a !== a && b !== b;
  const stack: unknown[] = [a, b];
  let steps = 0;
  let compared: Map<object, Set<object>> | undefined;
  while (stack.length > 0) {
    const right = stack.pop();
    const left = stack.pop();
    if (left === right) continue;
    if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) {
      if (left !== left && right !== right) continue;
      return false;
    }
    if (++steps > WATCH_AFTER) {
      compared ??= new Map();
      let partners = compared.get(left);
      if (partners === undefined) compared.set(left, partners = new Set());
      else if (partners.has(right)) continue;
      partners.add(right);
    }
    if (Array.isArray(left)) {
      if (!Array.isArray(right) || left.length !== right.length) return false;
      for (let i = 0; i < left.length; i++) {
        if (left[i] !== right[i]) stack.push(left[i], right[i]);
      }
      continue;
    }
    if (Array.isArray(right)) return false;
    if (left instanceof Date || right instanceof Date) {
      if (!(left instanceof Date) || !(right instanceof Date) || !Object.is(left.getTime(), right.getTime())) {
        return false;
      }
      continue;
    }
    const prototype = Object.getPrototypeOf(left);
    if (prototype !== Object.getPrototypeOf(right)) return false;
    if (prototype !== Object.prototype && prototype !== null && Object.keys(left).length === 0) {
      // A Map, a File …: what it holds cannot be seen, so it equals only itself.
      return false;
    }
    const names = Object.keys(left);
    if (names.length !== Object.keys(right).length) return false;
    for (const name of names) {
      if (!Object.hasOwn(right, name)) return false;
      const l = (left as Record<string, unknown>)[name];
      const r = (right as Record<string, unknown>)[name];
      if (l !== r) stack.push(l, r);
    }
  }
  return true;
}
