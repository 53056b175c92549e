import type { DenormalizeNullable } from "../schemas/infer.ts";
import type { AnyEntity, Schema, TableLookup } from "../schemas/interface.ts";
import { type EntityRecord, type Plan, planOf } from "../schemas/plan.ts";
import { CollectingWalk, FillingWalk, looksAround } from "./container_walk.ts";
import { EntityGraph, type SlotSource } from "./entity_graph.ts";
import { indexKey, indexKeys } from "./index_keys.ts";
import type { EntityNode, RecordSlot } from "./node.ts";

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
  const source = new PlainSource(entities);
  const graph = new EntityGraph(source);
  if (result === undefined && !looksAround(schema)) return undefined as DenormalizeNullable<S>;
  const kids: EntityNode[] = [];
  new CollectingWalk(graph, kids, args, source).run(schema, result);
  graph.readEntities(kids);
  const walk = new FillingWalk(graph, kids, 0, args, source);
  const data = walk.run(schema, result);
  return (walk.isMissing ? undefined : data) as DenormalizeNullable<S>;
}

function isRecord(value: unknown): value is EntityRecord {
  return typeof value === "object" && value !== null;
}

class PlainSource implements SlotSource, TableLookup {
  readonly #entities: PlainTables;
  readonly #slots = new Map<string, Map<string, RecordSlot>>();

  constructor(entities: PlainTables) {
    this.#entities = entities;
  }

  slot(plan: Plan, pk: string): RecordSlot {
    const slot = this.#slotOf(plan, pk);
    // It was not written here, or by another class.
    if (slot.rec !== undefined) plan.meetAll(slot.rec);
    return slot;
  }

  all(entity: AnyEntity): string[] | undefined {
    const table = this.#table(planOf(entity));
    return table === undefined ? undefined : Object.keys(table);
  }

  index(entity: AnyEntity, member: string, value: unknown): string[] | undefined {
    const key = indexKey(value);
    if (key === undefined) return undefined;
    const plan = planOf(entity);
    return this.all(entity)?.filter((pk) => indexKeys(this.slot(plan, pk).rec?.[member]).includes(key));
  }

  #slotOf(plan: Plan, pk: string): RecordSlot {
    let slots = this.#slots.get(plan.key);
    if (slots === undefined) this.#slots.set(plan.key, slots = new Map());
    let slot = slots.get(pk);
    if (slot === undefined) {
      const table = this.#table(plan);
      const rec: unknown = table !== undefined && Object.hasOwn(table, pk) ? table[pk] : undefined;
      slots.set(pk, slot = { rec: isRecord(rec) ? rec : undefined, node: undefined });
    }
    return slot;
  }

  #table(plan: Plan): { readonly [pk: string]: EntityRecord | undefined } | undefined {
    return Object.hasOwn(this.#entities, plan.key) ? this.#entities[plan.key] : undefined;
  }
}
