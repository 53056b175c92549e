import type { Denormalize, Normalize } from "./infer.ts";
import type { AnySchema, DenormalizeWalk, NormalizeWalk, Schema, SchemaObject, SchemaTypes } from "./interface.ts";
import { Items } from "./items.ts";
import type { ObjectMembers } from "./object.ts";
import type { Union } from "./union.ts";
import type { UnionAttribute, UnionMapping } from "./union_types.ts";

/** The types of {@linkcode ArraySchema}. */
export interface ArrayTypes<S extends Schema> extends SchemaTypes {
  readonly data: Denormalize<S>[];
  readonly nullable: Denormalize<S>[] | undefined;
  readonly member: Denormalize<S>[];
  readonly normalized: Normalize<S>[];
  readonly args: readonly [];
}

/** What {@linkcode ArraySchema} makes. */
export interface ArraySchema<S extends Schema> extends SchemaObject {
  readonly "~types": ArrayTypes<S>;
  /** Names it in messages. */
  readonly name: string;
  /** The same as an array literal. */
  readonly plain: readonly [item: Schema];
  /** What each item is. */
  readonly items: { readonly item: AnySchema; readonly isList: true };
  /**
   * Sets a definition that was left out, or adds to a mapping or to members, before the schema is used.
   *
   * @param definition The schema of each item, more of a mapping, or more members.
   * @returns This schema.
   * @throws {SchemaError} If there is nothing to add to, or the schema has been used.
   */
  define(definition: Schema | ObjectMembers): this;
}

/** How an {@linkcode ArraySchema} is made. */
export interface ArrayConstructor {
  /**
   * Items of one kind.
   *
   * @param item The schema of each item: an entity, a union, an object of members, another array …
   */
  new <const S extends Schema>(item: S): ArraySchema<S>;
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
  /** Items that `define()` tells of. */
  new <S extends Schema>(): ArraySchema<S>;
  /** What `instanceof` looks for. */
  // deno-lint-ignore no-explicit-any -- an array of whatever items
  readonly prototype: ArraySchema<any>;
}

class ArrayOfItems extends Items implements ArraySchema<Schema> {
  declare readonly "~types": ArrayTypes<Schema>;
  #plain: readonly [item: Schema] | undefined;

  constructor(definition?: Schema, attribute?: UnionAttribute) {
    super("Array", definition, attribute);
  }

  get name(): string {
    return `[${this.itemName}]`;
  }

  /** Always the same: views are kept for it. */
  get plain(): readonly [item: Schema] {
    return this.#plain ??= [this.use() as Schema];
  }

  get parts(): readonly unknown[] {
    return [this.plain];
  }

  get items(): { readonly item: AnySchema; readonly isList: true } {
    return { item: this.plain[0], isList: true };
  }

  normalize(value: unknown, parent: unknown, key: string | undefined, walk: NormalizeWalk): unknown {
    return walk.visit(this.plain, value, parent, key);
  }

  denormalize(normalized: unknown, walk: DenormalizeWalk): unknown {
    return walk.visit(this.plain, normalized);
  }
}

/**
 * Items in a row: of one kind, then it is the same as `[item]` in every place; or of several, told apart by a tag as in
 * {@linkcode Union}.
 *
 * Promises: `undefined` items are left out, `null` is kept; an item whose record is gone is left out of what a reader
 * gets; after one of N items changed, the other N - 1 are the same objects. Anything but an array is a typed error.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Endpoint, Entity, schema } from "@rejoin/data";
 *
 * class Photo extends Entity {
 *   id = "";
 *   static key = "Photo";
 * }
 * class Note extends Entity {
 *   id = "";
 *   static key = "Note";
 * }
 * const getFeed = new Endpoint(
 *   async () => await Promise.resolve([{ type: "photo", id: "1" }, { type: "note", id: "1" }, { type: "ad", text: "Buy" }]),
 *   { name: "getFeed", schema: new schema.Array({ photo: Photo, note: Note }, "type") },
 * );
 * const feed = await new Controller().fetch(getFeed);
 * assert(feed[0] instanceof Photo && feed[1] instanceof Note);
 * assert(JSON.stringify(feed[2]) === '{"type":"ad","text":"Buy"}'); // not mapped: unchanged
 * ```
 */
export const ArraySchema: ArrayConstructor = ArrayOfItems as ArrayConstructor;
