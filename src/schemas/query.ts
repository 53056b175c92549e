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

/** The entries of a query: the data of its schema. In an object of schemas each member may be `undefined`. */
export type QueryEntries<S> = S extends AnyEntity | SchemaObject | Serializer | readonly unknown[] ? Denormalize<S>
  : S extends object ? { readonly [K in keyof S]: NullableMember<S[K]> }
  : Denormalize<S>;

/** One entry of a query that reads an array. */
export type QueryEntry<S> = QueryEntries<S> extends readonly (infer I)[] ? I : never;

/** The arguments of a query: those of `process`, or if it takes none, those of the schema. */
export type QueryArgs<S, A extends readonly unknown[]> = A extends readonly [] ? SchemaArgs<S> : A;

type Process = (entries: Value, ...args: Args) => Value;

/** The type of a `new Query(…)`: schema `S`, arguments `A`, result `R`. */
export interface Query<S, A extends Args, R> extends SchemaObject {
  readonly "~types": QueryTypes<S, A, R>;
  /** The schema that is read. */
  readonly schema: S;
  /** Makes the result from the entries. Pure. */
  readonly process: ((entries: QueryEntries<S>, ...args: A) => R) | undefined;
  /** Always `undefined`: a query only reads. */
  readonly sideEffect?: undefined;
  /** The key of a call: calls with equal arguments share one memoized result. */
  key(...args: A): string;
  /** Whether a key is that of a query. */
  testKey(key: string): boolean;
  queryKey(args: Args, tables: Tables): Value;
}

/** The constructor of {@linkcode Query}. */
export interface QueryConstructor {
  /** @param schema The schema to read from the store. */
  new <const S extends SchemaInput>(schema: S): Query<S, SchemaArgs<S>, Denormalize<S>>;
  /**
   * Gives the result of a function of the entries.
   *
   * @param schema The schema to read; an object of schemas reads several at once.
   * @param process `(entries, ...args) => result`. It must be pure.
   */
  new <const S extends SchemaInput, A extends readonly unknown[], R>(
    schema: S,
    process: (entries: QueryEntries<S>, ...args: A) => R,
  ): Query<S, QueryArgs<S, A>, R>;
  /**
   * Gives the entries of an array, filtered and sorted.
   *
   * @param schema The schema to read, whose data are an array.
   * @param order Which entries, in which order, and how many.
   */
  new <const S extends SchemaInput, const O extends QueryOrder<QueryEntry<S>>>(
    schema: S,
    order: O,
  ): Query<S, QueryArgs<S, OrderArgs<O>>, QueryEntry<S>[]>;
}

class QuerySchema implements Query<SchemaInput, Args, Value> {
  declare readonly "~types": QueryTypes<SchemaInput, Args, Value>;
  declare readonly sideEffect?: undefined;
  /** For each view: its last input, its last output, and the function between them. */
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
    // Each view has a Sorter of its own, which remembers the last order.
    const process = before?.process ?? (this.#order ? new this.#order.Sorter(this.#order).process : this.process);
    // Read from the store, an object of schemas is `undefined` while all its members are. In a reply they are data.
    const isAsked = (reading.node as Partial<Answer>).has === false && isPlain(this.schema); // a node may be an answer
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
 * A value computed from the store: sorted, filtered, counted, joined. It sends no request. Read it by
 * `useQuery(query, ...args)`, `useCache` or `controller.get`, or use it as the schema of an endpoint.
 *
 * - `process` runs again only when the entries have changed. Equal entries and arguments give the identical result.
 * - An output that is equal to the last one is not reported: no component renders again.
 * - The data are `undefined` while the store has nothing for the schema.
 * - An object of schemas reads several at once: `new Query({ users: new All(User), posts: new All(Post) }, process)`.
 * - An order may be declared in place of a function: see {@linkcode Sorter}.
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
export const Query: QueryConstructor = QuerySchema as QueryConstructor; // the class is not generic
