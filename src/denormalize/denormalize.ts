import type { DenormalizeNullable } from "../schemas/infer.ts";
import type { AnyEntity, Schema, TableLookup } from "../schemas/interface.ts";
import { define } from "../schemas/define.ts";
import { type EntityRecord, type Plan, planOf } from "../schemas/plan.ts";
import { belowFirst } from "./below_first.ts";
import { ContainerWalk, type Found } from "./container_walk.ts";
import { indexKey } from "./index_keys.ts";
import { madeIn } from "../schemas/once_for.ts";
import { looksAround, serialize } from "../schemas/subjects.ts";

/** Plain tables, as {@linkcode normalize} and `stateOf()` give them. */
export interface PlainTables {
  readonly [key: string]: { readonly [pk: string]: EntityRecord | undefined } | undefined;
}

/**
 * What `normalize` left, joined again: instances of entity classes. Pure: needs no store, remembers nothing.
 *
 * Promises: one record is one object within the answer; cycles are cycles; what is missing is left out of arrays, and
 * reads as `undefined` in members.
 *
 * @param schema Where entities are.
 * @param result What remained of the response.
 * @param entities The tables.
 * @param args Arguments of the call.
 * @returns The response as objects; `undefined` when it has no data.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { denormalize, Entity } from "@rejoin/data";
 *
 * class User extends Entity {
 *   id = "";
 *   name = "";
 *   static key = "User";
 * }
 * const users = denormalize([User], ["1", "2"], { User: { 1: { id: "1", name: "Ann" } } });
 * assert(users?.length === 1 && users[0]?.name === "Ann");
 * ```
 */
export function denormalize<const S extends Schema>(
  schema: S,
  result: unknown,
  entities: PlainTables,
  args: readonly unknown[] = [],
): DenormalizeNullable<S> {
  if (result === undefined && !looksAround(schema)) return undefined as DenormalizeNullable<S>;
  const reading = new PlainReading(entities);
  reading.walk(true, args, reading).run(schema, result);
  reading.read();
  const walk = reading.walk(false, args, reading);
  const data = walk.run(schema, result);
  return (walk.isMissing ? undefined : data) as DenormalizeNullable<S>;
}

const NEW_MAP = (): Map<unknown, Reading> => new Map();

/** A record as one class sees it. */
interface Reading extends Found {
  readonly plan: Plan;
  value: object | undefined;
  /** Those that require it. */
  readonly holders: Reading[];
}

/**
 * Reads entities and all they embed over one queue, so that cycles and depth need nothing of their own: first what each
 * record refers to, and an instance of it if its class accepts it; then the members that have a schema.
 */
class PlainReading implements TableLookup {
  readonly #entities: PlainTables;
  readonly #queue: Reading[] = [];
  /** The same, by class and by what refers to them. */
  readonly #met = new Map<Plan, Map<unknown, Reading>>();
  /** Those with members that are computed. */
  readonly #computed = new Set<Reading>();
  /** What requires that which is being met. */
  #holder: Reading | undefined;

  constructor(entities: PlainTables) {
    this.#entities = entities;
  }

