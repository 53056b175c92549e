import { type AnyEntity, type AnySchema, isEntity, isSchemaObject } from "../schemas/interface.ts";

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
  const path = [...above, schema];
  const within = (parts: readonly unknown[], areRows: boolean) =>
    parts.some((part) => hasRows(part, key, areRows, path));
  if (Array.isArray(schema)) return within(schema, true);
  if (!isSchemaObject(schema)) return within(Object.values(schema), isRow);
  const { parts = [], plain, items, schema: below } = schema as typeof schema & { readonly schema?: unknown };
  // What stands for one of several classes is no list of them.
  return within([...parts, plain, items?.item, below], isRow || schema.pick === undefined);
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
  const within = (parts: object) => Object.values(parts).flatMap((part) => rowsIn(part, seen));
  if (isEntity(schema)) return within(schema.schema ?? {});
  if (!isSchemaObject(schema)) return within(schema);
  const { isCollection, rows, parts, plain, items, schema: below } = schema as typeof schema & {
    readonly rows?: AnyEntity;
    readonly schema?: unknown;
  };
  return [...isCollection && rows !== undefined ? [rows] : [], ...within([parts, plain, items?.item, below])];
}
