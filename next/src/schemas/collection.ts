import type { Commit } from "../store/commit.ts";
import type { Denormalize } from "../store/infer.ts";
import { join } from "../store/join.ts";
import { markRow } from "../store/node.ts";
import type { Plan } from "../store/plan.ts";
import type { Reading } from "../store/reading.ts";
import type { Schema, SchemaObject } from "../store/schema.ts";
import type { Tables } from "../store/tables.ts";
import { tablesOf } from "../store/lookup.ts";
import { equal } from "../plain/equal.ts";
import type { Args, Value } from "../plain/value.ts";
import { CollectionChange, type MergeItems } from "./collection_change.ts";
import type {
  CollectionArgs,
  CollectionItem,
  CollectionOptions,
  CollectionSource,
  CollectionTypes,
} from "./collection_options.ts";
import { listName, namedArgs, placeName } from "./list_names.ts";
import { Lists } from "./lists.ts";

export type { CollectionChange as Change, CollectionOptions };

/** The verbs of a collection. */
export type ListVerb = "push" | "unshift" | "assign" | "remove" | "move";

/** What the endpoint of a list gives to those of its verbs. */
export interface ListAddress {
  readonly name: string;
  readonly path: string;
  /** Where one record is: that is what `move` changes. */
  readonly movePath?: string | undefined;
}

/** What `move` gives: an item, or items by name. */
type Moved<S> = Denormalize<S> extends readonly unknown[] ? CollectionItem<S> : { [name: string]: CollectionItem<S> };

/**
 * A list that grows by itself: it is stored under the arguments of its call, and what is created, removed or moved joins
 * and leaves the lists that it belongs to.
 *
 * A created item joins each list whose arguments all equal its members, once. A list with an argument that every item
 * has, and the new one has not, stays as it is; of any other only the server knows, so that it is asked again where it is
 * mounted. A deleted item leaves every list. An edit expires lists that name a changed member, sort by it, or have an
 * argument that is no member.
 *
 * The verbs `push`, `unshift` (`assign` for `Values`), `remove` and `move` are schemas for the endpoints that change
 * something.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Endpoint, Entity, schema } from "@rejoin/data";
 *
 * class Todo extends Entity {
 *   id = "";
 *   userId = "";
 *   static key = "Todo";
 * }
 * const todos = new schema.Collection([Todo]);
 * const getTodos = new Endpoint(
 *   async ({ userId }: { userId: string }) => await Promise.resolve([{ id: "1", userId }]),
 *   { name: "getTodos", schema: todos },
 * );
 * const addTodo = new Endpoint(
 *   async (body: { userId: string }) => await Promise.resolve({ id: "2", ...body }),
 *   { name: "addTodo", schema: todos.push, sideEffect: true },
 * );
 * const controller = new Controller();
 * await controller.fetch(getTodos, { userId: "5" });
 * await controller.fetch(addTodo, { userId: "5" });
 * assert(controller.getResponse(getTodos, { userId: "5" }).data?.map(({ id }) => id).join() === "1,2");
 * ```
 */
