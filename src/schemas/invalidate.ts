import type { Denormalize } from "./infer.ts";
import type { AnyEntity, DenormalizeWalk, NormalizeWalk, SchemaObject, SchemaTypes } from "./interface.ts";

/** The types of {@linkcode Invalidate}. */
export interface InvalidateTypes<E extends AnyEntity> extends SchemaTypes {
  readonly data: Denormalize<E>;
  readonly nullable: Denormalize<E> | undefined;
  readonly normalized: string;
  readonly args: readonly [];
}

/**
 * The record that the value names is deleted: lists leave it out, objects that require it have no data, reads of it
 * fetch again. The value is an object with a pk, or a bare pk.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Endpoint, Entity, schema } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   pk() {
 *     return this.id;
 *   }
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
export class Invalidate<E extends AnyEntity> implements SchemaObject {
  declare readonly "~types": InvalidateTypes<E>;
  /** The entity whose record is deleted. */
  readonly entity: E;

  /** @param entity The entity whose record is deleted. */
  constructor(entity: E) {
    this.entity = entity;
  }

  /** Deletes the record; what is kept is its pk. */
  normalize(value: unknown, parent: unknown, key: string | undefined, walk: NormalizeWalk): string {
    return walk.invalidate(this.entity, value, parent, key);
  }

  /** The record, while something still holds it. */
  denormalize(normalized: unknown, walk: DenormalizeWalk): unknown {
    return walk.visit(this.entity, normalized);
  }
}
