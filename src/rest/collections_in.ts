import type { AnyCollection } from "../collections/collection.ts";
import { isMembers } from "../schemas/declared.ts";
import { type AnySchema, isSchemaObject, type SchemaObject } from "../schemas/interface.ts";
import { plainOf } from "../schemas/subjects.ts";

/** The first collection in a schema: itself, or in the members of an object of members, or below a query, however deep. */
export function findCollection(schema: AnySchema): AnyCollection | undefined {
  let found: AnyCollection | undefined;
  mapCollections(schema, (collection) => found ??= collection);
  return found;
}

/** The schema with each collection in it replaced; itself where none is. */
export function mapCollections(given: AnySchema, replace: (collection: AnyCollection) => AnyCollection): AnySchema {
  const schema = plainOf(given);
  if (isCollection(schema)) return replace(schema);
  if (isQuery(schema)) {
    const below = mapCollections(schema.schema, replace);
    return below === schema.schema ? given : schema.over(below);
  }
  if (!isMembers(schema)) return given;
  const members = Object.entries(schema as Readonly<Record<string, AnySchema>>)
    .map(([name, member]) => [name, mapCollections(member, replace)] as const);
  return members.every(([name, member]) => member === schema[name]) ? given : Object.fromEntries(members) as AnySchema;
}

/** Not by its class: that is in the bundle of an app only where the app has collections. */
function isCollection(schema: unknown): schema is AnyCollection {
  return isSchemaObject(schema) && schema.isCollection === true;
}

/** The same for what is computed of another schema. */
function isQuery(
  schema: AnySchema,
): schema is SchemaObject & { readonly schema: AnySchema; over(schema: AnySchema): SchemaObject } {
  return isSchemaObject(schema) && typeof (schema as { readonly over?: unknown }).over === "function";
}
