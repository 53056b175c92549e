import type { Action } from "../controller/action.ts";
import { redactText } from "../parts/secrets/redact_text.ts";
import { redactedBy } from "../parts/secrets/redacted_by.ts";
import { isEntity, isSchemaObject, type SchemaObject } from "../schemas/interface.ts";

/** What an action is about, in a few words: the key of a request or of an entity, the name of a mutation. */
export function subjectOf(action: Action): string {
  if ("key" in action) return redactText(action.key, redactedBy(action.endpoint.schema));
  if ("layer" in action && action.layer !== undefined) return action.layer.endpoint.name;
  if (action.type !== "set") return "";
  const { schema } = action;
  // Of `[Film]`, `new schema.All(Film)` and the like, the entities: names of classes are not what they were in a bundle.
  const members = Array.isArray(schema) ? schema : isSchemaObject(schema) ? partsOf(schema) : [schema];
  return [...new Set(members.filter(isEntity).map(({ key }) => key))].join(", ");
}

function partsOf(schema: SchemaObject & { readonly entity?: unknown }): readonly unknown[] {
  return [schema.entity, ...schema.parts ?? []];
}
