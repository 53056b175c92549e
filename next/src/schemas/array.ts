import type { Denormalize, Normalize } from "../store/infer.ts";
import type { Reading } from "../store/reading.ts";
import type { Schema, SchemaObject, TypesOf } from "../store/schema.ts";
import type { Walk } from "../store/walk.ts";
import type { Value } from "../plain/value.ts";
import type { ObjectMembers, SchemaInput } from "./schema_input.ts";
import { itemOf, type Union, type UnionAttribute, type UnionMapping } from "./union.ts";

/** The types of {@linkcode ArraySchema}. */
export type ArrayTypes<S> = TypesOf<Denormalize<S>[], Normalize<S>[], readonly [], Denormalize<S>[]>;

/** What {@linkcode ArraySchema} makes. */
export interface ArraySchema<S> extends SchemaObject {
  readonly "~types": ArrayTypes<S>;
  /** Sets an item schema that was left out, or adds to a mapping. */
  define(definition: SchemaInput | ObjectMembers): this;
}

/** How an {@linkcode ArraySchema} is made. */
export interface ArrayConstructor {
  /** @param item The schema of each item. */
  new <const S extends SchemaInput>(item: S): ArraySchema<S>;
  /**
   * Items of several kinds.
   *
   * @param mapping Tags → entities.
   * @param attribute The name of the member that has the tag, or `(value, parent, key) => tag`.
   */
  new <const M extends UnionMapping, const A extends UnionAttribute>(
    mapping: M,
    attribute: A,
  ): ArraySchema<Union<M, A>>;
  /** Items that `define` tells of. */
  new <S extends SchemaInput>(): ArraySchema<S>;
}

class Items implements ArraySchema<Schema> {
  declare readonly "~types": ArrayTypes<Schema>;
  /** Items stand in a row. */
  readonly isList = true;
  /** The array that it stands for. */
  readonly parts: Schema[];
  /** What it reads as where a response lacks it. */
  readonly absent: Schema = [];
  constructor(item?: Schema, attribute?: UnionAttribute) {
    this.parts = [itemOf(item, attribute)];
  }
  /** The schema of one item. */
  get item(): Schema {
    return this.parts[0];
  }
  define(definition: Schema): this {
    if (this.item?.define) this.item.define(definition);
    else this.parts[0] = definition;
    return this;
  }
  normalize(value: Value, parent: Value, key: Value, walk: Walk): Value {
    return walk.visit(this.parts, value, parent, key);
  }
  denormalize(kept: Value, reading: Reading): Value {
    return reading.shape(this.parts, kept);
  }
}

/**
 * `schema.Array`: as `[schema]`, for what a literal cannot be: items told apart by a tag, or a declaration that goes round.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Entity, normalize, schema } from "@rejoin/data";
 *
 * class Photo extends Entity {
 *   id = "";
 *   static key = "Photo";
 * }
 * const feed = new schema.Array({ photo: Photo }, "type");
 * assert(Object.keys(normalize(feed, [{ type: "photo", id: "1" }]).entities.Photo ?? {}).join() === "1");
 * ```
 */
export const ArraySchema: ArrayConstructor = Items;
