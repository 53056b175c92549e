import type { Action } from "../controller/action.ts";
import { reasonOf } from "../errors/reason.ts";
import { redactText } from "../parts/secrets/redact_text.ts";
import { redactedIfKnown } from "../parts/secrets/redacted_by.ts";
import type { Store } from "../store/store.ts";
import { isEntity, isSchemaObject, type SchemaObject } from "../schemas/interface.ts";

/** What an action is about, in a few words: the key of a request or of an entity, the name of a mutation. */
export function subjectOf(action: Action, store: Store): string {
  if ("key" in action) return withoutSecrets(action.key, action, store);
  if ("layer" in action && action.layer !== undefined) return action.layer.endpoint.name;
  if (action.type !== "set") return "";
  const { schema } = action;
  // Of `[Film]`, `new schema.All(Film)` and the like, the entities: names of classes are not what they were in a bundle.
  const members = Array.isArray(schema) ? schema : isSchemaObject(schema) ? partsOf(schema) : [schema];
  return [...new Set(members.filter(isEntity).map(({ key }) => key))].join(", ");
}

/** What went wrong with an action, in words; an address in them may have a secret. */
export function reasonFor(action: Action, reason: unknown, store: Store): string {
  return withoutSecrets(reasonOf(reason), action, store);
}

function withoutSecrets(text: string, action: Action, store: Store): string {
  const schema = "endpoint" in action ? action.endpoint.schema : undefined;
  return redactText(text, redactedIfKnown(store, schema), "args" in action ? action.args : undefined);
}

function partsOf(schema: SchemaObject & { readonly entity?: unknown }): readonly unknown[] {
  return [schema.entity, ...schema.parts ?? []];
}
