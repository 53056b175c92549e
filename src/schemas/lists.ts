import { argsText } from "../plain/args_text.ts";
import { equal } from "../plain/equal.ts";
import { isObject } from "../plain/is_object.ts";
import type { Args, Value } from "../plain/value.ts";
import { mentions } from "../store/answers.ts";
import type { Commit } from "../store/commit.ts";
import type { Denormalize, SchemaInput } from "../store/infer.ts";
import { join } from "../store/join.ts";
import { patched, shown } from "../store/layers.ts";
import { tablesOf } from "../store/lookup.ts";
import type { Plan } from "../store/plan.ts";
import type { Reading } from "../store/reading.ts";
import type { ListKeeper, Row } from "../store/row.ts";
import { isEntity, type Rec, type Schema, type SchemaObject, type TypesOf } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { Tables } from "../store/tables.ts";

/**
 * Says whether an item belongs to a list whose argument has this value (as text). Returns `undefined` if only the
 * server knows. It must be pure.
 */
export type ListFilter = (item: Value, value: Value) => boolean | undefined;

/** The schemas that a `Collection` takes: `[Article]`, a `schema.Array` or a `schema.Values`. */
export type CollectionSource = readonly SchemaInput[] | SchemaObject;

/** The arguments of a collection's reads, where no others are declared: one object of parameters. */
export type CollectionArgs = readonly [params?: { readonly [name: string]: Value } | undefined];

/** The type of an item of a collection, as it is read. */
export type CollectionItem<S> = Denormalize<S> extends readonly (infer I)[] ? I
  : Denormalize<S> extends { readonly [name: string]: infer I } ? I
  : never;

/** Names of arguments. */
export type ArgumentNames = readonly string[];

/** Gets the arguments of a mutation; returns a test of a list's arguments (as text): whether it gets the items. */
export type ListTest<A extends Args> = (...args: A) => (listArgs: { readonly [name: string]: string }) => boolean;

/** Options of a `Collection`. */
export interface CollectionOptions<A extends Args = CollectionArgs> {
  /** Separates lists of one entity that have equal arguments, such as the lists of two paths. */
  readonly key?: string | undefined;
  /** The arguments that name a list, and that items are compared with. Defaults to all members of the first. */
  readonly argsKey?: ((...args: A) => { readonly [name: string]: unknown }) | undefined;
  /** The arguments of a list inside an entity. Without it, only deletes change the list. */
  readonly nestKey?: ((parent: Value, key: string) => { readonly [name: string]: unknown }) | undefined;
  /** Names of arguments for the page or the form of a list. A created item joins no list that has one of them. */
  readonly displayArgs?: ArgumentNames | undefined;
  /** Compares items with arguments that equal no member: `{ since: (film, value) => film.year >= value }`. */
  readonly filters?: { readonly [argument: string]: ListFilter } | undefined;
  /** Decides which lists get the items of a mutation, in place of the comparison of arguments with members. */
  readonly createCollectionFilter?: ListTest<A> | undefined;
}

/** Combines the pks of a list with new ones: two arrays, or for `Values` two objects of pks by name. Pure. */
export type MergeItems = (existing: Value, incoming: Value) => Value;

/** Arguments as JSON: the first line of the pk of a list. Scalars become text, so that `5` and `"5"` are equal. */
export function listName(args: Rec): string {
  const texts: Value = {};
  for (const name in args) {
    const value = args[name];
    texts[name] = isObject(value ?? {}) ? value : `${value}`;
  }
  return argsText(texts);
}
/** The arguments of a call as one object: a first argument that is no object is named `#`, further ones `#rest`. */
export const namedArgs = ([first, ...rest]: Args): Rec => ({
  ...isObject(first ?? {}) ? first : { "#": first },
  ...rest.length && { "#rest": rest },
});

/** The arguments of a call that name lists. A body names none. */
export function listArgs({ args, options }: Commit): Args {
  const endpoint = options?.flight?.endpoint; // `normalize` walks without options
  return endpoint?.sideEffect && endpoint.readArgs ? [endpoint.readArgs(args).params] : args;
}
/** Changes a list: in the layer of a pending mutation, else in the store. */
function changeList(commit: Commit, list: Row, change: (items: Value) => Value): void {
  const { layer } = commit.options;
  let last: Value, made: Value;
  // Of many layers on one list only the newest is new. The others get the same items again, and return the same result.
  const patch = (items: Value) => items === last ? made : (last = items, made = items && change(items));
  const before = layer?.patches.get(list);
  if (layer) return void layer.patches.set(list, before ? (items: Value) => patch(before(items)) : patch);
  list.next = patch(commit.touch(list));
  commit.keep(list, patch);
}

