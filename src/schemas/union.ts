import { isObject } from "../plain/is_object.ts";
import type { Args, Value } from "../plain/value.ts";
import type { EntityArgs } from "../store/infer.ts";
import type { Reading } from "../store/reading.ts";
import type { AnyEntity, Schema, SchemaObject, TypesOf } from "../store/schema.ts";
import type { Tables } from "../store/tables.ts";
import type { Walk } from "../store/walk.ts";

/** The entity for each tag. */
export interface UnionMapping {
  readonly [tag: string]: AnyEntity;
}
/**
 * How to find the tag of a value: the name of a member, or a function. For a read without a reply, the function gets
 * the first argument of the call as its value.
 */
export type UnionAttribute =
  | string
  | ((value: Value, parent: Value, key: Value) => string | number | boolean | null | undefined);

/** The normalized form of a value with a mapped tag. */
export interface UnionReference<M> {
  /** The pk of the record; the record itself, if it has no pk yet. */
  readonly id: string;
  /** The tag of the value. */
  readonly schema: keyof M & string;
}

/** The arguments that name a record of a union: those of one of its entities, with or without the tag. */
export type UnionArgs<M extends UnionMapping, A> = {
  [T in keyof M]:
    | EntityArgs<M[T]["prototype"]>
    | (A extends string ? { readonly [K in A]: T } & Exclude<EntityArgs<M[T]["prototype"]>, string | number | bigint>
      : never);
}[keyof M];

/** The type of any `Union`. */
export interface UnionSchema extends SchemaObject {
  readonly mapping: UnionMapping;
}

/**
 * One of several entities, which a tag in the value tells apart. A value whose tag is not in the mapping stays as it
 * is, and no record is stored for it. A read from the store, without a reply, takes the tag from the arguments:
 * `{ type: "photo", id: "1" }`.
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
  /** The entity for each tag. */
  readonly mapping: M;

  /**
   * @param mapping The entity for each tag; `{}` if `define` adds them later.
   * @param attribute The name of the member that holds the tag, or a function `(value, parent, key) => tag`.
   */
  constructor(mapping: M, readonly attribute: A) {
    this.mapping = { ...mapping };
  }
  /**
   * Adds entities to the mapping. Use it for entities that contain the union themselves.
   *
   * @param mapping The entity for each further tag.
   * @returns This schema, with the type of all its entities.
   */
  define<const D extends UnionMapping>(mapping: D): Union<M & D, A> {
    Object.assign(this.mapping, mapping);
    return this as unknown as Union<M & D, A>; // the mapping has both now
  }
  get parts(): AnyEntity[] {
    return Object.values(this.mapping);
  }
  /** The entity of a value, by its tag. */
  entityOf(value: Value): Schema {
    return this.mapping[tagOf(this, value)!];
  }
  normalize(value: Value, parent: Value, key: Value, walk: Walk): Value {
    const tag = tagOf(this, value, parent, key);
    if (tag !== undefined) return reference(walk.visit(this.mapping[tag], value, parent, key), tag);
    // A value with `id` and `schema` would be taken for a reference on read; an array is no entity.
    if (Array.isArray(value) || this.refers(value)) throw walk.misfit(this, value, key);
    return value;
  }
  denormalize(kept: Value, reading: Reading): Value {
    return this.refers(kept) ? reading.shape(this.mapping[kept.schema], kept.id) : kept;
  }
  queryKey(args: Args, tables: Tables): Value {
    return reference(this.entityOf(args[0])?.queryKey(args, tables), tagOf(this, args[0]));
  }
  /** Whether a normalized value is a reference to a record. */
  refers(kept: Value): boolean {
    return kept?.id !== undefined && typeof kept.schema == "string" && Object.hasOwn(this.mapping, kept.schema);
  }
}
/** A union, or the arguments of one. */
type Tagged = Pick<Union<UnionMapping>, "mapping" | "attribute">;
/** The tag of a value; `undefined` if the mapping does not have it. */
export function tagOf({ mapping, attribute }: Tagged, value: Value, parent?: Value, key?: Value): string | undefined {
  if (!isObject(value)) return;
  const tag: Value = typeof attribute == "function" ? attribute(value, parent, key) : value[attribute];
  // The server may send an object as the tag; converting one without a prototype to text would throw.
  if (!isObject(tag) && Object.hasOwn(mapping, tag)) return `${tag}`;
}
const reference = (id: Value, schema?: string): Value => id === undefined ? undefined : { id, schema };

/** The schema of one item: with an attribute, `schema` is the mapping of a union. */
export const itemOf = (schema: Schema, attribute?: UnionAttribute): Schema =>
  attribute === undefined ? schema : new Union(schema, attribute);
