/**
 * An order that is declared, so that {@linkcode Sorter} can keep it by change instead of making it again. Each function may take the
 * arguments of the query, with their types written out.
 */
export interface QueryOrder<I> {
  /** {@linkcode Sorter}, which keeps it: one changed row is put where it belongs, and nothing is sorted again. */
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

/** The same, as code sees it that hands on arguments of any type. */
interface UncheckedOrder {
  readonly filter?: (entry: unknown, ...args: readonly unknown[]) => boolean;
  readonly sort?: (a: unknown, b: unknown, ...args: readonly unknown[]) => number;
  readonly limit?: number | ((...args: readonly unknown[]) => number);
}

/** One entry of the source. */
interface Entry {
  readonly value: unknown;
  /** Where it stands in the source: decides between equals, as a stable sort does. */
  index: number;
}

/** Entries that go and come, from which on sorting anew is cheaper than to put each in its place. */
const MANY_CHANGES = 128;

/**
 * Keeps the declared order of a {@linkcode Query}: `new Query(all, { Sorter, sort: (a, b) => a.votes - b.votes })`.
 *
 * The entries of an array, filtered and sorted. When some of them change they are taken out and put back where they
 * belong, by binary search: for one of 10,000 that is some comparisons, not a sort. The order of equals is that of the
 * source.
 */
export class Sorter {
  readonly #order: UncheckedOrder;
  readonly #args: readonly unknown[];
  #rows: readonly unknown[] = NO_ROWS;
  /** What it was made of, as it was then: readers have the array itself, and may have changed it. */
  #copy: readonly unknown[] = NO_ROWS;
  /** The entries of the source, by position; `undefined` where the filter leaves one out. */
  #entries: (Entry | undefined)[] = [];
  /** Those that are in, in order. */
  #sorted: Entry[] = [];

  /**
   * @param order Which entries, in which order, how many.
   * @param args What the functions of the order get besides.
   */
  constructor(order: QueryOrder<never>, args: readonly unknown[]) {
    // Its functions take these entries and arguments: the types of the query say so.
    this.#order = order as unknown as UncheckedOrder;
    this.#args = args;
  }

  /**
   * The entries that are given; what is no array is given as it is.
   *
   * @param rows The source.
   * @param before What was given last: the same array comes back where they are the same.
   */
  of(rows: unknown, before?: unknown): unknown {
    if (!Array.isArray(rows)) return rows;
    try {
      this.#follow(rows);
    } catch {
      // A comparison that threw in the middle, perhaps over an entry that is there no more: a sort of what is there tells.
      this.#rows = this.#copy = NO_ROWS;
      this.#entries = [];
      this.#sorted = [];
      this.#sortAll(rows);
    }
    const { limit: given = Infinity } = this.#order;
    const limit = typeof given === "function" ? given(...this.#args) : given;
    // As `slice(0, limit)` counts: a fraction is cut off, NaN is none.
    const length = Math.min(this.#sorted.length, Math.max(0, Math.trunc(limit) || 0));
    const output: unknown[] = [];
    let isSame = Array.isArray(before) && before.length === length;
    for (let at = 0; at < length; at++) {
      const { value } = this.#sorted[at]!;
      output.push(value);
      if (isSame) isSame = (before as unknown[])[at] === value;
    }
    return isSame ? before : output;
  }

  /** Brings the order up to date with the source. */
  #follow(rows: readonly unknown[]): void {
    if (rows === this.#rows) return;
    const before = this.#copy;
    const shift = rows.length - before.length;
    const shorter = Math.min(before.length, rows.length);
    let start = 0;
    while (start < shorter && before[start] === rows[start]) start++;
    let end = rows.length;
    while (end > start && end - shift > start && before[end - shift - 1] === rows[end - 1]) end--;
    const gone: number[] = [];
    for (let at = start; at < end - shift && gone.length <= MANY_CHANGES; at++) {
      if (shift !== 0 || before[at] !== rows[at]) gone.push(at);
    }
    if (gone.length > MANY_CHANGES || gone.length * 2 + shift > MANY_CHANGES) return this.#sortAll(rows);
    for (const at of gone) this.#remove(this.#entries[at]);
    if (shift === 0) { for (const at of gone) this.#entries[at] = this.#add(rows[at], at); }
    else {
      const behind = this.#entries.splice(start).slice(gone.length);
      for (const entry of behind) if (entry !== undefined) entry.index += shift;
      for (let at = start; at < end; at++) this.#entries.push(this.#add(rows[at], at));
      for (const entry of behind) this.#entries.push(entry);
    }
    this.#take(rows);
  }

  #take(rows: readonly unknown[]): void {
    this.#rows = rows;
    this.#copy = Object.isFrozen(rows) ? rows : [...rows];
  }

  #sortAll(rows: readonly unknown[]): void {
    const entries = rows.map((value, index) => this.#isIn(value) ? { value, index } : undefined);
    const sorted = entries.filter((entry) => entry !== undefined);
    if (this.#order.sort !== undefined) sorted.sort((a, b) => this.#compare(a, b));
    // Only when nothing threw.
    this.#take(rows);
    this.#entries = entries;
    this.#sorted = sorted;
  }

  #isIn(value: unknown): boolean {
    const { filter } = this.#order;
    return filter === undefined || filter(value, ...this.#args);
  }

  /** Which of two comes first; by their positions, where the order leaves it open. */
  #compare(a: Entry, b: Entry): number {
    return this.#order.sort?.(a.value, b.value, ...this.#args) || a.index - b.index;
  }

  /** The first position whose entry is not before this one. */
  #search(entry: Entry): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(this.#sorted[middle]!, entry) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #remove(entry: Entry | undefined): void {
    if (entry === undefined) return;
    let at = this.#search(entry);
    // A comparison that contradicts itself (NaN, a random one) has put it anywhere.
    if (this.#sorted[at] !== entry) at = this.#sorted.indexOf(entry);
    this.#sorted.splice(at, 1);
  }

  #add(value: unknown, index: number): Entry | undefined {
    if (!this.#isIn(value)) return undefined;
    const entry: Entry = { value, index };
    this.#sorted.splice(this.#search(entry), 0, entry);
    return entry;
  }
}

const NO_ROWS: readonly unknown[] = /* @__PURE__ */ Object.freeze([]);
