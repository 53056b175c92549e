import type { Denormalize, NullableMember, SchemaArgs, SchemaInput } from "../store/infer.ts";
import type { Answer } from "../store/answers.ts";
import { lookup } from "../store/lookup.ts";
import type { Node } from "../store/row.ts";
import { type Reading, readView } from "../store/reading.ts";
import type { AnyEntity, SchemaObject, Serializer, TypesOf } from "../store/schema.ts";
import type { Tables } from "../store/tables.ts";
import type { Walk } from "../store/walk.ts";
import { argsText } from "../plain/args_text.ts";
import { equal, isPlain } from "../plain/equal.ts";
import { defined } from "../plain/is_object.ts";
import type { Args, Value } from "../plain/value.ts";
import type { OrderArgs, QueryOrder } from "./sorter.ts";

/** The types of {@linkcode Query}. */
export type QueryTypes<S, A extends Args, R> = TypesOf<R, S, A>;

/** What a query reads: the data of its schema; of an object of schemas, those members that are there. */
export type QueryEntries<S> = S extends AnyEntity | SchemaObject | Serializer | readonly unknown[] ? Denormalize<S>
  : S extends object ? { readonly [K in keyof S]: NullableMember<S[K]> }
  : Denormalize<S>;

/** One of the entries of a query that reads an array. */
export type QueryEntry<S> = QueryEntries<S> extends readonly (infer I)[] ? I : never;

/** What a query is asked with: what `process` takes, or, where that takes nothing, what names its schema. */
export type QueryArgs<S, A extends readonly unknown[]> = A extends readonly [] ? SchemaArgs<S> : A;

type Process = (entries: Value, ...args: Args) => Value;

/** What {@linkcode Query} makes. */
export interface Query<S, A extends Args, R> extends SchemaObject {
  readonly "~types": QueryTypes<S, A, R>;
  /** What is read. */
  readonly schema: S;
  /** What is made of it; pure. */
  readonly process: ((entries: QueryEntries<S>, ...args: A) => R) | undefined;
  /** A query never changes anything. */
  readonly sideEffect?: undefined;
  /** The text of the arguments: equal ones are one reading. */
  key(...args: A): string;
  /** Whether a key belongs to a query. */
  testKey(key: string): boolean;
  queryKey(args: Args, tables: Tables): Value;
}

/** How a {@linkcode Query} is made. */
export interface QueryConstructor {
  /** @param schema What is read: anything that can be queried. */
  new <const S extends SchemaInput>(schema: S): Query<S, SchemaArgs<S>, Denormalize<S>>;
  /**
   * What a function makes of the entries.
   *
   * @param schema What is read; several schemas as the members of an object.
   * @param process What is made of it; pure in `(entries, ...args)`.
   */
  new <const S extends SchemaInput, A extends readonly unknown[], R>(
    schema: S,
    process: (entries: QueryEntries<S>, ...args: A) => R,
  ): Query<S, QueryArgs<S, A>, R>;
  /**
   * The entries of an array, filtered and sorted.
   *
   * @param schema What is read: an array.
   * @param order Which entries, in which order, how many.
   */
  new <const S extends SchemaInput, const O extends QueryOrder<QueryEntry<S>>>(
    schema: S,
    order: O,
  ): Query<S, QueryArgs<S, OrderArgs<O>>, QueryEntry<S>[]>;
}

class QuerySchema implements Query<SchemaInput, Args, Value> {
  declare readonly "~types": QueryTypes<SchemaInput, Args, Value>;
  declare readonly sideEffect?: undefined;
  /** What each reading was made of, by which function, and made. */
  readonly #outputs = new WeakMap<Node, { input: Value; output: Value; process: Process | undefined }>();
  readonly parts: readonly [SchemaInput];
  readonly process: Process | undefined;
  readonly #order: QueryOrder<Value> | undefined;

  constructor(readonly schema: SchemaInput, process?: Process | QueryOrder<Value>) {
    this.parts = [schema];
    if (typeof process == "function") this.process = process;
    else this.#order = process;
  }
  key(...args: Args): string {
    return `QUERY ${argsText(args)}`;
  }
  testKey(key: string): boolean {
    return key.startsWith("QUERY ");
  }
  queryKey(args: Args, tables: Tables): Value {
    return lookup(this.schema, args, tables);
  }
  normalize(value: Value, parent: Value, key: Value, walk: Walk): Value {
    return walk.visit(this.schema, value, parent, key);
  }
  denormalize(kept: Value, reading: Reading): Value {
    const view = readView(reading, this.schema, kept), input = view.value, before = this.#outputs.get(view);
    if (before && before.input === input) return before.output;
    // A declared order is kept for each reading.
    const process = before?.process ?? (this.#order ? new this.#order.Sorter(this.#order).process : this.process);
    // Before an answer came its own schema is what was asked; in a response what is absent is data.
    const isAsked = (reading.node as Partial<Answer>).has === false && isPlain(this.schema); // an answer, where it is one
    let output = isAsked && !defined(Object.values(input)).length ? undefined : input;
    if (process && output != null) {
      output = process(Array.isArray(input) ? input.slice() : input, ...view.args!);
      if (before && equal(output, before.output)) ({ output } = before);
    }
    this.#outputs.set(view, { input, output, process });
    return output;
  }
}

/**
 * A computed view of what the store holds: an endpoint without a fetch for `useCache(query, ...args)`, and a schema for
 * `useQuery`, `controller.get`.
 *
 * Promises: `process` runs again only when what its schema reads has changed; equal inputs give the identical result; an
 * output equal to the last one tells no reader. `undefined` while its schema has nothing to read. An object of schemas reads
 * several at once. In place of a function an order may be declared: see {@linkcode Sorter}.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Entity, Query, schema } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   votes = 0;
 *   static key = "Article";
 * }
 * const total = new Query(
 *   new schema.All(Article),
 *   (articles, { min = 0 } = {}) => articles.filter(({ votes }) => votes >= min).length,
 * );
 * const controller = new Controller();
 * controller.set(Article, { id: "1" }, { id: "1", votes: 5 });
 * assert(controller.get(total) === 1 && controller.get(total, { min: 6 }) === 0);
 * ```
 */
export const Query: QueryConstructor = QuerySchema as QueryConstructor; // the class itself knows nothing of generics
