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
 * | `undefined`, `[]`, `{}` | left out |
 * | `null`, `""` | `q`, `q=` |
 */
export const searchText = (search: Value): string => parts("", search).join("&");

function parts(name: string, given: Value): string[] {
  const value = given?.toJSON ? given.toJSON() : given;
  if (Array.isArray(value)) return value.flatMap((one) => parts(`${name}%5B%5D`, one));
  if (isObject(value)) {
    return Object.keys(value).sort().flatMap((member) =>
      parts(name ? `${name}%5B${encode(member)}%5D` : encode(member), value[member])
    );
  }
  return value === undefined ? [] : [value === null ? name : `${name}=${encode(value)}`];
}
const encode = (value: Value): string => encodeURIComponent(`${value}`.toWellFormed());
