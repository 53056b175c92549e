import { NormalizeError } from "../errors/mod.ts";
import type { Denormalize, DenormalizeNullable, Normalize } from "../store/infer.ts";
import { type AnyEntity, isEntity, type Schema, type SchemaObject, type TypesOf } from "../store/schema.ts";
import type { Walk } from "../store/walk.ts";
import { isObject, pkText } from "../plain/is_object.ts";
import type { Value } from "../plain/value.ts";
import { tagIn, type Union, type UnionAttribute, type UnionMapping, type UnionSchema } from "./union.ts";

/** What an {@linkcode Invalidate} may be of. */
export type Invalidated = AnyEntity | UnionSchema | readonly (AnyEntity | UnionSchema)[];

/** The types of {@linkcode Invalidate}. */
export type InvalidateTypes<S extends Invalidated> = TypesOf<
  Denormalize<S>,
  Normalize<S>,
  readonly [],
  DenormalizeNullable<S>,
  DenormalizeNullable<S>
>;

/** What {@linkcode Invalidate} makes. */
export interface Invalidate<S extends Invalidated> extends SchemaObject {
  readonly "~types": InvalidateTypes<S>;
  /** The entity whose record is deleted, a union of several, or an array of one of these. */
  readonly entity: S;
}

/** How an {@linkcode Invalidate} is made. */
export interface InvalidateConstructor {
  /** @param entity The entity whose record is deleted, a union of several, or an array of one of these. */
  new <const S extends Invalidated>(entity: S): Invalidate<S>;
  /**
   * A record of one of several entities.
   *
   * @param mapping Tags → entities.
   * @param attribute The name of the member that has the tag, or `(value, parent, key) => tag`.
   */
  new <const M extends UnionMapping, const A extends UnionAttribute>(mapping: M, attribute: A): Invalidate<Union<M, A>>;
}

class Deletion implements Invalidate<Invalidated> {
  declare readonly "~types": InvalidateTypes<Invalidated>;
  readonly entity: Schema;
  readonly parts: readonly Schema[];
  constructor(mapping: Schema, attribute?: UnionAttribute) {
    this.entity = attribute === undefined ? mapping : { mapping, attribute };
    this.parts = [this.entity];
  }
  normalize(value: Value, parent: Value, key: Value, walk: Walk): Value {
    const remove = (schema: Schema, value: Value): Value => {
      if (value == null) return value;
      if (!isEntity(schema)) {
        if (!isObject(value) || Array.isArray(value) !== Array.isArray(schema)) throw walk.misfit(schema, value, key);
        if (Array.isArray(value)) return value.map((one) => remove(schema[0], one));
        const tag = tagIn(schema, value, parent, key);
        // What is not mapped is in no table.
        return tag === undefined ? value : { id: remove(schema.mapping[tag], value), schema: tag };
      }
      const plan = walk.tables.plan(schema), { E } = plan, { args } = walk;
      const pk = pkText(isObject(value) ? E.pk(E.process(value, parent, key, args), parent, key, args) : value);
      if (pk === undefined) throw new NormalizeError(203, [E.key]);
      const row = plan.table.row(pk);
      walk.roots.push(row);
      walk.write(plan, row, null);
      return row.pk;
    };
    return remove(this.entity, value);
  }
  denormalize(kept: Value): Value {
    return kept;
  }
}

/**
 * Deletes the record that the value names, by an object with a pk or by the pk itself: lists leave it out, and a read of
 * it asks the server. Of a union it is an object with its tag; of an array, each of its items.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Endpoint, Entity, schema } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   static key = "Article";
 * }
 * const remove = new Endpoint(async (params: { id: string }) => await Promise.resolve(params), {
 *   name: "remove",
 *   schema: new schema.Invalidate(Article),
 *   sideEffect: true,
 * });
 * const controller = new Controller();
 * controller.set(Article, { id: "1" }, { id: "1" });
 * await controller.fetch(remove, { id: "1" });
 * assert(controller.get(Article, { id: "1" }) === undefined);
 * ```
 */
export const Invalidate: InvalidateConstructor = Deletion as InvalidateConstructor; // the class knows nothing of generics
