import type { Store, StorePart } from "../store/store.ts";

/** The part of a class that a store has; it gets one where it has none. */
export function partOf<P extends StorePart>(store: Store, Class: new (store: Store) => P): P {
  let part = store.parts.find((one): one is P => one instanceof Class);
  if (part === undefined) store.join(part = new Class(store));
  return part;
}
