import { entriesHolding } from "../../store/holders.ts";
import type { Store } from "../../store/store.ts";
import type { Slot } from "../../store/slot.ts";
import { redactedIfKnown, redactedIn } from "../secrets/redacted_by.ts";
import { redactText } from "../secrets/redact_text.ts";
import { withoutMembers } from "../secrets/without_members.ts";
import type { State } from "./form.ts";

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
  const tables = [...store.tables.byKey.values()].map((table) => ({ table, names: redactedIn(table) }))
    .filter(({ names }) => names.size > 0);
  // Lists are found by arguments: what was asked for with a secret is nobody else's, and so is what names it.
  const named = new Set<unknown>();
  for (const { table, names } of tables) {
    if (!store.tables.lists.has(table)) continue;
    for (const pk of Object.keys(state.entitiesMeta[table.key] ?? {})) {
      if (redactText(pk, names) === pk) continue;
      delete state.entities[table.key]?.[pk];
      delete state.entitiesMeta[table.key]![pk];
      named.add(pk);
    }
  }
  const isNamed = (value: unknown) => named.has(value);
  for (const { table, names } of tables) {
    const { key } = table;
    for (const [pk, record] of Object.entries(state.entities[key] ?? {})) {
      const kept = withoutMembers(record, names, undefined, isNamed);
      if (kept === record) continue;
      state.entities[key]![pk] = kept;
      state.entitiesMeta[key]![pk]!.expiresAt = 0;
      slots.push(table.slots.get(pk)!);
    }
  }
  const stale = slots.length === 0 ? [] : entriesHolding(store, slots);
  for (const entry of store.entries.all()) {
    const { key, args, shape } = entry;
    if (!Object.hasOwn(state.meta, key)) continue;
    const names = redactedIfKnown(store, shape?.schema);
    // It was asked with a secret: only who has that can ask again.
    const isAskedWith = redactText(key, names) !== key || withoutMembers(args, names) !== args;
    if (isAskedWith || named.has(state.endpoints[key])) {
      delete state.endpoints[key];
      delete state.meta[key];
      continue;
    }
    const { error } = state.meta[key]!;
    if (error !== undefined) {
      state.meta[key]!.error = { ...error, message: redactText(error.message, names, args) };
    }
    // What has no pk is kept in the answer.
    const result = withoutMembers(state.endpoints[key], names, undefined, isNamed);
    if (result === state.endpoints[key]) continue;
    state.endpoints[key] = result;
    stale.push(entry);
  }
  for (const { key } of stale) if (Object.hasOwn(state.meta, key)) state.meta[key]!.expiresAt = 0;
  return made;
}
