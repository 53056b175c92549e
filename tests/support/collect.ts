import type { Collector } from "../../src/parts/memory/collector.ts";

/** Does so many steps of what has begun; whether there are more. */
export function stepOn(collector: Collector, count: number): boolean {
  for (let done = 0; done < count; done++) if (!collector.step()) return false;
  return true;
}

/** Collects at once what may go, without pauses. */
export function collectAll(collector: Collector): void {
  collector.begin();
  while (collector.step());
}
