import { ConstNode, DIRTY, EntityNode, type ViewNode } from "../../denormalize/node.ts";
import { References } from "../../store/references.ts";
import { ResponseView } from "../../store/response_view.ts";
import type { Store } from "../../store/store.ts";
import { Slot } from "../../store/slot.ts";
import type { Table } from "../../store/tables.ts";

/** Follows what is in use to all that it is made of: the mark phase. */
export class Trace extends References {
  /** The slots that it came to. */
  readonly slots: Set<Slot> = new Set();
  /** The views that it came to, but for those of records and answers. */
  readonly views: Set<ViewNode> = new Set();
  /** How many records are among the slots. */
  count = 0;
  #met = this.views;
  readonly #stride: number;
  /** What views were read from, from a position on. */
  readonly #kids: { readonly row: readonly ViewNode[]; at: number }[] = [];

  /**
   * @param store Whose records.
   * @param stride So many references are followed in one step.
   */
  constructor(store: Store, stride: number) {
    super(store, stride);
    this.#stride = stride;
  }

  /** Marks a record; what it refers to is followed by {@linkcode step}. */
  keep(slot: Slot, table: Table): void {
    if (this.slots.has(slot)) return;
    this.slots.add(slot);
    if (slot.rec === undefined) return;
    this.count++;
    this.#follow(slot, table, slot.rec);
  }

  /** A record was written: what it refers to now may be other than when it was marked. */
  again(slot: Slot, table: Table): void {
    this.keep(slot, table);
    if (slot.rec !== undefined) this.#follow(slot, table, slot.rec);
  }

  /** Follows a view to what it was read from. */
  view(view: ViewNode): void {
    if (view instanceof EntityNode) this.#node(view);
    else if (!(view instanceof ConstNode)) {
      if (!(view instanceof ResponseView)) {
        if (this.#met.has(view)) return;
        this.#met.add(view);
      }
      if (view.kids.length > 0) this.#kids.push({ row: view.kids, at: 0 });
    }
  }

  /** Follows views that were read again since they were followed. */
  viewsAgain(views: Iterable<ViewNode>): void {
    const met = this.#met = new Set();
    for (const view of views) this.view(view);
    while (this.step() > 0);
    this.#met = this.views;
    for (const view of met) this.views.add(view);
  }

  override step(): number {
    const kids = this.#kids.at(-1);
    if (kids === undefined) return super.step();
    const { row, at: from } = kids;
    const end = kids.at = Math.min(row.length, from + this.#stride);
    if (end === row.length) this.#kids.pop();
    for (let at = from; at < end; at++) this.view(row[at]!);
    return end - from;
  }

  protected override met(slot: Slot, table: Table): void {
    this.keep(slot, table);
  }

  #follow(slot: Slot, { plans }: Table, record: NonNullable<Slot["rec"]>): void {
    // It was made of another record, whose references may go: if it has them again by then, they are other slots.
    for (let { node } = slot; node !== undefined; node = node.sibling) {
      if (node.state === DIRTY && node.built !== record) node.built = undefined;
    }
    this.record(slot, plans, record);
  }

  #node(node: EntityNode): void {
    const { plan, slot } = node;
    if (slot instanceof Slot) this.keep(slot, this.store.tables.of(plan));
    else if (slot.rec !== undefined) this.unsaved(plan, slot.rec);
  }
}
