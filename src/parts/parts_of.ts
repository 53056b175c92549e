import { type AnySchema, isEntity } from "../schemas/interface.ts";

/** What a schema is made of. */
export function partsOf(schema: AnySchema): AnySchema[] {
  if (isEntity(schema)) return Object.values((schema as { readonly schema?: object }).schema ?? {});
  if (typeof schema !== "object" || schema === null) return [];
  const { parts, items, plain, entity, collection } = schema as { readonly [name: string]: unknown };
  const own = Array.isArray(schema) || Object.getPrototypeOf(schema) === Object.prototype ? Object.values(schema) : [];
  const item = (items as { readonly item?: unknown } | undefined)?.item;
  const all = [...own, ...Array.isArray(parts) ? parts : [], item, plain, entity, collection];
  return all.filter((part) => typeof part === "object" || typeof part === "function") as AnySchema[];
}
