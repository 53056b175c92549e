import { type Entry, keepResult } from "../entry.ts";
import type { Patch } from "../patch.ts";
import { reasonOf } from "../../errors/reason.ts";
import type { Store } from "../store.ts";
import type { AnswerAction } from "./next_entry.ts";

/**
 * Adds to a patch what the `update` of its endpoint makes of other answers, in the commit of its own. An answer that
 * nobody has asked for, or that was invalidated, stays as it is: nothing is known of the rest of it.
 *
 * What throws changes nothing: the server has accepted the call, so it does not fail for the sake of a list.
 */
export function applyUpdate(store: Store, patch: Patch, { endpoint, args, place }: AnswerAction): void {
  if (endpoint.update === undefined) return;
  const updated: Entry[] = [];
  try {
    const updates = endpoint.update(patch.result, ...args);
    for (const key of Object.keys(updates)) {
      for (const entry of store.entries.of(key)) {
        const { shape } = entry;
        const latest = patch.entries.findLast((other) => other.key === key && other.shape === shape) ?? entry;
        if (!latest.hasResult || latest.isInvalid) continue;
        const result = keepResult(latest, updates[key]!(latest.result));
        // What a server's "nothing has changed" refers to is no more what is kept.
        // What pages it was made of is not known any more.
        const whole = { ...latest, result, pages: undefined, basis: undefined };
        updated.push({ ...whole, updatePlace: Math.max(latest.updatePlace, place) });
      }
    }
  } catch (reason) {
    store.warnOnce(
      `update of ${endpoint.name}`,
      () => `"${endpoint.name}" changes no other answers: update() threw: ${reasonOf(reason)}`,
    );
    return;
  }
  for (const entry of updated) patch.addEntry(entry);
}
