import { type Said, said } from "../errors/texts.ts";
import { type AnySchema, isEntity, isSchemaObject } from "../schemas/interface.ts";
import type { Plan } from "../schemas/plan.ts";
import { keyIsDefault } from "../normalize/key_is_default.ts";

/**
 * Looks at two classes that share a key.
 *
 * @returns `"reloaded"`: the second is another evaluation of the source of the first; else what they say differently.
 */
export function lookAtFamily(before: Plan, after: Plan): Said | "reloaded" | undefined {
  const difference = disagreement(before, after);
  return isReloaded(before, after, difference) ? "reloaded" : difference;
}

/**
 * Whether a class is another evaluation of the same source: the same name, members, methods and statics; or one of the
 * same name and with the key written by hand, of which the schema was edited.
 */
function isReloaded(before: Plan, after: Plan, difference: Said | undefined): boolean {
  if (before.entity.name !== after.entity.name || keyIsDefault(before.entity) !== keyIsDefault(after.entity)) {
    return false;
  }
  return formOf(before) === formOf(after) || (difference !== undefined && !keyIsDefault(after.entity));
}

/** What an edit of a schema leaves as it is. */
function formOf({ entity }: Plan): string {
  const { schema: _schema, ...statics } = Object.getOwnPropertyDescriptors(entity);
  return JSON.stringify([entity.defaults, entity.prototype, statics].map(Object.getOwnPropertyNames));
}

/** They must agree where entities are. */
function disagreement(one: Plan, other: Plan): Said | undefined {
  if ((one.rows === undefined) !== (other.rows === undefined)) {
    return said(303, { key: one.key, name: other.entity.name });
  }
  for (const [a, b] of [[one, other], [other, one]] as const) {
    for (const field of a.fields.links) {
      const shape = shapeOf(field.schema);
      const partner = b.fields.byName.get(field.name);
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
