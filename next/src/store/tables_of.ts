import { isEntity, type Schema } from "./schema.ts";
import { isObject } from "../plain/is_object.ts";
import type { Table } from "./row.ts";
import type { Tables } from "./tables.ts";

/** The tables that a schema names, without those of records inside of records. */
export function tablesOf(tables: Tables, schema: Schema, found: Set<Table> = new Set()): Set<Table> {
  if (isEntity(schema)) found.add(tables.table(schema.key));
  else if (isObject(schema)) {
    if (schema.denormalize && schema.list) found.add(tables.table(schema.list.key));
    for (const part of schema.denormalize ? schema.parts ?? [] : Object.values(schema)) tablesOf(tables, part, found);
  }
  return found;
}
