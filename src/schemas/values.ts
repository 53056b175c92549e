import { said } from "../errors/texts.ts";
import type { Denormalize, Normalize } from "./infer.ts";
import type { AnySchema, DenormalizeWalk, NormalizeWalk, Schema, SchemaObject, SchemaTypes } from "./interface.ts";
import { define } from "./define.ts";
import { Items } from "./items.ts";
import type { ObjectMembers } from "./object.ts";
import type { Union } from "./union.ts";
import type { UnionAttribute, UnionMapping } from "./union_types.ts";

/** The types of {@linkcode Values}. */
export interface ValuesTypes<S extends Schema> extends SchemaTypes {
  readonly data: { [name: string]: Denormalize<S> };
  readonly nullable: { [name: string]: Denormalize<S> } | undefined;
  readonly member: { [name: string]: Denormalize<S> };
  readonly normalized: { [name: string]: Normalize<S> };
  readonly args: readonly [];
}

/** What {@linkcode Values} makes. */
export interface Values<S extends Schema> extends SchemaObject {
  readonly "~types": ValuesTypes<S>;
  /** Names it in messages. */
  readonly name: string;
  /** What each value is. */
  readonly items: { readonly item: AnySchema; readonly isList: false };
  /**
   * Sets a definition that was left out, or adds to a mapping or to members, before the schema is used.
   *
   * @param definition The schema of each value, more of a mapping, or more members.
   * @returns This schema.
   * @throws {SchemaError} If there is nothing to add to, or the schema has been used.
   */
  define(definition: Schema | ObjectMembers): this;
}

/** How a {@linkcode Values} is made. */
export interface ValuesConstructor {
  /**
   * Values of one kind.
   *
   * @param item The schema of each value: an entity, a union, an object of members, an array …
   */
  new <const S extends Schema>(item: S): Values<S>;
  /**
   * Values of several kinds.
   *
   * @param mapping Tags → entities.
   * @param attribute The name of the member that has the tag, or `(value, parent, key) => tag`: the object that the value
   *   stands in, and its name there.
   */
  new <const M extends UnionMapping, const A extends UnionAttribute>(mapping: M, attribute: A): Values<Union<M, A>>;
  /** Values that `define()` tells of. */
  new <S extends Schema>(): Values<S>;
  /** What `instanceof` looks for. */
  // deno-lint-ignore no-explicit-any -- values of whatever kind
  readonly prototype: Values<any>;
}

class ValuesSchema extends Items implements Values<Schema> {
  declare readonly "~types": ValuesTypes<Schema>;

  constructor(definition?: Schema, attribute?: UnionAttribute) {
    super("Values", definition, attribute);
  }

  get name(): string {
    return `Values of ${this.itemName}`;
  }

  get parts(): readonly unknown[] {
    return [this.use()];
  }

  get items(): { readonly item: AnySchema; readonly isList: false } {
    return { item: this.use(), isList: false };
  }

  normalize(value: unknown, parent: unknown, key: string | undefined, walk: NormalizeWalk): unknown {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw walk.fail(this, said(127, { value }), value, parent, key);
    }
    const item = this.use();
    return this.#fill(value, walk, (each, name) => walk.visit(item, each, value, name));
  }

  denormalize(normalized: unknown, walk: DenormalizeWalk): unknown {
    if (typeof normalized !== "object" || normalized === null) return normalized;
    const item = this.use();
    return this.#fill(normalized, walk, (kept) => kept === undefined ? undefined : walk.visit(item, kept));
  }

  #fill(values: object, walk: NormalizeWalk | DenormalizeWalk, make: (value: unknown, name: string) => unknown) {
    return walk.fill(this, values, {}, (container: object) => {
      for (const [name, value] of Object.entries(values)) {
        const made = make(value, name);
        if (made !== undefined) define(container, name, made);
      }
    });
  }
}

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
export const Values: ValuesConstructor = ValuesSchema as ValuesConstructor;
