import { recordsNamed } from "../schemas/subjects.ts";
import type { AnySchema } from "../schemas/interface.ts";
import type { Entry } from "./entry.ts";
import { entriesHolding } from "./holders.ts";
import type { Patch } from "./patch.ts";
import type { Store } from "./store.ts";
import type { Slot } from "./slot.ts";

/**
 * Adds to a patch what the records that it writes mean for lists. How they are judged, their classes bring.
 *
 * @param schema What was written along.
 * @param sent What was sent: a read may have brought it before, and then the write itself changes nothing.
 * @param named The records that the call named.
 */
export function judgeLists(
  store: Store,
  patch: Patch,
  schema: AnySchema,
  sent: unknown,
  named?: ReadonlySet<Slot>,
): void {
  const unclaimed = unclaimedLists(store);
  for (const { plans } of store.tables.lists) {
    return plans[0]!.rows!.judgeLists(store, patch, schema, sent, named, unclaimed);
  }
  if (unclaimed !== undefined && isChange(store, patch, schema)) unclaimed.forEach((slot) => patch.doubt(slot));
}

/** Whether a patch writes anything, or is about a record that is there already as it is written. */
function isChange(store: Store, patch: Patch, schema: AnySchema): boolean {
  const { missed, result, touched } = patch;
  return missed.length > 0 || touched.some((slot) => patch.baseOf(slot) !== store.baseOf(slot)) ||
    recordsNamed(schema, result).length > 0;
}

/** Lists that came hydrated, and that no class has reached: nobody knows what they are of. */
function unclaimedLists({ tables }: Store): readonly Slot[] | undefined {
  let slots: Slot[] | undefined;
  for (const { plans, slots: records } of tables.byKey.values()) {
    if (plans.length > 0) continue;
    for (const slot of records.values()) {
      // As a collection keeps them (CollectionRecord): with items and arguments.
      if (slot.rec !== undefined && typeof slot.rec.items === "object" && typeof slot.rec.args === "object") {
        (slots ??= []).push(slot);
      }
    }
  }
  return slots;
}

/** Whether lists of an answer that comes late have undergone what only the server can judge. */
export function isInDoubt({ marks, tables }: Store, patch: Patch): boolean {
  const { judged, moved, result, touched, uncertain } = patch;
  if (uncertain.size > 0 || (moved.size > 0 && hasOthers(result))) return true;
  // Where a record is marked stale that joined or left, nobody knows whether it did, or what it is.
  return marks.size > 0 &&
    (judged.size > 0 || touched.some((slot) => tables.lists.has(slot.table) && patch.isLate(slot)));
}

/** The answers that hold a list which may have changed in a way that only the server knows. */
export function entriesInDoubt(store: Store, { moved, uncertain }: Patch): readonly Entry[] {
  if (moved.size === 0 && uncertain.size === 0) return [];
  const inDoubt = uncertain.size === 0 ? [] : entriesHolding(store, uncertain.keys(), [], true);
  // What stands beside the list in the answer, such as a total, is that of the list as it was.
  const around = moved.size === 0
    ? []
    : entriesHolding(store, moved, [], true).filter((entry) => hasOthers(entry.result));
  return [...new Set([...inDoubt, ...around])];
}

/**
 * For who infers an answer from them: lists are no younger for what joins or leaves them, and old where only the server
 * knows.
 */
export function markLists(patch: Patch, mark: number): void {
  for (const slot of patch.judged) if (slot.stamp.expiresAt === 0) patch.markStale(slot, mark);
  for (const [slot, seq] of patch.uncertain) patch.markStale(slot, Math.max(seq, mark));
}

function hasOthers(result: unknown): boolean {
  return typeof result === "object" && result !== null && !Array.isArray(result) && Object.keys(result).length > 1;
}
