/** Where something is kept under a key. */
interface Kept<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** What a map has under a key; made, where there is nothing. */
export function madeIn<K, V>(map: Kept<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, value = make());
  return value;
}

/** Makes something once for an owner and a name, and gives the same again; with the owner it goes. */
export function onceFor<T>(): (owner: object, name: string, make: () => T) => T {
  const made = new WeakMap<object, Map<string, T>>();
  return (owner, name, make) => madeIn(madeIn(made, owner, () => new Map()), name, make);
}
