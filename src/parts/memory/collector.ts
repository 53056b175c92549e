import type { Controller, Part } from "../../controller/controller.ts";
import { clock } from "../../deps/clock.ts";
import type { ViewNode } from "../../denormalize/node.ts";
import type { Patch } from "../../store/patch.ts";
import type { Bound, MemoryBound } from "./bound.ts";
import { Pass } from "./pass.ts";
import { type Sample, SETTLING } from "./sample.ts";

/** How long what nobody watches is kept, and how much. */
export interface MemoryOptions {
  /** What was neither read nor written for so long may go; ms, five minutes by default, `Infinity` for never. */
  readonly maxAge?: number | undefined;
  /** With more records than it says, what nobody watches goes before its age: `atMost(50_000)`. None by default. */
  readonly bound?: MemoryBound | undefined;
}

/** How long what nobody watches is kept where nothing is said, in ms: whoever goes back finds it. */
const MAX_AGE = 300_000;
/** A record is as old as the looks at the clock tell: so many happen in its life. */
const LOOKS = 4;
/** The least time between two of them, in ms. */
const MIN_PERIOD = 250;
/** So many records are looked at in one step: far less than a ms. */
const STRIDE = 256;
/** For so long it works at a stretch, in ms: nobody is to wait for a collection. */
const STRETCH = 3;
/** So many moments are remembered. */
const MAX_SAMPLES = 64;

/** What a collection asks. */
export type CollectorHost = Pick<Controller, "store" | "isReading">;

/**
 * Collects what nobody has needed for long, some at a time, when there is nothing better to do. It sleeps until something
 * is watched or held, or until it is told to {@linkcode Collector.wake}, and keeps no process alive.
 *
 * Age is what it has seen pass: it looks at the clock that never jumps, and remembers what was asked for and written
 * until then.
 */
export class Collector implements Part {
  readonly #host: CollectorHost;
  readonly #maxAge: number;
  readonly #bound: Bound | undefined;
  readonly #stride: number;
  #samples: Sample[];
  #stopTimer: (() => void) | undefined;
  /** The timer is one that waits for the bound. */
  #isSettling = false;
  #pass: Pass | undefined;
  #isAwake = false;
  /** How many have stopped it. */
  #halts = 0;

  /**
   * @param host What it asks.
   * @param options How long, and how much.
   * @param stride How many records are looked at in one step.
   */
  constructor(host: CollectorHost, options: MemoryOptions = {}, stride: number = STRIDE) {
    const { maxAge = MAX_AGE, bound } = options;
    this.#host = host;
    this.#stride = stride;
    this.#maxAge = maxAge;
    this.#bound = bound?.(host.store);
    this.#samples = [this.#sample()];
  }

  /** From now on it works. */
  wake(): void {
    if (this.#isAwake) return;
    this.#isAwake = true;
    this.#wait();
  }

  /**
   * Keeps everything for a while; what has begun is given up.
   *
   * @returns How to go on.
   */
  pause(): () => void {
    this.#halts++;
    this.#cancel();
    return () => {
      this.#halts--;
      this.#wait();
    };
  }

  /** Nothing is collected any more. */
  cleanup(): void {
    this.pause();
  }

  committed(patch: Patch): void {
    if (this.#pass !== undefined) return this.#pass.committed(patch);
    if (!this.#isAwake || this.#isSettling || !this.#bound?.isExceeded) return;
    this.#samples.push(this.#sample());
    this.#wait(true);
  }

  watched(view: ViewNode): void {
    this.#host.store.graph.asked?.push(view);
    this.wake();
  }

  /** Begins a collection, if there may be something to do; one that is going on is given up. */
  begin(): void {
    if (this.#halts > 0) return;
    this.#cancel();
    const { isReading, store } = this.#host;
    const start = this.#sample();
    const at = this.#samples.findLastIndex(({ time }) => time <= start.time - this.#maxAge);
    // What came before the one that counts says nothing any more.
    if (at > 0) this.#samples.splice(0, at);
    const old = at < 0 ? undefined : this.#samples[0];
    const rivals = this.#bound?.begin(this.#samples, start.time);
    // What a mutation shows was made of anything that its function looked at.
    if ((old ?? rivals) === undefined || store.layers.length > 0) this.#wait();
    else {
      const plan = { start, old: old ?? { uses: -1, seq: -1 }, rivals, isReading, stride: this.#stride };
      this.#pass = new Pass(store, plan);
    }
    this.#samples.push(start);
    // Where nothing ages they would grow for ever: half of them tell as much.
    if (this.#samples.length > MAX_SAMPLES) this.#samples = this.#samples.filter((_, at) => at % 2 === 0);
  }

  /** Does one step of what has begun; whether there are more. */
  step(): boolean {
    if (this.#pass?.step()) return true;
    if (this.#pass !== undefined) {
      this.#pass = undefined;
      this.#wait(this.#bound?.end());
    }
    return false;
  }

  #go(): void {
    const end = clock.monotonic() + STRETCH;
    while (this.step()) if (clock.monotonic() >= end) return this.#set((collector) => collector.#go(), 0);
  }

  /** Waits for the next look; or, beyond the bound, until what has come was rendered, or never will be. */
  #wait(isSettling = false): void {
    this.#stopTimer?.();
    this.#isSettling = isSettling;
    // Nobody says when what is in use is so no more: beyond the bound that is looked for more often than age asks for.
    const life = this.#bound?.isCrowded ? Math.min(this.#maxAge, MAX_AGE) : this.#maxAge;
    const ms = isSettling ? SETTLING : Math.max(life / LOOKS, MIN_PERIOD);
    if (!this.#isAwake || this.#halts > 0 || ms === Infinity) return;
    this.#set((collector) => {
      collector.#isSettling = false;
      collector.begin();
      collector.#go();
    }, ms);
  }

  #cancel(): void {
    this.#stopTimer?.();
    this.#pass?.end();
    this.#pass = undefined;
  }

  #sample(): Sample {
    const { graph, sequence } = this.#host.store;
    return { time: clock.monotonic(), uses: graph.uses, seq: sequence.horizon };
  }

  /** The timer holds nothing: a controller that was dropped without `cleanup()` goes, and its store with it. */
  #set(then: (collector: Collector) => void, ms: number): void {
    const ref = new WeakRef(this);
    this.#stopTimer = clock.setIdle(() => {
      const collector = ref.deref();
      if (collector !== undefined) then(collector);
    }, ms);
  }
}
