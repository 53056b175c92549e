/**
 * A collection before each sample, to its end. What `gc()` gives back is marked and not yet swept: V8 sweeps on threads
 * of its own, more of them than a small machine has processors, and for as long as there is memory. Who is timed
 * meanwhile is timed against them: with a heap of 300 MB and two processors a write took two to five times as long.
 *
 * @module
 */
import process from "node:process";

/** How long the threads are watched at a time. */
const STEP_MS = 2;
/** So many quiet steps, one after the other, are an end: the threads begin some milliseconds after the call. */
const QUIET_STEPS = 5;
/** A machine where somebody in this process never rests is measured as it is. */
const MOST_STEPS = 1000;
/** The share of a processor above which somebody works. */
const AT_WORK = 0.5;

const gc: () => void = (globalThis as { gc?: () => void }).gc ?? (() => {});
const cell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Collects all garbage, and comes back when no thread of this process is at it any more. */
export function collectGarbage(): void {
  gc();
  for (let quiet = 0, step = 0; quiet < QUIET_STEPS && step < MOST_STEPS; step++) {
    quiet = useWhileAsleep(STEP_MS) < AT_WORK ? quiet + 1 : 0;
  }
}

/** The processors that other threads of this process use while this one sleeps. */
function useWhileAsleep(milliseconds: number): number {
  const before = process.cpuUsage();
  const start = performance.now();
  Atomics.wait(cell, 0, 0, milliseconds);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / (performance.now() - start);
}
