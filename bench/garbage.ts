/**
 * Collects garbage before each sample, to the end. After `gc()` the garbage is marked but not swept: V8 sweeps on its
 * own threads, which may be more than a small machine has processors. A sample taken meanwhile competes with them: with
 * a heap of 300 MB and two processors a write took two to five times as long.
 *
 * @module
 */
import process from "node:process";

/** How long the threads are watched at a time, in ms. */
const STEP_MS = 2;
/** After this many quiet steps in a row the collection is over; the threads start some ms after `gc()`. */
const QUIET_STEPS = 5;
/** After this many steps the sample is taken anyway, because a thread of this process may never rest. */
const MOST_STEPS = 1000;
/** The share of a processor above which a thread counts as working. */
const AT_WORK = 0.5;

const gc: () => void = (globalThis as { gc?: () => void }).gc ?? (() => {});
const cell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Collects all garbage, and returns when no thread of this process works on it any more. */
export function collectGarbage(): void {
  gc();
  for (let quiet = 0, step = 0; quiet < QUIET_STEPS && step < MOST_STEPS; step++) {
    quiet = useWhileAsleep(STEP_MS) < AT_WORK ? quiet + 1 : 0;
  }
}

/** How many processors the other threads of this process use while this one sleeps. */
function useWhileAsleep(milliseconds: number): number {
  const before = process.cpuUsage();
  const start = performance.now();
  Atomics.wait(cell, 0, 0, milliseconds);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / (performance.now() - start);
}
