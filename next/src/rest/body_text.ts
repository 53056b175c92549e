import { argsText } from "../plain/args_text.ts";
import { isPlain } from "../plain/equal.ts";
import { isObject } from "../plain/is_object.ts";
import type { Value } from "../plain/value.ts";

/** Names of what has no text at once: blobs, bytes, streams. The same one has the same name. */
const names = new WeakMap<object, string>();
let count = 0;

/** A body as part of a key: equal values and equal forms give one text. */
export function bodyText(body: Value): string {
  if (!isObject(body) || isPlain(body) || typeof body.toJSON == "function") return argsText(body);
  if (/^\[object (FormData|URLSearchParams)]$/.test(Object.prototype.toString.call(body))) {
    return argsText(Array.from(body, ([name, value]) => [name, typeof value == "string" ? value : bodyText(value)]));
  }
  let name = names.get(body);
  if (!name) names.set(body, name = `#${++count}`);
  return name;
}
