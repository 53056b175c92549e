import { isPlain } from "./equal.ts";
import { isObject } from "./is_object.ts";
import type { Value } from "./value.ts";

/** A text as JSON. Most texts are plain ASCII without an escape, and `JSON.stringify` has a high fixed cost. */
const quoted = (text: string): string => /[^ !#-[\]-~]/.test(text) ? JSON.stringify(text) : `"${text}"`;

/** Names for values whose content cannot be read here: blobs, buffers, streams. One object keeps one name. */
const unread = new WeakMap<object, string>();
let count = 0;

/**
 * Arguments as JSON. Equal arguments give equal text, in any order of their members. An entity inside an entity is
 * written as its pk, a form as its entries.
 */
export function argsText(args: Value, isInside?: boolean): string {
  if (typeof args == "string") return quoted(args);
  if (typeof args?.toJSON == "function") args = args.toJSON();
  if (!isObject(args)) return JSON.stringify(typeof args == "bigint" ? `${args}` : args) ?? "null";
  let text = "";
  const isEntity = typeof args.pk == "function";
  if (isEntity && isInside) return argsText(args.pk());
  isInside ||= isEntity;
  if (!Array.isArray(args) && Symbol.iterator in args) args = [...args];
  if (Array.isArray(args)) {
    for (const one of args) text += (text && ",") + argsText(one, isInside);
    return `[${text}]`;
  }
  const names = Object.keys(args);
  if (!names.length && !isPlain(args)) {
    if (!unread.has(args)) unread.set(args, `#${++count}`);
    return unread.get(args)!;
  }
  for (const name of names.sort()) {
    const value = args[name];
    if (value !== undefined && typeof value != "function") {
      text += `${text && ","}${quoted(name)}:${argsText(value, isInside)}`;
    }
  }
  return `{${text}}`;
}
