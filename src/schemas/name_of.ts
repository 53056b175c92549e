import { type AnyEntity, type AnySchema, isEntity, isSchemaObject } from "./interface.ts";

/** Names a schema in a message: `["Article"]`, `{ results, next }`. */
export function nameOf(schema: AnySchema): string {
  if (isEntity(schema)) return `"${schema.key}"`;
  if (Array.isArray(schema)) return `[${nameOf(schema[0])}]`;
  if (typeof schema === "object" && schema !== null) {
    if (!isSchemaObject(schema)) return `{ ${Object.keys(schema).join(", ")} }`;
    const { entity } = schema as { entity?: AnyEntity };
    return schema.name ?? `${schema.constructor.name}${isEntity(entity) ? ` of "${entity.key}"` : ""}`;
  }
  return typeof schema === "function" ? `a ${schema.name || "function"}` : String(schema);
}
