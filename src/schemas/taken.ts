import type { AnyEntity } from "./interface.ts";
import { Tagged } from "./subjects.ts";
import type { UnionAttribute, UnionMapping } from "./union_types.ts";

/** What a value of one of several entities is. */
export interface Taken {
  /** Its tag, mapped or not; `undefined` where it has none. */
  readonly tag: string | undefined;
  /** The entity of that. */
  readonly entity: AnyEntity | undefined;
  /** The value itself, where it came with a tag beside it. */
  readonly item: unknown;
}

/** What a tag may be. */
const TAGS: readonly string[] = ["string", "number", "boolean"];

/**
 * What a value is.
 *
 * @param mapping Tags → entities.
 * @param attribute Where its tag is.
 * @param value An object.
 * @param parent What the value stands in.
 * @param key The member of it.
 */
export function taken(
  mapping: UnionMapping,
  attribute: UnionAttribute,
  value: object,
  parent?: unknown,
  key?: string,
): Taken {
  const [said, item]: readonly unknown[] = value instanceof Tagged
    ? [value.tag, value.value]
    : [typeof attribute === "function" ? attribute(value, parent, key) : (value as never)[attribute], value];
  const tag = TAGS.includes(typeof said) ? String(said) : undefined;
  // A tag is an own member of the mapping.
  return { tag, entity: tag !== undefined && Object.hasOwn(mapping, tag) ? mapping[tag] : undefined, item };
}
