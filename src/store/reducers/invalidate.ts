import type { AnyReadable } from "../../endpoint/interface.ts";
import type { Entry } from "../entry.ts";
import { staleEntry } from "../freshness.ts";
import { type Patch, patchAt } from "../patch.ts";
import type { Store } from "../store.ts";
import type { Slot } from "../slot.ts";

/** One key, and the call that has it. */
export interface OneKey extends Pick<Entry, "key" | "shape"> {
  readonly endpoint?: AnyReadable | undefined;
  readonly args?: readonly unknown[] | undefined;
}

/** Answers must not be shown any more: whoever reads them fetches again. */
export interface InvalidateAction {
  readonly type: "invalidate";
  readonly testKey: (key: string) => boolean;
  /** The one key that is meant, for which an entry is made if there is none: reads that were inferred obey, too. */
  readonly only?: OneKey | undefined;
  readonly seq: number;
  readonly date: number;
}

/** Hides the answers of every key that passes, inferred and failed ones too. */
export function reduceInvalidate(store: Store, action: InvalidateAction): Patch {
  const { seq, only } = action;
  const patch = patchAt(store, action);
  for (const entry of store.matchingEntries(action, only)) {
    patch.addEntry({ ...staleEntry(entry, seq), isInvalid: true, error: undefined, errorPolicy: undefined });
  }
  return patch.seal();
}

/** Answers are old: they are shown, and whoever is mounted fetches again. */
export interface ExpireAction {
  readonly type: "expire";
  readonly testKey: (key: string) => boolean;
  /** The one key that is meant, for which an entry is made if there is none: reads that were inferred obey, too. */
  readonly only?: OneKey | undefined;
  /** Records that are not to be trusted for long, whoever will read them. */
  readonly records?: readonly Slot[] | undefined;
  /** The mutation that failed and may have been done, where that is why. */
  readonly cause?: AnyReadable | undefined;
  readonly seq: number;
  readonly date: number;
}

/** Marks the answers of every key that passes stale, inferred and failed ones too. */
export function reduceExpire(store: Store, action: ExpireAction): Patch {
  const { seq, only } = action;
  const patch = patchAt(store, action);
  for (const slot of action.records ?? []) patch.markStale(slot, seq);
  for (const entry of store.matchingEntries(action, only)) patch.addEntry(staleEntry(entry, seq));
  return patch.seal();
}
