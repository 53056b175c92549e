/**
 * The one seam for clock and timers: everything in this library that asks for the time or waits goes through
 * {@linkcode clock}, so that a test can put its own clock in place with {@linkcode replaceClock}.
 *
 * @module
 */

/** What {@linkcode Clock.setTimeout} gives: opaque, good for `clearTimeout` only. */
export type TimerHandle = number | object;

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
   */
  setTimeout(fn: () => void, ms: number): TimerHandle;
  /** Takes a timer back. Does nothing when it has fired or was taken back before. */
  clearTimeout(handle: TimerHandle): void;
  /**
   * Calls `fn` once, when there is nothing better to do, `ms` milliseconds from now at the earliest. It keeps no process
   * alive: a script that has ended otherwise ends. `clearTimeout` takes it back. A clock without it sets a timer.
   */
  setIdle?(fn: () => void, ms: number): TimerHandle;
}

/** The longest delay that platforms count (2³¹ − 1); a longer one overflows and fires at once. */
const LONGEST_DELAY = 2_147_483_647;
const NEVER: TimerHandle = /* @__PURE__ */ Object.freeze({});

/** How long a busy page may keep what is to be done in an idle moment waiting, in ms. */
const PATIENCE = 1_000;

/** Not in Safari, nor outside of browsers; and the types of a page are not there for whoever checks without them. */
interface IdlePlatform {
  readonly requestIdleCallback?: (fn: () => void, options: { readonly timeout: number }) => number;
  readonly cancelIdleCallback?: (handle: number) => void;
}

/** Waits, then for an idle moment where the platform knows of such. */
class IdleTimer {
  #timer: ReturnType<typeof globalThis.setTimeout>;
  #idle: number | undefined;

  constructor(fn: () => void, ms: number) {
    this.#timer = globalThis.setTimeout(() => {
      const page = globalThis as IdlePlatform;
      if (typeof page.requestIdleCallback !== "function") fn();
      else this.#idle = page.requestIdleCallback(() => fn(), { timeout: PATIENCE });
    }, ms);
    // Browsers count timers with numbers.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  cancel(): void {
    globalThis.clearTimeout(this.#timer);
    if (this.#idle !== undefined) (globalThis as IdlePlatform).cancelIdleCallback?.(this.#idle);
  }
}

const platform: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  random: () => Math.random(),
  setTimeout: (fn, ms) => ms > LONGEST_DELAY ? NEVER : globalThis.setTimeout(fn, ms),
  clearTimeout: (handle) => {
    if (handle instanceof IdleTimer) handle.cancel();
    else if (handle !== NEVER) globalThis.clearTimeout(handle as ReturnType<typeof globalThis.setTimeout>);
  },
  setIdle: (fn, ms) => ms > LONGEST_DELAY ? NEVER : new IdleTimer(fn, ms),
};

let current: Clock = platform;

// A timer belongs to the clock that made it, also when that clock was replaced in between.
class OwnedTimer {
  constructor(readonly owner: Clock, readonly handle: TimerHandle) {}
}

/** The clock that is in place. */
export interface CurrentClock extends Clock {
  setIdle(fn: () => void, ms: number): TimerHandle;
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
  setTimeout: (fn, ms) => new OwnedTimer(current, current.setTimeout(fn, ms)),
  clearTimeout: (timer) => {
    if (timer instanceof OwnedTimer) timer.owner.clearTimeout(timer.handle);
  },
  setIdle: (fn, ms) =>
    new OwnedTimer(current, current.setIdle === undefined ? current.setTimeout(fn, ms) : current.setIdle(fn, ms)),
};

/** When the first byte of the page came, in ms of `clock.monotonic()`; `undefined` outside of pages. */
export function pageArrival(): number | undefined {
  const [navigation] = performance.getEntriesByType?.("navigation") ?? [];
  return (navigation as { readonly responseStart?: number } | undefined)?.responseStart;
}

/**
 * Puts another clock in place, for tests.
 *
 * @param fake What {@linkcode clock} uses from now on. Timers that were set before stay with the clock that made them.
 * @returns A function that puts the clock back that was in place before.
 */
export function replaceClock(fake: Clock): () => void {
  const replaced = current;
  current = fake;
  return () => {
    current = replaced;
  };
}
