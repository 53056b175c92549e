import { isObject } from "../plain/is_object.ts";
import type { Args, Value } from "../plain/value.ts";
import type { Table } from "./row.ts";
import { isEntity, type Schema, type SchemaTables } from "./schema.ts";
import type { Tables } from "./tables.ts";

/** The normalized value that arguments alone name, without a reply; `undefined` where they name nothing. */
export function lookup(schema: Schema, args: Args, tables: SchemaTables): Value {
  if (isEntity(schema)) return schema.queryKey(args, tables);
  if (!isObject(schema)) return;
  if (schema.denormalize) return schema.queryKey?.(args, tables);
  if (Array.isArray(schema)) return;
  const kept: Value = {};
  for (const name in schema) {
    const one = lookup(schema[name], args, tables);
    if (one !== undefined) kept[name] = one;
  }
  return Object.keys(kept).length ? kept : undefined;
}

/** The tables that a schema names, without those of records inside of records. */
export function tablesOf(tables: Tables, schema: Schema): Set<Table> {
  const found = new Set<Table>(), schemas = new Set([schema]);
  // A set that grows while it is walked is a queue, and ends where a schema contains itself.
  for (const one of schemas) {
    if (isEntity(one)) found.add(tables.plan(one).table);
    else if (isObject(one)) {
      if (one.denormalize && one.verb) found.add(tables.table(one.key));
      for (const part of one.denormalize ? one.parts ?? [] : Object.values(one)) schemas.add(part);
    }
  }
  return found;
}