/** Marks a list stale, and the record that it is in, because the server is asked for that. */
const expireList = (list: Row | undefined, commit: Commit): void => {
  for (; list; list = list.owner) commit.stale.push(list);
};

/** The rules of a `Collection`: which records belong to a list, and what an edit does to the lists. */
export class Lists<S = Value, A extends Args = Value> implements ListKeeper {
  declare readonly parts: readonly [S];
  /** The schema of one item. */
  declare readonly item: Schema;
  /** The value that is read where a response lacks the list: `[]`, or `{}` for `Values`. */
  declare readonly absent: Schema;
  /** The key of the table of lists. Collections with equal keys share their lists. */
  declare readonly key: string;

  /**
   * @param schema `[Article]`, `schema.Array` or `schema.Values` of an entity or a union.
   * @param options Which arguments name a list, and which items belong to it.
   */
  constructor(readonly schema: S, readonly options: CollectionOptions<A>) {
    const items: Schema = schema;
    this.parts = [schema];
    this.item = items.item ?? items[0];
    this.absent = Array.isArray(items) ? [] : items.absent;
    const names = this.item.key ?? this.item.parts?.map((E: Schema) => E.key);
    // As text `[]` is empty and `{}` is not, so that arrays and `Values` of one entity are in two tables.
    this.key = `${names}${this.absent} ${options.key ?? ""}`;
  }

