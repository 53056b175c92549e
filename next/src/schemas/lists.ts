import type { Commit } from "../store/commit.ts";
import type { Plan } from "../store/plan.ts";
import type { Rec, Schema } from "../store/schema.ts";
import { isEntity } from "../store/schema.ts";
import type { ListKeeper, Row } from "../store/row.ts";
import type { Tables } from "../store/tables.ts";
import { equal } from "../plain/equal.ts";
import { isObject } from "../plain/is_object.ts";
import type { Args, Value } from "../plain/value.ts";
import type { ArgumentNames, CollectionOptions } from "./collection_options.ts";
import { argsOfName, type ListArgs } from "./list_names.ts";

/** What is known of a list. */
interface Facts {
  /** `undefined`: it belongs to its entity alone, and only a delete changes it. */
  readonly args: ListArgs | undefined;
  /** Whether an argument is a filter: every item of the newest reply has it as a member. */
  readonly filters: Map<string, boolean>;
}

/** How a record stands to a list: an argument tells them apart, or says nothing that the client knows. */
export type Verdict = "joins" | "differs" | "unknown";

/** The lists of one key in one store: which records belong to them, and what an edit does to them. */
export class Lists implements ListKeeper {
  readonly #facts = new WeakMap<Row, Facts>();

  /**
   * @param plan Of the table of the lists.
   * @param item The schema of one item.
   */
  constructor(
    readonly plan: Plan,
    readonly item: Schema,
    readonly tables: Tables,
    readonly options: CollectionOptions<Args>,
  ) {}

  /** The lists that are there, without those that belong to an entity alone. */
  named(): Row[] {
    const found: Row[] = [];
    for (const list of this.plan.table.rows.values()) {
      if ((list.next ?? this.tables.shown(list)) && this.facts(list).args) found.push(list);
    }
    return found;
  }
  facts(list: Row): Facts {
    let facts = this.#facts.get(list);
    if (!facts) this.#facts.set(list, facts = { args: argsOfName(list.pk), filters: new Map() });
    return facts;
  }
  /** The server has answered a list: what its arguments mean is judged anew. */
  answered(list: Row): void {
    this.facts(list).filters.clear();
  }

  /** How a record stands to a list that has arguments. */
  judge(list: Row, record: Rec, params?: Value): Verdict {
    const { args } = this.facts(list);
    let verdict: Verdict = "joins";
    for (const name in args) {
      const has = this.#has(name, args[name], record, params);
      if (has && !this.#isPaging(name)) continue;
      if (has === false && this.#isFilter(list, name)) return "differs";
      verdict = "unknown";
    }
    return verdict;
  }
  /** Whether a record has what an argument says; `undefined`: it has no such member. */
  #has(name: string, arg: Value, record: Rec, params?: Value): boolean | undefined {
    const filter = this.options.filters?.[name];
    if (filter) return filter(record, arg);
    const value = record[name] ?? params?.[name];
    if (value == null || isObject(arg)) return;
    return Array.isArray(value) ? value.some((one) => text(one) === arg) : text(value) === arg;
  }
  /** Whether every item of a list has what an argument says. A list without items tells nothing. */
  #isFilter(list: Row, name: string): boolean {
    if (this.#isPaging(name)) return false;
    if (this.options.filters?.[name]) return true;
    const { args, filters } = this.facts(list), items: Value[] = Object.values(list.rec ?? {});
    let isFilter = filters.get(name);
    if (isFilter === undefined && items.length) {
      isFilter = items.every((kept) => {
        const record = this.record(kept);
        return record && this.#has(name, args![name], record);
      });
      filters.set(name, isFilter);
    }
    return !!isFilter;
  }
  #isPaging(name: string): boolean {
    const { displayArgs, nonFilterArgumentKeys } = this.options;
    return isNamed(displayArgs ?? nonFilterArgumentKeys, name);
  }

  /** The row that an item of a list names; `undefined`: the item is in no table. */
  row(kept: Value): Row | undefined {
    const { item, tables } = this;
    if (isEntity(item)) return tables.plan(item).table.rows.get(kept);
    return item.refers?.(kept) ? tables.plan(item.mapping[kept.schema]).table.rows.get(kept.id) : undefined;
  }
  /** The record that an item of a list names, or is. */
  record(kept: Value): Rec | undefined {
    const row = this.row(kept);
    return row ? row.rec ?? row.next : isObject(kept) ? kept : undefined;
  }
  /** Whether an item names a row. */
  #names(kept: Value, row: Row): boolean {
    return kept === row.pk || (isObject(kept) && kept.id === row.pk && this.row(kept) === row);
  }
  /** A list without rows. */
  without(items: Value, rows: readonly Row[]): Value {
    const stays = (kept: Value) => !rows.some((row) => this.#names(kept, row));
    if (Object.values(items).every(stays)) return items;
    return Array.isArray(items)
      ? items.filter(stays)
      : Object.fromEntries(Object.entries(items).filter(([, kept]) => stays(kept)));
  }

  /** A deleted record leaves all lists. A list is asked again when an edit may change what is in it, or its order. */
  onEdit(row: Row, commit: Commit): void {
    const { rec, next } = row;
    if (rec === next) return;
    for (const list of this.plan.table.rows.values()) {
      const items = list.next ?? list.rec;
      if (!items) continue;
      if (!next) {
        if (Object.values(items).some((kept) => this.#names(kept, row))) {
          commit.change(list, (items) => this.without(items, [row]));
        }
        // Another record comes to a page in its place.
        if (Object.keys(this.facts(list).args ?? {}).some((name) => this.#isPaging(name))) commit.stale.push(list);
      } else if (rec && this.#isTouched(list, rec, next, !!commit.options.flight)) commit.stale.push(list);
    }
  }
  /**
   * A message or a `set` expires no list for an argument that nothing is known of: a stream would ask without end. Which
   * part of a list is shown is known to say nothing of its items.
   */
  #isTouched(list: Row, rec: Rec, next: Rec, isMutation: boolean): boolean {
    const { args } = this.facts(list), isChanged = (name: string) => !equal(rec[name], next[name]);
    for (const name in args) {
      const arg = args[name];
      if (this.options.filters?.[name]) {
        if (this.#has(name, arg, rec) !== this.#has(name, arg, next)) return true;
      } else if (isChanged(name)) return true;
      else {
        const order = ORDER.test(name)
          ? `${arg}`.match(/\w+/g)?.filter((word) => !/^(asc|desc)$/i.test(word))
          : undefined;
        if (order?.some(isChanged)) return true;
        if (
          isMutation && !order?.every((word) => word in next || word in (this.item.defaults ?? {})) &&
          !this.#isPaging(name) && !this.#isFilter(list, name)
        ) return true;
      }
    }
    return false;
  }
}

/** Arguments that name members to sort by: `sort`, `orderBy`, `_sort`. */
const ORDER = /^_?(sort|order)/i;

/** A member as text: of a reference of a union its pk. */
const text = (value: Value): string => `${isObject(value) ? value.id : value}`;

function isNamed(names: ArgumentNames | undefined, name: string): boolean {
  if (typeof names == "function") return names(name);
  return [names].flat().some((one) => one === name || (one instanceof RegExp && name.search(one) >= 0));
}
