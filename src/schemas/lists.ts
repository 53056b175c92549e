import { argsText } from "../plain/args_text.ts";
import { equal } from "../plain/equal.ts";
import { isObject } from "../plain/is_object.ts";
import type { Args, Value } from "../plain/value.ts";
import type { Commit } from "../store/commit.ts";
import type { Denormalize, SchemaInput } from "../store/infer.ts";
import { join } from "../store/join.ts";
import { shown } from "../store/layers.ts";
import { tablesOf } from "../store/lookup.ts";
import type { Plan } from "../store/plan.ts";
import type { Reading } from "../store/reading.ts";
import type { ListKeeper, Row } from "../store/row.ts";
import { isEntity, type Rec, type Schema, type SchemaObject, type TypesOf } from "../store/schema.ts";
import type { Tables } from "../store/tables.ts";

/** Whether a stored item belongs to a list with a value (a text) of an argument; `undefined`: only the server knows. Pure. */
export type ListFilter = (item: Value, value: Value) => boolean | undefined;

/** What a collection may be of: `[Article]`, `schema.Array`, `schema.Values`. */
export type CollectionSource = readonly SchemaInput[] | SchemaObject;

/** The arguments by which a collection is found when nothing else is declared. */
export type CollectionArgs = readonly [params?: { readonly [name: string]: Value } | undefined];

/** One item of a collection, as a reader gets it. */
export type CollectionItem<S> = Denormalize<S> extends readonly (infer I)[] ? I
  : Denormalize<S> extends { readonly [name: string]: infer I } ? I
  : never;

/** Names of arguments. */
export type ArgumentNames = readonly string[];

/** Which lists a change is for, by their arguments, as text. */
export type ListTest<A extends Args> = (...args: A) => (listArgs: { readonly [name: string]: string }) => boolean;

/** Options of a `Collection`. */
export interface CollectionOptions<A extends Args = CollectionArgs> {
  /** Sets lists of one entity apart that have the same arguments: those of another path. */
  readonly key?: string | undefined;
  /** Which arguments of the call name the list. By default all members of the first one. */
  readonly argsKey?: ((...args: A) => { readonly [name: string]: unknown }) | undefined;
  /** The arguments of a list that is a member of an entity; without it the list belongs to its entity alone. */
  readonly nestKey?: ((parent: Value, key: string) => { readonly [name: string]: unknown }) | undefined;
  /** Arguments that say which part of a list is shown, or how: what is created joins no list that has one. */
  readonly displayArgs?: ArgumentNames | undefined;
  /** For arguments that are not simply a member of their name: `{ since: (film, value) => film.year >= value }`. */
  readonly filters?: { readonly [argument: string]: ListFilter } | undefined;
  /** In place of the comparison of arguments: which lists a change is for. */
  readonly createCollectionFilter?: ListTest<A> | undefined;
}

/** How items that come meet those that are there: references (pks), in order or by name. Pure. */
export type MergeItems = (existing: Value, incoming: Value) => Value;

/** Arguments as JSON: the first line of the pk of their lists. Scalars are text, so that `5` and `"5"` are one. */
export function listName(args: Rec): string {
  const texts: Value = {};
  for (const name in args) {
    const value = args[name];
    texts[name] = isObject(value ?? {}) ? value : `${value}`;
  }
  return argsText(texts);
}
/** The arguments of a call, by name. */
export const namedArgs = ([first, ...rest]: Args): Rec => ({
  ...isObject(first ?? {}) ? first : { "#": first },
  ...rest.length && { "#rest": rest },
});

/** What the lists of a `Collection` mean: which records belong to them, and what an edit does to them. */
export class Lists<S = Value, A extends Args = Value> implements ListKeeper {
  readonly parts: readonly [S];
  /** The schema of one item. */
  readonly item: Schema;
  /** What it reads as where a response lacks it: `[]` where items stand in a row, `{}` where they have names. */
  readonly absent: Schema;
  /** Names the table of its lists: equal ones are of the same lists. */
  readonly key: string;
  readonly #args = new WeakMap<Row, Rec>();

  /**
   * @param schema `[Article]`, `schema.Array` or `schema.Values` of an entity or a union.
   * @param options How lists are told apart.
   */
  constructor(readonly schema: S, readonly options: CollectionOptions<A>) {
    const items: Schema = schema;
    this.parts = [schema];
    this.item = items.item ?? items[0];
    this.absent = Array.isArray(items) ? [] : items.absent;
    const names = this.item.key ?? this.item.parts?.map((E: Schema) => E.key);
    // `[]` is an empty text and `{}` is not: the same items in a row and by name are two tables.
    this.key = `${names}${this.absent} ${options.key ?? ""}`;
  }

