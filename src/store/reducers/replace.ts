import { Patch } from "../patch.ts";
import { entriesOf, keysOf, slotsOf, type State } from "../state.ts";
import type { Store } from "../store.ts";

/** Another state takes the place of everything: devtools show another moment. */
export interface ReplaceAction {
  readonly type: "replace";
  readonly state: Partial<State>;
  readonly place: number;
  readonly date: number;
}

/** Forgets everything, as a reset does, and writes what the state holds. */
export function reduceReplace(store: Store, { state, place, date }: ReplaceAction): Patch {
  const patch = new Patch(store, { place, fetchedAt: date, expiresAt: 0 }, Infinity);
  patch.reset = patch.isAnswer = true;
  patch.layers = [];
  for (const key of keysOf(state)) {
    const table = store.tables.named(key);
    const fresh = slotsOf(state, key, place);
    // No class has met the members of records that none has written.
    for (const { rec } of fresh.values()) {
      if (rec !== undefined) { for (const plan of table.plans) plan.meetAll(rec); }
    }
    patch.adopt(table, fresh, Object.hasOwn(state.entities ?? {}, key));
  }
  for (const entry of entriesOf(state, place)) patch.addEntry(entry);
  return patch;
}
