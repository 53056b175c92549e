import { isPlain } from "./equal.ts";

/** A copy of plain objects and arrays to any depth; anything else is itself. */
export function copyPlain<T>(value: T): T {
  if (!isPlain(value)) return value;
  if (Array.isArray(value)) return value.map(copyPlain) as T;
  const copy: any = { ...value };
  for (const name in copy) copy[name] = copyPlain(copy[name]);
  return copy;
}
