import type { Normalize } from "../schemas/infer.ts";
import type { Amendment, EntityMeta, Schema } from "../schemas/interface.ts";
import type { EntityRecord, Plan } from "../schemas/plan.ts";
import { amendedRecord, freshRecord, mergedRecord, mergeRecords, wantsMerge } from "./record.ts";
import type { RecordTarget } from "./record_target.ts";
import { Walk } from "./walk.ts";

/** Plain tables: records by key and pk. Null-prototype objects, so that every name is an ordinary one. */
export interface EntityTables {
  [key: string]: { [pk: string]: EntityRecord };
}

/** What {@linkcode normalize} gives. */
export interface NormalizedResponse<S> {
  /** What remains of the response: pks in its original shape. */
  result: Normalize<S>;
  /** Every record in it, by key and pk. */
  entities: EntityTables;
}

/**
 * A response as flat tables and what remains of it. Pure: needs no store, never changes the response.
 *
 * Promises: occurrences of one record are merged in document order; depth and cycles do not matter; any name is a safe
 * key, pk or member.
 *
 * @param schema Where entities are in the response.
 * @param response What the server sent.
 * @param args Arguments of the call, for `process` and `pk`.
 * @returns The tables, and pks in the original shape.
 * @throws {NormalizeError} If the response has another shape than the schema declares.
 * @throws {SchemaError} If the schema itself cannot work.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { denormalize, Entity, normalize } from "@rejoin/data";
 *
 * class User extends Entity {
 *   id = "";
 *   name = "";
 *   static key = "User";
 * }
 * const { result, entities } = normalize([User], [{ id: "1", name: "Ann" }, { id: "2", name: "Bo" }]);
 * assert(result.join() === "1,2");
 * assert(entities.User?.["1"]?.name === "Ann");
 * assert(denormalize([User], result, entities)?.[1]?.name === "Bo");
 * ```
 */
export function normalize<const S extends Schema>(
  schema: S,
  response: unknown,
  args: readonly unknown[] = [],
): NormalizedResponse<S> {
  const target = new PlainTarget();
  const result = new Walk(response, args, target).run(schema) as Normalize<S>;
  return { result, entities: target.tables };
}

/** Plain tables know no order and no time. */
const NO_META: EntityMeta = /* @__PURE__ */ Object.freeze({ seq: 0, fetchedAt: 0, expiresAt: 0 });

class PlainTarget implements RecordTarget {
  readonly tables: EntityTables = Object.create(null);

  put(plan: Plan, pk: string, input: object, walk: Walk): void {
    const table = this.#table(plan);
    const base = table[pk];
    if (base !== undefined && !plan.mergesWhole) table[pk] = mergedRecord(walk, plan, base, input);
    else {
      const fresh = freshRecord(walk, plan, input);
      if (wantsMerge(plan, base, fresh, NO_META, NO_META)) table[pk] = mergeRecords(plan, base, fresh);
    }
  }

  remove(plan: Plan, pk: string): void {
    delete this.#table(plan)[pk];
  }

  know(plan: Plan): void {
    this.#table(plan);
  }

  amend(plan: Plan, amendment: Amendment): void {
    const table = this.#table(plan);
    const change = amendment(Object.values(table));
    for (const [pk, record] of Object.entries(table)) {
      table[pk] = amendedRecord(record, change(record)?.writes);
    }
  }

  recordAt(plan: Plan, pk: string): EntityRecord | undefined {
    return this.#table(plan)[pk];
  }

  #table(plan: Plan): { [pk: string]: EntityRecord } {
    return this.tables[plan.key] ??= Object.create(null);
  }
}
