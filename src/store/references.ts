import { ContainerWalk } from "../denormalize/container_walk.ts";
import { type AnySchema, isSchemaObject } from "../schemas/interface.ts";
import type { EntityRecord, Plan } from "../schemas/plan.ts";
import type { Entry } from "./entry.ts";
import type { Store } from "./store.ts";
import type { Slot } from "./slot.ts";
import { isItem, pick } from "../schemas/subjects.ts";

/** What is to be followed: a record as some classes see it. */
interface Work {
  readonly owner: object;
  readonly plans: readonly Plan[];
  readonly record: EntityRecord;
}

/** Follows what is kept from reference to reference, without reading any of it: from an explicit stack, step by step. */
export abstract class References {
  protected readonly store: Store;
  /** What refers to what is being met: an entry, the place of a record, or an entity that is kept in place. */
  protected owner: object = NOBODY;
  readonly #unsaved = new Set<object>();
  readonly #work: Work[] = [];

  constructor(store: Store) {
    this.store = store;
  }

  /** Something refers to a record: {@linkcode record} follows it further. */
  protected abstract met(slot: Slot): void;

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

  /** Follows what one record refers to; whether there was one. */
  step(): boolean {
    const work = this.#work.pop();
    if (work === undefined) return false;
    this.owner = work.owner;
    for (const plan of work.plans) this.#members(plan, work.record);
    return true;
  }

  /** What a record refers to is followed by {@linkcode step}. */
  protected record(owner: object, plans: readonly Plan[], record: EntityRecord): void {
    if (plans.some(({ fields, rows }) => fields.nests || rows !== undefined)) this.#work.push({ owner, plans, record });
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
    if (!plan.fields.nests) return;
    for (const field of plan.fields.links) {
      const value = record[field.name];
      if (value === undefined || value === null) continue;
      this.value(field.schema, value);
    }
  }

  #row(item: AnySchema, row: readonly unknown[]): void {
    for (const kept of row) this.#item(item, kept);
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
    const slot = tables.find(table, String(value));
    if (slot !== undefined) this.met(slot);
  }
}

const NOBODY: object = /* @__PURE__ */ Object.freeze({});
