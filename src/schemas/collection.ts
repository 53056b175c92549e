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
import { CollectionChange, listName, Lists, namedArgs } from "./lists.ts";

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
export class Collection<const S extends CollectionSource = Value, A extends Args = CollectionArgs> extends Lists<S, A>
  implements SchemaObject {
  declare readonly "~types": TypesOf<Denormalize<S>, string, A, Denormalize<S>>;
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

  /**
   * @param schema `[Article]`, `schema.Array` or `schema.Values` of an entity or a union.
   * @param options How lists are told apart.
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
   * The same with some options replaced. As long as `key` is not among them, both are of the same lists.
   *
   * @param options What is different.
   * @returns A collection of the same class.
   */
  extend(options: CollectionOptions<A>): Collection<S, A> {
    const Class = this.constructor as new (schema: S, options: CollectionOptions<A>) => Collection<S, A>; // its own
    return new Class(this.schema, { ...this.options, ...options });
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
    createCollectionFilter?: CollectionOptions<A>["createCollectionFilter"],
  ): CollectionChange<S> {
    return new CollectionChange<S>(this, "add", merge, createCollectionFilter);
  }
  /** For REST: what the endpoint of a verb has in place of the list's. */
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
  normalize(value: Value, parent: Value, key: Value, commit: Commit): string {
    const { tables, options, owner, args, listArgs = args } = commit, plan = this.plan(tables), { table } = plan;
    const kept = commit.visit(this.schema, value, parent, key), { nestKey } = this.options;
    const name = !owner ? this.#name(listArgs) : nestKey ? listName(nestKey(parent, key)) : "";
    const place = owner ? argsText([owner.table.key, owner.pk, key]) : options?.key;
    let row = table.row(place === undefined ? this.queryKey(listArgs, tables) : `${name}\n${place}`);
    // What was looked for by its arguments alone is found from now on.
    const sought = table.rows.get(name);
    if (sought && sought !== row) markRow(sought, commit.told);
    if (options?.isPage) row.next = join(commit.touch(row), kept);
    else {
      // Several lists in one place, as in records without a pk, are told apart.
      if (row.next && !equal(row.next, kept)) row = table.row(`${row.pk}+${commit.touched.length}`);
      commit.write(plan, row, row.added ? join(kept, row.added) : kept);
    }
    return row.pk;
  }
  denormalize(kept: Value, reading: Reading): Value {
    return reading.kid(this.plan(reading.tables), kept);
  }
}
