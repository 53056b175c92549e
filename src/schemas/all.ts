import type { Denormalize } from "./infer.ts";
import type { AnyEntity, DenormalizeWalk, NormalizeWalk, QueryWalk, SchemaObject, SchemaTypes } from "./interface.ts";

/** The types of {@linkcode All}. */
export interface AllTypes<E extends AnyEntity> extends SchemaTypes {
  readonly data: Denormalize<E>[];
  readonly nullable: Denormalize<E>[] | undefined;
  readonly normalized: string[] | undefined;
  readonly args: readonly [];
}

/**
 * Every record of an entity that the store holds, in order of arrival.
 *
 * As the schema of an endpoint, it stores a list and makes the table *known*: from then on a read gives an array, even
 * when it is empty; before that `undefined`. In a {@linkcode Query} it is where client-side filters and sorts begin.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Entity, Query, schema } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   pk() {
 *     return this.id;
 *   }
 *   static key = "Article";
 * }
 * const byTitle = new Query(
 *   new schema.All(Article),
 *   (all) => all.toSorted((a, b) => a.title.localeCompare(b.title)),
 * );
 * const controller = new Controller();
 * assert(controller.get(byTitle) === undefined);
 * controller.set(Article, { id: "1" }, { id: "1", title: "B" });
 * controller.set(Article, { id: "2" }, { id: "2", title: "A" });
 * assert(controller.get(byTitle)?.[0]?.title === "A");
 * ```
 */
export class All<E extends AnyEntity> implements SchemaObject {
  declare readonly "~types": AllTypes<E>;
  /** The entity whose table is read. */
  readonly entity: E;

  /** @param entity The entity whose table is read. */
  constructor(entity: E) {
    this.entity = entity;
  }

  /** Stores each item and makes the table known. What is kept is every read's own look at the table. */
  normalize(value: unknown, _parent: unknown, _key: string | undefined, walk: NormalizeWalk): undefined {
    if (!Array.isArray(value)) {
      throw walk.fail(this, `expected an array, got ${value === null ? "null" : typeof value}`);
    }
    walk.know(this.entity);
    for (const item of value) walk.visit(this.entity, item, value, undefined);
  }

  /** The records as objects; what is absent, deleted or incomplete is left out. */
  denormalize(normalized: unknown, walk: DenormalizeWalk): unknown {
    return normalized === undefined ? undefined : walk.visit([this.entity], normalized);
  }

  /** The pks of the table; `undefined` while it is not known. */
  queryKey(_args: readonly unknown[], walk: QueryWalk): readonly string[] | undefined {
    return walk.all(this.entity);
  }
}
