import type { Args, Value } from "../plain/value.ts";

/** A declared order for a `Query`. Each function may also take the arguments of the query; write out their types. */
export interface QueryOrder<I> {
  /** The class {@linkcode Sorter}. It is passed in, so that queries without an order do not load it. */
  readonly Sorter: typeof Sorter;
  /** Returns `true` for the entries to keep; all are kept without it. Pure. */
  readonly filter?: ((entry: I, ...args: never) => boolean) | undefined;
  /** Compares two entries, as for `Array.prototype.sort`. Without it they stay in the order of the schema. Pure. */
  readonly sort?: ((a: I, b: I, ...args: never) => number) | undefined;
  /** The largest number of entries in the result; all without it. */
  readonly limit?: number | ((...args: never) => number) | undefined;
}

/** The arguments of a declared order: those of its function with the most parameters. */
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
 * Keeps a query sorted: `new Query(all, { Sorter, filter, sort, limit })`. When one entry of 10,000 changes, it is
 * moved to its place, in linear time, and the others are not sorted again. Entries that compare equal stay in the order
 * of the schema.
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
  /** @param order Which entries, in which order, and how many. */
  constructor(order: QueryOrder<never>) {
    this.#order = order;
  }
  /** The `process` of the query: filters, sorts and cuts the entries. */
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
      // The engine's sort merges two sorted runs in linear time.
      sorted = [...kept, ...fresh.sort(compare)].sort(compare);
    }
    this.#sorted = sorted;
    return sorted.slice(0, typeof limit == "function" ? limit(...args) : limit);
  };
}
