// Most patches write one record: what they do not need is not made. These are shared, and so never written.

/** A list without items. */
export const NONE: readonly never[] = /* @__PURE__ */ Object.freeze([]);
/** A set without items. */
export const NO_ITEMS: ReadonlySet<never> = /* @__PURE__ */ new Set<never>();
/** A map without entries. */
export const NO_ENTRIES: ReadonlyMap<never, never> = /* @__PURE__ */ new Map<never, never>();

/**
 * A list with one item more. The first makes a list that has room for just that one: one which grew by `push` has room
 * for seventeen.
 */
export function added<T>(list: readonly T[], item: T): readonly T[] {
  if (list === NONE) return [item];
  (list as T[]).push(item);
  return list;
}

/** A set with one item more. */
export function withItem<T>(set: ReadonlySet<T>, item: T): ReadonlySet<T> {
  return (set === NO_ITEMS ? new Set<T>() : set as Set<T>).add(item);
}

/** A map with one entry more. */
export function withEntry<K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> {
  return (map === NO_ENTRIES ? new Map<K, V>() : map as Map<K, V>).set(key, value);
}
