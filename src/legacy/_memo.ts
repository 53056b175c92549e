/** What was made for a class, by name. A class that nobody holds takes its endpoints along. */
const made = new WeakMap<object, Map<string, unknown>>();

/**
 * What was made for a class under a name. A subclass has its own.
 *
 * @param owner The class.
 * @param name The name.
 * @param make Makes it, the first time.
 */
export function memoOf<T>(owner: object, name: string, make: () => T): T {
  let own = made.get(owner);
  if (own === undefined) made.set(owner, own = new Map());
  if (!own.has(name)) own.set(name, make());
  return own.get(name) as T;
}
