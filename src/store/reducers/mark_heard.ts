import { entriesHolding, whereShown } from "../holders.ts";
import type { Patch } from "../patch.ts";
import type { Store } from "../store.ts";

/**
 * What a stream said while mutations were in flight overlaps with them. Where something that counts as later lies over it
 * already, nobody knows which came first: that is stale, and is asked for when the mutations have settled.
 */
export function markHeard(store: Store, patch: Patch): void {
  const { seq } = patch.stamp;
  const mark = patch.mark = store.sequence.take();
  patch.overlaps = true;
  for (const slot of patch.touched) if (slot.stamp.seq > seq) patch.markStale(slot);
  patch.keepMarks();
  if (patch.stale.size === 0) return;
  patch.expire(entriesHolding(store, ...whereShown(store, patch)), mark, true);
}
