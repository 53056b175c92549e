import { define } from "../../normalize/record.ts";

/** Stands for a member that never leaves the process, where people look at what there is. */
export const REDACTED = "(redacted)";

/**
 * A value without the members of some names, at any depth; what is no plain object or array in it stays as it is.
 *
 * @param root Perhaps what contains itself.
 * @param names Which members.
 * @param inPlace Stands in their place; left out: they are not there.
 * @returns The value itself where it has none of them.
 */
export function withoutMembers<T>(root: T, names: ReadonlySet<string>, inPlace?: string): T {
  if (names.size === 0) return root;
  let isFound = false;
  const copies = new Map<object, object>();
  const copyOf = (value: unknown): unknown => {
    if (!isPlain(value)) return value;
    let copy = copies.get(value);
    if (copy === undefined) copies.set(value, copy = Array.isArray(value) ? [] : {});
    return copy;
  };
  const result = copyOf(root);
  // A map gives what is added while it is gone through: no depth is too deep.
  for (const [from, to] of copies) {
    for (const [name, member] of Object.entries(from)) {
      const isSecret = names.has(name) && !Array.isArray(from);
      isFound ||= isSecret;
      if (!isSecret || inPlace !== undefined) {
        define(to as Record<string, unknown>, name, isSecret ? inPlace : copyOf(member));
      }
    }
  }
  return isFound ? result as T : root;
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
