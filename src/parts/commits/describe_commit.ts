import type { Patch } from "../../store/patch.ts";
import type { PlainPatch } from "../../store/plain_patch.ts";
import type { Entry } from "../../store/entry.ts";
import type { Store } from "../../store/store.ts";

/** Describes a patch before it is applied. */
export function describeCommit(store: Store, patch: Patch): PlainPatch {
  const records: PlainPatch["records"][number][] = [];
  for (const slot of patch.touched) {
    const [before, after] = [patch.reset ? undefined : store.baseOf(slot), patch.baseOf(slot)];
    if (before !== after) records.push({ key: slot.table.key, pk: slot.pk, before, after });
  }
  const endpoints = patch.entries.map((entry) => ({
    key: entry.key,
    before: replacedBy(store, entry)?.result,
    after: entry.result,
  }));
  const { reset, stamp: { seq, fetchedAt, expiresAt } } = patch;
  const names = Array.from(patch.names, ([temporary, pk]) => [temporary, String(pk)] as const);
  return { seq, fetchedAt, expiresAt, reset, records, names, endpoints };
}

/** The entry in whose place another one comes. Of hydrated ones that nobody has read, none knows its shape. */
function replacedBy({ entries }: Store, { key, shape }: Entry): Entry | undefined {
  if (shape !== undefined) return entries.get(key, shape);
  return entries.of(key).find((entry) => entry.shape === undefined);
}
