import { ConstNode, EntityNode, type ViewNode } from "../denormalize/node.ts";
import { newNote } from "./condemned.ts";
import { References } from "./references.ts";
import { ResponseView } from "./response_view.ts";
import type { Store } from "./store.ts";
import { Slot, type Table } from "./tables.ts";

/**
 * Follows what is in use to all that it is made of. What it comes to is marked in its slot: a set of all records would
 * cost as much as a tenth of them, and grow in leaps. The mark counts for one collection only, as the note of a patch
 * counts for that patch only; a commit takes it away from what it writes.
 */
export class Trace extends References {
  /** The views that it came to, but for those of records and answers. */
  readonly views: Set<ViewNode> = new Set();
  #met = this.views;
  /** How many records are marked. */
  count = 0;
  readonly #stride: number;
  readonly #mark = newNote();
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

  /** Whether it came to a record. */
  has(slot: Slot): boolean {
    return slot.next === this.#mark;
  }

  /** Marks a record; what it refers to is followed by {@linkcode step}. */
  keep(slot: Slot, table: Table): void {
    if (slot.next === this.#mark) return;
    table.condemned?.spare(slot);
    slot.next = this.#mark;
    if (slot.rec === undefined) return;
    this.count++;
    this.record(slot, table.plans, slot.rec);
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
  again(views: Iterable<ViewNode>): void {
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

  #node(node: EntityNode): void {
    const { plan, slot } = node;
    if (slot instanceof Slot) this.keep(slot, this.store.tables.of(plan));
    else if (slot.rec !== undefined) this.unsaved(plan, slot.rec);
  }
}
