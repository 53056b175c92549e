import { isObject } from "../plain/is_object.ts";
import type { Value } from "../plain/value.ts";

/**
 * A search, without the question mark. Names are sorted, so that equal parameters give one text.
 *
 * | value | text (brackets are percent-encoded) |
 * |---|---|
 * | `{ q: "a b", n: 5, at: new Date(0) }` | `at=1970-01-01T00%3A00%3A00.000Z&n=5&q=a%20b` |
 * | `{ tag: ["a", "b"] }` | `tag[]=a&tag[]=b` |
 * | `{ where: { author: 5 } }` | `where[author]=5` |
 * | `{ sort: [{ by: "title" }, "id"] }` | `sort[0][by]=title&sort[1]=id` |
 * | `undefined` | left out |
 * | `null`, `""` | `q`, `q=` |
 * | `[]`, `{}` | `q[]`, `q{}` |
 */
export function searchText(search: Value): string {
  const names = Object.keys(search);
  return names.length ? names.sort().flatMap((name) => parts(encode(name), search[name])).join("&") : "";
}
const encode = (value: Value): string => encodeURIComponent(`${value}`.toWellFormed());

function parts(name: string, given: Value): string[] {
  const value = typeof given?.toJSON == "function" ? given.toJSON() : given;
  if (value === undefined) return [];
  if (value === null) return [name];
  if (!isObject(value)) return [`${name}=${encode(value)}`];
  const isList = Array.isArray(value), members = isList ? value.filter((one) => one !== undefined) : value;
  // Only the items of a list of objects need numbers.
  const isFlat = isList && !members.some((one: Value) => isObject(one) && !one.toJSON);
  const names = isList ? Object.keys(members) : Object.keys(members).sort();
  const all = names.flatMap((member) => parts(`${name}%5B${isFlat ? "" : encode(member)}%5D`, members[member]));
  return all.length ? all : [name + (isList ? "%5B%5D" : "%7B%7D")];
}
