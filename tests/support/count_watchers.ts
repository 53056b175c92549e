import type { Watcher } from "../../src/store/row.ts";

/** How many watchers a node has. */
export function countWatchers({ watcher }: Pick<Watcher, "watcher">): number {
  return watcher ? 1 + countWatchers(watcher) : 0;
}
