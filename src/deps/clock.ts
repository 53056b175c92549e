/**
 * The one seam for clock and timers: everything in this library that asks for the time or waits goes through
 * {@linkcode clock}, so that a test can put its own clock in place with {@linkcode replaceClock}.
 *
 * @module
 */

/** Wall time, time that passes, timers and chance: what differs from run to run. */
export interface Clock {
  /**
   * Wall time in ms since 1970. It may jump, also backwards: it decides freshness, never order.
   */
  now(): number;
  /** Time that has passed since some moment, in ms. It never jumps: what is left of a deadline is reckoned from it. */
  monotonic(): number;
  /** A number from 0 up to, but not including, 1. For jitter; nothing that must be secret or unique is made of it. */
  random(): number;
  /**
   * Calls `fn` once, after `ms` milliseconds. `Infinity`, and whatever is beyond what platforms can count
   * (2³¹ − 1 ms, about 24.8 days), never fires: a platform would fire it at once.
   *
   * @returns How to take it back; that does nothing when it has fired or was taken back before.
   */
  setTimeout(fn: () => void, ms: number): () => void;
  /**
   * Calls `fn` once, when there is nothing better to do, `ms` milliseconds from now at the earliest. It keeps no process
   * alive: a script that has ended otherwise ends. A clock without it sets a timer.
   *
   * @returns How to take it back.
   */
  setIdle?(fn: () => void, ms: number): () => void;
}

/** The longest delay that platforms count (2³¹ − 1); a longer one overflows and fires at once. */
const LONGEST_DELAY = 2_147_483_647;

/** How long a busy page may keep what is to be done in an idle moment waiting, in ms. */
const PATIENCE = 1_000;

/** Not in Safari, nor outside of browsers; and the types of a page are not there for whoever checks without them. */
interface IdlePlatform {
  readonly requestIdleCallback?: (fn: () => void, options: { readonly timeout: number }) => number;
  readonly cancelIdleCallback?: (handle: number) => void;
}

const platform: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  random: () => Math.random(),
  setTimeout(fn, ms) {
    const timer = ms > LONGEST_DELAY ? undefined : globalThis.setTimeout(fn, ms);
    return () => globalThis.clearTimeout(timer);
  },
  setIdle(fn, ms) {
    const page = globalThis as IdlePlatform;
    let idle: number | undefined;
    const timer = ms > LONGEST_DELAY ? undefined : globalThis.setTimeout(() => {
      if (typeof page.requestIdleCallback !== "function") fn();
      else idle = page.requestIdleCallback(() => fn(), { timeout: PATIENCE });
    }, ms);
    // Browsers count timers with numbers.
    (timer as { unref?: () => void } | undefined)?.unref?.();
    return () => {
      globalThis.clearTimeout(timer);
      if (idle !== undefined) page.cancelIdleCallback?.(idle);
    };
  },
};

let current: Clock = platform;

/** The clock that is in place. */
export interface CurrentClock extends Clock {
  setIdle(fn: () => void, ms: number): () => void;
  /**
   * How far wall time is ahead of time that passes. It is less than it was when the wall clock has been set back since,
   * and more after the machine has slept.
   *
   * @param now What `now()` has given, where that has just been asked.
   */
  lead(now?: number): number;
  /** A test has put its own clock in place: time passes when the test says so, and a wait may never end by itself. */
  readonly isReplaced: boolean;
}

let leadAt = NaN;
let lead = 0;

/** The clock that is in place. Modules may import it once: its members follow {@linkcode replaceClock}. */
export const clock: CurrentClock = {
  get isReplaced() {
    return current !== platform;
  },
  now: () => current.now(),
  monotonic: () => current.monotonic(),
  random: () => current.random(),
  lead: (now = current.now()) => {
    // Asked at each read: within one ms of the platform's it is the same.
    if (current === platform && now === leadAt) return lead;
    leadAt = current === platform ? now : NaN;
    return lead = now - current.monotonic();
  },
  setTimeout: (fn, ms) => current.setTimeout(fn, ms),
  setIdle: (fn, ms) => current.setIdle?.(fn, ms) ?? current.setTimeout(fn, ms),
};

/** How the page came. */
export interface Arrival {
  /** When its first byte did, in ms of `clock.monotonic()`. */
  readonly responseStart: number;
  /** How many bytes came over the network; 0: it was in a cache of the browser. */
  readonly transferSize?: number | undefined;
}

/** How the page came; `undefined` outside of pages. */
export function pageArrival(): Arrival | undefined {
  // Without the types of the DOM, as in Deno, an entry has no times.
  return performance.getEntriesByType?.("navigation")[0] as unknown as Arrival | undefined;
}

/** Those that were put in place, each with whoever can take it away; the last one counts. */
const places: { readonly fake: Clock }[] = [];

/**
 * Puts another clock in place, for tests.
 *
 * @param fake What {@linkcode clock} uses from now on. Timers that were set before stay with the clock that made them.
 * @returns A function that takes it away. Then that clock is in place which was put there last, of those that are left,
 *   in whatever order they go; at the end that of the platform.
 */
export function replaceClock(fake: Clock): () => void {
  const place = { fake };
  places.push(place);
  current = fake;
  return () => {
    const at = places.indexOf(place);
    if (at >= 0) places.splice(at, 1);
    current = places.at(-1)?.fake ?? platform;
  };
}
