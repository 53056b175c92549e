import type { SortedOrder } from "../schemas/interface.ts";
import { ComputedView } from "./computed_view.ts";
import type { ViewNode } from "./node.ts";

/** One entry of the source. */
interface Entry {
  value: unknown;
  /** Where it stands in the source: decides between equals, as a stable sort does. */
  index: number;
}

/** Changed entries from which on sorting anew is cheaper than to put each in its place. */
const MANY_CHANGES = 64;

/**
 * The entries of an array, filtered and sorted. When some of them change they are taken out and put back where they
 * belong, by binary search: for one of 10,000 that is some comparisons, not a sort. The order of equals is that of the
 * source.
 */
export class SortedView extends ComputedView {
  readonly #order: SortedOrder;
  #rows: readonly unknown[] = NO_ROWS;
  /** What it was made of, as it was then: readers have the array itself, and may have changed it. */
  #copy: readonly unknown[] = NO_ROWS;
  /** The entries of the source, by position; `undefined` where the filter leaves one out. */
  #entries: (Entry | undefined)[] = [];
  /** Those that are in, in order. */
  #sorted: Entry[] = [];

  constructor(owner: object, source: ViewNode, order: SortedOrder) {
    super(owner, [source], ([rows], before) => this.#of(rows, before), true);
    this.#order = order;
  }

  override release(): void {
    super.release();
    this.#forget();
  }

  #of(rows: unknown, before: unknown): unknown {
    if (!Array.isArray(rows)) {
      this.#forget();
      return rows;
    }
    try {
      this.#follow(rows);
    } catch {
      // A comparison that threw in the middle, perhaps over an entry that is there no more: a sort of what is there tells.
      this.#forget();
      this.#sortAll(rows);
    }
    return this.#output(before as readonly unknown[] | undefined);
  }

  #forget(): void {
    this.#rows = this.#copy = NO_ROWS;
    this.#entries = [];
    this.#sorted = [];
  }

  /** Brings the order up to date with the source. */
  #follow(rows: readonly unknown[]): void {
    if (rows === this.#rows) return;
    const before = this.#copy;
    const shorter = Math.min(before.length, rows.length);
    let start = 0;
    while (start < shorter && before[start] === rows[start]) start++;
    let end = 0;
    while (end < shorter - start && before[before.length - 1 - end] === rows[rows.length - 1 - end]) end++;
    if (before.length === rows.length) {
      const changed: number[] = [];
      for (let at = start; at < rows.length - end && changed.length <= MANY_CHANGES; at++) {
        if (before[at] !== rows[at]) changed.push(at);
      }
      if (changed.length > MANY_CHANGES) return this.#sortAll(rows);
      for (const at of changed) this.#remove(this.#entries[at]);
      for (const at of changed) this.#entries[at] = this.#add(rows[at], at);
    } else {
      const removed = before.length - start - end;
      const added = rows.length - start - end;
      if (removed + added > MANY_CHANGES) return this.#sortAll(rows);
      for (let at = start; at < start + removed; at++) this.#remove(this.#entries[at]);
      const shift = added - removed;
      for (let at = start + removed; at < before.length; at++) {
        const entry = this.#entries[at];
        if (entry !== undefined) entry.index += shift;
      }
      this.#entries.splice(start, removed, ...new Array<undefined>(added).fill(undefined));
      for (let at = start; at < start + added; at++) this.#entries[at] = this.#add(rows[at], at);
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
    const { sort } = this.#order;
    if (sort !== undefined) sorted.sort((a, b) => sort(a.value, b.value));
    // Only when nothing threw.
    this.#take(rows);
    this.#entries = entries;
    this.#sorted = sorted;
  }

  #isIn(value: unknown): boolean {
    return this.#order.filter === undefined || Boolean(this.#order.filter(value));
  }

  #compare(a: Entry, b: Entry): number {
    const { sort } = this.#order;
    return (sort === undefined ? 0 : sort(a.value, b.value)) || a.index - b.index;
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

  /** The entries that are given, or the last array when they are the same. */
  #output(before: readonly unknown[] | undefined): readonly unknown[] {
    const sorted = this.#sorted;
    const { limit = Infinity } = this.#order;
    // As `slice(0, limit)` counts: a fraction is cut off, NaN is none.
    const length = Math.min(sorted.length, Math.max(0, Math.trunc(limit) || 0));
    let at = 0;
    if (before !== undefined && before.length === length) {
      while (at < length && before[at] === sorted[at]!.value) at++;
      if (at === length) return before;
    }
    const output: unknown[] = [];
    for (let i = 0; i < length; i++) output.push(sorted[i]!.value);
    return output;
  }
}

const NO_ROWS: readonly unknown[] = /* @__PURE__ */ Object.freeze([]);
