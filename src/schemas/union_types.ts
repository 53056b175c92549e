import type { AnyEntity, SchemaObject } from "./interface.ts";

/** Tags → the entity that a value with the tag is. */
export interface UnionMapping {
  readonly [tag: string]: AnyEntity;
}

/**
 * Where the tag of a value is: the name of a member, or a function. A function gets the arguments of a query, too, as
 * its value; that it throws there means that they have no tag.
 */
export type UnionAttribute =
  | string
  // deno-lint-ignore no-explicit-any -- the app annotates what its API sends
  | ((value: any, parent: any, key: string | undefined) => string | number | boolean | null | undefined);

/** What is kept of a value with a mapped tag: the pk of its record (or, not saved yet, the record itself) and the tag. */
export interface UnionReference<M> {
  /** The pk of the record. */
  readonly id: string;
  /** The tag. */
  readonly schema: keyof M & string;
}

/** A union of whatever entities, for the type checker. */
export interface UnionSchemaObject extends SchemaObject {
  /** Tags → entities. */
  readonly mapping: UnionMapping;
}
