/** How many posters of the wall have run, and how long that took. */
import { signal } from "@preact/signals";

let runs = 0;

/** What one change has cost. */
export interface Cost {
  readonly runs: number;
  /** From the click until all components have run. */
  readonly ms: number;
}

/** Of the last change that was made here. */
export const cost = signal<Cost | undefined>(undefined);

/** Called by each poster that runs again. */
export function countRun(): void {
  runs++;
}

/** More than there are when one thing leads to another until the last component has run. */
const TURNS = 50;

/** Makes a change and measures it. */
export async function measure(change: () => void): Promise<void> {
  const before = runs;
  const start = performance.now();
  change();
  // Components run in microtasks. A message would come after all of them, but often not before the page is painted.
  for (let turn = 0; turn < TURNS; turn++) await undefined;
  cost.value = { runs: runs - before, ms: performance.now() - start };
}
