import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";
import type { ListVerb } from "../rest/list_verbs.ts";
import type { AnyRestEndpoint } from "../rest/rest_types.ts";
import { eachOnce } from "../normalize/record.ts";
import { argsKey } from "../schemas/args_key.ts";
import { madeIn } from "../schemas/once_for.ts";
import type { Denormalize } from "../schemas/infer.ts";
import {
  type AnyEntity,
  type AnySchema,
  type DenormalizeWalk,
  isSchemaObject,
  type NormalizeWalk,
  type QueryWalk,
  ROWS,
  type SchemaObject,
  type View,
  type ViewMaker,
} from "../schemas/interface.ts";
import type { PlainReading } from "./change_replies.ts";
import { type ListArgs, listArgsOf, textOf } from "./collection_args.ts";
import { CollectionChange } from "./collection_change.ts";
import { type CollectionRecord, type Items, nameOnce, ownerKey, partsOf } from "./collection_items.ts";
import { contradicted, type MembershipRules, memo, ORDER, together } from "./collection_membership.ts";
import {
  type CollectionArgs,
  type CollectionItem,
  type CollectionOptions,
  type CollectionSource,
  type CollectionTypes,
  isNamed,
  SAYS,
  textOfOption,
} from "./collection_options.ts";
import { addingRows, type MergeItems, sharedRows } from "./collection_rows.ts";
import { makeVerb } from "./verbs.ts";

/** A collection of anything, found by any arguments. */
// deno-lint-ignore no-explicit-any -- variance: a collection of unknown items and arguments
export type AnyCollection = Collection<any, any>;

/**
 * A list that grows by itself: it is stored under the arguments of its call, and what is created, removed or moved joins
 * and leaves the lists that it belongs to.
 *
 * The verbs are schemas of their own, for the endpoints that change something: `push`, `unshift` (`assign` for
 * `Values`), `remove` and `move`. A created item joins the lists whose arguments it matches, each once: what an argument
 * says is looked for in the item as it is stored, then in the body and the parameters of the call; an argument that
 * nobody knows of (a search text) matches nothing. An argument without a name is matched by a call that creates and has
 * the same at its place. `remove` takes an item out of every list that the call does not exclude. `move` puts it into
 * the lists that it matches now and takes it out of those that it contradicts.
 *
 * Promises: a list holds each item once; changes take part in the order of writes, so a list that was asked for before
 * an item was created, and comes after it, has it. Lists of one entity with the same arguments are one list, wherever
 * they come from, also inside entities (`nestKey`); `key` sets them apart.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Endpoint, Entity, schema } from "@rejoin/data";
 *
 * class Todo extends Entity {
 *   id = "";
 *   userId = "";
 *   title = "";
 *   static key = "Todo";
 * }
 * const todos = new schema.Collection([Todo]);
 * const getTodos = new Endpoint(
 *   async ({ userId }: { userId: string }) => await Promise.resolve([{ id: "1", userId, title: "Read" }]),
 *   { name: "getTodos", schema: todos },
 * );
 * const addTodo = new Endpoint(
 *   async (body: { userId: string; title: string }) => await Promise.resolve({ id: "2", ...body }),
 *   { name: "addTodo", schema: todos.push, sideEffect: true },
 * );
 * const controller = new Controller();
 * await controller.fetch(getTodos, { userId: "5" });
 * await controller.fetch(addTodo, { userId: "5", title: "Write" });
 * const list = controller.getResponse(getTodos, { userId: "5" }).data;
 * assert(list?.map(({ title }) => title).join() === "Read,Write");
 * ```
 */
