import { NormalizeError } from "../errors/mod.ts";
import type { Normalize } from "../store/infer.ts";
import type { Plan } from "../store/plan.ts";
import { type AnyEntity, isEntity, type SchemaObject, type TypesOf } from "../store/schema.ts";
import type { Walk } from "../store/walk.ts";
import { isObject, pkText } from "../plain/is_object.ts";
import type { Value } from "../plain/value.ts";
import type { UnionSchema } from "./union.ts";

/** The schemas that {@linkcode Invalidate} takes. */
export type Invalidated = AnyEntity | UnionSchema | readonly (AnyEntity | UnionSchema)[];

/**
 * Deletes the record that a reply names, by an object that has its pk, or by the pk itself. Lists then leave the record
 * out, and a detail read of it asks the server. For a union the reply must be an object with the tag. For an array,
 * each item names a record to delete.
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
export class Invalidate<const S extends Invalidated> implements SchemaObject {
  declare readonly "~types": TypesOf<Normalize<S>, Normalize<S>>;
  declare readonly parts: readonly [S];
  /** @param entity The entity to delete, a union of several, or an array of these. */
  constructor(readonly entity: S) {
    this.parts = [entity];
  }
  normalize(value: Value, parent: Value, key: Value, walk: Walk): Value {
    const entity = (plan: Plan, value: Value, parent: Value, key: Value): string => {
      const { E } = plan, { args } = walk;
      const pk = pkText(
        isObject(value) ? E.pk(E.process(value, parent, key, args) ?? value, parent, key, args) : value,
      );
      if (pk === undefined) throw new NormalizeError(203, [E.key]);
      const row = plan.table.row(pk);
      walk.roots.push(row);
      walk.write(plan, row, null);
      return row.pk;
    };
    // A pk alone does not tell to which table of a union it belongs.
    if (value != null && !isObject(value) && !isEntity(this.entity)) throw walk.misfit(this, value, key);
    // A copy of the walk that deletes each entity it meets, where the walk itself would store it.
    return Object.assign(Object.create(walk), { entity }).visit(this.entity, value, parent, key);
  }
  denormalize(kept: Value): Value {
    return kept;
  }
}
