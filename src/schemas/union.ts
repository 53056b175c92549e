import { isObject } from "../plain/is_object.ts";
import type { Args, Value } from "../plain/value.ts";
import type { EntityArgs } from "../store/infer.ts";
import type { Reading } from "../store/reading.ts";
import type { AnyEntity, Schema, SchemaObject, TypesOf } from "../store/schema.ts";
import type { Tables } from "../store/tables.ts";
import type { Walk } from "../store/walk.ts";

/** Tags → the entity that a value with the tag is. */
export interface UnionMapping {
  readonly [tag: string]: AnyEntity;
}
/** Where the tag of a value is: the name of a member, or a function, which gets the arguments of a query, too. */
export type UnionAttribute =
  | string
  | ((value: Value, parent: Value, key: Value) => string | number | boolean | null | undefined);

/** What is kept of a value with a mapped tag: its pk (not saved yet: the record itself), and the tag. */
export interface UnionReference<M> {
  /** The pk of the record. */
  readonly id: string;
  /** The tag. */
  readonly schema: keyof M & string;
}

/** What names a record of a union: arguments of one of its entities, with or without the tag. */
export type UnionArgs<M extends UnionMapping, A> = {
  [T in keyof M]:
    | EntityArgs<M[T]["prototype"]>
    | (A extends string ? { readonly [K in A]: T } & Exclude<EntityArgs<M[T]["prototype"]>, string | number | bigint>
      : never);
}[keyof M];

/** A union of any entities, for the type checker. */
export interface UnionSchema extends SchemaObject {
  readonly mapping: UnionMapping;
}

/**
 * One of several entities, told apart by a tag in the value. A value whose tag is not mapped stays as it is and makes no
 * record. Asked without a response, the tag in the arguments decides.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { denormalize, Entity, normalize, schema } from "@rejoin/data";
 *
 * class Photo extends Entity {
 *   id = "";
 *   static key = "Photo";
 * }
 * class Note extends Entity {
 *   id = "";
 *   static key = "Note";
 * }
 * const feed = [new schema.Union({ photo: Photo, note: Note }, "type")];
 * const { result, entities } = normalize(feed, [{ type: "photo", id: "1" }, { type: "note", id: "1" }]);
 * const [photo, note] = denormalize(feed, result, entities)!;
 * assert(photo instanceof Photo && note instanceof Note);
 * ```
 */
export class Union<const M extends UnionMapping, const A extends UnionAttribute = UnionAttribute>
  implements UnionSchema {
  declare readonly "~types": TypesOf<
    M[keyof M]["prototype"],
    UnionReference<M>,
    readonly [args: UnionArgs<M, A>]
  >;
  /** Tags → entities. */
  readonly mapping: M;

  /**
   * @param mapping Tags → entities; `{}` where `define` gives them.
   * @param attribute The name of the member that has the tag, or `(value, parent, key) => tag`.
   */
  constructor(mapping: M, readonly attribute: A) {
    this.mapping = { ...mapping };
  }
  /**
   * Adds entities to the mapping, for declarations that go round.
   *
   * @param mapping Further tags → entities.
   * @returns This schema, as the type checker sees it from now on.
   */
  define<const D extends UnionMapping>(mapping: D): Union<M & D, A> {
    Object.assign(this.mapping, mapping);
    return this as unknown as Union<M & D, A>; // the mapping has both now
  }
  get parts(): AnyEntity[] {
    return Object.values(this.mapping);
  }
  /** The mapped tag of a value; `undefined` where it has none. */
  #tag(value: Value, parent?: Value, key?: Value): string | undefined {
    if (!isObject(value)) return;
    const { attribute, mapping } = this;
    const tag: Value = typeof attribute == "function" ? attribute(value, parent, key) : value[attribute];
    // What a server sends may be an object, which has no text to be sure of.
    if (!isObject(tag) && Object.hasOwn(mapping, tag)) return `${tag}`;
  }
  /** The entity of a value. */
  entityOf(value: Value): Schema {
    return this.mapping[this.#tag(value)!];
  }
  normalize(value: Value, parent: Value, key: Value, walk: Walk): Value {
    const tag = this.#tag(value, parent, key);
    if (tag !== undefined) return reference(walk.visit(this.mapping[tag], value, parent, key), tag);
    // It would read as a record, or is no value of any.
    if (Array.isArray(value) || this.refers(value)) throw walk.misfit(this, value, key);
    return value;
  }
  denormalize(kept: Value, reading: Reading): Value {
    return this.refers(kept) ? reading.shape(this.mapping[kept.schema], kept.id) : kept;
  }
  queryKey(args: Args, tables: Tables): Value {
    return reference(this.entityOf(args[0])?.queryKey(args, tables), this.#tag(args[0]));
  }
  /** Whether a normalized value names a record. */
  refers(kept: Value): boolean {
    return kept?.id !== undefined && typeof kept.schema == "string" && Object.hasOwn(this.mapping, kept.schema);
  }
}
const reference = (id: Value, schema?: string): Value => id === undefined ? undefined : { id, schema };

/** The schema of one item: as it is given, or (with an attribute) a union of what it maps. */
export const itemOf = (schema: Schema, attribute?: UnionAttribute): Schema =>
  attribute === undefined ? schema : new Union(schema, attribute);
