import { isObject } from "./is_object.ts";
import type { Value } from "./value.ts";

/** Arguments as JSON: the same for equal ones, in any order of members. */
export function argsText(args: Value): string {
  if (typeof args == "string") return JSON.stringify(args);
  if (typeof args?.toJSON == "function") args = args.toJSON();
  if (!isObject(args)) return JSON.stringify(typeof args == "bigint" ? `${args}` : args) ?? "null";
  let text = "";
  if (Array.isArray(args)) {
    for (const one of args) text += (text && ",") + argsText(one);
    return `[${text}]`;
  }
  for (const name of Object.keys(args).sort()) {
    const value = args[name];
    if (value !== undefined && typeof value != "function") {
      text += `${text && ","}${JSON.stringify(name)}:${argsText(value)}`;
    }
  }
  return `{${text}}`;
}
