import { type Said, said } from "../errors/texts.ts";
import { type AnySchema, isEntity, isSchemaObject } from "../schemas/interface.ts";
import type { Plan } from "../schemas/plan.ts";

/** Classes that share a key must agree where entities are: what they say differently. */
export function disagreement(one: Plan, other: Plan): Said | undefined {
  if ((one.rows === undefined) !== (other.rows === undefined)) {
    return said(303, { key: one.key, name: other.entity.name });
  }
  for (const [a, b] of [[one, other], [other, one]] as const) {
    for (const field of a.links) {
      const shape = shapeOf(field.schema);
      const partner = b.byName.get(field.name);
      if (partner === undefined && !Object.hasOwn(b.entity.defaults, field.name)) continue;
      const otherShape = partner === undefined ? "no schema" : shapeOf(partner.schema);
      if (shape === otherShape) continue;
      return said(304, { one: a.entity.name, other: b.entity.name, key: a.key, field: field.name, shape, otherShape });
    }
  }
  return undefined;
}

function shapeOf(schema: AnySchema, above: readonly unknown[] = []): string {
  if (isEntity(schema)) return schema.key;
  if (typeof schema !== "object" || schema === null) return "a value";
  // A declaration may contain itself.
  if (above.includes(schema)) return "…";
  const path = [...above, schema];
  if (Array.isArray(schema)) return `[${shapeOf(schema[0], path)}]`;
  if (isSchemaObject(schema)) {
    if (schema.plain !== undefined) return shapeOf(schema.plain, path);
    const parts = schema.parts?.map((part) => shapeOf(part as AnySchema, path));
    return `${schema.constructor.name}${parts === undefined ? "" : ` of ${parts.join(", ")}`}`;
  }
  const members = Object.entries(schema).map(([name, member]) => `${name}: ${shapeOf(member as AnySchema, path)}`);
  return `{ ${members.join(", ")} }`;
}
