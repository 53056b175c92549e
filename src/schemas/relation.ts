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

/** The members of an entity that may refer to another: those that are no method. */
export type RelationMember<E extends AnyEntity> = keyof {
  [K in keyof E["prototype"] as E["prototype"][K] extends (...args: never) => unknown ? never : K]: 0;
};

/** What a relation is asked with: an object of the other entity, members that make its pk, or the pk by itself. */
export type RelationArgs<E extends AnyEntity, K> = K extends keyof E["prototype"]
  ? readonly [owner: OwnerArgs<NonNullable<E["prototype"][K]>>]
  : never;
type OwnerArgs<T> = T extends readonly (infer I)[] ? OwnerArgs<NonNullable<I>>
  : T extends { pk(...args: never): unknown } ? EntityArgs<T> | T
  : string | number | bigint | { pk(): unknown } | { readonly id: string | number | bigint };

/** The other side of a reference: a member of one class refers to records of another. */
export abstract class Relation<E extends AnyEntity, K extends RelationMember<E>> {
  readonly #given: E | (() => E);
  readonly #member: string;
  readonly #indexes = new WeakMap<Tables, MemberIndex>();

  /**
   * @param entity The class that refers, or a function that gives it where it is defined later.
   * @param member The member of it that refers.
   */
  constructor(entity: E | (() => E), member: K) {
    this.#given = entity;
    this.#member = String(member);
  }
  /** The class that refers. */
  protected get entity(): EntityClass {
    const given: Schema = this.#given;
    return isEntity(given) ? given : given();
  }
  get parts(): readonly EntityClass[] {
    return [this.entity];
  }
  /** Stores what refers: a record, or several. */
  normalize(value: Value, parent: Value, key: Value, walk: Walk): string {
    walk.visit(Array.isArray(value) ? this.parts : this.entity, value, parent, key);
    return "";
  }
  /** What is read is each reading's own look at the index. */
  queryKey([owner]: Args): string | undefined {
    return owner == null ? undefined : "";
  }
  /** The records that refer to the argument of a reading, by its names; `undefined` while nothing is known of them. */
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
  /** What the member of a record that refers holds; `undefined`: the owner is not saved. */
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

/** What a member refers to, each item of it where it is a list. */
function targetOf(schema: Schema): Schema {
  if (!isObject(schema) || schema.mapping) return schema;
  return targetOf(Array.isArray(schema) ? schema[0] : schema.parts?.[0]);
}

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
  declare readonly "~types": TypesOf<Denormalize<E>[], string, RelationArgs<E, K>>;
  denormalize(_kept: Value, reading: Reading): Value {
    const lists = this.read(reading);
    return lists?.[1] ? lists.flat() : lists?.[0];
  }
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
  declare readonly "~types": TypesOf<Denormalize<E>, string, RelationArgs<E, K>>;
  denormalize(_kept: Value, reading: Reading): Value {
    return this.read(reading)?.flat()[0];
  }
}

/** The rows that refer to one name. Readers hold the node; the index does not, so that it keeps nothing alive. */
interface Group {
  readonly rows: Set<Row>;
  node?: WeakRef<Node>;
}

/** The rows of a table by what a member refers to: built by one look at all of them, kept by the commits of its store. */
export class MemberIndex implements StorePart {
  /** Where each row stands, and when it arrived. */
  readonly #places = new Map<Row, { readonly names: readonly string[]; readonly at: number }>();
  readonly #groups = new Map<string, Group>();
  #arrived = 0;
  #age: number | undefined;
  /** Turns dirty when the table becomes known. */
  readonly known: Node = viewOf(undefined, undefined);

  constructor(readonly plan: Plan, readonly member: string, readonly store: Tables & Partial<Store>) {
    const { table } = plan;
    table.alls.set(this, this.known);
    store.parts?.push(this);
    for (const pk in table.seeds) table.row(pk);
    this.#put(table.rows.values(), []);
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
  /** The rows that a commit has changed stand where they belong now. */
  commit({ touched, layer, told }: Commit): void {
    const { age } = this.store;
    if (age !== this.#age) {
      // After a pass of `memory`: rows that it has removed go, and names that nothing has or reads.
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
  /** The rows of a name, which change. */
  #change(name: string, told: Node[]): Set<Row> {
    const { rows, node: held } = this.#group(name), node = held?.deref();
    if (node) {
      node.kept = undefined;
      mark(node, told);
    }
    return rows;
  }
}

/** What a member refers to, each once: pks, references of a union, plain keys. */
function namesOf(value: Value): readonly string[] {
  if (!Array.isArray(value)) return value == null ? [] : [nameOf(value)];
  return [...new Set(value.filter((one) => one != null).map(nameOf))];
}

/** What a reference is called: of a union with its tag. */
export const nameOf = (kept: Value): string => isObject(kept) ? `${kept.schema}\n${kept.id}` : `${kept}`;
