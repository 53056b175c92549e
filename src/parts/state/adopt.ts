import type { ViewNode } from "../../denormalize/node.ts";
import { know, turnNodes } from "../../store/apply_patch.ts";
import type { Contents } from "../../store/contents.ts";
import type { Slot, Table } from "../../store/slot.ts";

/**
 * Puts records of another store into a table, in its order; those of which somebody has read keep their place in the
 * graph.
 *
 * @param isKnown They are all that there are.
 * @param turned Takes the views whose value may be another one now.
 */
export function adopt(
  store: Contents,
  table: Table,
  slots: ReadonlyMap<string, Slot>,
  isKnown: boolean,
  turned: ViewNode[],
): void {
  for (const [pk, given] of slots) {
    const slot = table.slots.get(pk) ?? given;
    table.slots.delete(pk);
    table.slots.set(pk, slot);
    slot.rec = given.rec;
    slot.stamp = given.stamp;
    turnNodes(slot, turned);
  }
  table.isAsked = true;
  if (isKnown) know(store, table, turned);
  store.graph.turnTable(table.key, turned);
}