export class Collection<const S extends CollectionSource = Value, A extends Args = CollectionArgs>
  implements SchemaObject {
  declare readonly "~types": CollectionTypes<S, A>;
  /** Stands in place of an entity class for the table of its lists. */
  readonly list: { readonly key: string; readonly items: Schema };
  readonly parts: readonly [S];
  /** The schema of one item. */
  readonly item: Schema;
  /** Whether items stand in a row, and not under names. */
  readonly isList: boolean;
  /** What it reads as where a response lacks it. */
  readonly absent: Schema;
  /** Adds what is created at the end of the lists that it belongs to. */
  readonly push: CollectionChange<S>;
  /** Adds what is created at the beginning of the lists that it belongs to. */
  readonly unshift: CollectionChange<S>;
  /** Puts what is created under its name; for `Values`. */
  readonly assign: CollectionChange<S, { [name: string]: CollectionItem<S> }>;
  /** Takes an item, given as itself or as its pk, out of the lists that the parameters do not exclude. */
  readonly remove: CollectionChange<S>;
  /** Puts a changed item into the lists that it belongs to now, and takes it out of those that it does not. */
  readonly move: CollectionChange<S, Moved<S>>;
  readonly #options: CollectionOptions<A>;
  readonly #lists = new WeakMap<Tables, Lists>();

  /**
   * @param schema `[Article]`, `schema.Array` or `schema.Values` of an entity or a union.
   * @param options How lists are told apart.
   */
  constructor(readonly schema: S, options: CollectionOptions<A> = {}) {
    const items: Schema = schema, { key = "", createCollectionFilter: filter } = options;
    this.#options = options;
    this.parts = [schema];
    this.item = items.item ?? items[0];
    this.isList = Array.isArray(items) || !!items.isList;
    const { item: { key: name, mapping = {} } } = this,
      names = name ?? Object.values<Schema>(mapping).map((E) => E.key);
    this.absent = this.isList ? [] : {};
    this.list = { key: `${this.isList ? "[" : "{"}${names}${this.isList ? "]" : "}"} ${key}`, items };
    this.push = new CollectionChange(this, { does: "add", filter });
    this.unshift = new CollectionChange(this, { does: "add", filter, merge: (list, items) => [...items, ...list] });
    this.assign = new CollectionChange(this, { does: "add", filter });
    this.remove = new CollectionChange(this, { does: "remove", filter });
    this.move = new CollectionChange(this, { does: "move", filter });
  }
  /** Names the table of its lists: equal ones are of the same lists. */
  get key(): string {
    return this.list.key;
  }
  /**
   * The same with some options replaced. As long as `key` is not among them, both are of the same lists.
   *
   * @param options What is different.
   * @returns A collection of the same class.
   */
  extend(options: CollectionOptions<A>): Collection<S, A> {
    const Class = this.constructor as new (schema: S, options: CollectionOptions<A>) => Collection<S, A>; // its own
    return new Class(this.schema, { ...this.#options, ...options });
  }
  /**
   * A change of one's own: how items that come meet those that are there.
   *
   * @param merge Gets references to the items (pks), in order or by name, and returns the same; pure.
   * @param createCollectionFilter In place of the comparison of arguments: which lists it is for.
   * @returns A schema for the endpoint that makes the change.
   */
  addWith(
    merge: MergeItems,
    createCollectionFilter: CollectionOptions<A>["createCollectionFilter"] = this.#options.createCollectionFilter,
  ): CollectionChange<S> {
    return new CollectionChange<S>(this, { does: "add", merge, filter: createCollectionFilter });
  }
  /** For REST: what the endpoint of a verb has in place of the list's. */
  verb(name: ListVerb, { path, movePath = path, name: of }: ListAddress): object {
    return {
      name: `${of}.${name}`,
      body: {},
      schema: this[name],
      method: name === "remove" || name === "move" ? "PATCH" : "POST",
      path: name === "move" ? movePath : path,
    };
  }
  /** Its lists in a store. Collections with one key share them. */
  lists(tables: Tables): Lists {
    let lists = this.#lists.get(tables);
    if (!lists) {
      const plan = this.plan(tables), owners = [...tablesOf(tables, this.schema)];
      for (const known of owners[0]?.lists ?? []) {
        if (known instanceof Lists && known.plan.table === plan.table) lists = known;
      }
      this.#lists.set(tables, lists ??= new Lists(plan, this.item, tables, this.#options as CollectionOptions<Args>)); // any arguments
      for (const table of owners) table.lists.add(lists);
    }
    return lists;
  }
  /** The plan of its lists, in place of a class. */
  plan(tables: Tables): Plan {
    return tables.plan(this.list as Schema); // a plan of lists needs no class
  }
  #name(args: Args): string {
    const { argsKey } = this.#options;
    return listName(argsKey ? argsKey(...args as A) : namedArgs(args)); // the call's own arguments
  }
  /** Arguments alone name the newest list that was read by them. */
  queryKey(args: Args, tables: Tables): string {
    const name = this.#name(args);
    let pk = name;
    for (const one of this.plan(tables).table.rows.keys()) if (one.startsWith(name)) pk = one;
    return pk;
  }
  /** A list of a read is named by its key: two reads never share one. A list in a record is named by its place. */
  #pk(parent: Value, key: Value, { owner, args, listArgs = args, options, tables }: Commit): string {
    if (owner) {
      const place = placeName(owner.table.key, owner.pk, key), { nestKey } = this.#options;
      const name = nestKey ? listName(nestKey(parent, key)) : "";
      // Where all that `nestKey` gives is `undefined`, it would be the list of everything.
      return name.length > 3 ? name + place : place;
    }
    return options?.key === undefined ? this.queryKey(listArgs, tables) : this.#name(args) + options.key;
  }
  normalize(value: Value, parent: Value, key: Value, commit: Commit): string {
    const { tables, options, owner, args, listArgs = args } = commit,
      lists = this.lists(tables),
      plan = this.plan(tables);
    const { rows } = plan.table, kept = commit.visit(this.schema, value, parent, key);
    let row = plan.table.row(this.#pk(parent, key, commit));
    // Several lists in one place, as in records without a pk, are told apart.
    while (row.next && !options?.isPage && !equal(row.next, kept)) row = plan.table.row(`${row.pk}+`);
    // What was looked for by its arguments alone is found from now on.
    const sought = owner ? undefined : rows.get(this.#name(listArgs));
    if (sought && sought !== row) markRow(sought, commit.told);
    const list = row.next ?? row.rec;
    if (options?.isPage && list) row.next = join(commit.touch(row), kept);
    else {
      lists.answered(row);
      commit.write(plan, row, row.added ? join(kept, row.added) : kept);
    }
    return row.pk;
  }
  denormalize(kept: Value, reading: Reading): Value {
    return reading.kid(this.plan(reading.tables), kept);
  }
}
