import { Patch } from "../../store/patch.ts";
import { entriesOf, type GivenState, isKnown, keysOf, slotsOf } from "./state.ts";
import type { Store } from "../../store/store.ts";

/**
 * Forgets everything, as a reset does, and writes what the state holds.
 *
 * @param store Where.
 * @param state What `stateFrom` gave.
 * @param seq Where that stands in the order of writes.
 * @param date When; ms since 1970.
 */
export function replaceState(store: Store, state: GivenState, seq: number, date: number): Patch {
  const patch = new Patch(store, { seq, fetchedAt: date, expiresAt: 0 }, Infinity);
  patch.reset = patch.isAnswer = true;
  patch.layers = [];
  for (const key of keysOf(state)) {
    const table = store.tables.named(key);
    const slots = slotsOf(state, table, seq);
    // No class has met the members of records that none has written.
    for (const { rec } of slots.values()) {
      if (rec !== undefined) { for (const plan of table.plans) plan.meetAll(rec); }
    }
    patch.adopted = [...patch.adopted, { table, slots, isKnown: isKnown(state, key) }];
  }
  for (const entry of entriesOf(state, seq)) patch.addEntry(entry);
  return patch;
}
