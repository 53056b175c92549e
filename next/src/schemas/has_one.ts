import type { Denormalize } from "../store/infer.ts";
import type { Reading } from "../store/reading.ts";
import type { AnyEntity, SchemaObject, TypesOf } from "../store/schema.ts";
import type { Walk } from "../store/walk.ts";
import type { Value } from "../plain/value.ts";
import { Relation, type RelationArgs, type RelationMember } from "./relation.ts";

/** The types of {@linkcode HasOne}. */
export type HasOneTypes<E extends AnyEntity, K> = TypesOf<Denormalize<E>, string, RelationArgs<E, K>>;

/**
 * The other side of a reference that only one record makes: the profile whose `user` is this one. As `HasMany`, but the
 * record itself: the first to arrive, where there are several; `undefined` while there is none.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Entity, schema } from "@rejoin/data";
 *
 * class User extends Entity {
 *   id = "";
 *   static key = "User";
 *   static profile = new schema.HasOne(() => Profile, "user");
 * }
 * class Profile extends Entity {
 *   id = "";
 *   bio = "";
 *   user = "";
 *   static key = "Profile";
 * }
 * const controller = new Controller();
 * controller.set(Profile, { id: "9" }, { id: "9", bio: "Writes.", user: "1" });
 * assert(controller.get(User.profile, "1")?.bio === "Writes.");
 * ```
 */
export class HasOne<E extends AnyEntity, K extends RelationMember<E>> extends Relation<E, K> implements SchemaObject {
  declare readonly "~types": HasOneTypes<E, K>;
  /** Stores the record that refers. */
  normalize(value: Value, parent: Value, key: Value, walk: Walk): string {
    walk.visit(this.entity, value, parent, key);
    return "";
  }
  denormalize(_kept: Value, reading: Reading): Value {
    return this.read(reading)?.flat()[0];
  }
}
