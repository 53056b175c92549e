import { type Entry, keepResult, updatesOf } from "../entry.ts";
import type { Patch } from "../patch.ts";
import { check } from "../../errors/checks.ts";
import type { Store } from "../store.ts";
import type { warnOfUpdate } from "../warnings.ts";
import type { AnswerAction } from "./next_entry.ts";

/**
 * Adds to a patch what the `update` of its endpoint makes of other answers, in the commit of its own. What throws changes
 * nothing: the server has accepted the call, so it does not fail for the sake of a list.
 */
export function applyUpdate(store: Store, patch: Patch, { endpoint, args, seq, ticket }: AnswerAction): void {
  if (endpoint.update === undefined) return;
  const keys: string[] = [];
  const entriesOf = (key: string) => {
    keys.push(key);
    return patch.entriesOf(key);
  };
  let updated: ReadonlyMap<Entry, unknown>;
  try {
    updated = updatesOf(endpoint, patch.result, args, entriesOf, ({ result }) => result);
  } catch (reason) {
    check<typeof warnOfUpdate>("update", store, endpoint.name, reason);
    return;
  }
  for (const [entry, result] of updated) {
    // What a server's "nothing has changed" refers to is no more what is kept; nor are the pages that it was made of.
    const whole = { ...entry, result: keepResult(entry, result), pages: undefined, memo: undefined };
    const after = { ...whole, updateSeq: Math.max(entry.updateSeq, seq) };
    // One that came meanwhile may have had the change already.
    if (ticket !== undefined && entry.at > ticket.startedAt) patch.expire([after], 0);
    else patch.addEntry(after);
  }
  if (!patch.hasOlder) return;
  // An answer that is on its way was perhaps given before: it comes stale.
  for (const key of keys) {
    for (const view of store.responsesByKey.get(key) ?? []) {
      const entry = view.entry ?? view.emptyEntry();
      if (!entry.hasResult) patch.addEntry({ ...entry, staleSeq: Math.max(entry.staleSeq, seq) });
    }
  }
}
