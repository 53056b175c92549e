import type { Disposable } from "../deps/disposable.ts";
import { type Clock, replaceClock } from "../deps/clock.ts";
import { flush } from "./flush.ts";

interface Timer {
  readonly id: number;
  readonly at: number;
  readonly fn: () => void;
  /** Nothing waits for it. */
  readonly isIdle: boolean;
}

/**
 * A clock that stands still until it is told to move.
 *
 * Timers fire in order of their time, those of one moment in the order in which they were set. The wall clock can jump
 * without firing any.
 *
 * @example A deadline without waiting for it
 * ```ts
 * import { assert, assertEquals } from "@std/assert";
 * import { Controller, Endpoint, TimeoutError } from "@rejoin/data";
 * import { FakeClock } from "@rejoin/data/testing";
 *
 * const clock = new FakeClock();
 * using _ = clock.install();
 * const getNothing = new Endpoint(() => new Promise<string>(() => {}), { name: "getNothing" });
 * const answer = new Controller().fetch(getNothing).catch((reason: unknown) => reason);
 * await clock.tickAsync(30_000);
 * assert(await answer instanceof TimeoutError);
 * assertEquals(clock.pending, 0);
 * ```
 */
export class FakeClock implements Clock {
  readonly #timers = new Map<number, Timer>();
  #elapsed = 0;
  #wallAtZero: number;
  #lastId = 0;
  #drawn: () => number = () => 0.5;

  /**
   * A clock at rest.
   *
   * @param now Wall time at the beginning, in ms since 1970. Defaults to the first second of 2024, UTC.
   */
  constructor(now: number = Date.UTC(2024, 0, 1)) {
    this.#wallAtZero = now;
  }

  /** Timers that are set and have not fired; without those of {@linkcode setIdle}, which keep nothing alive. */
  get pending(): number {
    return this.#timers.size - this.idle;
  }

  /** Timers of {@linkcode setIdle} that are set and have not fired. */
  get idle(): number {
    let count = 0;
    for (const timer of this.#timers.values()) if (timer.isIdle) count++;
    return count;
  }

  /** Time that has passed since the clock was made, in ms; jumps do not count. */
  get elapsed(): number {
    return this.#elapsed;
  }

  /**
   * Wall time, which jumps move.
   *
   * @returns ms since 1970.
   */
  now(): number {
    return this.#wallAtZero + this.#elapsed;
  }

  /**
   * Time that has passed, which jumps do not move.
   *
   * @returns ms since the clock was made.
   */
  monotonic(): number {
    return this.#elapsed;
  }

  /**
   * What {@linkcode draw} says; 0.5 until it was called.
   *
   * @returns A number from 0 up to 1.
   */
  random(): number {
    return this.#drawn();
  }

  /**
   * Decides what chance gives from now on.
   *
   * @param drawn Gives a number from 0 up to 1.
   * @returns This object.
   */
  draw(drawn: () => number): this {
    this.#drawn = drawn;
    return this;
  }

  /**
   * Sets a timer.
   *
   * @param fn What to call.
   * @param ms After how many ms; `Infinity` for never. Not a number and below 0 count as 0.
   * @returns How to take it back.
   */
  setTimeout(fn: () => void, ms: number): () => void {
    return this.#set(fn, ms, false);
  }

  /**
   * Sets a timer that nothing waits for: time that passes fires it like others, but {@linkcode runAll} ends without it.
   *
   * @param fn What to call.
   * @param ms After how many ms at the earliest.
   * @returns How to take it back.
   */
  setIdle(fn: () => void, ms: number): () => void {
    return this.#set(fn, ms, true);
  }

  /**
   * Lets time pass, and fires what is due, also what is set meanwhile. No microtask runs between two timers: what waits
   * for a promise has not moved when this returns.
   *
   * @param ms How long, in ms.
   */
  tick(ms: number): void {
    const until = this.#elapsed + ms;
    while (this.#fireNext(until));
    this.#reach(until);
  }

  /**
   * Lets time pass, and lets all that waits for promises settle before, between and after the timers that are due.
   *
   * @param ms How long, in ms. Defaults to 0: only what is due now.
   */
  async tickAsync(ms: number = 0): Promise<void> {
    const until = this.#elapsed + ms;
    do await flush(); while (this.#fireNext(until));
    this.#reach(until);
  }

  /**
   * Lets time pass until no timer is left.
   *
   * @param limit How long at most, in ms: a poll would go on for ever. Defaults to one day.
   * @returns How long it took, in ms.
   * @throws {Error} If timers are left at the limit.
   */
  async runAll(limit: number = 86_400_000): Promise<number> {
    const from = this.#elapsed;
    do await flush(); while (this.pending > 0 && this.#fireNext(from + limit));
    if (this.pending > 0) throw new Error(`${this.pending} timers are left after ${limit} ms`);
    return this.#elapsed - from;
  }

  /**
   * Sets the wall clock forward or back, as a user or a time server does. No timer notices.
   *
   * @param ms By how much, in ms.
   */
  jump(ms: number): void {
    this.#wallAtZero += ms;
  }

  /**
   * Puts this clock in the place of the platform's, for all of the library.
   *
   * @returns What puts the other one back: a function that is disposable, too.
   */
  install(): (() => void) & Disposable {
    const restore = replaceClock(this);
    return Object.assign(restore, { [Symbol.dispose]: restore });
  }

  #set(fn: () => void, ms: number, isIdle: boolean): () => void {
    const id = ++this.#lastId;
    if (ms !== Infinity) this.#timers.set(id, { id, at: this.#elapsed + (ms > 0 ? ms : 0), fn, isIdle });
    return () => void this.#timers.delete(id);
  }

  /** A timer that has fired, or who ticks at the same time, may have gone further: it never goes back. */
  #reach(elapsed: number): void {
    this.#elapsed = Math.max(this.#elapsed, elapsed);
  }

  #fireNext(until: number): boolean {
    let next: Timer | undefined;
    // A map keeps the order in which timers were set: the first of one moment stays the first.
    for (const timer of this.#timers.values()) if (!next || timer.at < next.at) next = timer;
    if (!next || next.at > until) return false;
    this.#timers.delete(next.id);
    this.#reach(next.at);
    next.fn();
    return true;
  }
}