  /** The plan of the lists. */
  plan(tables: Tables): Plan {
    const isNew = !tables.plans.has(this), plan = tables.plan(this as Schema); // stands for a class
    if (isNew) { for (const table of tablesOf(tables, this.schema)) table.lists.add(this); }
    return plan;
  }
  /** The arguments of a list; `null`: it belongs to its entity alone. */
  args(list: Row): Rec | null {
    let args = this.#args.get(list);
    if (!args) this.#args.set(list, args = JSON.parse(list.pk.split("\n")[0] || "null"));
    return args!;
  }
  /** The lists that are there, without those that belong to an entity alone. */
  named(tables: Tables): Row[] {
    return [...this.plan(tables).table.rows.values()].filter((list) =>
      (list.next ?? list.rec ?? list.layers) && this.args(list)
    );
  }
  #isPaging(name: string): boolean | undefined {
    return this.options.displayArgs?.includes(name);
  }
  /** Whether a record has what an argument says; `undefined`: it cannot be known. */
  #has(name: string, arg: Value, record: Rec): boolean | undefined {
    if (this.#isPaging(name)) return;
    const filter = this.options.filters?.[name], value = record[name];
    if (filter) return filter(record, arg);
    return value == null || isObject(value) ? undefined : `${value}` === arg;
  }
  /** Whether every item of a list has what an argument says. A list without items tells nothing. */
  #isFilter(list: Row, name: string, arg: Value, tables: Tables): boolean {
    const items: Value[] = Object.values(list.rec ?? {});
    return !!items.length && items.every((kept) => this.#has(name, arg, this.row(kept, tables)?.rec ?? kept));
  }
  /** Whether a record joins a list that has arguments; `undefined`: only the server knows. */
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
  /** The row that an item of a list names; `undefined`: the item is in no table. */
  row(kept: Value, tables: Tables): Row | undefined {
    const { item } = this;
    if (isEntity(item)) return tables.plan(item).table.rows.get(kept);
    return item.refers?.(kept) ? tables.plan(item.mapping[kept.schema]).table.rows.get(kept.id) : undefined;
  }
  /** A list without rows; itself where it has none of them. */
  without(items: Value, rows: readonly Row[], tables: Tables): Value {
    const stays = (kept: Value) => !rows.includes(this.row(kept, tables)!);
    if (Object.values(items).every(stays)) return items;
    return Array.isArray(items)
      ? items.filter(stays)
      : Object.fromEntries(Object.entries(items).filter(([, kept]) => stays(kept)));
  }

  /** A deleted record leaves all lists. A list is asked again when an edit may change what is in it, or its order. */
  onEdit(row: Row, commit: Commit): void {
    const { rec, next } = row, { tables, options: { flight } } = commit;
    if (!rec || rec === next) return;
    const leave = (items: Value) => this.without(items, [row], tables);
    const isChanged = (name: string) => !equal(rec[name], next[name]);
    const isKnown = (name: string) => name in (this.item.defaults ?? {});
    for (const list of this.plan(tables).table.rows.values()) {
      const items = list.next ?? list.rec, args = this.args(list);
      if (!items) continue;
      if (!next && leave(items) !== items) commit.change(list, leave);
      for (const name in args) {
        const arg = args[name], order = /^_?(sort|order)/i.test(name) ? `${arg}`.match(/\w+/g) : undefined;
        // Which part of a list is shown says nothing of its items, but another one comes in the place of a deleted one.
        const isTouched = !next ? this.#isPaging(name) : isChanged(name) || order?.some(isChanged) ||
          this.#has(name, arg, rec) !== this.#has(name, arg, next) ||
          // A message or a `set` expires no list for what is not known: a stream would ask without end.
          (flight && !this.#isPaging(name) && !order?.every(isKnown) && !this.#isFilter(list, name, arg, tables));
        if (isTouched) commit.stale.push(list);
      }
    }
  }
}

/** What a mutation does to lists: its items are stored, and join or leave. Made by the verbs of a `Collection`. */
export class CollectionChange<const S, D = CollectionItem<S>> implements SchemaObject {
  declare readonly "~types": TypesOf<D, Value, Args>;
  readonly parts: readonly Schema[];
  /**
   * @param collection Whose lists are changed.
   * @param does Items join the lists that they belong to; leave those that the call names; or do both.
   * @param merge How items that come meet those that are there. By default they come last.
   * @param filter Which lists it is for, by their arguments. By default as the collection says.
   */
  constructor(
    readonly collection: Lists,
    readonly does: "add" | "remove" | "move",
    readonly merge?: MergeItems,
    readonly filter: ListTest<Value> | undefined = collection.options.createCollectionFilter,
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
        else if (isNamed === undefined && !layer) commit.stale.push(list);
      }
      const rest = (items: Value) => go[0] ? collection.without(items, go, tables) : items;
      if (come[0] || go[0]) commit.change(list, (items) => this.#merge(rest(items), come));
    }
    // A list of another collection that does not say otherwise may have got what was made: only the server knows.
    const made = does === "add" ? items.filter(({ row }) => row?.next) : []; // not what a layer shows
    for (const { row } of made) {
      for (const lists of row!.table.lists as Set<Lists>) { // there are no other keepers
        if (lists.key === collection.key) continue;
        for (const list of lists.named(tables)) {
          if (lists.judge(list, row!.next, tables) !== false) commit.stale.push(list);
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
