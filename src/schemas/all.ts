import type { Denormalize, Normalize } from "../store/infer.ts";
import { type Node, viewOf } from "../store/row.ts";
import type { Plan } from "../store/plan.ts";
import type { Reading } from "../store/reading.ts";
import type { AnyEntity, EntityClass, Schema, SchemaObject, TypesOf } from "../store/schema.ts";
import { isEntity } from "../store/schema.ts";
import type { Tables } from "../store/tables.ts";
import type { Walk } from "../store/walk.ts";
import { defined } from "../plain/is_object.ts";
import type { Value } from "../plain/value.ts";
import type { ItemsSchema } from "./items.ts";
import { tagOf, type Union, type UnionAttribute, type UnionMapping, type UnionSchema } from "./union.ts";

/** The type of a `new schema.All(…)` over schema `S`. */
export type All<S> = ItemsSchema<TypesOf<Denormalize<S>[], Normalize<S>[] | undefined>>;

/** The constructor of {@linkcode All}. */
export interface AllConstructor {
  /** @param entity The entity to read, or a union of several entities. */
  new <const S extends AnyEntity | UnionSchema>(entity: S): All<S>;
  /**
   * Reads several entities: their records come entity by entity, in the order of the mapping.
   *
   * @param mapping The entity for each tag: `{ photo: Photo, note: Note }`.
   * @param attribute The name of the member that holds the tag, or a function `(value, parent, key) => tag`.
   */
  new <const M extends UnionMapping, const A extends UnionAttribute>(mapping: M, attribute: A): All<Union<M, A>>;
}

class AllSchema implements SchemaObject {
  declare readonly "~types": TypesOf<Value[], Value>;
  /** The entity, or a mapping of tags to entities with the attribute that holds the tag: a `Union` has both. */
  readonly parts: Schema[];

  constructor(entity: Schema, attribute?: UnionAttribute) {
    this.parts = [attribute === undefined ? entity : { mapping: { ...entity }, attribute }];
  }
  /**
   * Sets the entity if it was left out, or adds to the mapping. Use it for entities that contain the list themselves.
   *
   * @param definition The entity, or the entities for further tags.
   * @returns This schema.
   */
  define(definition: Schema): this {
    const [item] = this.parts;
    if (!item || isEntity(item)) this.parts[0] = definition;
    else Object.assign(item.mapping, definition);
    return this;
  }
  queryKey(): Value {
    return "";
  }
  /** The entity classes by the key of their table. */
  get #classes(): Map<string, EntityClass> {
    const [item] = this.parts;
    return new Map(Object.values<EntityClass>(isEntity(item) ? [item] : item.mapping).map((E) => [E.key, E]));
  }
  /** Items with an unmapped tag are in no table: the reply keeps them, and its answer reads them after the records. */
  normalize(value: Value, parent: Value, key: Value, walk: Walk): Value {
    const [item] = this.parts, others: Value[] = [];
    if (!Array.isArray(value)) throw walk.misfit(this.parts, value, key);
    for (const one of value) {
      const E = isEntity(item) ? item : item.mapping[tagOf(item, one, parent, key)!];
      if (E) walk.visit(E, one, parent, key);
      else if (one != null) others.push(one);
    }
    if (!value.length) { for (const name of this.#classes.keys()) walk.empty.push(walk.tables.table(name)); }
    return others[0] === undefined ? "" : others;
  }
  denormalize(kept: Value, reading: Reading): Value {
    const { tables } = reading;
    const lists = defined(Array.from(this.#classes.values(), (E) => {
      const plan = tables.plan(E), rows = reading.read(allOf(plan, tables));
      return rows.length || plan.table.isKnown ? rows : undefined;
    }));
    if (kept) lists.push(kept);
    return lists[1] ? lists.flat() : lists[0];
  }
}

/** The node that reads all records of a table as instances of one class. */
function allOf({ table, E }: Plan, tables: Tables): Node {
  let node = table.alls.get(E);
  if (!node) table.alls.set(E, node = viewOf([E], undefined));
  if (!node.kept) {
    node.kept = [];
    // A created row is in `rows` under its temporary id, too. It is listed once, under the server's pk.
    for (const pk of table.seeds ? Object.keys(table.seeds) : table.rows.keys()) {
      const row = table.row(pk);
      if (row.pk === pk && tables.shown(row)) node.kept.push(pk);
    }
  }
  return node;
}

/**
 * Reads every record of an entity that the store holds, as an array in order of arrival; with several entities, one
 * after the other. The data are `undefined` until a record of the entity was stored, or an empty list of it was
 * received. As the schema of an endpoint it stores the array of the reply, and reads the whole table.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Entity, Query, schema } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
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
export const All: AllConstructor = AllSchema;
