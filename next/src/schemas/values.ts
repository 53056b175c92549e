import { NormalizeError } from "../errors/mod.ts";
import type { Denormalize, Normalize } from "../store/infer.ts";
import type { Reading } from "../store/reading.ts";
import type { Schema, SchemaObject, TypesOf } from "../store/schema.ts";
import type { Walk } from "../store/walk.ts";
import { isObject } from "../plain/is_object.ts";
import type { Value } from "../plain/value.ts";
import type { ObjectMembers, SchemaInput } from "./schema_input.ts";
import { itemOf, type Union, type UnionAttribute, type UnionMapping } from "./union.ts";

/** The types of {@linkcode Values}. */
export type ValuesTypes<S> = TypesOf<Named<Denormalize<S>>, Named<Normalize<S>>, readonly [], Named<Denormalize<S>>>;
type Named<T> = { [name: string]: T };

/** What {@linkcode Values} makes. */
export interface Values<S> extends SchemaObject {
  readonly "~types": ValuesTypes<S>;
  /** Sets an item schema that was left out, or adds to a mapping. */
  define(definition: SchemaInput | ObjectMembers): this;
}

/** How a {@linkcode Values} is made. */
export interface ValuesConstructor {
  /** @param item The schema of each value. */
  new <const S extends SchemaInput>(item: S): Values<S>;
  /**
   * Values of several kinds.
   *
   * @param mapping Tags → entities.
   * @param attribute The name of the member that has the tag, or `(value, parent, key) => tag`: the object that the value
   *   stands in, and its name there.
   */
  new <const M extends UnionMapping, const A extends UnionAttribute>(mapping: M, attribute: A): Values<Union<M, A>>;
  /** Values that `define` tells of. */
  new <S extends SchemaInput>(): Values<S>;
}

class NamedItems implements Values<Schema> {
  declare readonly "~types": ValuesTypes<Schema>;
  readonly parts: Schema[];
  /** What it reads as where a response lacks it. */
  readonly absent: Schema = {};
  constructor(item?: Schema, attribute?: UnionAttribute) {
    this.parts = [itemOf(item, attribute)];
  }
  /** The schema of one value. */
  get item(): Schema {
    return this.parts[0];
  }
  define(definition: Schema): this {
    if (this.item?.define) this.item.define(definition);
    else this.parts[0] = definition;
    return this;
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