  /** A walk that notes what it meets, or one that gives the objects of that. */
  walk(collecting: boolean, args?: readonly unknown[], tables?: TableLookup): ContainerWalk {
    return new ContainerWalk(
      collecting,
      (plan, reference) => {
        const reading = this.#meet(plan, reference);
        if (this.#holder !== undefined) reading.holders.push(this.#holder);
        return reading;
      },
      false,
      args,
      tables,
    );
  }

  /** Makes the objects of all that was met, and of what is below. */
  read(): void {
    const refused = new Set<Reading>();
    const below = this.walk(true);
    for (const reading of this.#queue) {
      const { plan, slot: { rec } } = reading;
      if (rec === undefined) continue;
      const made = plan.make(rec);
      // What is no list may be named as one: the class of a collection refuses that.
      reading.value = made === undefined || plan.rows === undefined ? made : Array.isArray(rec.items) ? [] : {};
      if (made === undefined) refused.add(reading);
      else this.#members(reading, below);
    }
    // What requires what is refused is, too.
    for (const reading of refused) {
      reading.value = undefined;
      for (const holder of reading.holders) refused.add(holder);
    }
    const fill = this.walk(false);
    for (const reading of this.#queue) if (reading.value !== undefined) this.#members(reading, fill);
    if (this.#computed.size > 0) this.#compute(fill);
  }

  /** Fills in what is computed, when all else is there: that below first. */
  #compute(fill: ContainerWalk): void {
    let found: Reading[];
    const walk = new ContainerWalk(true, (plan, reference) => void found.push(this.#meet(plan, reference)));
    const below = (reading: Reading) => {
      found = [];
      if (reading.value !== undefined) this.#members(reading, walk);
      return found;
    };
    belowFirst(this.#computed, below, ({ plan, slot, value }) => {
      fill.compute(plan, slot.rec!, value as Record<string, unknown>);
    });
  }

  all(entity: AnyEntity): string[] | undefined {
    const table = tableIn(this.#entities, planOf(entity));
    return table && Object.keys(table);
  }

  index(entity: AnyEntity, member: string, value: unknown): string[] | undefined {
    const key = indexKey(value);
    if (key === undefined) return undefined;
    const plan = planOf(entity);
    const keysOf = (pk: string) => [recordIn(this.#entities, plan, pk)?.[member]].flat().map(indexKey);
    return this.all(entity)?.filter((pk) => keysOf(pk).includes(key));
  }

  /** Meets what the members of a record refer to, or fills them in. */
  #members(reading: Reading, walk: ContainerWalk): void {
    const { plan, slot: { rec }, value } = reading;
    const record = rec!;
    const instance = value as Record<string, unknown>;
    const { collecting } = walk;
    if (plan.rows !== undefined) {
      for (const [name, kept] of Object.entries(record.items as object)) {
        const item = walk.run(plan.rows.item, kept);
        if (collecting || item === undefined) continue;
        if (Array.isArray(instance)) instance.push(item);
        else define(instance, name, item);
      }
      return;
    }
    for (const field of plan.fields.links) {
      const kept = record[field.name];
      if (kept === undefined || kept === null) continue;
      this.#holder = collecting && field.required ? reading : undefined;
      if (!collecting && field.kind === "computed") {
        this.#computed.add(reading);
        instance[field.name] = (plan.entity.defaults as Record<string, unknown>)[field.name];
      } else {
        const read = walk.field(field, kept);
        if (!collecting) instance[field.name] = read;
      }
    }
    this.#holder = undefined;
    if (collecting) return;
    for (const { name, schema } of plan.fields.serialized) {
      const kept = record[name];
      if (kept !== undefined && kept !== null) instance[name] = serialize(schema, kept);
    }
  }

  #meet(plan: Plan, reference: unknown): Reading {
    const readings = madeIn(this.#met, plan, NEW_MAP);
    const key = typeof reference === "object" ? reference : String(reference);
    let reading = readings.get(key);
    if (reading === undefined) {
      const rec = typeof key === "string" ? recordIn(this.#entities, plan, key) : key as EntityRecord;
      readings.set(key, reading = { plan, slot: { rec }, value: undefined, holders: [] });
      this.#queue.push(reading);
    }
    return reading;
  }
}

/** A table, whatever its name. */
export function tableIn(entities: PlainTables, { key }: { readonly key: string }): PlainTables[string] {
  return Object.hasOwn(entities, key) ? entities[key] : undefined;
}

/** A record of it; what stands there and is none counts as nothing. */
export function recordIn(
  entities: PlainTables,
  table: { readonly key: string },
  pk: string,
): EntityRecord | undefined {
  const records = tableIn(entities, table);
  const record: unknown = records !== undefined && Object.hasOwn(records, pk) ? records[pk] : undefined;
  return typeof record === "object" && record !== null ? record as EntityRecord : undefined;
}
