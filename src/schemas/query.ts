import { isMembers } from "./declared.ts";
import { looksAround } from "./subjects.ts";
import { readKey } from "./read_key.ts";
import type { OrderArgs, QueryOrder } from "./sorter.ts";
import type { Denormalize, NullableMember, SchemaArgs } from "./infer.ts";
import {
  type AnyEntity,
  type AnySchema,
  type DenormalizeWalk,
  isSchemaObject,
  type NormalizeWalk,
  type QueryWalk,
  type Schema,
  type SchemaObject,
  type SchemaTypes,
  type Serializer,
  type View,
  type ViewMaker,
} from "./interface.ts";

/** The types of {@linkcode Query}. */
export interface QueryTypes<S, A extends readonly unknown[], R> extends SchemaTypes {
  readonly args: A;
  /** What the bare call of an endpoint would give: the same as `data`. */
  readonly result: R;
  readonly data: R;
  readonly nullable: R | undefined;
  readonly normalized: S;
}

/** What a query reads: the data of its schema; of an object of schemas, those members that are there. */
export type QueryEntries<S> = S extends AnyEntity | SchemaObject | Serializer | readonly unknown[] ? Denormalize<S>
  : S extends object ? { readonly [K in keyof S]: NullableMember<S[K]> }
  : Denormalize<S>;

/** One of the entries of a query that reads an array. */
export type QueryEntry<S> = QueryEntries<S> extends readonly (infer I)[] ? I : never;

let nextId = 0;

/** What {@linkcode Query} makes. */
export interface Query<S extends Schema, A extends readonly unknown[], R> extends SchemaObject {
  readonly "~types": QueryTypes<S, A, R>;
  /** What is read. */
  readonly schema: S;
  /** What is made of it; pure in its arguments. */
  readonly process: ((entries: QueryEntries<S>, ...args: A) => R) | undefined;
  /** The declared order, in place of `process`. */
  readonly order: QueryOrder<never> | undefined;
  /** A query never changes anything. */
  readonly sideEffect?: undefined;
  /** Names this query in messages. */
  readonly name: string;
  /**
   * The key of one reading. Every query has an identity of its own in it, so such keys never leave the process.
   *
   * @param args What `process` is given.
   */
  key(...args: A): string;
  /**
   * Whether a key belongs to this query.
   *
   * @param key A key.
   */
  testKey(key: string): boolean;
  /** What its schema would read for these arguments. */
  queryKey(args: readonly unknown[], walk: QueryWalk): unknown;
}

/** What a query is asked with: what `process` takes, or, where that takes nothing, what names its schema. */
export type QueryArgs<S, A extends readonly unknown[]> = A extends readonly [] ? SchemaArgs<S> : A;

/** How a {@linkcode Query} is made. */
export interface QueryConstructor {
  /**
   * The entries themselves.
   *
   * @param schema What is read: anything that can be queried.
   */
  new <const S extends Schema>(schema: S): Query<S, SchemaArgs<S>, Denormalize<S>>;
  /**
   * What a function makes of the entries.
   *
   * @param schema What is read: anything that can be queried; several of them as the members of an object.
   * @param process What is made of it; pure in `(entries, ...args)`.
   */
  new <const S extends Schema, A extends readonly unknown[], R>(
    schema: S,
    process: (entries: QueryEntries<S>, ...args: A) => R,
  ): Query<S, QueryArgs<S, A>, R>;
  /**
   * The entries of an array, filtered and sorted.
   *
   * @param schema What is read: an array.
   * @param order Which entries, in which order, how many.
   */
  new <const S extends Schema, const O extends QueryOrder<QueryEntry<S>>>(
    schema: S,
    order: O,
  ): Query<S, QueryArgs<S, OrderArgs<O>>, QueryEntry<S>[]>;
  /** What `instanceof` looks for. */
  // deno-lint-ignore no-explicit-any -- a query of whatever schema, arguments and result
  readonly prototype: Query<any, any, any>;
}

type Process = (entries: unknown, ...args: readonly unknown[]) => unknown;

class QuerySchema implements Query<Schema, readonly unknown[], unknown> {
  declare readonly "~types": QueryTypes<Schema, readonly unknown[], unknown>;
  readonly schema: Schema;
  readonly process: Process | undefined;
  readonly order: QueryOrder<never> | undefined;
  declare readonly sideEffect?: undefined;

