import type { Plan } from "../schemas/plan.ts";
import { CLEAN, link, type RecordSlot, setKids, type ViewGraph, type ViewNode } from "./node.ts";
import { RowsView } from "./rows_view.ts";

/** Which records have which value of a member, in order of arrival. */
export interface RecordIndex {
  /** Their slots. */
  slots(value: string): readonly RecordSlot[];
  /** Their pks. */
  pks(value: string): string[];
  /** From now on the view is made dirty when other records have the value. */
  observe(value: string, view: BucketView): void;
  /** The view need not be made dirty any more. */
  forget(value: string, view: BucketView): void;
}

/** Every record of an entity, in order of arrival; `undefined` while its table is not known. */
export class AllView extends RowsView {
  readonly plan: Plan;
  override isShared = true;
  #added: RecordSlot[] | undefined;

  constructor(plan: Plan) {
    super();
    this.plan = plan;
  }

  /** A record arrived: it is the last from now on. The caller makes this view dirty. */
  add(slot: RecordSlot): void {
    this.#added?.push(slot);
  }

  /** The table was emptied or put in another order. The caller makes this view dirty. */
  restart(): void {
    this.#added = undefined;
  }

  override release(): void {
    super.release();
    this.restart();
  }

  override read(graph: ViewGraph): unknown {
    if (this.state === CLEAN) return this.value;
    if (graph.slotsOf(this.plan) !== undefined) return super.read(graph);
    return readUnknown(this, graph);
  }

  protected refresh(graph: ViewGraph): boolean {
    const added = this.#added;
    this.#added = [];
    if (added === undefined) {
      const kids: ViewNode[] = [];
      for (const slot of graph.slotsOf(this.plan)!) kids.push(graph.nodeOf(this.plan, slot));
      setKids(this, kids);
      return false;
    }
    if (added.length === 0) return true;
    // Grown in place: to copy 10,000 children for one arrival would cost more than all the rest of it.
    const kids = this.kids as ViewNode[];
    for (const slot of added) {
      const kid = graph.nodeOf(this.plan, slot);
      const index = kids.push(kid) - 1;
      link(kid, this, index);
    }
    return false;
  }
}

/** The records of an entity whose member has a value, in order of arrival; `undefined` while its table is not known. */
export class BucketView extends RowsView {
  readonly plan: Plan;
  override isShared = true;
  readonly #index: RecordIndex;
  readonly #value: string;
  #slots: readonly RecordSlot[] | undefined;

  constructor(plan: Plan, index: RecordIndex, value: string) {
    super();
    this.plan = plan;
    this.#index = index;
    this.#value = value;
  }

  /** The pks of its records; to be asked after a reading. */
  pks(graph: ViewGraph): string[] | undefined {
    return graph.slotsOf(this.plan) === undefined ? undefined : this.#index.pks(this.#value);
  }

  /** Other records have the value. The caller makes this view dirty. */
  restart(): void {
    this.#slots = undefined;
  }

  override release(): void {
    super.release();
    this.#slots = undefined;
    this.#index.forget(this.#value, this);
  }

  override read(graph: ViewGraph): unknown {
    if (this.state === CLEAN) return this.value;
    // Also of a table that is not known: it is to become dirty when that changes.
    this.#index.observe(this.#value, this);
    if (graph.slotsOf(this.plan) !== undefined) return super.read(graph);
    return readUnknown(this, graph);
  }

  protected refresh(graph: ViewGraph): boolean {
    if (this.#slots !== undefined) return true;
    this.#slots = this.#index.slots(this.#value);
    const kids = this.#slots.map((slot) => graph.nodeOf(this.plan, slot));
    const same = kids.length === this.kids.length && kids.every((kid, at) => kid === this.kids[at]);
    if (!same) setKids(this, kids);
    return same;
  }
}

/** The table is not known (any more): there is no answer. */
function readUnknown(view: ViewNode, graph: ViewGraph): undefined {
  view.value = undefined;
  view.state = CLEAN;
  view.version = graph.nextVersion();
}
