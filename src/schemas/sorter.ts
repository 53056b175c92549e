import type { Args, Value } from "../plain/value.ts";

/** An order that a `Query` keeps. Each function may take the arguments of the query, with their types written out. */
export interface QueryOrder<I> {
  /** {@linkcode Sorter}, which keeps it. */
  readonly Sorter: typeof Sorter;
  /** Which entries are in; all without it. Pure. */
  readonly filter?: ((entry: I, ...args: never) => boolean) | undefined;
  /** Which of two comes first, as `Array.prototype.sort` asks; without it the order of the schema stays. Pure. */
  readonly sort?: ((a: I, b: I, ...args: never) => number) | undefined;
  /** How many are given; all without it. */
  readonly limit?: number | ((...args: never) => number) | undefined;
}

/** The arguments that the functions of a declared order take: those of the one that takes most. */
export type OrderArgs<O> = Longer<
  O extends { readonly filter: (entry: never, ...args: infer A) => unknown } ? A : [],
  Longer<
    O extends { readonly sort: (a: never, b: never, ...args: infer A) => unknown } ? A : [],
    O extends { readonly limit: (...args: infer A) => unknown } ? A : []
  >
>;
type Longer<A extends readonly unknown[], B extends readonly unknown[]> = A extends readonly [] ? B
  : B extends readonly [] ? A
  : Required<A> extends readonly [...Required<B>, ...infer _] ? A
  : B;

/**
 * Keeps a declared order: `new Query(all, { Sorter, filter, sort, limit })`. One changed entry of 10,000 is put where it
 * belongs instead of sorting them all. The order of equals is that of the schema.
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
 * const best = new Query(new schema.All(Article), { Sorter, sort: (a, b) => b.votes - a.votes, limit: 1 });
 * const controller = new Controller();
 * controller.set(Article, { id: "1" }, { id: "1", votes: 1 });
 * controller.set(Article, { id: "2" }, { id: "2", votes: 2 });
 * assert(controller.get(best)?.[0]?.id === "2");
 * ```
 */
export class Sorter {
  readonly #order: Value;
  #sorted: Value[] = [];
  /** @param order Which entries, in which order, how many. */
  constructor(order: QueryOrder<never>) {
    this.#order = order;
  }
  /** The entries that are given. */
  readonly process = (entries: Value, ...args: Args): Value => {
    if (!Array.isArray(entries)) return entries;
    const { filter, sort, limit = Infinity } = this.#order;
    const rows: Value[] = filter ? entries.filter((entry: Value) => filter(entry, ...args)) : entries;
    const places = new Map(rows.map((row, at) => [row, at])), before = this.#sorted;
    this.#sorted = [];
    let sorted = rows;
    if (sort) {
      const compare = (a: Value, b: Value): number => sort(a, b, ...args) || places.get(a)! - places.get(b)!;
      const kept = before.filter((row) => places.has(row)), known = new Set(kept);
      const fresh = rows.filter((row) => !known.has(row));
      // Runs that are sorted already are merged by the engine's sort in linear time.
      sorted = [...kept, ...fresh.sort(compare)].sort(compare);
    }
    this.#sorted = sorted;
    return sorted.slice(0, typeof limit == "function" ? limit(...args) : limit);
  };
}
