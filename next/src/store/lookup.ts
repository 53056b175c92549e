import { isEntity, type Schema, type SchemaTables } from "./schema.ts";
import { isObject } from "../plain/is_object.ts";
import type { Args, Value } from "../plain/value.ts";

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
