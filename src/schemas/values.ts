import { said } from "../errors/texts.ts";
import type { Denormalize, Normalize } from "./infer.ts";
import type { AnySchema, DenormalizeWalk, NormalizeWalk, Schema, SchemaObject, SchemaTypes } from "./interface.ts";
import { define } from "./define.ts";
import { type Definition, itemName, itemsOf } from "./definition.ts";
import type { ObjectMembers } from "./object.ts";

/** The types of {@linkcode Values}. */
export interface ValuesTypes<S extends Schema> extends SchemaTypes {
  readonly data: { [name: string]: Denormalize<S> };
  readonly nullable: { [name: string]: Denormalize<S> } | undefined;
  readonly member: { [name: string]: Denormalize<S> };
  readonly normalized: { [name: string]: Normalize<S> };
  readonly args: readonly [];
}

type Members = { [name: string]: unknown };

/**
 * Items under names that the server chooses: `{ "de": {…}, "fr": {…} }`. Of one kind, or of several that are told apart
 * by a tag as in {@linkcode Union}.
 *
 * Promises: any name is an ordinary one; `undefined` is left out, `null` is kept; an item whose record is gone is left
 * out of what a reader gets; `process` and `pk` get the object itself and the name. Anything but an object is a typed
 * error.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Endpoint, Entity, schema } from "@rejoin/data";
 *
 * class Text extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Text";
 * }
 * const getTexts = new Endpoint(
 *   async () => await Promise.resolve({ de: { id: "1", title: "Hallo" }, fr: { id: "2", title: "Salut" } }),
 *   { name: "getTexts", schema: new schema.Values(Text) },
 * );
 * const texts = await new Controller().fetch(getTexts);
 * assert(texts.fr?.title === "Salut");
 * assert(texts.en === undefined);
 * ```
 */
export class Values<const S extends Schema> implements SchemaObject {
  declare readonly "~types": ValuesTypes<S>;
  readonly #definition: Definition<AnySchema>;

  /**
   * @param item The schema of each value: an entity, a union, an object of members, an array …; left out where
   * `define()` tells of it.
   * @throws {SchemaError} If it is no schema.
   */
  constructor(item?: S, ...more: readonly never[]) {
    this.#definition = itemsOf("Values", item, more[0]);
  }

  /** Names it in messages. */
  get name(): string {
    return `Values of ${itemName(this.#definition.given)}`;
  }

  /** What it is made of. */
  get parts(): readonly unknown[] {
    return [this.#definition.use()];
  }

  /** What each value is. */
  get items(): { readonly item: AnySchema; readonly isList: false } {
    return { item: this.#definition.use(), isList: false };
  }

  /** Some of the records of a table are no list of all of them. */
  get isPartial(): true {
    return true;
  }

  /**
   * Sets a definition that was left out, or adds to members, before the schema is used.
   *
   * @param definition The schema of each value, or more members.
   * @returns This schema.
   * @throws {SchemaError} If there is nothing to add to, or the schema has been used.
   */
  define(definition: Schema | ObjectMembers): this {
    this.#definition.add(definition);
    return this;
  }

  /** Stores each value under its name. */
  normalize(value: unknown, parent: unknown, key: string | undefined, walk: NormalizeWalk): unknown {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw walk.fail(this, said(127, { value }), value, parent, key);
    }
    const item = this.#definition.use();
    return walk.fill(this, value, {}, (kept: Members) => {
      for (const name of Object.keys(value)) {
        const normalized = walk.visit(item, (value as Members)[name], value, name);
        if (normalized !== undefined) define(kept, name, normalized);
      }
    });
  }

  /** Each value as an object; what is gone is left out. */
  denormalize(normalized: unknown, walk: DenormalizeWalk): unknown {
    if (typeof normalized !== "object" || normalized === null) return normalized;
    const item = this.#definition.use();
    return walk.fill(this, normalized, {}, (read: Members) => {
      for (const name of Object.keys(normalized)) {
        const kept = (normalized as Members)[name];
        const member = kept === undefined ? undefined : walk.visit(item, kept);
        if (member !== undefined) define(read, name, member);
      }
    });
  }
}
