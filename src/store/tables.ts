import { check } from "../errors/checks.ts";
import { SchemaError } from "../errors/schema_error.ts";
import { type Said, said } from "../errors/texts.ts";
import type { RecordSource } from "../denormalize/graph.ts";
import { keyIsDefault } from "../normalize/key_is_default.ts";
import type { Plan } from "../schemas/plan.ts";
import type { disagreement } from "./disagreement.ts";
import type { warnOfOlderStatics } from "./older_statics.ts";
import { Slot, Table } from "./slot.ts";
export type { Table } from "./slot.ts";
import { TableIndex } from "./table_index.ts";
import { TemporaryIds } from "./temporary_ids.ts";

/** The tables of a store. */
export class Tables implements RecordSource {
  /** Names of records that the server has not named yet. */
  readonly ids: TemporaryIds = new TemporaryIds();
  readonly byKey: Map<string, Table> = new Map();
  /** Those of lists. */
  readonly lists: Set<Table> = new Set();
  /** The same by the id of a plan: a lookup by name for each occurrence would show. */
  readonly #byPlan: (Table | undefined)[] = [];
  readonly #warn: (about: string, message: Said) => void;

  /** @param warn Says something to the developer, in strict mode, once for what it is about. */
  constructor(warn: (about: string, message: Said) => void) {
    this.#warn = warn;
  }

  /**
   * The table of a class.
   *
   * @throws {SchemaError} If the class cannot share the table with those that reached it before.
   */
  of(plan: Plan): Table {
    const table = this.#byPlan[plan.id];
    return table ?? this.#register(plan);
  }

  slot(plan: Plan, pk: string): Slot {
    // Asked of every reference: one look into the table is all that most of them cost.
    const table = this.of(plan);
    let slot = table.slots.get(pk) ?? this.#renamed(table, pk);
    if (slot === undefined) table.slots.set(pk, slot = new Slot(table, pk));
    return slot;
  }

  /** The same, where there is one. */
  find(plan: Plan, pk: string): Slot | undefined {
    const table = this.of(plan);
    return table.slots.get(pk) ?? this.#renamed(table, pk);
  }

  /** A reader may know it by the name that it had before the server named it. */
  #renamed({ slots }: Table, pk: string): Slot | undefined {
    return this.ids.isUsed ? slots.get(this.ids.pkOf(pk) ?? pk) : undefined;
  }

  slots(plan: Plan): Iterable<Slot> | undefined {
    const table = this.of(plan);
    return table.known || table.isShown ? table.slots.values() : undefined;
  }

  pks(plan: Plan): string[] | undefined {
    const table = this.of(plan);
    if (!table.known && !table.isShown) return undefined;
    const pks: string[] = [];
    for (const [pk, slot] of table.slots) if (slot.rec !== undefined) pks.push(pk);
    return pks;
  }

  index(plan: Plan, member: string): TableIndex {
    const table = this.of(plan);
    const indexes = table.indexes ??= new Map();
    let index = indexes.get(member);
    if (index === undefined) indexes.set(member, index = new TableIndex(table, member));
    return index;
  }

  /** The table of a key, made when it is not there: for hydrated data, whose classes are not known yet. */
  named(key: string): Table {
    let table = this.byKey.get(key);
    if (table === undefined) this.byKey.set(key, table = new Table(key));
    return table;
  }

  #register(plan: Plan): Table {
    const table = this.named(plan.key);
    // Nobody reads by the class of a change, and an app may make one with each call: it is not remembered.
    if (plan.rows?.amends && table.plans.some(({ rows }) => rows !== undefined)) return table;
    for (const other of [...table.plans]) {
      const difference = check<typeof disagreement>("family", other, plan);
      if (isReloaded(other, plan, difference)) table.plans.splice(table.plans.indexOf(other), 1);
      else if (keyIsDefault(plan.entity) && keyIsDefault(other.entity)) {
        throw new SchemaError(said(302, { one: other.entity.name, other: plan.entity.name, key: plan.key }));
      } else if (difference !== undefined) throw new SchemaError(difference);
    }
    check<typeof warnOfOlderStatics>("statics", plan.entity, this.#warn);
    table.plans.push(plan);
    if (plan.rows !== undefined) this.lists.add(table);
    return this.#byPlan[plan.id] = table;
  }
}

/**
 * Whether a class is another evaluation of the same source: the same name, members, methods and statics; or one of the
 * same name and with the key written by hand, of which the schema was edited.
 */
function isReloaded(before: Plan, after: Plan, difference: Said | undefined): boolean {
  if (before.entity.name !== after.entity.name || keyIsDefault(before.entity) !== keyIsDefault(after.entity)) {
    return false;
  }
  return formOf(before) === formOf(after) || (difference !== undefined && !keyIsDefault(after.entity));
}

/** What an edit of a schema leaves as it is. */
function formOf({ entity }: Plan): string {
  const { schema: _schema, ...statics } = Object.getOwnPropertyDescriptors(entity);
  return JSON.stringify([entity.defaults, entity.prototype, statics].map(Object.getOwnPropertyNames));
}
