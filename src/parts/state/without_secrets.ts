import { entriesHolding } from "../../store/holders.ts";
import type { Store } from "../../store/store.ts";
import type { Slot } from "../../store/slot.ts";
import { redactedBy, redactedIn } from "../secrets/redacted_by.ts";
import { redactText } from "../secrets/redact_text.ts";
import { withoutMembers } from "../secrets/without_members.ts";
import type { State } from "./state.ts";

/** A state that was just made, and that nobody else has. */
type Own<T> = { -readonly [K in keyof T]: T[K] extends object ? Own<T[K]> : T[K] };

/**
 * Leaves out what never leaves the process: members in `static redact` of their class. A record or an answer that lacks
 * one is stale, and so is what holds it: whoever reads it elsewhere asks for it again.
 *
 * @param store Whose state it is.
 * @param made What `describeState` has just made; it is changed.
 */
export function withoutSecrets(store: Store, made: State): State {
  const state = made as Own<State>;
  const slots: Slot[] = [];
  for (const table of store.tables.byKey.values()) {
    const { key } = table;
    const names = redactedIn(table);
    if (names.size === 0) continue;
    for (const [pk, record] of Object.entries(state.entities[key] ?? {})) {
      const kept = withoutMembers(record, names);
      if (kept === record) continue;
      state.entities[key]![pk] = kept;
      state.entitiesMeta[key]![pk]!.expiresAt = 0;
      slots.push(table.slots.get(pk)!);
    }
  }
  const stale = slots.length === 0 ? [] : entriesHolding(store, slots);
  for (const entry of store.entries.all()) {
    const names = redactedBy(entry.shape?.schema);
    // It was asked with a secret: only who has that can ask again.
    if (redactText(entry.key, names) !== entry.key) {
      delete state.endpoints[entry.key];
      delete state.meta[entry.key];
      continue;
    }
    // What has no pk is kept in the answer.
    const result = withoutMembers(state.endpoints[entry.key], names);
    if (result === state.endpoints[entry.key]) continue;
    state.endpoints[entry.key] = result;
    stale.push(entry);
  }
  for (const { key } of stale) if (Object.hasOwn(state.meta, key)) state.meta[key]!.expiresAt = 0;
  return made;
}
