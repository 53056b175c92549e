import { eachParent, EntityNode, mark, type ViewNode } from "../denormalize/node.ts";
import type { Plan } from "../schemas/plan.ts";
import type { Patch, Staged } from "./patch.ts";
import type { Slot, Table } from "./tables.ts";

/** A note that no patch leaves in a slot: a collection tells by it what it has come to. */
export function newNote(): Staged {
  return { patch: NOBODY, slot: NOTHING, plan: UNPLANNED, pk: "", rec: undefined };
}

const NOBODY = undefined as unknown as Patch;
const NOTHING = undefined as unknown as Slot;
const UNPLANNED = undefined as unknown as Plan;

/**
 * The records of one table that a collection lets go of, and the places where none is. They are noted one after the
 * other; whoever asks for one meanwhile keeps it. Then they are gone as one, in no time, so that no reader ever sees some
 * of them without the others; and are cleared up one after the other, those first that somebody asks for.
 */
export class Condemned {
  readonly table: Table;
  /** Those that were noted and asked for since. */
  spared: Slot[] = [];
  /** They are there no more, whether or not they are cleared up. */
  isGone = false;
  /** How many are noted. */
  count = 0;
  /** How many of them are records. */
  filled = 0;
  readonly #note = newNote();

  /** @param table Theirs. */
  constructor(table: Table) {
    this.table = table;
    table.condemned = this;
  }

  /** Whether a place is among them. */
  has(slot: Slot): boolean {
    return slot.next === this.#note;
  }

  /** Notes a place. */
  add(slot: Slot): void {
    slot.next = this.#note;
    this.#counts(slot, 1);
  }

  /** Somebody needs it: it is not among them any more. */
  spare(slot: Slot): void {
    if (!this.has(slot)) return;
    slot.next = undefined;
    this.#counts(slot, -1);
  }

  /** Somebody asks for one of them: it stays, or is cleared up at once. */
  asked(pk: string, slot: Slot): Slot | undefined {
    if (this.isGone) {
      this.clear([{ pk, slot }]);
      return undefined;
    }
    this.spare(slot);
    this.spared.push(slot);
    return slot;
  }

  /** Clears up those of some places that are among them. */
  clear(places: Iterable<{ readonly pk: string; readonly slot: Slot }>): void {
    const { indexes, slots } = this.table;
    const cleared: Slot[] = [];
    for (const { pk, slot } of places) {
      if (!this.has(slot)) continue;
      cleared.push(slot);
      if (slots.get(pk) === slot) slots.delete(pk);
    }
    for (const index of indexes?.values() ?? []) index.collected(cleared);
    for (const slot of cleared) {
      let { node } = slot;
      slot.rec = slot.next = slot.node = undefined;
      for (; node !== undefined; node = node.sibling) {
        eachParent(node, referAnew);
        forgetView(node);
        node.built = undefined;
        node.turned = undefined;
      }
    }
  }

  /** All of them are cleared up, or stay. */
  end(): void {
    if (this.table.condemned === this) this.table.condemned = undefined;
  }

  #counts({ rec }: Slot, by: 1 | -1): void {
    this.count += by;
    if (rec !== undefined) this.filled += by;
  }
}

/**
 * A record referred to a place when it was last read, and does so no more: if it does again by then, there will be another
 * place.
 */
function referAnew(parent: ViewNode): void {
  if (parent instanceof EntityNode) parent.built = undefined;
}

/** What may still hold it makes it anew when it is read. */
export function forgetView(view: ViewNode): void {
  if (view.parent !== undefined) mark(view, []);
  view.release();
  view.value = undefined;
}
