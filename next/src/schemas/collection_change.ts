import { equal } from "../plain/equal.ts";
import type { Value } from "../plain/value.ts";
import {
  type CollectionChangeTypes,
  type CollectionItem,
  listName,
  type Lists,
  type ListTest,
  type MergeItems,
  namedArgs,
} from "./lists.ts";
import type { Commit } from "../store/commit.ts";
import { join } from "../store/join.ts";
import { shown } from "../store/layers.ts";
import type { Reading } from "../store/reading.ts";
import type { Row } from "../store/row.ts";
import type { Schema, SchemaObject } from "../store/schema.ts";

/** What a mutation does to lists: its items are stored, and join or leave. Made by the verbs of a `Collection`. */
export class CollectionChange<const S, D = CollectionItem<S>> implements SchemaObject {
  declare readonly "~types": CollectionChangeTypes<D>;
  readonly parts: readonly Schema[];
  /**
   * @param collection Whose lists are changed.
   * @param does Items join the lists that they belong to; leave those that the call names; or do both.
   * @param filter Which lists it is for, by their arguments.
   * @param merge How items that come meet those that are there. By default they come last.
   */
  constructor(
    readonly collection: Lists,
    readonly does: "add" | "remove" | "move",
    readonly filter?: ListTest<Value>,
    readonly merge?: MergeItems,
  ) {
    this.parts = [collection];
  }
  /** The schema of one item. */
  get item(): Schema {
    return this.collection.item;
  }
  #shapeOf(value: Value): Schema {
    const { schema, item, absent } = this.collection;
    return Array.isArray(value) || !Array.isArray(absent) ? schema : item;
  }
  normalize(value: Value, parent: Value, key: Value, commit: Commit): Value {
    const { collection, does, filter } = this, { tables, args, listArgs, options: { layer } } = commit;
    const shape = this.#shapeOf(value), kept = commit.visit(shape, value, parent, key);
    const params = JSON.parse(listName(namedArgs(listArgs))), test = filter?.(...args as [Value]);
    const items = Object.entries<Value>(shape === collection.schema ? kept : [kept]).map(([name, one]) => {
      const row = collection.row(one, tables);
      // The whole record after this commit; with a layer, as that shows it.
      const record = { ...params, ...row ? row.next ?? shown(row) : one, ...row && layer?.patches.get(row) };
      return { entry: [name, one] as const, row, record };
    });
    for (const list of collection.named(tables)) {
      const listed = collection.args(list)!, come: (readonly [string, Value])[] = [], go: Row[] = [];
      for (const { entry, row, record } of items) {
        const isNamed = test
          ? test(listed)
          : does === "remove"
          ? !Object.keys(listed).some((name) => params[name] !== undefined && !equal(params[name], listed[name]))
          : collection.judge(list, record, tables);
        if (isNamed && does !== "remove") come.push(entry);
        else if (row && (does === "move" ? isNamed === false : isNamed)) go.push(row);
      }
      if (come[0] || go[0]) commit.change(list, (items) => this.#merge(collection.without(items, go, tables), come));
    }
    if (does !== "remove" && !layer) {
      for (const { row } of items) for (const lists of row?.table.lists ?? []) lists.onCreate(row!, commit);
    }
    return kept;
  }
  #merge(items: Value, come: readonly (readonly [string, Value])[]): Value {
    const { merge } = this, fresh = Object.fromEntries(come);
    if (!come[0]) return items;
    if (!Array.isArray(items)) return merge ? merge(items, fresh) : { ...items, ...fresh };
    const all = join(items, come.map(([, one]) => one));
    return merge && all !== items ? merge(items, all.slice(items.length)) : all;
  }
  denormalize(kept: Value, reading: Reading): Value {
    return reading.shape(this.#shapeOf(kept), kept);
  }
}