export class Collection<const S extends CollectionSource, A extends readonly unknown[] = CollectionArgs>
  implements SchemaObject {
  declare readonly "~types": CollectionTypes<S, A>;
  /** What it is of. */
  readonly schema: S;
  /** What each item is. */
  readonly item: AnySchema;
  /** What each item is, and whether they stand in a row or under names. */
  readonly items: { readonly item: AnySchema; readonly isList: boolean };
  /** The class of its records. */
  readonly rows: AnyEntity;
  readonly #options: CollectionOptions<A>;
  readonly #changes = new Map<string, CollectionChange<S, unknown>>();
  readonly #rules: ReadonlyMap<string, () => MembershipRules>;

  /**
   * @param schema `[Article]`, `schema.Array` or `schema.Values` of an entity or a union.
   * @param options How lists are told apart.
   * @throws {SchemaError} If the schema is nothing that items can be added to.
   */
  constructor(schema: S, options: CollectionOptions<A> = {}) {
    this.items = partsOf(schema);
    const { item } = this.items;
    this.schema = schema;
    this.item = item;
    this.#options = options;
    const rows = sharedRows(this.key, item);
    this.rows = rows;
    this.#rules = rows[ROWS].rules;
    // Several share a table. What says the same again takes the place of what has said it before.
    const declares = this.constructor !== Collection || SAYS.some((name) => options[name] !== undefined);
    const said = declares ? [this.constructor.name, ...SAYS.map((name) => textOfOption(options[name]))].join("\n") : "";
    let rules: MembershipRules | undefined;
    // Not at once: a class may have them as fields.
    rows[ROWS].rules.set(said, () => rules ??= this.#readRules(rows.change));
  }

  #readRules(change: AnyEntity): MembershipRules {
    const displayArgs = this.#option("displayArgs") ?? [];
    const nonFilters = this.#option("nonFilterArgumentKeys") ?? ORDER;
    const filters = this.#option("filters") ?? {};
    return {
      item: this.item,
      isList: this.items.isList,
      change,
      // Asked for each list, of thousands.
      isDisplay: memo((name) => isNamed(displayArgs, name) || isNamed(nonFilters, name)),
      filterOf: (name) => Object.hasOwn(filters, name) ? filters[name] : undefined,
      isByCall: this.#option("createCollectionFilter") !== undefined,
    };
  }

  /** An option, or what a class has of that name. */
  #option<K extends (typeof SAYS)[number]>(name: K): CollectionOptions<A>[K] {
    const own: unknown = this.#options[name] ?? (this as CollectionOptions<A>)[name];
    return (typeof own === "function" ? own.bind(this) : own) as CollectionOptions<A>[K];
  }

  /** Tells it from other schemas, also that of another copy of the library. */
  get isCollection(): true {
    return true;
  }

  /** Names the table of its lists. */
  get key(): string {
    const { key } = this.#options;
    const { key: name = "item" } = this.item as { readonly key?: string };
    const lists = this.items.isList ? `[${name}]` : `{${name}}`;
    return key === undefined ? lists : `${lists} ${key}`;
  }

  /** A page says nothing about the list that it continues: nobody is to take that for its answer. */
  get isPartial(): boolean {
    return this.#options.pageOf !== undefined;
  }

  /** Adds what is created at the end of the lists that it belongs to. */
  get push(): CollectionChange<S> {
    return this.#change("push", true);
  }

  /** Adds what is created at the beginning of the lists that it belongs to. */
  get unshift(): CollectionChange<S> {
    return this.#change("unshift", true);
  }

  /** Puts what is created under its name; for `Values`. */
  get assign(): CollectionChange<S, { [name: string]: CollectionItem<S> }> {
    return this.#change("assign", false);
  }

  /** Takes an item, given as itself or as its pk, out of the lists. */
  get remove(): CollectionChange<S> {
    return this.#change("remove");
  }

  /** Puts a changed item into the lists that it belongs to now, and takes it out of those that it does not. */
  get move(): CollectionChange<
    S,
    Denormalize<S> extends readonly unknown[] ? CollectionItem<S> : { [name: string]: CollectionItem<S> }
  > {
    return this.#change("move");
  }

  /**
   * The same with some options replaced. As long as `key` is not among them, both are of the same lists.
   *
   * @param options What is different.
   * @returns A collection of the same class.
   *
   * @example The list of a resource as a member of an entity
   * ```ts
   * import { assert } from "@std/assert";
   * import { Entity, resource } from "@rejoin/data";
   *
   * class Todo extends Entity {
   *   id = "";
   *   userId = "";
   *   static key = "Todo";
   * }
   * const TodoResource = resource({ path: "/todos/:id", schema: Todo });
   * class User extends Entity {
   *   id = "";
   *   todos: Todo[] = [];
   *   static key = "User";
   *   static schema = {
   *     todos: TodoResource.getList.schema.extend({ nestKey: ({ id }: { id: string }) => ({ userId: id }) }),
   *   };
   * }
   * assert(User.schema.todos.key === TodoResource.getList.schema.key);
   * ```
   */
  extend(options: CollectionOptions<A>): Collection<S, A> {
    const Class = this.constructor as new (schema: S, options: CollectionOptions<A>) => Collection<S, A>;
    return new Class(this.schema, { ...this.#options, ...options });
  }

  /**
   * A change of one's own: how items that come meet those that are there.
   *
   * @param merge Gets what refers to the items (pks, or `{ id, schema }` of a union), in order or by name, and returns
   *   the same; pure. What it repeats is in the list once.
   * @param createCollectionFilter In place of the comparison of arguments: which lists it is for.
   * @returns A schema for the endpoint that makes the change.
   */
  addWith(
    merge: MergeItems,
    createCollectionFilter?: CollectionOptions<A>["createCollectionFilter"],
  ): CollectionChange<S> {
    return this.#makeChange("addWith", createCollectionFilter, addingRows(this.rows.key, this.item, merge));
  }

  /**
   * Stores the list under its arguments; what is kept is the text of these. A list that belongs to its entity alone is
   * stored under that, or stays in place where the entity has no pk or the list is not the member itself.
   */
  normalize(
    value: unknown,
    parent: unknown,
    key: string | undefined,
    walk: NormalizeWalk,
  ): string | CollectionRecord {
    const args = this.#argsOf(parent, key, walk);
    const pk = args === undefined ? this.#ownerKey(walk) : argsKey(args);
    const sent: [unknown, unknown][] = [];
    const items = this.#itemsOf(value, parent, key, walk, sent);
    const page = this.isPartial ? argsKey(walk.args) : undefined;
    const isPage = page !== undefined && page !== argsKey(this.#options.pageOf!(...walk.args as A));
    const record: CollectionRecord = {
      items,
      args,
      ...this.#options.isPaged && { isPaged: true },
      ...isPage && { pages: [{ key: page, items }] },
    };
    // Nothing names it: it stays where it is, as an entity does that has no pk.
    if (pk === undefined) return record;
    const unknown = walk.owner === undefined ? contradicted(args!, sent, together(this.#rules), walk) : [];
    const known = unknown.length > 0 ? { ...record, unknown } : record;
    nameOnce(this.rows.key, pk, known, walk);
    walk.write(this.rows, pk, known);
    return pk;
  }

  /** The list. */
  denormalize(normalized: unknown, walk: DenormalizeWalk): unknown {
    return walk.visit(this.rows, normalized);
  }

  /** For REST: the endpoint of a verb of a list endpoint. */
  "~verb"(list: AnyRestEndpoint, verb: ListVerb, plain: PlainReading): AnyRestEndpoint {
    return makeVerb(this, list, verb, plain);
  }

  /** The text of the arguments. */
  queryKey(args: readonly unknown[], _walk: QueryWalk): string {
    return argsKey(this.#textArgs(args));
  }

  /** The one view of the list: everybody gets the same array. */
  view(normalized: unknown, maker: ViewMaker): View {
    return maker.of(this.rows, normalized);
  }

  /** The same. */
  queryView(args: readonly unknown[], maker: ViewMaker): View {
    return maker.query(this.rows, [argsKey(this.#textArgs(args))]);
  }

  /** @param sent Gets each item as it was sent, and what is kept of it. */
  #itemsOf(
    value: unknown,
    parent: unknown,
    key: string | undefined,
    walk: NormalizeWalk,
    sent: [unknown, unknown][],
  ): Items {
    const isList = Array.isArray(value);
    if (isList !== this.items.isList || typeof value !== "object" || value === null) {
      const problem = this.items.isList ? said(126, { value, isRoot: value === parent }) : said(127, { value });
      throw walk.fail(this, problem, value, parent, key);
    }
    const keep = (each: unknown, holder: unknown, name: string | undefined): unknown => {
      const kept = walk.visit(this.item, each, holder, name);
      if (kept !== undefined) sent.push([each, kept]);
      return kept;
    };
    if (isList) {
      for (const each of value) keep(each, parent, key);
      return eachOnce(this.item, sent.map(([, kept]) => kept));
    }
    const items = Object.entries(value).map(([name, each]) => [name, keep(each, value, name)] as const);
    return Object.fromEntries(items.filter(([, kept]) => kept !== undefined));
  }

  #argsOf(parent: unknown, key: string | undefined, walk: NormalizeWalk): CollectionRecord["args"] {
    const { nestKey, argsKey: byArgs } = this.#options;
    if (walk.owner === undefined || (nestKey === undefined && byArgs !== undefined)) return this.#textArgs(walk.args);
    if (nestKey === undefined) return undefined;
    const named = nestKey(parent, key ?? "");
    const args = textOf(named);
    // All of it is undefined: without it, this would be the list of everything.
    return Object.keys(named).length > 0 && Object.keys(args).length === 0 ? undefined : args;
  }

  /** Names a list that belongs to one member of one entity; `undefined` where that says not which. */
  #ownerKey({ owner }: NormalizeWalk): string | undefined {
    let schema: unknown = owner?.schema;
    // A Lazy or a Query of it is the member itself, an array or an object of several is not.
    while (isSchemaObject(schema) && schema as unknown !== this) {
      schema = (schema as { readonly schema?: unknown }).schema;
    }
    return schema === this ? ownerKey(owner) : undefined;
  }

  #textArgs(given: readonly unknown[]): ListArgs {
    const { argsKey: byArgs, pageOf } = this.#options;
    const args = pageOf === undefined ? given : pageOf(...given as A);
    return byArgs === undefined ? listArgsOf(args) : textOf(byArgs(...args as A));
  }

  #change<D>(verb: string, isList: boolean = this.items.isList): CollectionChange<S, D> {
    if (isList !== this.items.isList) throw new SchemaError(said(133, { list: isList, verb }));
    // What a verb gives is a matter of the verb.
    return madeIn(this.#changes, verb, () => this.#makeChange(verb)) as CollectionChange<S, D>;
  }

  #makeChange<D>(
    verb: string,
    filter: CollectionOptions<A>["createCollectionFilter"] = this.#option("createCollectionFilter"),
    rows?: AnyEntity,
  ): CollectionChange<S, D> {
    return new CollectionChange<S, D>({
      collection: this,
      verb,
      isList: this.items.isList,
      rows,
      rules: () => together(this.#rules),
      filter: filter as ((...args: readonly unknown[]) => (listArgs: object) => boolean) | undefined,
    });
  }
}
