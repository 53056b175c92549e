import type { ViewNode } from "../denormalize/node.ts";
import { remove } from "./collect_drop.ts";
import { Condemned } from "./condemned.ts";
import type { PlainPatch } from "./plain_patch.ts";
import type { Store } from "./store.ts";
import type { Slot, Table } from "./tables.ts";

/** A place that may go, and the record that is there, if one is. */
export interface DoomedSlot {
  readonly table: Table;
  readonly pk: string;
  readonly slot: Slot;
}

/**
 * What a collection lets go of: noted one after the other, then dropped all at once, for a record without what it refers
 * to is never to be seen. That takes no time, however many they are; their room is cleared up afterwards, some at a time.
 */
export class Doom {
  readonly #tables = new Map<Table, Condemned>();
  readonly #slots: DoomedSlot[] = [];
  #cleared = 0;

  /** Notes a place: from now on it stays if somebody asks for it. */
  add(doomed: DoomedSlot): void {
    const { table, slot } = doomed;
    let condemned = this.#tables.get(table);
    if (condemned === undefined) this.#tables.set(table, condemned = new Condemned(table));
    condemned.add(slot);
    this.#slots.push(doomed);
  }

  /** What was asked for since the last time, to be followed by the caller: it stays. */
  takeSpared(follow: (slot: Slot, table: Table) => void): void {
    for (const { spared, table } of this.#tables.values()) {
      for (let slot = spared.pop(); slot !== undefined; slot = spared.pop()) follow(slot, table);
    }
  }

  /**
   * From now on all of it is gone. It tells no reader, for none sees any of it; who listens to commits is told as of any
   * other removal.
   *
   * @param store Whose.
   * @param views The views that stay.
   */
  drop(store: Store, views: ReadonlySet<ViewNode>): void {
    const tables = [...this.#tables.values()];
    const drop = () => tables.forEach((condemned) => letGo(store, condemned, views));
    if (tables.every(({ filled }) => filled === 0)) return drop();
    const records: PlainPatch["records"][number][] = [];
    if (store.onCommit !== undefined) {
      for (const { table, pk, slot: { rec }, slot } of this.#slots) {
        if (rec !== undefined && this.#tables.get(table)!.has(slot)) {
          records.push({ key: table.key, pk, before: rec, after: undefined });
        }
      }
    }
    remove(store, drop, { records });
  }

  /** Clears up some of what is gone; whether there is more. */
  clear(count: number): boolean {
    const end = Math.min(this.#cleared + count, this.#slots.length);
    while (this.#cleared < end) {
      // Those of one table follow each other.
      const { table } = this.#slots[this.#cleared]!;
      const some: DoomedSlot[] = [];
      for (let next = this.#slots[this.#cleared]; next?.table === table && this.#cleared < end;) {
        some.push(next);
        next = this.#slots[++this.#cleared];
      }
      this.#tables.get(table)!.clear(some);
    }
    return end < this.#slots.length;
  }

  /** All of it is cleared up, or stays. */
  end(): void {
    for (const condemned of this.#tables.values()) condemned.end();
  }
}

function letGo(store: Store, condemned: Condemned, views: ReadonlySet<ViewNode>): void {
  const { table } = condemned;
  condemned.isGone = true;
  // One that nobody has a bucket of is built again, of what is left.
  for (const index of table.indexes?.values() ?? []) index.tidy();
  if (condemned.filled === 0) return;
  table.version++;
  // What was there is not known any more; that there is nothing, nobody has said.
  if (table.known && !table.isShown && isUnseen(store, condemned, views)) table.known = false;
}

/** Nobody sees a table that has no record left. */
function isUnseen(store: Store, { count, table }: Condemned, views: ReadonlySet<ViewNode>): boolean {
  if (count < table.slots.size) {
    for (const slot of table.slots.values()) if (slot.rec !== undefined && !table.isGone(slot)) return false;
  }
  for (const view of store.graph.allViews()) if (views.has(view) && view.plan.key === table.key) return false;
  for (const index of table.indexes?.values() ?? []) if (index.isObserved) return false;
  return true;
}
