import { checks } from "../errors/mod.ts";
import type { Args, Value } from "../plain/value.ts";
import type { DenormalizeNullable, Normalize, SchemaInput } from "./infer.ts";
import { viewOf } from "./row.ts";
import { readNode } from "./reading.ts";
import type { Schema } from "./schema.ts";
import { type PlainEntities, Tables } from "./tables.ts";
import { Walk } from "./walk.ts";

/** What {@linkcode normalize} returns. */
export interface NormalizedResponse<S = Schema> {
  /** The response with pks in place of records. */
  readonly result: Normalize<S>;
  /** Every record, by table and pk. */
  readonly entities: { [key: string]: { [pk: string]: Value } };
}

/**
 * Normalizes a response into flat records. It needs no store, and does not change its input. All occurrences of a
 * record are merged; depth does not matter.
 *
 * @param schema Where entities are in the response.
 * @param response What the server sent.
 * @param args Arguments of the call, for `process` and `pk`.
 * @param before Existing records: new ones are merged with them.
 * @returns The records, and pks in the shape of the response.
 * @throws {NormalizeError} If the response has another shape than the schema.
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
export function normalize<const S extends SchemaInput>(
  schema: S,
  response: unknown,
  args: Args = [],
  before: { readonly entities: PlainEntities } = { entities: {} },
): NormalizedResponse<S> {
  checks.schema?.(schema);
  const tables = new Tables(before.entities), result = new Walk(tables, args).visit(schema, response);
  const written = Array.from(tables.tables, ([key, { rows, seeds }]) => {
    const records = new Map<string, Value>(Object.entries(seeds ?? {}));
    for (const [pk, { next }] of rows) {
      if (next) records.set(pk, next);
      else records.delete(pk);
    }
    return [key, Object.fromEntries(records)] as const; // a pair
  });
  return { result, entities: { ...before.entities, ...Object.fromEntries(written) } };
}

/**
 * Denormalizes a result of {@linkcode normalize}.
 *
 * @param schema Where entities are.
 * @param result The `result` of `normalize`.
 * @param entities The records, by table and pk.
 * @param args Arguments of the call, for `Query`.
 * @returns The response as objects; `undefined` where there are no data.
 */
export function denormalize<const S extends SchemaInput>(
  schema: S,
  result: unknown,
  entities: PlainEntities,
  args: Args = [],
): DenormalizeNullable<S> {
  return readNode(new Tables(entities), viewOf(schema, result, args));
}
