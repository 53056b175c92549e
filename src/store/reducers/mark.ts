import type { AnyReadable } from "../../endpoint/interface.ts";
import { bareMark, type Entry } from "../entry.ts";
import { staleEntry } from "../freshness.ts";
import { type Patch, patchAt, type Placed } from "../patch.ts";
import type { Slot, Table } from "../slot.ts";
import type { Store } from "../store.ts";

/** One key, and the call that has it. */
export interface OneKey extends Pick<Entry, "key" | "shape"> {
  readonly endpoint?: AnyReadable | undefined;
  readonly args?: readonly unknown[] | undefined;
}

/**
 * Answers are old: they are shown, and whoever is mounted fetches again (`expire`); or they must not be shown any more
 * (`invalidate`). That goes for inferred and failed ones, too.
 */
export interface MarkAction extends Placed {
  readonly type: "expire" | "invalidate";
  readonly testKey: (key: string) => boolean;
  /** The one key that is meant, for which an entry is made if there is none: reads that were inferred obey, too. */
  readonly only?: OneKey | undefined;
  /** Records that are not to be trusted for long, whoever will read them. */
  readonly records?: readonly Slot[] | undefined;
  /** Tables of lists of which nobody knows what they are now: those that come late are not to be trusted either. */
  readonly lists?: readonly Table[] | undefined;
  /** The mutation that it follows from, where nobody has asked for it. */
  readonly cause?: AnyReadable | undefined;
}

/** Marks, or hides, the answers of every key that passes. */
export function reduceMark(store: Store, action: MarkAction): Patch {
  const { lists = [], only, records = [], seq, type } = action;
  const patch = patchAt(store, action);
  for (const slot of records) patch.markStale(slot, seq);
  for (const table of lists) patch.lists?.doubtLater(table, seq);
  for (const entry of store.matchingEntries(action, only)) {
    const marked = staleEntry(entry, seq);
    // What the reply said of it stays: the server may say that it has not changed.
    patch.addEntry(type === "expire" ? marked : { ...bareMark({ ...marked, isInvalid: true })!, memo: entry.memo });
  }
  return patch.seal();
}
