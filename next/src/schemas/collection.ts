import { argsText } from "../plain/args_text.ts";
import { equal } from "../plain/equal.ts";
import { join } from "../store/join.ts";
import { shown } from "../store/layers.ts";
import type { Plan } from "../store/plan.ts";
import type { Reading } from "../store/reading.ts";
import type { ListKeeper, Row } from "../store/table.ts";
import type { Tables } from "../store/tables.ts";
import { tablesOf } from "../store/tables_of.ts";
import type { Commit } from "../store/commit.ts";
import type { Denormalize } from "../store/infer.ts";
import { isEntity, type Schema, type SchemaObject, type SchemaTypes } from "../store/schema.ts";
import { isObject } from "../plain/is_object.ts";

interface CollectionTypes<S> extends SchemaTypes {
  data: Denormalize<S>;
  nullable: Denormalize<S> | undefined;
  normalized: string;
  args: readonly any[];
  member: Denormalize<S>;
}

export interface CollectionOptions {
  /** Sets lists of one entity apart that have the same arguments. */
  readonly key?: string;
  /** Names of arguments that say which part of a list is shown, or how: what is created joins no list that has one. */
  readonly displayArgs?: readonly string[] | undefined;
  /** For arguments that are not simply a member of their name. */
  readonly filters?: { readonly [arg: string]: (record: any, value: string) => boolean | undefined } | undefined;
  /** The arguments of a list that is a member of an entity. */
  nestKey?(parent: any, key: any): object;
  /** The arguments of the list of a call. */
  argsKey?(...args: any[]): object;
}

/** A list as a row: a table of lists by their arguments, which records join and leave. */
export class Collection<S = any> implements SchemaObject, ListKeeper {
  declare readonly "~types": CollectionTypes<S>;
  readonly list: { readonly key: string; readonly items: Schema };
  readonly parts: S[];
  readonly push: Change<S>;
  readonly unshift: Change<S>;
  readonly assign: Change<S>;
  readonly remove: Change<S>;
  readonly move: Change<S>;

