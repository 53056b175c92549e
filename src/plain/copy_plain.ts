import { isPlain } from "./equal.ts";
import { isObject } from "./is_object.ts";
import type { Value } from "./value.ts";

const shallow = (value: Value): Value => Array.isArray(value) ? value.slice() : { ...value };

/** A deep copy of plain objects and arrays, also with cycles. Other values stay, or become what `leaf` returns. */
export function copyPlain<T>(value: T, leaf?: (one: Value) => Value): T {
  const result = isPlain(value) ? shallow(value) : value;
  // Most values are flat, and need no map.
  if (result === value || (!leaf && !Object.values(result).some(isObject))) return result;
  const copies = new Map<Value, Value>([[value, result]]);
  const copyOf = (one: Value): Value => {
    let copy = copies.get(one);
    if (!copy && isPlain(one)) copies.set(one, copy = shallow(one));
    return copy ?? (leaf ? leaf(one) : one);
  };
  // The loop also visits copies that are added while it runs, so the map is its queue.
  for (const copy of copies.values()) for (const name in copy) copy[name] = copyOf(copy[name]);
  return result;
}
