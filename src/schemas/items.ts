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

/** A schema of items: all of one schema, or of several entities that a tag tells apart. */
export interface ItemsSchema<T extends SchemaTypes> extends SchemaObject {
  readonly "~types": T;
  /** Sets the schema of the items, or adds entities to the mapping. Returns this schema. */
  define(definition: SchemaInput): this;
}
/** The type of a `new schema.Array(…)` of items `S`. */
export type ArraySchema<S> = ItemsSchema<ArrayTypes<S>>;

/** The constructor of {@linkcode ArraySchema}. */
export interface ArrayConstructor {
  /** @param item The schema of each item. It may be left out, and be set by `define` later. */
  new <const S extends SchemaInput>(item?: S): ArraySchema<S>;
  /**
   * Items of several entities.
   *
   * @param mapping The entity for each tag: `{ photo: Photo, note: Note }`.
   * @param attribute The name of the member that holds the tag, or a function `(value, parent, key) => tag`.
   */
  new <const M extends UnionMapping, const A extends UnionAttribute>(
    mapping: M,
    attribute: A,
  ): ArraySchema<Union<M, A>>;
}

/** The base class of the schemas of items. */
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
  /** The value that is read where a response lacks this member. */
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
 * `schema.Array`: an array, as the literal `[schema]`. Use it where the literal does not suffice: for items of several
 * entities, or for a schema that contains itself.
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

/** The type of a `new schema.Values(…)` of items `S`. */
export type Values<S> = ItemsSchema<ValuesTypes<S>>;

/** The constructor of {@linkcode Values}. */
export interface ValuesConstructor {
  /** @param item The schema of each value. It may be left out, and be set by `define` later. */
  new <const S extends SchemaInput>(item?: S): Values<S>;
  /**
   * Values of several entities.
   *
   * @param mapping The entity for each tag: `{ photo: Photo, note: Note }`.
   * @param attribute The name of the member that holds the tag, or a function `(value, parent, key) => tag`, where
   *   `parent` is the object that holds the value, and `key` the value's name in it.
   */
  new <const M extends UnionMapping, const A extends UnionAttribute>(mapping: M, attribute: A): Values<Union<M, A>>;
}

class NamedItems extends Items implements SchemaObject {
  declare readonly "~types": ValuesTypes<Schema>;
  /** The value that is read where a response lacks this member. */
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
 * An object whose names the server chooses: `{ de: {…}, fr: {…} }`. All values have one schema, or are of several
 * entities that a tag tells apart. A value whose record was deleted is left out.
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
 * `schema.Object`: an object with known members, as a literal object of schemas. Use it where the literal does not
 * suffice: for a schema that contains itself, since `define` adds members later.
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
  /** The schema of each member; any other value is the default of the member. */
  readonly members: M;

  /** @param members The schema of each member; any other value is the default of the member. */
  constructor(members: M) {
    this.members = { ...members };
  }
  /**
   * Adds members to this schema.
   *
   * @param members The schema of each member; any other value is the default of the member.
   * @returns This schema, with the type of all its members.
   */
  define<const D extends ObjectMembers>(members: D): ObjectSchema<M & D> {
    Object.assign(this.members, members);
    return this as unknown as ObjectSchema<M & D>; // `members` has both now
  }
  get parts(): Schema[] {
    return Object.values(this.members);
  }
  /** The value that is read where a response lacks this member. */
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
