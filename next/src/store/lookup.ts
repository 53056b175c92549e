import { isEntity, type Schema } from "./schema.ts";
import { isObject } from "../plain/is_object.ts";
import type { Tables } from "./tables.ts";

/** The normalized value that arguments alone name, without a reply; `undefined` where they name nothing. */
export function lookup(schema: Schema, args: readonly any[], tables: Tables): any {
  if (isEntity(schema)) return schema.queryKey(args, tables);
  if (!isObject(schema)) return;
  if (schema.denormalize) return schema.queryKey?.(args, tables);
  if (Array.isArray(schema)) return;
  const kept: any = {};
  for (const name in schema) {
    const one = lookup(schema[name], args, tables);
    if (one !== undefined) kept[name] = one;
  }
  return Object.keys(kept).length ? kept : undefined;
}
