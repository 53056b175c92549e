import { staleEntry } from "../freshness.ts";
import { type Patch, patchAt } from "../patch.ts";
import type { Store } from "../store.ts";

/** The last mutation in flight has settled: what was read meanwhile may have been answered before it was applied. */
export interface ExpireBehindAction {
  readonly type: "expireBehind";
  readonly seq: number;
  readonly date: number;
}

/** Marks stale what was read while mutations were in flight. */
export function reduceExpireBehind(store: Store, action: ExpireBehindAction): Patch {
  const patch = patchAt(store, action);
  for (const entry of store.entries.matching((key) => store.behind.has(key))) {
    // What was read again since is fresh by its own right.
    if (entry.expiresAt === 0) patch.addEntry({ ...staleEntry(entry, 0) });
  }
  patch.clearsBehind = true;
  return patch.seal();
}
