import { DIRTY, EntityNode, type ViewNode } from "../../denormalize/node.ts";
import { References } from "../../store/references.ts";
import { Slot } from "../../store/slot.ts";

/** Follows what is in use to all that it is made of: the mark phase. */
export class Trace extends References {
  /** What stays: keys, slots, views. */
  readonly kept: Set<unknown> = new Set();
  /** How many records are among that. */
  count = 0;
  #met = new Set<ViewNode>();

  /** A record stays; what it refers to is followed by {@linkcode step}. */
  keep(slot: Slot): void {
    if (this.kept.has(slot)) return;
    this.kept.add(slot);
    if (slot.rec !== undefined) this.count++;
    this.again(slot);
  }

  /** A record may refer to something else than when it was followed. */
  again(slot: Slot): void {
    const { rec, table: { plans } } = slot;
    if (rec === undefined) return;
    // It was made of another record, whose references may go: if it has them again by then, they are other slots.
    for (let { node } = slot; node !== undefined; node = node.sibling) {
      if (node.state === DIRTY && node.built !== rec) node.built = undefined;
    }
    this.record(slot, plans, rec);
  }

  /** A view stays, with what it was last read from. */
  view(view: ViewNode): void {
    if (view instanceof EntityNode) {
      const { plan, slot } = view;
      if (slot instanceof Slot) this.keep(slot);
      else if (slot.rec !== undefined) this.unsaved(plan, slot.rec);
    } else if (!this.#met.has(view)) {
      this.#met.add(view);
      this.kept.add(view);
      for (const kid of view.kids) this.view(kid);
    }
  }

  /** Views may be made of something else than when they were followed. */
  forgetViews(): void {
    this.#met = new Set();
  }

  protected override met(slot: Slot): void {
    this.keep(slot);
  }
}
