import type { AnySchema } from "../schemas/interface.ts";
import type { Plan } from "../schemas/plan.ts";
import { DIRTY, type EntityNode, MadeNode, type RecordSlot, type ViewGraph } from "./node.ts";
import { reuse } from "./reuse.ts";
import type { TableIndex } from "./table_index.ts";

/** Entities in a row that are no record: what a response named, in its order. */
export class ListNode extends MadeNode {
  /** Kept for its arguments: it does not go with the view that it is part of. */
  isShared = false;
  content: readonly unknown[] | undefined;

  constructor(item: AnySchema, items?: readonly unknown[]) {
    super(item);
    this.content = items;
  }

  override get isOwned(): boolean {
    return !this.isShared;
  }

  /** Another response: what stays is kept. The caller is to be read again. */
  update(items: readonly unknown[]): void {
    // An entity without a pk, sent again, is another object that holds the same.
    const next = reuse(this.content, items) as readonly unknown[];
    if (next === this.content) return;
    this.content = next;
    this.state = DIRTY;
  }

  override release(): void {
    super.release();
    this.built = this.turned = undefined;
  }
}

/** The records of a table, or those of them that have a value; `undefined` while the table is not known. */
export class TableNode extends ListNode {
  readonly plan: Plan;
  /** By what those are found that have `value`; `undefined`: it is all of them. */
  readonly #index: TableIndex | undefined;
  readonly #value: string;
  #isStale = true;

  constructor(plan: Plan, index?: TableIndex, value = "") {
    super(plan.entity);
    this.plan = plan;
    this.#index = index;
    this.#value = value;
  }

  /** Others are in it, or in another order. The caller makes this node dirty. */
  restart(): void {
    this.#isStale = true;
  }

  override kidOf(graph: ViewGraph, slot: unknown): EntityNode {
    return graph.nodeOf(this.plan, slot as RecordSlot);
  }

  override release(): void {
    super.release();
    this.restart();
    this.#index?.forget(this.#value, this);
  }

  override read(graph: ViewGraph): unknown {
    if (this.state === DIRTY) {
      // Also of a table that is not known: it is to become dirty when that changes.
      this.#index?.observe(this.#value, this);
      const slots = graph.slotsOf(this.plan);
      if (slots === undefined) this.content = undefined;
      else if (this.#isStale || this.content === undefined) {
        this.content = [...this.#index?.slots(this.#value) ?? slots];
      }
      this.#isStale = false;
    }
    return super.read(graph);
  }
}
