import type { Value } from "../plain/value.ts";

/** What was made for a class, by name. */
const made = new WeakMap<object, Map<string, Value>>();
/** What is made once for a class and a name; a subclass has its own. */
export function once<T>(owner: object, name: string, make: () => T): T {
  let own = made.get(owner);
  if (!own) made.set(owner, own = new Map());
  if (!own.has(name)) own.set(name, make());
  return own.get(name);
}