  readonly #id: number = nextId++;

  constructor(schema: Schema, process?: Process | QueryOrder<never>) {
    this.schema = schema;
    this.process = typeof process === "function" ? process : undefined;
    this.order = typeof process === "function" ? undefined : process;
  }

  get name(): string {
    return `Query ${this.#id}`;
  }

  /** The same of another schema. */
  over(schema: Schema): QuerySchema {
    return new QuerySchema(schema, this.process ?? this.order);
  }

  /** As much as its schema is. */
  get isPartial(): boolean {
    const { schema } = this;
    return isSchemaObject(schema) && Boolean(schema.isPartial);
  }

  key(...args: readonly unknown[]): string {
    return `QUERY ${this.#id} ${readKey(args)}`;
  }

  testKey(key: string): boolean {
    return key.startsWith(`QUERY ${this.#id} `);
  }

  normalize(value: unknown, parent: unknown, key: string | undefined, walk: NormalizeWalk): unknown {
    return walk.visit(this.schema, value, parent, key);
  }

  denormalize(normalized: unknown, walk: DenormalizeWalk): unknown {
    const { schema } = this;
    // Without a value only what looks around has something to read: an absent array is none of no rows.
    if (normalized === undefined && !looksAround(schema)) return undefined;
    const entries = walk.visit(schema, normalized);
    if (walk.collecting || entries === undefined || entries === null) return entries;
    return this.#computeFor(walk.args)(entries);
  }

  queryKey(args: readonly unknown[], walk: QueryWalk): unknown {
    return walk.visit(this.schema, args);
  }

  view(normalized: unknown, maker: ViewMaker): View {
    return this.#over(maker.of(this.schema, normalized), maker);
  }

  queryView(args: readonly unknown[], maker: ViewMaker): View {
    return this.#over(maker.query(this.schema as AnySchema, args), maker);
  }

  #over(source: View, maker: ViewMaker): View {
    return maker.computed(source, this.#computeFor(maker.args), this.order !== undefined);
  }

  /** What makes the answer of the entries, and of what it has made before. */
  #computeFor(args: readonly unknown[]): (entries: unknown, before?: unknown) => unknown {
    const { process, order } = this;
    if (order !== undefined) {
      const sorter = new order.Sorter(order, args);
      return (rows, before) => sorter.of(rows, before);
    }
    return (entries) => process === undefined ? entries : process(ownArrays(entries), ...args);
  }
}

/** Arrays of one's own, to be sorted in place: those that are there are everybody's. Of several by name, each. */
function ownArrays(entries: unknown): unknown {
  if (Array.isArray(entries)) return [...entries];
  if (!isMembers(entries) || !Object.values(entries).some(Array.isArray)) return entries;
  return Object.fromEntries(
    Object.entries(entries).map(([name, member]) => [name, Array.isArray(member) ? [...member] : member]),
  );
}

/**
 * A computed view of what the store holds: an endpoint without a fetch for `useCache(query, ...args)`, and a schema for
 * `useQuery(query, ...args)`, `controller.get(query, ...args)`.
 *
 * Promises: `process` runs again only when what its schema reads has changed; equal inputs give the identical result; an
 * output equal to the last one tells nobody. `undefined` while its schema has nothing to read. An object of schemas
 * reads several at once: members that are not there are `undefined`.
 *
 * In place of a function, an order may be declared, `{ Sorter, filter, sort, limit }`: one changed row of 10,000 is put
 * where it belongs instead of sorting them all. The order of equals is that of the schema.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Entity, Query, schema, Sorter } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   votes = 0;
 *   static key = "Article";
 * }
 * const all = new schema.All(Article);
 * const best = new Query(all, {
 *   Sorter,
 *   sort: (a, b) => b.votes - a.votes,
 *   limit: ({ max = 5 }: { max?: number } = {}) => max,
 * });
 * const total = new Query(all, (articles) => articles.reduce((sum, { votes }) => sum + votes, 0));
 * const controller = new Controller();
 * controller.set(Article, { id: "1" }, { id: "1", votes: 1 });
 * controller.set(Article, { id: "2" }, { id: "2", votes: 2 });
 * assert(controller.get(best, { max: 1 })?.[0]?.id === "2");
 * assert(controller.get(total) === 3);
 * ```
 */
export const Query: QueryConstructor = QuerySchema as QueryConstructor;
