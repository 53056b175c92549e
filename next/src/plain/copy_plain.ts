import { isPlain } from "./equal.ts";
import type { Value } from "./value.ts";

/** A copy of plain objects and arrays to any depth, cycles and all; anything else is itself. */
export function copyPlain<T>(value: T): T {
  if (!isPlain(value)) return value;
  const copies = new Map<Value, Value>();
  const copyOf = (one: Value): Value => {
    let copy = copies.get(one);
    if (!copy && isPlain(one)) copies.set(one, copy = Array.isArray(one) ? one.slice() : { ...one });
    return copy ?? one;
  };
  const copy = copyOf(value);
  // A map that grows while it is walked is a queue.
  for (const copy of copies.values()) for (const name in copy) copy[name] = copyOf(copy[name]);
  return copy;
}