  constructor(readonly items: S, readonly options: CollectionOptions = {}) {
    const { item } = items as any, E = item ?? (items as any)[0];
    this.parts = [items];
    this.list = { key: `[${isEntity(E) ? E.key : E.parts.map(({ key }: any) => key)}] ${options.key ?? ""}`, items };
    this.push = new Change<S>(this, (list, items) => [...list, ...items]);
    this.unshift = new Change<S>(this, (list, items) => [...items, ...list]);
    this.assign = this.push;
    this.remove = new Change<S>(
      this,
      (list) => list,
      true,
      (args, _record, params) => params && differs(args, params) ? undefined : false,
    );
    this.move = new Change<S>(this, (list, items) => [...list, ...items], true);
  }
  extend(options: CollectionOptions): Collection<S> {
    return new (this.constructor as any)(this.items, { key: this.options.key, ...this.options, ...options });
  }
  /** The options of a mutation of its lists. */
  verb(name: "push" | "unshift" | "assign" | "remove" | "move", { path, movePath = path, name: of }: any): any {
    const isOld = /move/.test(name);
    return {
      name: `${of}.${name}`,
      body: {},
      schema: this[name],
      method: isOld ? "PATCH" : "POST",
      path: name === "move" ? movePath : path,
    };
  }
  plan(tables: Tables): Plan {
    const isNew = !tables.plans.has(this.list), plan = tables.plan(this.list as any);
    if (isNew) { for (const table of tablesOf(tables, this.items)) table.lists.add(this); }
    return plan;
  }
  /** The arguments of a list as text: `5` and `"5"` are one. */
  #args(args: readonly any[]): string {
    const [first, ...rest] = args, { argsKey } = this.options;
    return listKey(
      argsKey
        ? argsKey(...args)
        : { ...isObject(first ?? {}) ? first : { "#": first }, ...rest.length && { "#rest": rest } },
    );
  }
  /** Arguments alone name the newest list that was read by them. */
  queryKey(args: readonly any[], tables: Tables): string {
    let pk = this.#args(args);
    for (const one of this.plan(tables).table.rows.keys()) if (one.startsWith(this.#args(args))) pk = one;
    return pk;
  }
  normalize(value: any, parent: any, key: any, walk: Commit): any {
    const { owner, args } = walk, { nestKey } = this.options, plan = this.plan(walk.tables);
    // A list of a read is named by its key: two reads never share one. A list in a record is named by its place.
    const { listArgs = args } = walk,
      read = walk.options?.key,
      place = owner && argsText([owner.table.key, owner.pk, key]);
    const pk = place
      ? nestKey ? listKey(nestKey(parent, key)) + place : place
      : read === undefined
      ? this.queryKey(listArgs, walk.tables)
      : this.#args(args) + read;
    const row = plan.table.row(pk), kept = walk.visit(this.items, value, parent, key), list = row.next ?? row.rec;
    if (walk.options?.isPage && list) row.next = join(walk.touch(row), kept);
    else walk.write(plan, row, row.added ? join(kept, row.added) : kept);
    return pk;
  }
  denormalize(kept: any, reading: Reading): any {
    return reading.kid(this.plan(reading.tables), kept);
  }
  /** Whether a record belongs to the list of some arguments; `undefined`: an argument says nothing of it. */
  belongs(args: any, record: any, params?: any): boolean | undefined {
    const { filters } = this.options;
    let result: boolean | undefined = true;
    for (const name in args) {
      const value = record[name] ?? params?.[name], arg = args[name];
      const one = filters?.[name]
        ? filters[name](record, arg)
        : value == null || isObject(arg) || this.options.displayArgs?.includes(name)
        ? undefined
        : [value].flat().map(String).includes(arg);
      if (one === false) return false;
      if (!one) result = undefined;
    }
    return result;
  }
  /** A deleted record leaves all lists. A list is asked again when an edit changes a member that its arguments name. */
  onEdit(row: Row, walk: Commit): void {
    const { rec, next } = row;
    if (rec === next) return;
    for (const list of this.plan(walk.tables).table.rows.values()) {
      const items = list.next ?? list.rec;
      if (!items) continue;
      if (!next) {
        if (Object.values(items).some((kept) => names(kept, row.pk))) {
          walk.change(list, (items) => without(items, [row.pk]));
        }
      } else if (rec) {
        const { filters } = this.options,
          args = argsOf(list),
          isChanged = (name: string) => !equal(rec[name], next[name]);
        if (
          args &&
          Object.keys(args).some((name) =>
            filters?.[name]
              ? this.belongs(args, rec) !== this.belongs(args, next)
              : isChanged(name) || (/^(order|sort)/.test(name) && isChanged(/\w+/.exec(args[name])?.[0] ?? ""))
          )
        ) {
          walk.stale.push(list);
        }
      }
    }
  }
}

interface ChangeTypes<S> extends SchemaTypes {
  data: S extends readonly (infer I)[] ? Denormalize<I> : Denormalize<S>;
  nullable: this["data"] | undefined;
  normalized: any;
  args: readonly any[];
}

/** What a mutation does to lists: its items are stored, and join or leave. */
export class Change<S = any> implements SchemaObject {
  declare readonly "~types": ChangeTypes<S>;
  readonly parts: Schema[];
  constructor(
    readonly collection: Collection<S>,
    readonly add: (list: any, items: any[]) => any,
    readonly isLeaving = false,
    readonly belongs = (args: any, record: any, params: any) => collection.belongs(args, record, params),
  ) {
    this.parts = [collection];
  }
  /** The schema of one item. */
  get item(): Schema {
    const { items } = this.collection as any;
    return items.item ?? items[0];
  }
  normalize(value: any, parent: any, key: any, walk: Commit): any {
    const { collection, item } = this, { roots, options: { layer }, stale, tables } = walk, from = roots.length;
    const isMany = Array.isArray(value), isMap = !Array.isArray(collection.items);
    const kept = walk.visit(isMany || isMap ? collection.items : item, value, parent, key);
    const [params] = walk.listArgs;
    for (const list of collection.plan(tables).table.rows.values()) {
      if (!(layer ? shown(list) : list.next ?? list.rec)) continue;
      const args = argsOf(list), come: any[] = [], go: string[] = [];
      if (!args) continue;
      Object.entries(isMany || isMap ? kept : [kept]).forEach(([name, one], at) => {
        const row = roots[from + at], record = row ? (layer ? layer.patches.get(row) : row.next) : one;
        const does = isObject(record) && this.belongs(args, record, params);
        if (does) come.push(isMap ? [name, one] : one);
        else if (does === false && row) go.push(row.pk);
        // Where a new item does not join, the server may know better.
        if (!does && !layer && !(this.isLeaving && does === false)) stale.push(list);
      });
      if (come.length || (this.isLeaving && go.length)) {
        walk.change(list, (items) => {
          const rest = this.isLeaving ? without(items, go) : items;
          if (isMap) return { ...rest, ...Object.fromEntries(come) };
          const fresh = come.filter((one) => !rest.some((other: any) => equal(one, other)));
          return fresh.length ? this.add(rest, fresh) : rest;
        });
      }
    }
    return kept;
  }
  denormalize(kept: any, reading: Reading): any {
    const { collection, item } = this;
    return reading.shape(Array.isArray(kept) || !Array.isArray(collection.items) ? collection.items : item, kept);
  }
}

/** Whether an item of a list names a record: by its pk, or as a member of a union. */
const names = (kept: any, pk: string): boolean => kept === pk || kept?.id === pk;
function without(items: any, pks: string[]): any {
  const stays = (kept: any) => !pks.some((pk) => names(kept, pk));
  if (Object.values(items).every(stays)) return items;
  return Array.isArray(items)
    ? items.filter(stays)
    : Object.fromEntries(Object.entries(items).filter(([, kept]) => stays(kept)));
}
const differs = (args: any, params: any): boolean =>
  Object.keys(args).some((name) => params[name] !== undefined && `${params[name]}` !== args[name]);

/** Arguments as the beginning of the pk of their list. */
const listKey = (args: any): string =>
  argsText(Object.fromEntries(
    Object.entries(args).filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, isObject(value) ? value : `${value}`]),
  )) + "\n";
const known = new WeakMap<Row, any>();
/** The arguments of a list; `undefined`: it belongs to its entity only. */
function argsOf(row: Row): any {
  let args = known.get(row);
  if (!args) known.set(row, args = JSON.parse(row.pk.split("\n")[0]!));
  return Array.isArray(args) ? undefined : args;
}
