import type { EntityRecord } from "../schemas/plan.ts";
import type { Patch } from "./patch.ts";
import type { Store } from "./store.ts";

/** One commit as plain data: what was replaced, by what, at which place. */
export interface PlainPatch {
  /** Where the write stands in the order of writes. */
  readonly place: number;
  /** Everything that was there before is gone. */
  readonly reset: boolean;
  /** The base, without what pending mutations show. `undefined`: not there. */
  readonly records: readonly {
    readonly key: string;
    readonly pk: string;
    readonly before: EntityRecord | undefined;
    readonly after: EntityRecord | undefined;
  }[];
  /** What remained of responses, by request key. `undefined`: not there. */
  readonly endpoints: readonly { readonly key: string; readonly before: unknown; readonly after: unknown }[];
}

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
