import type { Store } from "../../store/store.ts";
import { type Sample, SETTLING } from "./sample.ts";
import type { Trace } from "./trace.ts";

/** How many records a memory keeps that nobody watches: what {@linkcode atMost} makes. */
export type MemoryBound = (store: Store) => Bound;

/** A bound, and how many records there are. */
export class Bound {
  readonly #store: Store;
  readonly #max: number;
  /** So many records start a collection: more than the bound where what is in use goes beyond it. */
  #crowd: number;
  #rivals: Rivals | undefined;

  /**
   * @param store Whose records.
   * @param max How many.
   */
  constructor(store: Store, max: number) {
    this.#store = store;
    this.#max = this.#crowd = max;
  }

  /** Whether a collection is to begin for its sake. */
  get isExceeded(): boolean {
    return this.#size > this.#crowd;
  }

  /** Whether there is more than it allows. */
  get isCrowded(): boolean {
    return this.#size > this.#max;
  }

  /**
   * A collection begins.
   *
   * @param samples The earlier moments, the oldest first.
   * @param time When, in ms.
   * @returns What goes beyond the bound; `undefined`: nothing does.
   */
  begin(samples: readonly Sample[], time: number): Rivals | undefined {
    return this.#rivals = this.isCrowded ? new Rivals(this.#max, [...samples], time) : undefined;
  }

  /** A collection has ended; whether another is to follow, for what came a moment ago. */
  end(): boolean {
    // What came while it ran has started no timer.
    const hasNew = this.#rivals?.isUnsettled || this.isExceeded;
    this.#crowd = this.isCrowded ? this.#size * 9 / 8 : this.#max;
    return this.isCrowded && hasNew;
  }

  /** How many records there are, with those that are waited for. */
  get #size(): number {
    let size = 0;
    for (const { slots } of this.#store.tables.byKey.values()) size += slots.size;
    return size;
  }
}

/** What is young and wants to stay. */
interface Rival {
  readonly rank: number;
  readonly seq: number;
  readonly keep: () => void;
}

/** What is young, of which there is too much. */
export class Rivals {
  readonly #max: number;
  readonly #samples: readonly Sample[];
  /** What was asked for or written since then stays, however many there are. */
  readonly #settled: Sample | undefined;
  readonly #all: Rival[] = [];
  /** More stays than the bound allows, because it was asked for or written a moment ago. */
  isUnsettled = false;

  constructor(max: number, samples: readonly Sample[], time: number) {
    this.#max = max;
    this.#samples = samples;
    this.#settled = samples.findLast((sample) => sample.time <= time - SETTLING);
  }

  /**
   * Something young.
   *
   * @param seen When it was last asked for, by the count of such.
   * @param seq When it was last written.
   * @param keep Marks it.
   */
  add(seen: number, seq: number, keep: () => void): void {
    // How often views had been asked for when it was written.
    const { uses = 0 } = this.#samples.findLast((sample) => sample.seq < seq) ?? {};
    this.#all.push({ rank: Math.max(seen, uses), seq, keep });
  }

  /** Marks what was read last, until the bound is reached, and what is too young to go. */
  *admit(trace: Trace, stride: number, follow: () => Iterable<undefined>): Generator<undefined, void, undefined> {
    const { uses, seq: settledSeq } = this.#settled ?? { uses: 0, seq: -1 };
    const runs: Rival[][] = [];
    for (let at = 0; at < this.#all.length; at += 8 * stride) {
      runs.push(this.#all.slice(at, at + 8 * stride).sort((a, b) => later(b, a)).reverse());
      yield;
    }
    for (let looks = 1; runs.length > 0; looks++) {
      if (looks % stride === 0) yield;
      // Each run has its latest at the end, and the runs are few. Of equal ones the first: an answer before its rows.
      const run = runs.reduce((best, other) => later(best.at(-1)!, other.at(-1)!) < 0 ? other : best);
      const { keep, rank, seq } = run.pop()!;
      if (run.length === 0) runs.splice(runs.indexOf(run), 1);
      const { count } = trace;
      const isFull = count >= this.#max;
      if (isFull && rank <= uses && seq <= settledSeq) continue;
      keep();
      yield* follow();
      if (isFull && trace.count > count) this.isUnsettled = true;
    }
  }
}

function later(a: Rival, b: Rival): number {
  return a.rank - b.rank || a.seq - b.seq;
}

/**
 * A bound of a memory: with more records, those that nobody watches go before their age, those first that were not read
 * for longest.
 *
 * @param count How many records.
 * @returns For the option `bound` of `memory()`.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { atMost, Controller, Entity, memory } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   static key = "Article";
 * }
 * using controller = new Controller({ use: [memory({ bound: atMost(50_000) })] });
 * controller.set(Article, "5", { id: "5" });
 * assert(controller.get(Article, "5")?.id === "5");
 * ```
 */
export function atMost(count: number): MemoryBound {
  return (store) => new Bound(store, count);
}
