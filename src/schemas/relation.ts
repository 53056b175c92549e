import { equal } from "../plain/equal.ts";
import { isObject, pkText } from "../plain/is_object.ts";
import type { Args, Value } from "../plain/value.ts";
import type { StorePart } from "../store/answers.ts";
import type { Commit } from "../store/commit.ts";
import type { Denormalize, EntityArgs } from "../store/infer.ts";
import type { Plan } from "../store/plan.ts";
import type { Reading } from "../store/reading.ts";
import { mark, type Node, type Row, viewOf } from "../store/row.ts";
import type { AnyEntity, EntityClass, Schema, SchemaObject, TypesOf } from "../store/schema.ts";
import { isEntity } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { Tables } from "../store/tables.ts";
import type { Walk } from "../store/walk.ts";

/** Names of the members of an entity, without its methods: those that may refer to another entity. */
export type RelationMember<E extends AnyEntity> = keyof {
  [K in keyof E["prototype"] as E["prototype"][K] extends (...args: never) => unknown ? never : K]: 0;
};

/** The argument of a relation: an instance of the referenced entity, an object with its pk, or the pk itself. */
export type RelationArgs<E extends AnyEntity, K> = K extends keyof E["prototype"]
  ? readonly [owner: OwnerArgs<NonNullable<E["prototype"][K]>>]
  : never;
type OwnerArgs<T> = T extends readonly (infer I)[] ? OwnerArgs<NonNullable<I>>
  : T extends { pk(...args: never): unknown } ? EntityArgs<T> | T
  : string | number | bigint | { pk(): unknown } | { readonly id: string | number | bigint };

/** The base class of `HasMany` and `HasOne`: finds the records whose member refers to a given record. */
export abstract class Relation<E extends AnyEntity, K extends RelationMember<E>> {
  readonly #given: E | (() => E);
  readonly #member: string;
  readonly #indexes = new WeakMap<Tables, MemberIndex>();

  /**
   * @param entity The class that has the reference, or a function that returns it, for a class that is defined later.
   * @param member The name of the member that holds the reference.
   */
  constructor(entity: E | (() => E), member: K) {
    this.#given = entity;
    this.#member = String(member);
  }
  /** The class that has the reference. */
  protected get entity(): EntityClass {
    const given: Schema = this.#given;
    return isEntity(given) ? given : given();
  }
  get parts(): readonly EntityClass[] {
    return [this.entity];
  }
  /** Stores records of the class that has the reference: one, or an array. */
  normalize(value: Value, parent: Value, key: Value, walk: Walk): string {
    walk.visit(Array.isArray(value) ? this.parts : this.entity, value, parent, key);
    return "";
  }
  /** The normalized form is empty, because `denormalize` reads the index. */
  queryKey([owner]: Args): string | undefined {
    return owner == null ? undefined : "";
  }
  /**
   * The records that refer to the argument of the reading: a list for each name of the argument. `undefined` until the
   * table is known.
   */
  protected read(reading: Reading): Value[][] | undefined {
    const { tables, node: { args } } = reading,
      plan = tables.plan(this.entity),
      names = this.#namesOf(args?.[0], tables);
    if (!names) return;
    let index = this.#indexes.get(tables);
    if (!index) this.#indexes.set(tables, index = new MemberIndex(plan, this.#member, tables));
    const lists = names.map((name): Value[] => reading.read(index.node(name)));
    if (plan.table.isKnown || plan.table.seeds || lists.some(({ length }) => length)) return lists;
    reading.read(index.known);
  }
  /** The names by which references to the owner are indexed; `undefined` for an owner without a pk. */
  #namesOf(owner: Value, tables: Tables): string[] | undefined {
    const target = targetOf(this.entity.schema[this.#member]);
    if (isObject(target) && target.mapping) {
      const E: Schema = owner?.constructor, { mapping } = target, pk = isEntity(E) && pkText(E.pk(owner));
      const tags = Object.keys(mapping).filter((tag) => mapping[tag].key === E?.key);
      return pk ? tags.map((schema) => nameOf({ id: pk, schema })) : undefined;
    }
    const pk = isEntity(target)
      ? target.queryKey([owner], tables)
      : isObject(owner)
      ? typeof owner.pk == "function" ? pkText(owner.pk()) : owner.id
      : owner;
    return pk == null ? undefined : [`${pk}`];
  }
}

/** The schema of one reference in a member, which may hold one or a list of them. */
function targetOf(schema: Schema): Schema {
  if (!isObject(schema) || schema.mapping) return schema;
  return targetOf(Array.isArray(schema) ? schema[0] : schema.parts?.[0]);
}

/**
 * The other side of a reference: reads every film whose `director` is the given one, as an array in order of arrival,
 * by an index. The member may hold an entity, a union, an array of these (for many-to-many), or a plain foreign key.
 * The data are `undefined` until a film was stored, or an empty list of films was received.
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
  declare readonly "~types": TypesOf<Denormalize<E>[], string, RelationArgs<E, K>>;
  denormalize(_kept: Value, reading: Reading): Value {
    const lists = this.read(reading);
    return lists?.[1] ? lists.flat() : lists?.[0];
  }
}

/**
 * The other side of a one-to-one reference: reads the profile whose `user` is the given one. It is `HasMany` for a
 * single record: the first to arrive, if there are several; `undefined` while there is none.
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
  declare readonly "~types": TypesOf<Denormalize<E>, string, RelationArgs<E, K>>;
  denormalize(_kept: Value, reading: Reading): Value {
    return this.read(reading)?.flat()[0];
  }
}

/** The rows that refer to one name. Readers hold the node; the index holds it weakly, so that it can be collected. */
interface Group {
  readonly rows: Set<Row>;
  node?: WeakRef<Node>;
}

/** An index of a table: the rows by the references in one member. Built once, then updated by each commit. */
export class MemberIndex implements StorePart {
  /** For each indexed row: the names in its member, and its number in the order of arrival. */
  readonly #places = new Map<Row, { readonly names: readonly string[]; readonly at: number }>();
  readonly #groups = new Map<string, Group>();
  #arrived = 0;
  #age: number | undefined;
  /** The node for readers that found no rows in an unknown table: it turns dirty when the table becomes known. */
  readonly known: Node = viewOf(undefined, undefined);

