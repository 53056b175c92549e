import type { Collection } from "../schemas/collection.ts";
import { type AnySchema, isEntity, isSchemaObject } from "../schemas/interface.ts";

/** A collection of anything, found by any arguments. */
// deno-lint-ignore no-explicit-any -- variance: a collection of unknown items and arguments
export type AnyCollection = Collection<any, any>;

/** The first collection in a schema: itself, or in the members of an object of members, however deep. */
export function findCollection(schema: AnySchema): AnyCollection | undefined {
  if (isCollection(schema)) return schema;
  if (!isMembers(schema)) return undefined;
  for (const member of Object.values(schema)) {
    const found = findCollection(member);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The schema with each collection in it replaced; itself where none is. */
export function mapCollections(schema: AnySchema, replace: (collection: AnyCollection) => AnyCollection): AnySchema {
  if (isCollection(schema)) return replace(schema);
  if (!isMembers(schema) || findCollection(schema) === undefined) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, member]) => [name, mapCollections(member, replace)]),
  ) as AnySchema;
}

/** Not by its class: that is in the bundle of an app only where the app has collections. */
function isCollection(schema: unknown): schema is AnyCollection {
  return isSchemaObject(schema) && schema.isCollection === true;
}

function isMembers(schema: AnySchema): schema is { readonly [member: string]: AnySchema & undefined } {
  return typeof schema === "object" && schema !== null && !Array.isArray(schema) && !isEntity(schema) &&
    !isSchemaObject(schema);
}
