import type { Commit } from "../store/commit.ts";
import type { Denormalize } from "../store/infer.ts";
import { join } from "../store/join.ts";
import { markRow } from "../store/row.ts";
import type { Reading } from "../store/reading.ts";
import type { SchemaObject, TypesOf } from "../store/schema.ts";
import type { Tables } from "../store/tables.ts";
import { equal } from "../plain/equal.ts";
import type { Args, Value } from "../plain/value.ts";
import { argsText } from "../plain/args_text.ts";
import type { CollectionArgs, CollectionItem, CollectionOptions, CollectionSource, MergeItems } from "./lists.ts";
import { CollectionChange, listArgs, listName, Lists, namedArgs } from "./lists.ts";

export type { CollectionChange as Change, CollectionOptions };

/** The members of a `Collection` that are schemas of mutations. */
export type ListVerb = "push" | "unshift" | "assign" | "remove" | "move";

/** What the endpoints of a list's verbs (`getList.push`) take over from the endpoint of the list. */
export interface ListAddress {
  readonly name: string;
  readonly path: string;
  /** The path of a single record, which is what `move` changes. */
  readonly movePath?: string | undefined;
}

/** The data of a `move`: an item, or for `Values` an object of items by name. */
type Moved<S> = Denormalize<S> extends readonly unknown[] ? CollectionItem<S> : { [name: string]: CollectionItem<S> };

/**
 * A list that follows mutations: created items join it, deleted items leave it. Each call of a read has its own list,
 * and the arguments of the call say which items belong to it.
 *
 * - A created item joins each list whose arguments all equal its members.
 * - A list stays as it is if an argument that all its items equal (a filter) differs from the created item.
 * - Every other list expires, because only the server knows: it is fetched again where it is mounted.
 * - A deleted item leaves every list.
 * - An edit expires the lists with an argument that names a changed member, sorts by one, or is no filter.
 *
 * The members `push`, `unshift`, `assign` (for `Values`), `remove` and `move` are schemas for endpoints of mutations.
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
export class Collection<const S extends CollectionSource = Value, A extends Args = CollectionArgs> extends Lists<S, A>
  implements SchemaObject {
  declare readonly "~types": TypesOf<Denormalize<S>, string, A, Denormalize<S>>;
  /** Schema of a mutation: adds the created items at the end of the lists that they belong to. */
  declare readonly push: CollectionChange<S>;
  /** Schema of a mutation: adds the created items at the beginning of the lists that they belong to. */
  declare readonly unshift: CollectionChange<S>;
  /** Schema of a mutation, for `Values`: adds the created items under their names. */
  declare readonly assign: CollectionChange<S, { [name: string]: CollectionItem<S> }>;
  /**
   * Schema of a mutation: removes items (records or pks) from each list whose arguments agree with the parameters. The
   * records stay in the store.
   */
  declare readonly remove: CollectionChange<S>;
  /**
   * Schema of a mutation: adds changed items to the lists that they belong to now, and removes them from those that
   * they no longer belong to.
   */
  declare readonly move: CollectionChange<S, Moved<S>>;

  /**
   * @param schema `[Article]`, or a `schema.Array` or `schema.Values` of an entity or a union.
   * @param options Which arguments name a list, and which items belong to it.
   */
  constructor(schema: S, options: CollectionOptions<A> = {}) {
    super(schema, options);
    const change = (does: CollectionChange<S>["does"], merge?: MergeItems) =>
      new CollectionChange<S, Value>(this, does, merge);
    this.push = this.assign = change("add");
    this.unshift = change("add", (list, items) => [...items, ...list]);
    this.remove = change("remove");
    this.move = change("move");
  }
  /**
   * A copy with some options replaced. Unless `key` is replaced, both work on the same lists.
   *
   * @param options The options to replace.
   * @returns A collection of the same class.
   */
  extend(options: CollectionOptions<A>): Collection<S, A> {
    const Class = this.constructor as new (schema: S, options: CollectionOptions<A>) => Collection<S, A>; // its own
    return new Class(this.schema, { ...this.options, ...options });
  }
  /**
   * A schema of a mutation that adds created items by a function of your own.
   *
   * @param merge `(existing, incoming) => list`: gets and returns pks, as an array or (for `Values`) an object. Pure.
   * @param createCollectionFilter Decides which lists get the items, in place of the comparison of arguments.
   * @returns A schema for the endpoint of the mutation.
   */
  addWith(
    merge: MergeItems,
    createCollectionFilter?: CollectionOptions<A>["createCollectionFilter"],
  ): CollectionChange<S> {
    return new CollectionChange<S>(this, "add", merge, createCollectionFilter);
  }
  /** For `RestEndpoint`: the options that turn the endpoint of the list into the endpoint of a verb. */
  verb(name: ListVerb, { path, movePath = path, name: of }: ListAddress): object {
    const schema = this[name], { does } = schema;
    return {
      name: `${of}.${name}`,
      body: {},
      schema,
      method: does === "add" ? "POST" : "PATCH",
      path: does === "move" ? movePath : path,
    };
  }
  #name(args: Args): string {
    const { argsKey } = this.options;
    return listName(argsKey ? argsKey(...args as A) : namedArgs(args)); // calls of its endpoint have these arguments
  }
  /** Of several lists with equal arguments (of two endpoints, say) the one that was added last. */
  queryKey(args: Args, tables: Tables): string {
    const name = this.#name(args);
    let pk = name;
    for (const one of this.plan(tables).table.rows.keys()) if (one.startsWith(name)) pk = one;
    return pk;
  }
  /** The pk of a list has the key of its read, or the record and member that hold it: two reads never share a list. */
  normalize(value: Value, parent: Value, key: Value, commit: Commit): string {
    const { tables, options, owner } = commit, named = listArgs(commit), plan = this.plan(tables), { table } = plan;
    const kept = commit.visit(this.schema, value, parent, key), { nestKey } = this.options;
    const name = !owner ? this.#name(named) : nestKey ? listName(nestKey(parent, key)) : "";
    const place = owner ? argsText([owner.table.key, owner.pk, key]) : options?.key;
    let row = table.row(place === undefined ? this.queryKey(named, tables) : `${name}\n${place}`);
    // Readers that looked for a list by arguments alone read the row `name`. They must look again, and find this list.
    const sought = table.rows.get(name);
    if (sought && sought !== row) markRow(sought, commit.told);
    if (options?.isPage && !owner) {
      row.next = join(commit.touch(row), kept);
      if (Array.isArray(kept)) row.added = join(row.added ?? [], kept);
    } else {
      // Records without a pk have no place of their own: a second list of the same owner and key gets its own row.
      if (row.next && !equal(row.next, kept)) row = table.row(`${row.pk}\n+${commit.touched.length}`);
      // When the list is read again, items that a page had added stay, unless they were removed meanwhile.
      const shown = row.added && new Set(row.rec?.map((one: Value) => this.row(one, tables)));
      const added = options?.key && row.added?.filter((one) => shown!.has(this.row(one, tables)));
      commit.write(plan, row, added ? join(kept, added) : kept);
    }
    if (owner) row.owner = owner;
    return row.pk;
  }
  denormalize(kept: Value, reading: Reading): Value {
    return reading.kid(this.plan(reading.tables), kept);
  }
}
