import { define } from "../../normalize/record.ts";
import { isPlain } from "../is_plain.ts";
import { redactText } from "./redact_text.ts";

/**
 * A value without the members of some names, at any depth; what is no plain object or array in it stays as it is.
 *
 * @param root Perhaps what contains itself.
 * @param names Which members.
 * @param inPlace Stands in their place, and in that of their values in texts that name a list or a request; left out: they
 *   are not there.
 * @param isSecretValue Which values are left out with their members, whatever these are called.
 * @returns The value itself where it has none of them.
 */
export function withoutMembers<T>(
  root: T,
  names: ReadonlySet<string>,
  inPlace?: string,
  isSecretValue?: (value: unknown) => boolean,
): T {
  if (names.size === 0) return root;
  let isFound = false;
  const copies = new Map<object, object>();
  const copyOf = (value: unknown): unknown => {
    if (inPlace !== undefined && typeof value === "string") {
      const text = redactText(value, names);
      isFound ||= text !== value;
      return text;
    }
    if (!isPlain(value)) return value;
    let copy = copies.get(value);
    if (copy === undefined) copies.set(value, copy = Array.isArray(value) ? [] : {});
    return copy;
  };
  const result = copyOf(root);
  // A map gives what is added while it is gone through: no depth is too deep.
  for (const [from, to] of copies) {
    for (const [name, member] of Object.entries(from)) {
      const isSecret = names.has(name) && !Array.isArray(from) || isSecretValue?.(member) === true;
      isFound ||= isSecret;
      if (!isSecret || inPlace !== undefined) {
        define(to as Record<string, unknown>, name, isSecret ? inPlace : copyOf(member));
      }
    }
  }
  return isFound ? result as T : root;
}
