import { isPlain } from "./equal.ts";
import type { Value } from "./value.ts";

/** A copy of plain objects and arrays to any depth; anything else is itself. */
export function copyPlain<T>(value: T): T {
  if (!isPlain(value)) return value;
  if (Array.isArray(value)) return value.map(copyPlain) as T;
  const copy: Value = { ...value };
  for (const name in copy) copy[name] = copyPlain(copy[name]);
  return copy;
}
