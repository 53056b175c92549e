import { type AnySchema, isEntity, ROWS, type RowsDeclaration } from "../schemas/interface.ts";

/** What a schema is made of. */
export function partsOf(schema: AnySchema): AnySchema[] {
  if (isEntity(schema)) {
    const { schema: members, [ROWS]: rows } = schema as { schema?: object; [ROWS]?: RowsDeclaration | undefined };
    return [...Object.values(members ?? {}), ...rows ? [rows.item] : []];
  }
  if (typeof schema !== "object" || schema === null) return [];
  const { parts, items, plain, entity, collection, schema: inner } = schema as { readonly [name: string]: unknown };
  const own = Array.isArray(schema) || Object.getPrototypeOf(schema) === Object.prototype ? Object.values(schema) : [];
  const item = (items as { readonly item?: unknown } | undefined)?.item;
  const all = [...own, ...Array.isArray(parts) ? parts : [], item, plain, entity, collection, inner];
  return all.filter((part) => typeof part === "object" || typeof part === "function") as AnySchema[];
}
