import type { Denormalize, Normalize } from "./infer.ts";
import type { AnySchema, DenormalizeWalk, NormalizeWalk, Schema, SchemaObject, SchemaTypes } from "./interface.ts";
import { type Definition, itemName, itemsOf } from "./definition.ts";
import type { ObjectMembers } from "./object.ts";

/** The types of {@linkcode ArraySchema}. */
export interface ArrayTypes<S extends Schema> extends SchemaTypes {
  readonly data: Denormalize<S>[];
  readonly nullable: Denormalize<S>[] | undefined;
  readonly member: Denormalize<S>[];
  readonly normalized: Normalize<S>[];
  readonly args: readonly [];
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
 *   { name: "getFeed", schema: new schema.Array(new schema.Union({ photo: Photo, note: Note }, "type")) },
 * );
 * const feed = await new Controller().fetch(getFeed);
 * assert(feed[0] instanceof Photo && feed[1] instanceof Note);
 * assert(JSON.stringify(feed[2]) === '{"type":"ad","text":"Buy"}'); // not mapped: unchanged
 * ```
 */
export class ArraySchema<const S extends Schema> implements SchemaObject {
  declare readonly "~types": ArrayTypes<S>;
  readonly #definition: Definition<AnySchema>;
  #plain: readonly [item: Schema] | undefined;

  /**
   * @param item The schema of each item: an entity, a union, an object of members, another array …; left out where
   * `define()` tells of it.
   * @throws {SchemaError} If it is no schema.
   */
  constructor(item?: S, ...more: readonly never[]) {
    this.#definition = itemsOf("Array", item, more[0]);
  }

  /** Names it in messages. */
  get name(): string {
    return `[${itemName(this.#definition.given)}]`;
  }

  /** The same as an array literal. Always the same: views are kept for it. */
  get plain(): readonly [item: Schema] {
    return this.#plain ??= [this.#definition.use() as Schema];
  }

  /** What it is made of. */
  get parts(): readonly unknown[] {
    return [this.plain];
  }

  /** What each item is. */
  get items(): { readonly item: AnySchema; readonly isList: true } {
    return { item: this.plain[0], isList: true };
  }

  /** Some of the records of a table are no list of all of them. */
  get isPartial(): true {
    return true;
  }

  /**
   * Sets a definition that was left out, or adds to members, before the schema is used.
   *
   * @param definition The schema of each item, or more members.
   * @returns This schema.
   * @throws {SchemaError} If there is nothing to add to, or the schema has been used.
   */
  define(definition: Schema | ObjectMembers): this {
    this.#definition.add(definition);
    return this;
  }

  /** As an array literal does. */
  normalize(value: unknown, parent: unknown, key: string | undefined, walk: NormalizeWalk): unknown {
    return walk.visit(this.plain, value, parent, key);
  }

  /** As an array literal does. */
  denormalize(normalized: unknown, walk: DenormalizeWalk): unknown {
    return walk.visit(this.plain, normalized);
  }
}
