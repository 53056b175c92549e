import { ContainerWalk } from "../denormalize/container_walk.ts";
import { type AnySchema, isSchemaObject } from "../schemas/interface.ts";
import type { EntityRecord, Plan } from "../schemas/plan.ts";
import type { Entry } from "./entry.ts";
import type { Store } from "./store.ts";
import type { Slot } from "./slot.ts";
import type { Table } from "./tables.ts";
import { isItem, pick } from "../schemas/subjects.ts";

/** What is to be followed: a record as some classes see it, or a row of references from a position on. */
type Work =
  | { readonly owner: object; readonly plans: readonly Plan[]; readonly record: EntityRecord }
  | { readonly owner: object; readonly item: AnySchema; readonly row: readonly unknown[]; at: number };

/** Follows what is kept from reference to reference, without reading any of it: from an explicit stack, some at a time. */
export abstract class References {
  protected readonly store: Store;
  /** What refers to what is being met: an entry, the place of a record, or an entity that is kept in place. */
  protected owner: object = NOBODY;
  readonly #stride: number;
  readonly #unsaved = new Set<object>();
  readonly #work: Work[] = [];

  /**
   * @param store Whose records.
   * @param stride So many references are followed in one step.
   */
  constructor(store: Store, stride: number) {
    this.store = store;
    this.#stride = stride;
  }

  /** Something refers to a record: {@linkcode record} follows it further. */
  protected abstract met(slot: Slot, table: Table): void;

  /** Follows an answer. */
  entry(entry: Entry): void {
    const { hasResult, result, shape } = entry;
    this.owner = entry;
    if (hasResult && shape !== undefined) this.value(shape.schema, result);
  }

  /** Follows what is kept of a value. */
  value(schema: AnySchema, value: unknown): void {
    if (isItem(schema)) this.#item(schema, value);
    else if (Array.isArray(schema) && isItem(schema[0]) && Array.isArray(value)) this.#row(schema[0], value);
    else if (typeof schema === "object" && schema !== null && value !== undefined) {
      if (isSchemaObject(schema) && schema.plain !== undefined) return this.value(schema.plain, value);
      try {
        new ContainerWalk(true, (plan, reference) => this.#reference(plan, reference)).run(schema, value);
      } catch {
        // A schema of the app that cannot read its own value: whoever reads it meets the error there.
      }
    }
  }

  /**
   * Follows some references.
   *
   * @returns How many, about; 0 when there are no more.
   */
  step(): number {
    const work = this.#work.at(-1);
    if (work === undefined) return 0;
    this.owner = work.owner;
    if ("record" in work) {
      this.#work.pop();
      for (const plan of work.plans) this.#members(plan, work.record);
      return 1;
    }
    const { item, row, at: from } = work;
    const end = work.at = Math.min(row.length, from + this.#stride);
    if (end === row.length) this.#work.pop();
    for (let at = from; at < end; at++) this.#item(item, row[at]);
    return Math.max(1, end - from);
  }

  /** What a record refers to is followed by {@linkcode step}. */
  protected record(owner: object, plans: readonly Plan[], record: EntityRecord): void {
    if (plans.some(({ nests, rows }) => nests || rows !== undefined)) this.#work.push({ owner, plans, record });
  }

  /** What an entity that is kept in place refers to. */
  protected unsaved(plan: Plan, value: object): void {
    if (this.#unsaved.has(value)) return;
    this.#unsaved.add(value);
    this.#work.push({ owner: value, plans: [plan], record: value as EntityRecord });
  }

  #members(plan: Plan, record: EntityRecord): void {
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
      this.value(field.schema, value);
    }
  }

  #row(item: AnySchema, row: readonly unknown[]): void {
    if (row.length > 0) this.#work.push({ owner: this.owner, item, row, at: 0 });
  }

  #item(item: AnySchema, kept: unknown): void {
    const picked = pick(item, kept);
    if (picked !== undefined) this.#reference(this.store.graph.planOf(picked[0]), picked[1]);
  }

  #reference(plan: Plan, value: unknown): void {
    if (typeof value === "object" && value !== null) return this.unsaved(plan, value);
    const { tables } = this.store;
    const table = tables.byKey.get(plan.key);
    if (table === undefined) return;
    const pk = String(value);
    let slot = table.slots.get(pk);
    if (slot === undefined && tables.ids.isUsed) {
      const named = tables.ids.pkOf(pk);
      if (named !== undefined) slot = table.slots.get(named);
    }
    if (slot !== undefined) this.met(slot, table);
  }
}

const NOBODY: object = /* @__PURE__ */ Object.freeze({});
