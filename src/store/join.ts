import { isObject } from "../plain/is_object.ts";
import { equal } from "../plain/equal.ts";
import type { Value } from "../plain/value.ts";

/** Joins a list and its next page: new items are appended, once each; other members are those of the page. */
export function join(list: Value, page: Value): Value {
  if (Array.isArray(list) && Array.isArray(page)) {
    // A set pays off only for a page of more than a few items.
    const known = page.length > 8 && new Set(list), has = (one: Value) => known ? known.has(one) : list.includes(one);
    const fresh = page.filter((one) => !has(one) && !(isObject(one) && list.some((other) => equal(one, other))));
    return fresh.length ? [...list, ...fresh] : list;
  }
  if (!isObject(list) || !isObject(page)) return page;
  const joined = { ...list };
  for (const name in page) joined[name] = join(list[name], page[name]);
  return joined;
}
