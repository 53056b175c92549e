import { isPlain } from "./equal.ts";
import { isObject } from "./is_object.ts";
import type { Value } from "./value.ts";

const shallow = (value: Value): Value => Array.isArray(value) ? value.slice() : { ...value };

/** A copy of plain objects and arrays to any depth, cycles and all; of anything else what `leaf` makes of it. */
export function copyPlain<T>(value: T, leaf?: (one: Value) => Value): T {
  const result = isPlain(value) ? shallow(value) : value;
  // Most are flat.
  if (result === value || (!leaf && !Object.values(result).some(isObject))) return result;
  const copies = new Map<Value, Value>([[value, result]]);
  const copyOf = (one: Value): Value => {
    let copy = copies.get(one);
    if (!copy && isPlain(one)) copies.set(one, copy = shallow(one));
    return copy ?? (leaf ? leaf(one) : one);
  };
  // A map that grows while it is walked is a queue.
  for (const copy of copies.values()) for (const name in copy) copy[name] = copyOf(copy[name]);
  return result;
}
