import type { Denormalize, Normalize } from "../store/infer.ts";
import { type Node, viewOf } from "../store/row.ts";
import type { Plan } from "../store/plan.ts";
import type { Reading } from "../store/reading.ts";
import type { AnyEntity, EntityClass, SchemaObject, TypesOf } from "../store/schema.ts";
import { isEntity } from "../store/schema.ts";
import type { Tables } from "../store/tables.ts";
import type { Walk } from "../store/walk.ts";
import { defined } from "../plain/is_object.ts";
import type { Value } from "../plain/value.ts";
import { Items, type ItemsSchema } from "./items.ts";
import type { Union, UnionAttribute, UnionMapping, UnionSchema } from "./union.ts";

/** What {@linkcode All} makes. */
export type All<S> = ItemsSchema<TypesOf<Denormalize<S>[], Normalize<S>[] | undefined>>;

/** How an {@linkcode All} is made. */
export interface AllConstructor {
  /** @param entity The entity whose table is read, or a union of several. */
  new <const S extends AnyEntity | UnionSchema>(entity: S): All<S>;
  /**
   * The records of several tables, one table after the other in the order of the mapping.
   *
   * @param mapping Tags → entities.
   * @param attribute The name of the member that has the tag, or `(value, parent, key) => tag`.
   */
  new <const M extends UnionMapping, const A extends UnionAttribute>(mapping: M, attribute: A): All<Union<M, A>>;
}

class AllSchema extends Items implements SchemaObject {
  declare readonly "~types": TypesOf<Value[], Value>;
  queryKey(): Value {
    return "";
  }
  /** By table, the class that reads it. */
  get #classes(): Map<string, EntityClass> {
    const [item] = this.parts;
    return new Map((isEntity(item) ? [item] : item.parts as EntityClass[]).map((E) => [E.key, E]));
  }
  /** What is in no table stays: only the answer that has it gives it, after the records. */
  normalize(value: Value, parent: Value, key: Value, walk: Walk): Value {
    const [item] = this.parts, kept: Value[] = walk.visit(this.parts, value, parent, key);
    if (!kept.length) { for (const name of this.#classes.keys()) walk.empty.push(walk.tables.table(name)); }
    // Of an entity each is a pk; a record that is not saved yet, or has no mapped tag, is not.
    const others = kept.filter((one) => item.refers?.(one) === false);
    return others.length ? others : "";
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

/** The node of all rows of a table as one class reads them. */
function allOf({ table, E }: Plan, tables: Tables): Node {
  let node = table.alls.get(E);
  if (!node) {
    table.alls.set(E, node = viewOf([E], undefined));
    for (const pk in table.seeds) table.row(pk);
  }
  if (!node.kept) {
    node.kept = [];
    // A row that had a temporary id stands under both pks.
    for (const [pk, row] of table.rows) if (row.pk === pk && tables.shown(row)) node.kept.push(pk);
  }
  return node;
}

/**
 * Every record of an entity that the store holds, in order of arrival; of several entities, one table after the other.
 * `undefined` until something of a table was written, or an empty list of it came. As the schema of an endpoint it stores
 * a list, and reads the table.
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
