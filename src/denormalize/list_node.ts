import type { AnySchema } from "../schemas/interface.ts";
import type { Plan } from "../schemas/plan.ts";
import { DIRTY, type EntityNode, MadeNode, type RecordSlot, type ViewGraph } from "./node.ts";
import { reuse } from "./reuse.ts";
import type { TableIndex } from "./table_index.ts";

/** Entities in a row that are no record: what a response named, in its order. */
export class ListNode extends MadeNode {
  content: readonly unknown[] | undefined;

  constructor(item: AnySchema, items?: readonly unknown[]) {
    super(item);
    this.content = items;
    this.isOwned = true;
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

/** The records of a table that have a value, or all of them; `undefined` while the table is not known. */
export class TableNode extends ListNode {
  /** `undefined`: it is not known, or others are in it since it was read. */
  declare content: readonly RecordSlot[] | undefined;
  readonly #plan: Plan;
  readonly #index: TableIndex;
  readonly #value: string;

  constructor(plan: Plan, index: TableIndex, value: string) {
    super(plan.entity);
    this.#plan = plan;
    this.#index = index;
    this.#value = value;
  }

  override kidOf(graph: ViewGraph, slot: unknown): EntityNode {
    return graph.nodeOf(this.#plan, slot as RecordSlot);
  }

  override release(): void {
    super.release();
    this.content = undefined;
    this.#index.forget(this.#value, this);
  }

  override read(graph: ViewGraph): unknown {
    if (this.state === DIRTY) {
      // Also of a table that is not known: it is to become dirty when that changes.
      this.#index.observe(this.#value, this);
      this.content ??= this.#index.slots(this.#value);
    }
    return super.read(graph);
  }
}
