import { isObject } from "../plain/is_object.ts";
import { equal } from "../plain/equal.ts";
import type { Value } from "../plain/value.ts";
import type { Schema } from "./schema.ts";

/**
 * Joins a list and its next page: new items are appended, once each; other members are those of the page. A literal of
 * the schema that the page lacks, such as a cursor after the last page, is absent then.
 */
export function join(list: Value, page: Value, schema?: Schema): Value {
  if (Array.isArray(list) && Array.isArray(page)) {
    // A set pays off only for a page of more than a few items.
    const known = page.length > 8 && new Set(list), has = (one: Value) => known ? known.has(one) : list.includes(one);
    const fresh = page.filter((one) => !has(one) && !(isObject(one) && list.some((other) => equal(one, other))));
    return fresh.length ? [...list, ...fresh] : list;
  }
  // Some servers send `null` for an empty list.
  if (page == null && (Array.isArray(schema) || schema?.denormalize)) return list;
  if (!isObject(list) || !isObject(page)) return page;
  const joined = { ...list, ...page }, members = schema?.denormalize ? schema.members : schema;
  for (const name in list) {
    if (Object.hasOwn(page, name)) joined[name] = join(list[name], page[name], members?.[name]);
    else if (isLiteral(members?.[name])) delete joined[name];
  }
  return joined;
}
const isLiteral = (schema: Schema): boolean => schema !== undefined && Object(schema) !== schema;
