import type { Patch } from "../../store/patch.ts";
import type { PlainPatch } from "../../store/plain_patch.ts";
import type { Store } from "../../store/store.ts";

/** Describes a patch before it is applied. */
export function describeCommit(store: Store, patch: Patch): PlainPatch {
  const records: PlainPatch["records"][number][] = [];
  for (const { slot, plan, pk, rec } of patch.staged) {
    records.push({ key: plan.key, pk, before: store.baseOf(slot), after: rec });
  }
  for (const { table, fresh } of patch.tables) {
    for (const [pk, slot] of fresh) {
      const after = patch.baseOf(slot);
      if ((patch.reset || table.slots.get(pk) === undefined) && after !== undefined) {
        records.push({ key: table.key, pk, before: undefined, after });
      }
    }
  }
  const endpoints = patch.entries.map((entry) => ({
    key: entry.key,
    before: entry.shape === undefined ? undefined : store.entries.get(entry.key, entry.shape)?.result,
    after: entry.result,
  }));
  return { place: patch.stamp.place, reset: patch.reset, records, endpoints };
}
