import type { Denormalize, DenormalizeNullable, Normalize, SchemaArgs, SchemaInput } from "../store/infer.ts";
import { type Reading, readView } from "../store/reading.ts";
import { type EntityPrototype, isEntity, type Schema, type SchemaObject, type TypesOf } from "../store/schema.ts";
import type { Tables } from "../store/tables.ts";
import type { Walk } from "../store/walk.ts";
import { isObject, pkText } from "../plain/is_object.ts";
import type { Args, Value } from "../plain/value.ts";

/**
 * A member that stays normalized: it reads as pks, and its `query` reads the records. So an entity stays the same
 * instance when a record that it refers to changes.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Entity, schema } from "@rejoin/data";
 *
 * class Film extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Film";
 * }
 * class Director extends Entity {
 *   id = "";
 *   films: string[] = [];
 *   static key = "Director";
 *   static schema = { films: new schema.Lazy([Film]) };
 * }
 * const controller = new Controller();
 * controller.set(Director, { id: "1" }, { id: "1", films: [{ id: "7", title: "Playtime" }] as never });
 * const director = controller.get(Director, { id: "1" })!;
 * assert(director.films.join() === "7");
 * assert(controller.get(Director.schema.films.query, director)?.[0]?.title === "Playtime");
 * ```
 */
export class Lazy<const S extends SchemaInput> implements SchemaObject {
  declare readonly "~types": TypesOf<Normalize<S>, Normalize<S>, SchemaArgs<S>>;
  readonly parts: readonly [S];
  /** A schema that reads the records. Its argument is an instance that has the member, or the pks themselves. */
  readonly query: LazyQuery<S>;
  /** @param schema The schema of the member, by which `query` reads it. */
  constructor(readonly schema: S) {
    this.parts = [schema];
    this.query = new LazyQuery(this);
  }
  normalize(value: Value, parent: Value, key: Value, walk: Walk): Value {
    return walk.visit(this.schema, value, parent, key);
  }
  denormalize(kept: Value): Value {
    return kept;
  }
}

/** The `query` of a {@linkcode Lazy}: reads the records of the member. */
export class LazyQuery<const S extends SchemaInput> implements SchemaObject {
  declare readonly "~types": TypesOf<
    Denormalize<S>,
    Normalize<S>,
    readonly [owner: EntityPrototype | Normalize<S> | Readonly<Normalize<S>>],
    DenormalizeNullable<S>,
    DenormalizeNullable<S>
  >;
  readonly parts: readonly [S];
  readonly #lazy: { readonly schema: S };
  constructor(lazy: { readonly schema: S }) {
    this.#lazy = lazy;
    this.parts = [lazy.schema];
  }
  normalize(value: Value, parent: Value, key: Value, walk: Walk): Value {
    return walk.visit(this.#lazy.schema, value, parent, key);
  }
  /** For an instance it reads the member as it is stored now; for pks, the records that they name. */
  denormalize(kept: Value, reading: Reading): Value {
    const { schema } = this.#lazy, E: Schema = isObject(kept) && kept.constructor;
    if (!isEntity(E)) return reading.shape(schema, kept);
    const name = Object.keys(E.schema).find((name) => E.schema[name] === this.#lazy), pk = pkText(E.pk(kept));
    if (name === undefined) return;
    // The instance's own record is read as a kid of this node, so that a change of the member makes the node dirty.
    const owner: Value = pk === undefined ? kept : reading.kid(reading.tables.plan(E), pk);
    return readView(reading, schema, owner?.[name]).value;
  }
  queryKey([first]: Args, _tables: Tables): Value {
    return first;
  }
}
