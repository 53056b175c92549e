/**
 * The one seam for clock and timers: everything in this library that asks for the time or waits goes through
 * {@linkcode clock}, so that a test can put its own clock in place with {@linkcode replaceClock}.
 *
 * @module
 */

/** What {@linkcode Clock.setTimeout} gives: opaque, good for `clearTimeout` only. */
export type TimerHandle = number | object;

/** Wall time and timers. */
export interface Clock {
  /**
   * Wall time in ms since 1970. It may jump, also backwards: it decides freshness, never order.
   */
  now(): number;
  /**
   * Calls `fn` once, after `ms` milliseconds. `Infinity`, and whatever is beyond what platforms can count
   * (2³¹ − 1 ms, about 24.8 days), never fires: a platform would fire it at once.
   */
  setTimeout(fn: () => void, ms: number): TimerHandle;
  /** Takes a timer back. Does nothing when it has fired or was taken back before. */
  clearTimeout(handle: TimerHandle): void;
}

/** The longest delay that platforms count; a longer one overflows and fires at once. */
const LONGEST_DELAY = 2 ** 31 - 1;
const NEVER: TimerHandle = Object.freeze({});

const platform: Clock = {
  now: () => Date.now(),
  setTimeout: (fn, ms) => ms > LONGEST_DELAY ? NEVER : globalThis.setTimeout(fn, ms),
  clearTimeout: (handle) => {
    if (handle !== NEVER) globalThis.clearTimeout(handle as ReturnType<typeof globalThis.setTimeout>);
  },
};

let current: Clock = platform;

// A timer belongs to the clock that made it, also when that clock was replaced in between.
class OwnedTimer {
  constructor(readonly owner: Clock, readonly handle: TimerHandle) {}
}

/** The clock that is in place. Modules may import it once: its methods follow {@linkcode replaceClock}. */
export const clock: Clock = {
  now: () => current.now(),
  setTimeout: (fn, ms) => new OwnedTimer(current, current.setTimeout(fn, ms)),
  clearTimeout: (timer) => {
    if (timer instanceof OwnedTimer) timer.owner.clearTimeout(timer.handle);
  },
};

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
