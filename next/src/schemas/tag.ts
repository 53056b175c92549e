import type { AnyEntity } from "../store/schema.ts";
import { isObject } from "../plain/is_object.ts";
import type { Value } from "../plain/value.ts";

/** Tags → the entity that a value with the tag is. */
export interface UnionMapping {
  readonly [tag: string]: AnyEntity;
}
/** Where the tag of a value is: the name of a member, or a function, which gets the arguments of a query, too. */
export type UnionAttribute =
  | string
  | ((value: Value, parent: Value, key: Value) => string | number | boolean | null | undefined);

/** The mapped tag of a value; `undefined` where it has none. */
export function tagIn(
  mapping: UnionMapping,
  attribute: UnionAttribute,
  value: Value,
  parent?: Value,
  key?: Value,
): string | undefined {
  if (!isObject(value)) return;
  const tag: Value = typeof attribute == "function" ? attribute(value, parent, key) : value[attribute];
  // What a server sends may be an object, which has no text to be sure of.
  return !isObject(tag) && Object.hasOwn(mapping, `${tag}`) ? `${tag}` : undefined;
}
