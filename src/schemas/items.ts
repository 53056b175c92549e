import { NormalizeError } from "../errors/mod.ts";
import { isObject } from "../plain/is_object.ts";
import type { Args, Value } from "../plain/value.ts";
import { itemOf, type Union, type UnionAttribute, type UnionMapping } from "./union.ts";
import type {
  Denormalize,
  DenormalizeNullable,
  Normalize,
  NullableMember,
  ObjectMembers,
  SchemaArgs,
  SchemaInput,
} from "../store/infer.ts";
import { lookup } from "../store/lookup.ts";
import type { Reading } from "../store/reading.ts";
import type { Schema, SchemaObject, SchemaTypes, TypesOf } from "../store/schema.ts";
import type { Tables } from "../store/tables.ts";
import type { Walk } from "../store/walk.ts";

/** The types of {@linkcode ArraySchema}. */
export type ArrayTypes<S> = TypesOf<Denormalize<S>[], Normalize<S>[], readonly [], Denormalize<S>[]>;

/** A schema of items of one kind, or of several that are told apart by a tag. */
export interface ItemsSchema<T extends SchemaTypes> extends SchemaObject {
  readonly "~types": T;
  /** Sets an item schema that was left out, or adds to a mapping. */
  define(definition: SchemaInput): this;
}
/** What {@linkcode ArraySchema} makes. */
export type ArraySchema<S> = ItemsSchema<ArrayTypes<S>>;

/** How an {@linkcode ArraySchema} is made. */
export interface ArrayConstructor {
  /** @param item The schema of each item; without it, `define` tells of them. */
  new <const S extends SchemaInput>(item?: S): ArraySchema<S>;
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
}

/** What schemas of items have in common. */
export abstract class Items {
  readonly parts: Schema[];
  constructor(item?: Schema, attribute?: UnionAttribute) {
    this.parts = [itemOf(item, attribute)];
  }
  define(definition: Schema): this {
    const [item] = this.parts;
    if (item?.define) item.define(definition);
    else this.parts[0] = definition;
    return this;
  }
}

class ListedItems extends Items implements SchemaObject {
  declare readonly "~types": ArrayTypes<Schema>;
  /** What it reads as where a response lacks it. */
  readonly absent: Schema = [];
  /** The schema of one item. */
  get item(): Schema {
    return this.parts[0];
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
export const ArraySchema: ArrayConstructor = ListedItems;

/** The types of {@linkcode Values}. */
export type ValuesTypes<S> = TypesOf<Named<Denormalize<S>>, Named<Normalize<S>>, readonly [], Named<Denormalize<S>>>;
type Named<T> = { [name: string]: T };

/** What {@linkcode Values} makes. */
export type Values<S> = ItemsSchema<ValuesTypes<S>>;

/** How a {@linkcode Values} is made. */
export interface ValuesConstructor {
  /** @param item The schema of each value; without it, `define` tells of them. */
  new <const S extends SchemaInput>(item?: S): Values<S>;
  /**
   * Values of several kinds.
   *
   * @param mapping Tags → entities.
   * @param attribute The name of the member that has the tag, or `(value, parent, key) => tag`: the object that the value
   *   stands in, and its name there.
   */
  new <const M extends UnionMapping, const A extends UnionAttribute>(mapping: M, attribute: A): Values<Union<M, A>>;
}

class NamedItems extends Items implements SchemaObject {
  declare readonly "~types": ValuesTypes<Schema>;
  /** What it reads as where a response lacks it. */
  readonly absent: Schema = {};
  /** The schema of one value. */
  get item(): Schema {
    return this.parts[0];
  }
  normalize(value: Value, _parent: Value, key: Value, walk: Walk): Value {
    if (!isObject(value) || Array.isArray(value)) throw new NormalizeError(201, [key]);
    return mapValues(value, (one, name) => walk.visit(this.item, one, value, name));
  }
  denormalize(kept: Value, reading: Reading): Value {
    return mapValues(kept, (one) => reading.shape(this.item, one));
  }
}

const mapValues = (value: Value, map: (one: Value, name: string) => Value): Value =>
  Object.fromEntries(
    Object.keys(value).map((name) => [name, map(value[name], name)]).filter(([, one]) => one !== undefined),
  );

/**
 * Items under names that the server chooses: `{ de: {…}, fr: {…} }`. Of one kind, or of several that are told apart by a
 * tag. An item whose record is gone is left out.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { denormalize, Entity, normalize, schema } from "@rejoin/data";
 *
 * class Text extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Text";
 * }
 * const texts = new schema.Values(Text);
 * const { result, entities } = normalize(texts, { de: { id: "1", title: "Hallo" } });
 * assert(denormalize(texts, result, entities)?.de?.title === "Hallo");
 * ```
 */
export const Values: ValuesConstructor = NamedItems;

/**
 * `schema.Object`: as an object of schemas, for what a literal cannot be: declared in steps, so that it may contain itself.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Entity, normalize, schema } from "@rejoin/data";
 *
 * class User extends Entity {
 *   id = "";
 *   static key = "User";
 * }
 * const comment = new schema.Object({ author: User, text: "" });
 * comment.define({ replies: [comment] });
 * const { entities } = normalize(comment, { author: { id: "1" }, replies: [{ author: { id: "2" }, text: "Yes" }] });
 * assert(Object.keys(entities.User ?? {}).join() === "1,2");
 * ```
 */
export class ObjectSchema<const M extends ObjectMembers> implements SchemaObject {
  declare readonly "~types": TypesOf<
    Denormalize<M>,
    Normalize<M>,
    SchemaArgs<M> extends readonly unknown[] ? SchemaArgs<M> : readonly [],
    NullableMember<M>,
    DenormalizeNullable<M>
  >;
  /** Names of members → schemas and literals. */
  readonly members: M;

  /** @param members Names of members → schemas and literals. */
  constructor(members: M) {
    this.members = { ...members };
  }
  /**
   * Adds members.
   *
   * @param members Names of members → schemas and literals.
   * @returns This schema, as the type checker sees it from now on.
   */
  define<const D extends ObjectMembers>(members: D): ObjectSchema<M & D> {
    Object.assign(this.members, members);
    return this as unknown as ObjectSchema<M & D>; // it has both now
  }
  get parts(): Schema[] {
    return Object.values(this.members);
  }
  /** What it reads as where a response lacks it. */
  get absent(): M {
    return this.members;
  }
  normalize(value: Value, parent: Value, key: Value, walk: Walk): Value {
    return walk.visit(this.members, value, parent, key);
  }
  denormalize(kept: Value, reading: Reading): Value {
    return reading.shape(this.members, kept);
  }
  queryKey(args: Args, tables: Tables): Value {
    return lookup(this.members, args, tables);
  }
}
