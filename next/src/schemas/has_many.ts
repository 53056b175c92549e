import type { Denormalize } from "../store/infer.ts";
import type { Reading } from "../store/reading.ts";
import type { AnyEntity, SchemaObject, TypesOf } from "../store/schema.ts";
import type { Walk } from "../store/walk.ts";
import type { Value } from "../plain/value.ts";
import { Relation, type RelationArgs, type RelationMember } from "./relation.ts";

/** The types of {@linkcode HasMany}. */
export type HasManyTypes<E extends AnyEntity, K> = TypesOf<Denormalize<E>[], string, RelationArgs<E, K>>;

/**
 * The other side of a reference: every film whose `director` is this one, by an index, in order of arrival. The member may
 * be an entity, an array of entities (both sides of many-to-many), the same of a union, or a plain key. `undefined` while
 * nothing of their table is there.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Entity, schema } from "@rejoin/data";
 *
 * class Director extends Entity {
 *   id = "";
 *   static key = "Director";
 *   static films = new schema.HasMany(() => Film, "director");
 * }
 * class Film extends Entity {
 *   id = "";
 *   title = "";
 *   director = Director.fromJS();
 *   static key = "Film";
 *   static schema = { director: Director };
 * }
 * const controller = new Controller();
 * controller.set(Film, { id: "7" }, { id: "7", title: "Playtime", director: { id: "1" } });
 * assert(controller.get(Director.films, "1")?.[0]?.title === "Playtime");
 * ```
 */
export class HasMany<E extends AnyEntity, K extends RelationMember<E>> extends Relation<E, K> implements SchemaObject {
  declare readonly "~types": HasManyTypes<E, K>;
  /** Stores records that refer. */
  normalize(value: Value, parent: Value, key: Value, walk: Walk): string {
    walk.visit([this.entity], value, parent, key);
    return "";
  }
  denormalize(_kept: Value, reading: Reading): Value {
    const lists = this.read(reading);
    return lists?.[1] ? lists.flat() : lists?.[0];
  }
}
