import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";
import { type AnySchema, isEntity, isSchemaObject, type RecordOwner } from "../schemas/interface.ts";
import type { CollectionSource } from "./collection_options.ts";

/** Names a list that belongs to one member of one entity; `undefined` where that says not which. */
export function ownerKey(list: object, owner: RecordOwner | undefined): string | undefined {
  if (owner === undefined || owner.pk === "") return undefined;
  let { schema } = owner;
  // A Lazy or a Query of it is the member itself, an array or an object of several is not.
  while (isSchemaObject(schema) && schema as unknown !== list) {
    schema = (schema as { readonly schema?: AnySchema }).schema;
  }
  return schema as unknown === list ? JSON.stringify([owner.entity.key, owner.pk, owner.member]) : undefined;
}

/** Names what the lists are of. */
export function nameOf(item: AnySchema): string {
  if (isEntity(item)) return item.key;
  const { key } = item as { readonly key?: unknown };
  return typeof key === "string" ? key : "item";
}

/** What a collection is of: its items, and whether they stand in a row or under names. */
export function partsOf(schema: CollectionSource): { readonly item: AnySchema; readonly isList: boolean } {
  const items = Array.isArray(schema)
    ? { item: schema[0] as AnySchema, isList: true }
    : isSchemaObject(schema)
    ? schema.items
    : undefined;
  const { item } = items ?? {};
  if (items !== undefined && (isEntity(item) || (isSchemaObject(item) && item.pick !== undefined))) return items;
  throw new SchemaError(said(134));
}
