import type { Args, Value } from "../plain/value.ts";
import type { DenormalizeNullable, SchemaArgs } from "./infer.ts";
import { lookup } from "./lookup.ts";
import { markAll, markRow, type Node, viewOf } from "./row.ts";
import { readNode } from "./reading.ts";
import type { Schema } from "./schema.ts";
import { type PlainEntities, Tables } from "./tables.ts";
import { own } from "../plain/is_object.ts";

/**
 * Reads plain tables again and again: the same objects as long as their records are the same objects, and new ones only
 * for what holds a record that was replaced.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Entity, Memo, normalize } from "@rejoin/data";
 *
 * class User extends Entity {
 *   id = "";
 *   name = "";
 *   static key = "User";
 * }
 * const memo = new Memo(), users = [User], { result, entities } = normalize(users, [{ id: "1" }, { id: "2" }]);
 * const before = memo.denormalize(users, result, entities);
 * const changed = { User: { ...entities.User, 2: { id: "2", name: "Bo" } } };
 * const after = memo.denormalize(users, result, changed);
 * assert(after?.[0] === before?.[0] && after?.[1]?.name === "Bo");
 * ```
 */
export class Memo {
  /** `HasMany` adds its indexes to `parts`. */
  #tables = Object.assign(new Tables(), { parts: [] as Value[] }); // indexes need more of a commit in a store
  readonly #views = new WeakMap<object, { readonly args: Args; readonly kept: Value; readonly node: Node }[]>();

  /**
   * Denormalizes a result of `normalize`.
   *
   * @param schema Where entities are. Pass the same object each time, because results are cached by it.
   * @param result The `result` of `normalize`.
   * @param entities The tables: never changed, only replaced.
   * @param args Arguments of the call.
   * @returns The response as objects; `undefined` where there are no data.
   */
  denormalize<const S>(schema: S, result: unknown, entities: PlainEntities, args: Args = []): DenormalizeNullable<S> {
    this.#follow(entities);
    return readNode(this.#tables, this.#view(schema, result, args));
  }
  /**
   * The value that arguments alone name: a record by its pk, an `All`, a `Query`.
   *
   * @param schema The schema to read.
   * @param entities The tables.
   * @param args The arguments that name the value.
   * @returns The value; `undefined` where there is none.
   */
  query<const S>(schema: S, entities: PlainEntities, ...args: SchemaArgs<S>): DenormalizeNullable<S> {
    this.#follow(entities);
    return readNode(this.#tables, this.#view(schema, lookup(schema, args, this.#tables), args));
  }
  #view(schema: Schema, kept: Value, args: Args): Node {
    let views = this.#views.get(schema);
    if (!views) this.#views.set(schema, views = []);
    let view = views.find((one) => one.kept === kept && one.args.every((arg, at) => arg === args[at]));
    if (!view) views.push(view = { args, kept, node: viewOf(schema, kept, args) });
    // Only the newest views are kept, so that changing results do not fill the memory.
    if (views.length > 100) views.shift();
    return view.node;
  }
  /** Takes over new tables, and marks the nodes of changed records dirty. */
  #follow(entities: PlainEntities): void {
    const all = this.#tables, told: Node[] = [];
    if (all.seeds === entities) return;
    all.seeds = entities;
    for (const table of all.tables.values()) {
      const seeds = table.seeds = own(entities, table.key);
      if (table.alls.size) { for (const pk in seeds) table.row(pk); }
      for (const row of table.rows.values()) {
        const rec = own(seeds, row.pk);
        if (rec === row.rec) continue;
        row.rec = rec;
        markRow(row, told);
      }
      markAll(table, told);
      for (const part of all.parts) part.commit({ touched: table.rows.values(), told });
    }
  }
}
