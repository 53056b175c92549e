import type { Denormalize } from "./infer.ts";
import type { AnyEntity, DenormalizeWalk, QueryWalk, SchemaObject, SchemaTypes, View, ViewMaker } from "./interface.ts";
import { Relation, type RelationArgs, type RelationMember } from "./relation.ts";

/** The types of {@linkcode HasOne}. */
export interface HasOneTypes<E extends AnyEntity, K> extends SchemaTypes {
  readonly data: Denormalize<E>;
  readonly nullable: Denormalize<E> | undefined;
  readonly normalized: undefined;
  readonly args: RelationArgs<E, K>;
}

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

  /** The record as an object. */
  denormalize(normalized: unknown, walk: DenormalizeWalk): unknown {
    if (normalized !== undefined) return walk.visit(this.entity, normalized);
    // The first that its class accepts.
    const pks = this.pks(walk.args, walk.tables);
    return pks && first(walk.visit([this.entity], pks));
  }

  /** The pk of the record that refers. */
  queryKey(args: readonly unknown[], walk: QueryWalk): string | undefined {
    return this.pks(args, walk)?.[0];
  }

  /** The first of the records that refer. */
  override queryView(args: readonly unknown[], maker: ViewMaker): View {
    return maker.computed(this.bucket(args, maker), first);
  }

  protected override itemsOf(value: unknown): readonly unknown[] {
    return [value];
  }
}

function first(records: unknown): unknown {
  return (records as readonly unknown[])[0];
}
