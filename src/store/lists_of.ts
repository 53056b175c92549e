import { type AnyEntity, type AnySchema, isEntity, isSchemaObject } from "../schemas/interface.ts";
import { partsOf } from "../schemas/subjects.ts";

/**
 * Whether an answer has rows of a class, its records not looked into.
 *
 * @param schema Of the answer.
 * @param key The key of the class.
 */
export function isListOf(schema: AnySchema, key: string): boolean {
  return hasRows(schema, key, false, []);
}

function hasRows(schema: unknown, key: string, isRow: boolean, above: readonly unknown[]): boolean {
  if (isEntity(schema)) return isRow && schema.key === key;
  // A declaration may contain itself.
  if (typeof schema !== "object" || schema === null || above.includes(schema)) return false;
  // What stands for one of several classes is no list of them.
  const areRows = isRow || Array.isArray(schema) || (isSchemaObject(schema) && schema.pick === undefined);
  return partsOf(schema).some((part) => hasRows(part, key, areRows, [...above, schema]));
}

/**
 * The classes of the lists that an answer may bring, those in its records included.
 *
 * @param schema Of the answer.
 * @param seen What was looked into before, and is not again.
 */
export function rowsIn(schema: unknown, seen: WeakSet<object>): AnyEntity[] {
  if (schema === null || (typeof schema !== "object" && !isEntity(schema)) || seen.has(schema)) return [];
  seen.add(schema);
  // A change of lists is of a collection.
  const { collection = schema } = schema as { readonly collection?: unknown };
  const { isCollection, rows } = Object(collection) as { readonly isCollection?: boolean; readonly rows?: AnyEntity };
  const parts = isEntity(schema) ? Object.values(schema.schema ?? {}) : partsOf(schema);
  return [...isCollection && rows !== undefined ? [rows] : [], ...parts.flatMap((part) => rowsIn(part, seen))];
}
