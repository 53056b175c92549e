import { isItem, pick } from "../denormalize/reference.ts";
import { ConstNode, EntityNode, type ViewNode } from "../denormalize/node.ts";
import { TraceWalk } from "../denormalize/trace_walk.ts";
import { type AnySchema, isSchemaObject } from "../schemas/interface.ts";
import type { EntityRecord, Plan } from "../schemas/plan.ts";
import type { Entry } from "./entry.ts";
import type { Patch, Staged } from "./patch.ts";
import { ResponseView } from "./response_view.ts";
import type { Store } from "./store.ts";
import { Slot, type Table } from "./tables.ts";

/** What is to be followed: a record as some classes see it, or a row of references from a position on. */
type Work =
  | { readonly plans: readonly Plan[]; readonly record: EntityRecord }
  | { readonly item: AnySchema | undefined; readonly row: readonly unknown[]; at: number };

/**
 * Follows what is in use to all that it is made of. What it comes to is marked in its slot: a set of all records would
 * cost as much as a tenth of them, and grow in leaps. The mark counts for one collection only, as the note of a patch
 * counts for that patch only; a commit takes it away from what it writes.
 */
export class Trace {
  /** The views that it came to, but for those of records and answers. */
  readonly views: Set<ViewNode> = new Set();
  #met = this.views;
  /** How many records are marked. */
  count = 0;
  readonly #store: Store;
  readonly #stride: number;
  readonly #mark: Staged;
  readonly #unsaved = new Set<object>();
  readonly #work: Work[] = [];

  /**
   * @param store Whose records.
   * @param owner Tells the marks of this collection from others.
   * @param stride So many references are followed in one step.
   */
  constructor(store: Store, owner: object, stride: number) {
    this.#store = store;
    this.#stride = stride;
    this.#mark = { patch: owner as Patch, plan: NO_PLAN, pk: "", rec: undefined };
  }

  /** Whether it came to a record. */
  has(slot: Slot): boolean {
    return slot.next === this.#mark;
  }

  /** Marks a record; what it refers to is followed by {@linkcode step}. */
  keep(slot: Slot, table: Table): void {
    if (slot.next === this.#mark) return;
    slot.next = this.#mark;
    if (slot.rec === undefined) return;
    this.count++;
    if (table.plans.some(({ nests, rows }) => nests || rows !== undefined)) {
      this.#work.push({ plans: table.plans, record: slot.rec });
    }
  }

  /** Follows a view to what it was read from. */
  view(view: ViewNode): void {
    if (view instanceof EntityNode) this.#node(view);
    else if (!(view instanceof ConstNode)) {
      if (!(view instanceof ResponseView)) {
        if (this.#met.has(view)) return;
        this.#met.add(view);
      }
      if (view.kids.length > 0) this.#work.push({ item: undefined, row: view.kids, at: 0 });
    }
  }

  /** Follows views that were read again since they were followed. */
  again(views: Iterable<ViewNode>): void {
    const met = this.#met = new Set();
    for (const view of views) this.view(view);
    while (this.#work.length > 0) this.step();
    this.#met = this.views;
    for (const view of met) this.views.add(view);
  }

  /** Follows an answer. */
  entry({ hasResult, result, shape }: Entry): void {
    if (hasResult && shape !== undefined) this.#value(shape.schema, result);
  }

  /**
   * Follows some references.
   *
   * @returns How many, about; 0 when there are no more.
   */
  step(): number {
    const work = this.#work.at(-1);
    if (work === undefined) return 0;
    if ("record" in work) {
      this.#work.pop();
      for (const plan of work.plans) this.#record(plan, work.record);
      return 1;
    }
    const { item, row, at: from } = work;
    const end = work.at = Math.min(row.length, from + this.#stride);
    if (end === row.length) this.#work.pop();
    for (let at = from; at < end; at++) {
      if (item === undefined) this.view(row[at] as ViewNode);
      else this.#item(item, row[at]);
    }
    return Math.max(1, end - from);
  }

  #node(node: EntityNode): void {
    const { plan, slot } = node;
    if (slot instanceof Slot) this.keep(slot, this.#store.tables.of(plan));
    else if (slot.rec !== undefined) this.#reference(plan, slot.rec);
  }

  #record(plan: Plan, record: EntityRecord): void {
    if (plan.rows !== undefined) {
      const { items } = record;
      if (typeof items === "object" && items !== null) {
        this.#row(plan.rows.item, Array.isArray(items) ? items : Object.values(items));
      }
      return;
    }
    if (!plan.nests) return;
    for (const field of plan.links) {
      const value = record[field.name];
      if (value === undefined || value === null) continue;
      this.#value(field.schema, value);
    }
  }

  #value(schema: AnySchema, value: unknown): void {
    if (isItem(schema)) this.#item(schema, value);
    else if (Array.isArray(schema) && isItem(schema[0]) && Array.isArray(value)) this.#row(schema[0], value);
    else if (typeof schema === "object" && schema !== null && value !== undefined) {
      if (isSchemaObject(schema) && schema.plain !== undefined) return this.#value(schema.plain, value);
      try {
        new TraceWalk((plan, reference) => this.#reference(plan, reference)).run(schema, value);
      } catch {
        // A schema of the app that cannot read its own value: whoever reads it meets the error there.
      }
    }
  }

  #row(item: AnySchema, row: readonly unknown[]): void {
    if (row.length > 0) this.#work.push({ item, row, at: 0 });
  }

  #item(item: AnySchema, kept: unknown): void {
    const picked = pick(item, kept);
    if (picked !== undefined) this.#reference(this.#store.graph.planOf(picked[0]), picked[1]);
  }

  #reference(plan: Plan, value: unknown): void {
    if (typeof value === "object" && value !== null) {
      if (this.#unsaved.has(value)) return;
      this.#unsaved.add(value);
      this.#work.push({ plans: [plan], record: value as EntityRecord });
      return;
    }
    const { tables } = this.#store;
    const table = tables.byKey.get(plan.key);
    if (table === undefined) return;
    const pk = String(value);
    let slot = table.slots.get(pk);
    if (slot === undefined && tables.ids.isUsed) {
      const named = tables.ids.pkOf(pk);
      if (named !== undefined) slot = table.slots.get(named);
    }
    if (slot !== undefined) this.keep(slot, table);
  }
}

const NO_PLAN = undefined as unknown as Plan;
