import { argsKey } from "./args_key.ts";
import type { Denormalize, SchemaArgs } from "./infer.ts";
import type { DenormalizeWalk, NormalizeWalk, QueryWalk, Schema, SchemaObject, SchemaTypes } from "./interface.ts";

/** The types of {@linkcode Query}. */
export interface QueryTypes<S, A extends readonly unknown[], R> extends SchemaTypes {
  readonly args: A;
  /** What the bare call of an endpoint would give: the same as `data`. */
  readonly result: R;
  readonly data: R;
  readonly nullable: R | undefined;
  readonly normalized: S;
}

let nextId = 0;

/** What {@linkcode Query} makes. */
export interface Query<S extends Schema, A extends readonly unknown[], R> extends SchemaObject {
  readonly "~types": QueryTypes<S, A, R>;
  /** What is read. */
  readonly schema: S;
  /** What is made of it; pure in its arguments. */
  readonly process: ((entries: Denormalize<S>, ...args: A) => R) | undefined;
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
   * @param schema What is read: anything that can be queried.
   * @param process What is made of it; pure in `(entries, ...args)`.
   */
  new <const S extends Schema, A extends readonly unknown[], R>(
    schema: S,
    process: (entries: Denormalize<S>, ...args: A) => R,
  ): Query<S, QueryArgs<S, A>, R>;
  /** What `instanceof` looks for. */
  // deno-lint-ignore no-explicit-any -- a query of whatever schema, arguments and result
  readonly prototype: Query<any, any, any>;
}

class QuerySchema<S extends Schema, A extends readonly unknown[], R> implements Query<S, A, R> {
  declare readonly "~types": QueryTypes<S, A, R>;
  readonly schema: S;
  readonly process: ((entries: Denormalize<S>, ...args: A) => R) | undefined;
  declare readonly sideEffect?: undefined;

  readonly #id: number = nextId++;

  constructor(schema: S, process?: (entries: Denormalize<S>, ...args: A) => R) {
    this.schema = schema;
    this.process = process;
  }

  get name(): string {
    return `Query ${this.#id}`;
  }

  key(...args: A): string {
    return `QUERY ${this.#id} ${argsKey(args)}`;
  }

  testKey(key: string): boolean {
    return key.startsWith(`QUERY ${this.#id} `);
  }

  normalize(value: unknown, parent: unknown, key: string | undefined, walk: NormalizeWalk): unknown {
    return walk.visit(this.schema, value, parent, key);
  }

  denormalize(normalized: unknown, walk: DenormalizeWalk): unknown {
    const entries = walk.visit(this.schema, normalized);
    if (walk.collecting || entries === undefined || this.process === undefined) return entries;
    return this.process(entries as Denormalize<S>, ...walk.args as unknown as A);
  }

  queryKey(args: readonly unknown[], walk: QueryWalk): unknown {
    return walk.visit(this.schema, args);
  }
}

/**
 * A computed view of what the store holds: an endpoint without a fetch for `useCache(query, ...args)`, and a schema for
 * `useQuery(query, ...args)`, `controller.get(query, ...args)`.
 *
 * Promises: `process` runs again only when what its schema reads has changed; equal inputs give the identical result; an
 * output equal to the last one tells nobody. `undefined` while its schema has nothing to read.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Entity, Query, schema } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   votes = 0;
 *   pk() {
 *     return this.id;
 *   }
 *   static key = "Article";
 * }
 * const best = new Query(
 *   new schema.All(Article),
 *   (all, { max = 5 } = {}) => all.toSorted((a, b) => b.votes - a.votes).slice(0, max),
 * );
 * const controller = new Controller();
 * controller.set(Article, { id: "1" }, { id: "1", votes: 1 });
 * controller.set(Article, { id: "2" }, { id: "2", votes: 2 });
 * assert(controller.get(best, { max: 1 })?.[0]?.id === "2");
 * ```
 */
export const Query: QueryConstructor = QuerySchema;