  /** The plan of the table of lists. The first call makes this collection a keeper of its items' tables. */
  plan(tables: Tables): Plan {
    const isNew = !tables.plans.has(this), plan = tables.plan(this as Schema); // has the `key` and `schema` of a class
    if (isNew) { for (const table of tablesOf(tables, this.schema)) table.lists.push(this); }
    return plan;
  }
  /** The arguments of a list; `null` for a list inside an entity, without `nestKey`. */
  args(list: Row): Rec | null {
    return list.args ??= JSON.parse(list.pk.split("\n")[0] || "null");
  }
  /** The lists that mutations may change: those with arguments. */
  named(tables: Tables): Row[] {
    return [...this.plan(tables).table.rows.values()].filter((list) =>
      (list.next ?? list.rec ?? list.layers) && this.args(list)
    );
  }
  #isPaging(name: string): boolean | undefined {
    return this.options.displayArgs?.includes(name);
  }
  /** Whether a record matches an argument; `undefined` if only the server knows. */
  #has(name: string, arg: Value, record: Rec): boolean | undefined {
    if (this.#isPaging(name)) return;
    const filter = this.options.filters?.[name], value = record[name];
    if (filter) return filter(record, arg);
    return value === undefined || isObject(value) ? undefined : `${value}` === arg;
  }
  /**
   * Whether an argument is a filter: every item of the list matches it. An empty list has none, unless it is named by
   * the record that it is in.
   */
  #isFilter(list: Row, name: string, arg: Value, tables: Tables): boolean {
    const items: Value[] = Object.values(list.rec ?? {});
    return !!(items.length || list.owner) &&
      items.every((kept) => this.#has(name, arg, this.row(kept, tables)?.rec ?? kept ?? {}));
  }
  /** Whether a record belongs to a list, by the list's arguments; `undefined` if only the server knows. */
  judge(list: Row, record: Rec, tables: Tables): boolean | undefined {
    const args = this.args(list);
    let joins: boolean | undefined = true;
    for (const name in args) {
      const has = this.#has(name, args[name], record);
      if (has === false && this.#isFilter(list, name, args[name], tables)) return false;
      if (!has) joins = undefined;
    }
    return joins;
  }
  /** The row of an item of a list; `undefined` if the item is in no table. */
  row(kept: Value, tables: Tables): Row | undefined {
    const { item } = this;
    if (isEntity(item)) return tables.plan(item).table.rows.get(kept);
    return item.refers?.(kept) ? tables.plan(item.mapping[kept.schema]).table.rows.get(kept.id) : undefined;
  }
  /** A list without the items of these rows; the same list if it has none of them. */
  without(items: Value, rows: readonly Row[], tables: Tables): Value {
    const stays = (kept: Value) => !rows.includes(this.row(kept, tables)!);
    if (Object.values(items).every(stays)) return items;
    return Array.isArray(items)
      ? items.filter(stays)
      : Object.fromEntries(Object.entries(items).filter(([, kept]) => stays(kept)));
  }

  /** Removes a deleted record from all lists, and marks the lists stale whose items or order an edit may change. */
  onEdit(row: Row, commit: Commit): void {
    const { next, edits } = row, { tables, subject, options: { flight } } = commit, rec = row.rec ?? {};
    // A message may have brought what this mutation changed, and messages expire no searches.
    const isEchoed = edits && row.pk === subject;
    if (row.rec ? rec === next && !isEchoed : row.pk !== subject) return;
    const leave = (items: Value) => this.without(items, [row], tables);
    const isChanged = (name: string) => !equal(rec[name], next[name]);
    const isKnown = (name: string) => name in (this.item.defaults ?? {});
    for (const list of this.plan(tables).table.rows.values()) {
      const items = list.next ?? list.rec, args = this.args(list);
      if (!items) continue;
      if (!next && leave(items) !== items) changeList(commit, list, leave);
      for (const name in args) {
        const arg = args[name], order = /^_?(sort|order)/i.test(name) ? `${arg}`.match(/\w+/g) : undefined;
        // A paging argument compares with no member, but a deleted item leaves a gap for an item of the next page.
        const isTouched = !next ? this.#isPaging(name) : isChanged(name) || order?.some(isChanged) ||
          this.#has(name, arg, rec) !== this.#has(name, arg, next) ||
          // Only a mutation (a flight) expires lists with unknown arguments: messages of a busy stream would cause
          // requests without end.
          (flight && !this.#isPaging(name) && !order?.every(isKnown) && !this.#isFilter(list, name, arg, tables));
        if (isTouched) expireList(list, commit);
      }
    }
  }
}

/** The schema of a mutation that changes lists: `push`, `unshift`, `assign`, `remove`, `move` and `addWith` make it. */
export class CollectionChange<const S, D = CollectionItem<S>> implements SchemaObject {
  declare readonly "~types": TypesOf<D, Value, Args>;
  declare readonly parts: readonly Schema[];
  /** The schema of one item. */
  declare readonly item: Schema;
  /**
   * @param collection The collection whose lists are changed.
   * @param does Whether the items join lists, leave lists, or join some and leave the others.
   * @param merge Combines a list with the new items. By default they are appended.
   * @param filter Decides which lists get the items. By default the option of the collection, else the comparison of
   *   arguments.
   */
  constructor(
    readonly collection: Lists,
    readonly does: "add" | "remove" | "move",
    readonly merge?: MergeItems,
    readonly filter: ListTest<Value> | undefined = collection.options.createCollectionFilter,
  ) {
    this.parts = [collection];
    this.item = collection.item;
  }
  #shapeOf(value: Value): Schema {
    const { schema, item, absent } = this.collection;
    return Array.isArray(value) || !Array.isArray(absent) ? schema : item;
  }
  normalize(value: Value, parent: Value, key: Value, commit: Commit): Value {
    const { collection, does, filter } = this, { tables, args, options: { layer, flight } } = commit;
    const shape = this.#shapeOf(value), kept = commit.visit(shape, value, parent, key);
    // A message or a `set` expires no list: a stream would cause requests without end.
    const isMutation = flight && !layer, { table } = collection.plan(tables);
    const params = JSON.parse(listName(namedArgs(listArgs(commit)))), test = filter?.(...args as [Value]);
    const items = Object.entries<Value>(shape === collection.schema ? kept : [kept]).map(([name, one]) => {
      const row = collection.row(one, tables);
      // The whole record as this commit, or this optimistic layer, will show it.
      const patch = row && layer?.patches.get(row), rec = row ? row.next ?? shown(row) : one;
      const record = { ...params, ...patch ? patched(rec, patch) : rec };
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
        else if (isMutation && isNamed === undefined) expireList(list, commit);
      }
      const rest = (items: Value) => go[0] ? collection.without(items, go, tables) : items;
      if (come[0] || go[0]) changeList(commit, list, (items) => this.#merge(rest(items), come));
    }
    if (does !== "add" || !isMutation) return kept;
    // An item cannot join an answer without a list: an error, or `null` for an empty list.
    (tables as Store).expire((one) => one.tables.includes(table) && !mentions(one.kept, table.rows), commit); // has the flight
    // The server may have put a created item into lists of other collections: those that no filter rules out expire.
    for (const { row } of items) {
      for (const lists of (row?.next ? row.table.lists : []) as Lists[]) { // every keeper is a `Lists`
        for (const list of lists.key === collection.key ? [] : lists.named(tables)) {
          if (lists.judge(list, row!.next, tables) !== false) expireList(list, commit);
        }
      }
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
