import { clock } from "../../deps/clock.ts";
import type { ViewNode } from "../../denormalize/node.ts";
import { type Sample, SETTLING } from "./age.ts";
import type { Bound, MemoryBound } from "./bound.ts";
import { Pass } from "./pass.ts";
import type { Patch } from "../../store/patch.ts";
import type { Store, StorePart } from "../../store/store.ts";

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
/** So many steps are done at a stretch at most, and for so long, in ms: nobody is to wait for a collection. */
const STEPS = 256;
const STRETCH = 3;

/** What a collection asks of the controller. */
export interface CollectorHost {
  readonly store: Store;
  /** Whether a read of a key is in flight. */
  readonly isInFlight: (key: string) => boolean;
}

/**
 * Collects what nobody has needed for long, some at a time, when there is nothing better to do. It sleeps until something
 * is watched or held, or until it is told to {@linkcode Collector.wake}, and keeps no process alive.
 *
 * Age is what it has seen pass: it looks at the clock that never jumps, and remembers what was asked for and written
 * until then.
 */
export class Collector implements StorePart {
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
  #isStopped = false;
  #isPaused = false;
  /**
   * When the last collection began that left nothing that grows too old, by the counts that tell whether something has
   * come since.
   */
  #resting: { readonly commits: number; readonly uses: number } | undefined;

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
    if (this.#isAwake || this.#isStopped) return;
    this.#isAwake = true;
    this.#wait();
  }

  /**
   * Keeps everything for a while; what has begun is given up.
   *
   * @returns How to go on.
   */
  pause(): () => void {
    this.#isPaused = true;
    this.#pass?.end();
    this.#pass = undefined;
    return () => {
      this.#isPaused = false;
      if (this.#isAwake) this.#wait();
    };
  }

  /** Nothing is collected any more. */
  stop(): void {
    this.#isStopped = true;
    this.#isAwake = false;
    this.#pass?.end();
    this.#pass = undefined;
    this.#cancel();
  }

  committed(patch: Patch): void {
    this.#pass?.committed(patch);
    if (!this.#isAwake || this.#pass !== undefined) return;
    if (!this.#isSettling && this.#bound?.isExceeded) {
      this.#samples.push(this.#sample());
      this.#settle();
    } else if (this.#stopTimer === undefined) this.#wait();
  }

  watched(view: ViewNode): void {
    this.#pass?.watched(view);
    this.wake();
  }

  /** Collects at once what may go, without pauses. */
  run(): void {
    this.begin();
    while (this.step(1));
  }

  /** Begins a collection; one that is going on is given up. */
  begin(): void {
    if (this.#isStopped || this.#isPaused) return;
    this.#cancel();
    this.#pass?.end();
    const now = this.#sample();
    const { time } = now;
    const oldest = this.#samples.findLastIndex((sample) => sample.time <= time - this.#maxAge);
    // What came before the one that counts says nothing any more.
    if (oldest > 0) this.#samples.splice(0, oldest);
    this.#pass = new Pass(this.#host.store, {
      old: oldest < 0 ? undefined : this.#samples[0],
      rivals: this.#bound?.begin(this.#samples, time),
      isInFlight: this.#host.isInFlight,
      stride: this.#stride,
    }, now);
    this.#samples.push(now);
    const { commits, graph: { uses }, sequence } = this.#host.store;
    // What is kept for the sake of a request may be in nobody's way when that is given up, of which nobody hears.
    this.#resting = sequence.size > 0 ? undefined : { commits, uses };
    // Where nothing ages they would grow for ever: half of them tell as much.
    if (this.#samples.length > MAX_SAMPLES) this.#samples = this.#samples.filter((_, at) => at % 2 === 0);
  }

  /** Does some steps of what has begun; whether there are more. */
  step(count: number): boolean {
    for (let done = 0; done < count; done++) {
      if (this.#pass?.step()) continue;
      if (this.#pass !== undefined) this.#end();
      return false;
    }
    return true;
  }

  #wait(): void {
    this.#cancel();
    // Nobody says when what is in use is so no more: beyond the bound that is looked for more often than age asks for.
    const life = this.#bound?.isCrowded ? Math.min(this.#maxAge, MAX_AGE) : this.#maxAge;
    if (life < Infinity) this.#set((collector) => collector.#start(), Math.max(life / LOOKS, MIN_PERIOD));
  }

  /** Waits until what comes beyond the bound was rendered, or never will be. */
  #settle(): void {
    this.#cancel();
    this.#isSettling = true;
    this.#set((collector) => collector.#start(), SETTLING);
  }

  #start(): void {
    const { commits, graph: { uses } } = this.#host.store;
    if (this.#resting?.commits === commits && this.#resting.uses === uses) return this.#wait();
    this.begin();
    this.#go();
  }

  #go(): void {
    const end = clock.monotonic() + STRETCH;
    let isMore = true;
    for (let done = 0; isMore && done < STEPS && clock.monotonic() < end; done++) isMore = this.step(1);
    if (isMore) this.#set((collector) => collector.#go(), 0);
  }

  #end(): void {
    if (!this.#pass!.isAtRest) this.#resting = undefined;
    this.#pass = undefined;
    const isUnsettled = this.#bound?.end();
    if (!this.#isAwake) return;
    if (isUnsettled) this.#settle();
    else this.#wait();
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
      if (collector === undefined) return;
      collector.#stopTimer = undefined;
      collector.#isSettling = false;
      then(collector);
    }, ms);
  }

  #cancel(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    this.#isSettling = false;
  }
}

/** So many moments are remembered. */
const MAX_SAMPLES = 64;
