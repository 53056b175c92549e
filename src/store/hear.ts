import { entriesHolding, whereShown } from "./holders.ts";
import type { Patch } from "./patch.ts";
import type { Heard, Sequence } from "./sequence.ts";
import type { Store } from "./store.ts";

/** What a function writes, before it returns, was said by a stream. */
export function hear<T>({ sequence }: Store, run: () => T): T {
  sequence.hearing = heardIn;
  try {
    return run();
  } finally {
    sequence.hearing = undefined;
  }
}

/**
 * Where what a stream says now stands: while mutations are in flight, as a read that starts now. The server may have said
 * it before it applied them, and it may be an echo of the first of two.
 */
function heardIn(sequence: Sequence): Heard | undefined {
  const oldest = sequence.oldestMutation();
  return oldest && { seq: sequence.before(oldest), mark: mark as Heard["mark"] };
}

/**
 * What a stream said while mutations were in flight overlaps with them. Where something that counts as later lies over it
 * already, nobody knows which came first: that is stale, and is asked for when the mutations have settled.
 */
function mark(store: Store, patch: Patch): void {
  const { seq } = patch.stamp;
  const mark = patch.mark = store.sequence.take();
  patch.overlaps = true;
  for (const slot of patch.touched) if (slot.stamp.seq > seq) patch.markStale(slot);
  patch.keepMarks();
  if (patch.stale.size > 0) patch.expire(entriesHolding(store, ...whereShown(store, patch)), mark, true);
}
