import type { Entry } from "./entry.ts";
import { Moment } from "./moment.ts";
import { References } from "./references.ts";
import type { Store } from "./store.ts";
import type { Slot } from "./tables.ts";

/**
 * Whether the mark of an entry that has nothing else is of use: a record is there that would be read in place of the
 * answer. Leaves nothing behind, neither views nor places.
 */
export function isMarkOfUse(store: Store, { args, isInvalid, shape, stalePlace }: Entry): boolean {
  // It came hydrated, or from a recording: what would be read in its place, its first reader says.
  if (shape === undefined || args === undefined) return hasRecords(store);
  const search = new Found(store, 1);
  try {
    const { graph } = Moment.passing(store);
    search.value(shape.schema, graph.inferredKey(shape.schema, store.tables.ids.resolve(args)));
  } catch {
    // A key or pk of the app that throws: whoever reads with it meets the error there.
  }
  return search.slots.some(({ rec, stamp }) => rec !== undefined && (isInvalid || stamp.place < stalePlace));
}

function hasRecords({ tables }: Store): boolean {
  for (const { slots } of tables.byKey.values()) {
    for (const { rec } of slots.values()) if (rec !== undefined) return true;
  }
  return false;
}

/** What a value refers to by itself. */
class Found extends References {
  readonly slots: Slot[] = [];

  protected override met(slot: Slot): void {
    this.slots.push(slot);
  }
}
