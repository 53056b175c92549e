import type { Commit } from "../store/commit.ts";
import { patched, shown } from "../store/layers.ts";
import type { Reading } from "../store/reading.ts";
import type { Rec, Schema, SchemaObject, SchemaTypes } from "../store/schema.ts";
import type { ListKeeper, Row } from "../store/row.ts";
import type { Tables } from "../store/tables.ts";
import { equal } from "../plain/equal.ts";
import { isObject } from "../plain/is_object.ts";
import type { Args, Value } from "../plain/value.ts";
import type { CollectionItem, ListTest } from "./collection_options.ts";
import { type ListArgs, listName, namedArgs } from "./list_names.ts";
import { Lists, type Verdict } from "./lists.ts";

/** How items that come meet those that are there: references (pks), in order or by name. Pure. */
export type MergeItems = (existing: Value, incoming: Value) => Value;

/** The types of {@linkcode CollectionChange}. */
export interface CollectionChangeTypes<D> extends SchemaTypes {
  /** What a read gives. */
  readonly data: D;
  /** What a read gives where there may be nothing. */
  readonly nullable: D | undefined;
  /** What is kept of it. */
  readonly normalized: Value;
  /** What names it without a response. */
  readonly args: Args;
}

/** What a change asks of the collection that it is of. */
export interface ChangedCollection {
  readonly schema: Schema;
  /** The schema of one item. */
  readonly item: Schema;
  /** Whether items stand in a row, and not under names. */
  readonly isList: boolean;
  lists(tables: Tables): Lists;
}

/** What a change does. */
export interface ChangeRules {
  /** Items join the lists that they belong to; leave those that the call names; or do both. */
  readonly does: "add" | "remove" | "move";
  readonly merge?: MergeItems | undefined;
  readonly filter?: ListTest<Value> | undefined;
}

/** What a mutation does to lists: its items are stored, and join or leave. Made by the verbs of a `Collection`. */
export class CollectionChange<const S, D = CollectionItem<S>> implements SchemaObject {
  declare readonly "~types": CollectionChangeTypes<D>;
  readonly parts: readonly Schema[];
  /**
   * @param collection Whose lists are changed.
   * @param rules What is done.
   */
  constructor(readonly collection: ChangedCollection, readonly rules: ChangeRules) {
    this.parts = [collection];
  }
  /** The schema of one item. */
  get item(): Schema {
    return this.collection.item;
  }
  #shapeOf(value: Value): Schema {
    const { schema, item, isList } = this.collection;
    return Array.isArray(value) || !isList ? schema : item;
  }
  normalize(value: Value, parent: Value, key: Value, commit: Commit): Value {
    const { collection: { isList }, rules: { does } } = this, shape = this.#shapeOf(value), { layer } = commit.options;
    const kept = commit.visit(shape, value, parent, key), own = this.collection.lists(commit.tables);
    const items = Object.entries<Value>(shape === this.collection.schema ? kept : [kept]).map(([name, one]): Item => {
      const row = own.row(one);
      return { name, one, row, record: recordOf(row, one, commit) };
    });
    const judge = this.#judgeOf(own, commit);
    for (const list of own.named()) {
      const come: Item[] = [], go: Row[] = [];
      for (const item of items) {
        const verdict = item.record && judge(list, item.record);
        if (verdict === "joins") come.push(item);
        else if (verdict === "differs") { if (item.row && does !== "add") go.push(item.row); }
        // Only the server knows.
        else if (verdict && !layer) commit.stale.push(list);
      }
      if (!come.length && !go.length) continue;
      const fresh = isList ? come.map(({ one }) => one) : Object.fromEntries(come.map(({ name, one }) => [name, one]));
      commit.change(list, (items) => this.#merge(go.length ? own.without(items, go) : items, fresh));
    }
    if (does !== "add" || layer) return kept;
    for (const { row } of items) {
      // What is new may belong to lists of other collections, too, of which only the server knows.
      const keepers: Iterable<ListKeeper> = row && !row.rec && row.next ? row.table.lists : [];
      for (const lists of keepers) {
        if (lists === own || !(lists instanceof Lists)) continue;
        for (const list of lists.named()) if (lists.judge(list, row!.next) !== "differs") commit.stale.push(list);
      }
    }
    return kept;
  }
  /** How a record stands to a list; `undefined`: it has nothing to do with it. */
  #judgeOf(lists: Lists, commit: Commit): (list: Row, record: Rec) => Verdict | undefined {
    const { does, filter } = this.rules, params = namedArgs(commit.listArgs);
    const test = filter?.(...commit.args as [Value]); // the arguments of the call, which its own filter takes
    return (list, record) => {
      const args = lists.facts(list).args!;
      if (test) return test(args) === (does !== "remove") ? "joins" : "differs";
      if (does !== "remove") return lists.judge(list, record, params);
      return contradicts(args, params) ? undefined : "differs";
    };
  }
  #merge(items: Value, fresh: Value): Value {
    const { merge = (items: Value, fresh: Value) => [...items, ...fresh] } = this.rules;
    if (!Array.isArray(fresh)) return this.rules.merge ? merge(items, fresh) : { ...items, ...fresh };
    // Of a long list a set costs more than a look for a few.
    const known = fresh.length > 8 ? new Set(items) : undefined,
      has = (one: Value) => known?.has(one) ?? items.includes(one);
    const others = fresh.filter((one) =>
      !has(one) && !(isObject(one) && items.some((item: Value) => equal(item, one)))
    );
    return others.length ? merge(items, others) : items;
  }
  denormalize(kept: Value, reading: Reading): Value {
    return reading.shape(this.#shapeOf(kept), kept);
  }
}

/** One item of a change. */
interface Item {
  readonly name: string;
  /** Its normalized form. */
  readonly one: Value;
  readonly row: Row | undefined;
  readonly record: Rec | undefined;
}

/** The whole record of an item after this commit; with a layer, as that shows it. */
function recordOf(row: Row | undefined, kept: Value, { options: { layer } }: Commit): Rec | undefined {
  if (!row) return isObject(kept) ? kept : undefined;
  const patch = layer?.patches.get(row);
  return (layer ? patch === undefined ? shown(row) : patched(shown(row), patch) : row.next ?? row.rec) ?? undefined;
}

/** Whether parameters of a call name another list. */
function contradicts(args: ListArgs, params: Value): boolean {
  for (const name in args) {
    if (params[name] !== undefined && listName({ [name]: params[name] }) !== listName({ [name]: args[name] })) {
      return true;
    }
  }
  return false;
}
