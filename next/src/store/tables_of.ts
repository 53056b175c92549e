import { isEntity, type Schema } from "./schema.ts";
import { isObject } from "../plain/is_object.ts";
import type { Table } from "./row.ts";
import type { Tables } from "./tables.ts";

/** The tables that a schema names, without those of records inside of records. */
export function tablesOf(tables: Tables, schema: Schema): Set<Table> {
  const found = new Set<Table>(), schemas = new Set([schema]);
  // A set that grows while it is walked is a queue, and ends where a schema contains itself.
  for (const one of schemas) {
    if (isEntity(one)) found.add(tables.table(one.key));
    else if (isObject(one)) {
      if (one.denormalize && one.list) found.add(tables.table(one.list.key));
      for (const part of one.denormalize ? one.parts ?? [] : Object.values(one)) schemas.add(part);
    }
  }
  return found;
}