  constructor(readonly plan: Plan, readonly member: string, readonly store: Tables & Partial<Store>) {
    const { table } = plan;
    table.alls.set(this, this.known);
    store.parts?.push(this);
    this.#put(table.seeds ? Object.keys(table.seeds).map((pk) => table.row(pk)) : table.rows.values(), []);
  }
  /** The node of the rows that refer to a name, in order of arrival. */
  node(name: string): Node {
    const group = this.#group(name), at = (row: Row) => this.#places.get(row)!.at;
    let node = group.node?.deref();
    if (!node) group.node = new WeakRef(node = viewOf([this.plan.E], undefined));
    node.kept ??= [...group.rows].sort((a, b) => at(a) - at(b)).map(({ pk }) => pk);
    return node;
  }
  #group(name: string): Group {
    let group = this.#groups.get(name);
    if (!group) this.#groups.set(name, group = { rows: new Set() });
    return group;
  }
  /** Updates the index for the rows that a commit or its layer has changed. */
  commit({ touched, layer, told }: Commit): void {
    const { age } = this.store;
    if (age !== this.#age) {
      // `memory` has made a pass: drop the rows that it removed, and the names without rows and readers.
      this.#age = age;
      this.#put(this.#places.keys(), told);
      for (const [name, { rows, node }] of this.#groups) if (!rows.size && !node?.deref()) this.#groups.delete(name);
    }
    this.#put(touched, told);
    this.#put(layer?.patches.keys() ?? [], told);
  }
  reset(): void {
    this.#put(this.#places.keys(), []);
  }
  #put(rows: Iterable<Row>, told: Node[]): void {
    const { store, plan: { table }, member } = this;
    for (const row of rows) {
      if (row.table !== table) continue;
      const place = this.#places.get(row), before = place?.names ?? [];
      const rec: Value = table.rows.get(row.pk) === row ? store.shown(row) : undefined;
      const names = rec ? namesOf(rec[member]) : [];
      if (!equal(names, before)) {
        for (const name of before) this.#change(name, told).delete(row);
        for (const name of names) this.#change(name, told).add(row);
      } else if (!rec === !place) continue;
      if (rec) this.#places.set(row, { names, at: place?.at ?? ++this.#arrived });
      else this.#places.delete(row);
    }
  }
  /** The rows of a name, for a change: the readers of the name turn dirty. */
  #change(name: string, told: Node[]): Set<Row> {
    const { rows, node: held } = this.#group(name), node = held?.deref();
    if (node) {
      node.kept = undefined;
      mark(node, told);
    }
    return rows;
  }
}

/** The names of the references in a member, each once. */
function namesOf(value: Value): readonly string[] {
  if (!Array.isArray(value)) return value == null ? [] : [nameOf(value)];
  return [...new Set(value.filter((one) => one != null).map(nameOf))];
}

/** The name of a reference: the pk or key as text; for a union, with the tag. */
export const nameOf = (kept: Value): string => isObject(kept) ? `${kept.schema}\n${kept.id}` : `${kept}`;
