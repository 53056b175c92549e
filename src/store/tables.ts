import { check } from "../errors/checks.ts";
import { SchemaError } from "../errors/schema_error.ts";
import { type Said, said } from "../errors/texts.ts";
import type { RecordSource } from "../denormalize/graph.ts";
import { keyIsDefault } from "../normalize/key_is_default.ts";
import type { Plan } from "../schemas/plan.ts";
import type { disagreement } from "./disagreement.ts";
import type { warnOfOlderStatics } from "./older_statics.ts";
import { NEVER, Slot } from "./slot.ts";
import { TableIndex } from "./table_index.ts";
import { TemporaryIds } from "./temporary_ids.ts";

/** What a patch does to one table. */
export interface PatchTable {
  /** Which one. */
  readonly patch: object;
  readonly table: Table;
  /** New pks. The slots are private until the commit, and so written directly; those that were empty are staged. */
  fresh: Map<string, Slot>;
  /** Unknown pks that an optimistic function asked for. They stay private unless a layer shows a record there. */
  asked: Map<string, Slot>;
  /** Some of `fresh` are slots that readers made while they waited: the map cannot be taken over as it is. */
  hasWaiting: boolean;
  /** It is written a record: the table is known from then on. */
  hasRecords: boolean;
}

/** All records of one key, in order of arrival. */
export class Table {
  readonly key: string;
  /** A `Map`, not an object: insertion order holds for integer-like pks, and every name is an ordinary one. */
  slots: Map<string, Slot> = new Map();
  /** It has had a record, or an `All` was written: reads of the whole table give an array. */
  known = false;
  /** An answer of it was stored, or a mutation is about it: what nobody knows of its records can be asked for. */
  isAsked = false;
  /** A layer shows a record of it: as long as it does, the table reads as known. */
  isShown = false;
  /**
   * Another number after every commit that added, replaced or removed a base record of it, made it known, or marked one
   * of its records stale: who has seen this one has seen all of it. What layers show does not count.
   */
  version = 0;
  /** The classes that reached it. */
  readonly plans: Plan[] = [];
  /** What a patch does to it; counts only for that patch, as the notes of slots do. */
  part: PatchTable | undefined = undefined;
  /** By member; made when somebody asks. */
  indexes: Map<string, TableIndex> | undefined = undefined;

  constructor(key: string) {
    this.key = key;
  }
}

/** The tables of a store. */
export class Tables implements RecordSource {
  /** Names of records that the server has not named yet. */
  readonly ids: TemporaryIds = new TemporaryIds();
  readonly byKey: Map<string, Table> = new Map();
  /** Those of lists. */
  readonly lists: Set<Table> = new Set();
  /** Those that have an index. */
  readonly indexed: Set<Table> = new Set();
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
    const table = this.of(plan);
    let slot = table.slots.get(pk);
    if (slot === undefined && this.ids.isUsed) {
      const named = this.ids.pkOf(pk);
      // A reader that knows it by the name it had before the server named it.
      if (named !== undefined) return this.slot(plan, named);
    }
    if (slot === undefined) table.slots.set(pk, slot = new Slot(undefined, NEVER));
    return slot;
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
    if (index === undefined) {
      indexes.set(member, index = new TableIndex(table, member));
      this.indexed.add(table);
    }
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
      else plan.relate(other);
    }
    // Hydrated records, or those of a class that was evaluated anew: no class that is left has met their members.
    for (const { rec } of table.slots.values()) if (rec !== undefined) plan.meetAll(rec);
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
