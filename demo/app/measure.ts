/** How many posters of the wall have run, and how long that took. */
import { signal } from "@preact/signals";

let runs = 0;

/** What the last change that was made here has cost; in ms from the click until all components have run. */
export const cost = signal<{ readonly runs: number; readonly ms: number } | undefined>(undefined);

/** Called by each poster that runs again. */
export function countRun(): void {
  runs++;
}

/** More microtasks than there are when one thing leads to another until the last component has run. */
const TURNS = 50;

/** Makes a change and measures it. */
export async function measure(change: () => void): Promise<void> {
  const before = runs;
  const start = performance.now();
  change();
  // A message would come after all components have run, but often not before the page is painted.
  for (let turn = 0; turn < TURNS; turn++) await undefined;
  cost.value = { runs: runs - before, ms: performance.now() - start };
}
