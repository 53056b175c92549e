import { DIRTY, EntityNode, type ViewNode } from "../../denormalize/node.ts";
import { References } from "../../store/references.ts";
import { Slot } from "../../store/slot.ts";
import type { Store } from "../../store/store.ts";
import type { Table } from "../../store/tables.ts";

/** Follows what is in use to all that it is made of: the mark phase. */
export class Trace extends References {
  /** What stays: keys, slots, views. */
  readonly kept: Set<unknown> = new Set();
  /** How many records are among that. */
  count = 0;
  readonly #isKept: (slot: Slot, table: Table) => void;
  readonly #stride: number;
  #met = new Set<ViewNode>();
  /** What views were read from, from a position on. */
  readonly #kids: { readonly row: readonly ViewNode[]; at: number }[] = [];

  /**
   * @param store Whose records.
   * @param stride So many references are followed in one step.
   * @param isKept Is told of each slot.
   */
  constructor(store: Store, stride: number, isKept: (slot: Slot, table: Table) => void) {
    super(store, stride);
    this.#stride = stride;
    this.#isKept = isKept;
  }

  /** A record stays; what it refers to is followed by {@linkcode step}. */
  keep(slot: Slot, table: Table): void {
    if (this.kept.has(slot)) return;
    this.kept.add(slot);
    if (slot.rec !== undefined) this.count++;
    this.#isKept(slot, table);
    this.again(slot, table);
  }

  /** A record may refer to something else than when it was followed. */
  again(slot: Slot, { plans }: Table): void {
    const { rec } = slot;
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
      if (slot instanceof Slot) this.keep(slot, this.store.tables.of(plan));
      else if (slot.rec !== undefined) this.unsaved(plan, slot.rec);
    } else if (!this.#met.has(view)) {
      this.#met.add(view);
      this.kept.add(view);
      this.#kids.push({ row: view.kids, at: 0 });
    }
  }

  /** Views may be made of something else than when they were followed. */
  forgetViews(): void {
    this.#met = new Set();
  }

  override step(): number {
    const kids = this.#kids.at(-1);
    if (kids === undefined) return super.step();
    const end = Math.min(kids.row.length, kids.at + this.#stride);
    if (end === kids.row.length) this.#kids.pop();
    for (; kids.at < end; kids.at++) this.view(kids.row[kids.at]!);
    return this.#stride;
  }

  protected override met(slot: Slot, table: Table): void {
    this.keep(slot, table);
  }
}
