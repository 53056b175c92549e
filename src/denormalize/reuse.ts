import { define } from "../schemas/define.ts";

/** Two containers that are being compared. */
interface Pair {
  readonly before: Members;
  readonly after: Members;
  /** The members of an object; an array goes by its indices. */
  readonly names: readonly string[] | undefined;
  readonly length: number;
  at: number;
  isSame: boolean;
  /** `after` with parts of `before`, made at the first part that is equal. */
  copy: Members | undefined;
}

type Members = Record<string | number, unknown>;

/**
 * The last answer where the new one holds the same; else the new one, in which the parts that hold the same are those of
 * the last: equal identity means that nobody is told. Looks into arrays and plain objects, however deep, and at
 * the time of dates; everything else is the same only when it is identical.
 *
 * @param before The last answer.
 * @param after The new one; never changed.
 * @param leaves Containers that are answers of their own, and compared by identity.
 * @returns One of the two, or a copy of `after` with parts of `before`.
 */
export function reuse(before: unknown, after: unknown, leaves?: ReadonlySet<unknown>): unknown {
  if (before === after || !isComparable(before, after, leaves)) return after;
  /** What each container of `after` became; itself while it is being compared. */
  const results = new Map<unknown, unknown>();
  const stack: Pair[] = [pairOf(before as Members, after as Members)];
  results.set(after, after);
  for (;;) {
    const top = stack.at(-1)!;
    if (top.at === top.length) {
      const result = top.isSame ? top.before : top.copy ?? top.after;
      if (result === top.copy && Object.isFrozen(top.after)) Object.freeze(result);
      results.set(top.after, result);
      stack.pop();
      const above = stack.at(-1);
      if (above === undefined) return result;
      put(above, result);
      continue;
    }
    const name = top.names?.[top.at] ?? top.at;
    const now = top.after[name];
    const old = Object.hasOwn(top.before, name) ? top.before[name] : undefined;
    if (Object.is(old, now)) {
      if (now === undefined && !Object.hasOwn(top.before, name)) top.isSame = false;
      top.at++;
    } else if (old instanceof Date && now instanceof Date && Object.is(old.getTime(), now.getTime())) put(top, old);
    else if (!isComparable(old, now, leaves)) {
      top.isSame = false;
      top.at++;
    } else if (!results.has(now)) {
      stack.push(pairOf(old as Members, now as Members));
      results.set(now, now);
    } else {
      // It contains itself: a copy of a part of it would not be part of it any more.
      if (stack.some((pair) => pair.after === now)) return after;
      put(top, results.get(now));
    }
  }
}

/** Takes the result of the member that the pair stands at, and goes on. */
function put(pair: Pair, result: unknown): void {
  const name = pair.names?.[pair.at] ?? pair.at;
  if (result !== pair.before[name]) pair.isSame = false;
  if (result !== pair.after[name]) {
    pair.copy ??= copyOf(pair.after);
    define(pair.copy, name as string, result);
  }
  pair.at++;
}

function pairOf(before: Members, after: Members): Pair {
  const names = Array.isArray(after) ? undefined : Object.keys(after);
  const length = names?.length ?? (after.length as number);
  const isSame = length === (Array.isArray(before) ? before.length : Object.keys(before).length);
  return { before, after, names, length, at: 0, isSame, copy: undefined };
}

function copyOf(members: Members): Members {
  if (Array.isArray(members)) return [...members] as unknown as Members;
  return Object.getPrototypeOf(members) === null ? Object.assign(Object.create(null), members) : { ...members };
}

function isComparable(before: unknown, after: unknown, leaves: ReadonlySet<unknown> | undefined): boolean {
  if (typeof before !== "object" || typeof after !== "object" || before === null || after === null) return false;
  if (leaves?.has(after)) return false;
  if (Array.isArray(after)) return Array.isArray(before);
  const prototype = Object.getPrototypeOf(after);
  return (prototype === Object.prototype || prototype === null) && Object.getPrototypeOf(before) === prototype;
}
