import type { DenormalizeNullable, Normalize } from "./infer.ts";
import type { Args, Value } from "../plain/value.ts";
import type { Schema } from "./schema.ts";
import type { SchemaInput } from "./schema_input.ts";
import { viewOf } from "./node.ts";
import { readNode } from "./reading.ts";
import { type PlainEntities, Tables } from "./tables.ts";
import { Walk } from "./walk.ts";

/** What {@linkcode normalize} returns. */
export interface Normalized<S = Schema> {
  readonly result: Normalize<S>;
  readonly entities: Value;
}

/**
 * Takes a value apart into flat records, by a schema. Pure: nothing that is given is changed.
 *
 * @param before Records that are there already.
 */
export function normalize<const S extends SchemaInput>(
  schema: S,
  input: unknown,
  args: Args = [],
  before: { readonly entities: PlainEntities } = { entities: {} },
): Normalized<S> {
  const tables = new Tables(before.entities), entities: Value = { ...before.entities };
  const result = new Walk(tables, args).visit(schema, input);
  for (const [key, { rows }] of tables.tables) {
    if (rows.size) {
      entities[key] = {
        ...before.entities[key],
        ...Object.fromEntries(Array.from(rows, ([pk, { next }]) => [pk, next])),
      };
    }
  }
  return { result, entities };
}

/** Joins again what {@linkcode normalize} took apart. */
export function denormalize<const S extends SchemaInput>(schema: S, result: unknown, entities: PlainEntities): DenormalizeNullable<S> {
  return readNode(new Tables(entities), viewOf(schema, result));
}
