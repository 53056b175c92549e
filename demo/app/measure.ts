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

/** Makes a change and measures it. */
export function measure(change: () => void): void {
  const before = runs;
  const start = performance.now();
  change();
  // Components run in microtasks; a message comes after all of them, and before the page is painted.
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    cost.value = { runs: runs - before, ms: performance.now() - start };
    port1.close();
  };
  port2.postMessage(null);
}
