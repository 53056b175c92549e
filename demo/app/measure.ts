/** Which posters of the wall have run, and how long that took. */
import { signal } from "@preact/signals";

let ran: number[] = [];

/** What the last change that was made here has cost; in ms from the click until all components have run. */
export const cost = signal<{ readonly ran: readonly number[]; readonly ms: number } | undefined>(undefined);

/** Called by each poster that runs again, with its film's id. */
export function countRun(id: number): void {
  ran.push(id);
}

/** More microtasks than there are when one thing leads to another until the last component has run. */
const TURNS = 50;

/** Makes a change and measures it. */
export async function measure(change: () => void): Promise<void> {
  ran = [];
  const start = performance.now();
  change();
  // A message would come after all components have run, but often not before the page is painted.
  for (let turn = 0; turn < TURNS; turn++) await undefined;
  cost.value = { ran: [...ran], ms: performance.now() - start };
}
