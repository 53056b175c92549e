import type { Denormalize } from "./infer.ts";
import type { AnyEntity, DenormalizeWalk, QueryWalk, SchemaObject, SchemaTypes, View, ViewMaker } from "./interface.ts";
import { Relation, type RelationArgs, type RelationMember } from "./relation.ts";

/** The types of {@linkcode HasMany}. */
export interface HasManyTypes<E extends AnyEntity, K> extends SchemaTypes {
  readonly data: Denormalize<E>[];
  readonly nullable: Denormalize<E>[] | undefined;
  readonly normalized: undefined;
  readonly args: RelationArgs<E, K>;
}

/**
 * The other side of a reference: every film whose `director` is this one. Declared once, kept by an index, read when it
 * is asked for; the director's own object knows nothing of it, so nothing has to be written twice, and nothing grows when
 * it is fetched again.
 *
 * The member may be an entity, an array of entities (both sides of many-to-many), the same of a union, or a plain key.
 * That of a union is asked with an object of one of its classes. The records come in order of arrival; a `Query` filters
 * and sorts them. `undefined` while nothing of their table is there, and for who is not saved yet.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Entity, schema } from "@rejoin/data";
 *
 * class Director extends Entity {
 *   id = "";
 *   name = "";
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
 * controller.set(Film, { id: "7" }, { id: "7", title: "Playtime", director: { id: "1", name: "Tati" } });
 * const director = controller.get(Director, { id: "1" })!;
 * assert(controller.get(Director.films, director)?.[0]?.title === "Playtime");
 * ```
 */
export class HasMany<E extends AnyEntity, K extends RelationMember<E>> extends Relation<E, K> implements SchemaObject {
  declare readonly "~types": HasManyTypes<E, K>;

  /** The records as objects. */
  denormalize(normalized: unknown, walk: DenormalizeWalk): unknown {
    const pks = normalized ?? this.pks(walk.args, walk.tables);
    return pks === undefined ? undefined : walk.visit([this.entity], pks);
  }

  /** The pks of the records that refer. */
  queryKey(args: readonly unknown[], walk: QueryWalk): readonly string[] | undefined {
    return this.pks(args, walk);
  }

  /** The one view of the records that refer. */
  override queryView(args: readonly unknown[], maker: ViewMaker): View {
    return this.bucket(args, maker);
  }

  protected override itemsOf(value: unknown): readonly unknown[] | undefined {
    return Array.isArray(value) ? value : undefined;
  }
}
