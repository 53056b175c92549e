import {
  type AnyEntity,
  type AnySchema,
  type EntityStatics,
  type FieldSchemas,
  isEntity,
  isSchemaObject,
  type SchemaObject,
} from "./interface.ts";

/** The entity class that a schema is about: itself, or that of its `Invalidate`, or of a change of lists of it. */
export function subjectOf(schema: unknown): EntityStatics | undefined {
  const entity = isSchemaObject(schema) ? schema.subject : schema;
  return isEntity(entity) ? entity : undefined;
}

/** The plain schema that a schema object is another way to write; any other schema itself. */
export function plainOf(schema: AnySchema): AnySchema {
  let plain = schema;
  while (isSchemaObject(plain) && plain.plain !== undefined) plain = plain.plain;
  return plain;
}

/** What a schema that is no entity is made of. */
export function partsOf(schema: object): readonly unknown[] {
  if (!isSchemaObject(schema)) return Object.values(schema);
  const { parts = [], plain, items, schema: below } = schema as typeof schema & { readonly schema?: unknown };
  return [...parts, plain, items?.item, below];
}

/** A value of one of several entities that does not say which it is: `tag` does. */
export class Tagged {
  readonly tag: string;
  readonly value: unknown;

  constructor(tag: string, value: unknown) {
    this.tag = tag;
    this.value = value;
  }
}

/** Where a record stands in an answer. */
export interface Subject {
  /** An entity class, or a schema object that picks one of several. */
  readonly of: AnySchema;
  /** What stands there: that itself, or what changes it. */
  readonly schema: AnySchema;
  /** The members by which one comes there. */
  readonly path: readonly string[];
  /** Of several in a row. */
  readonly isRow: boolean;
}

/** Where an answer has records: itself, or in members, however deep. */
export function subjectsIn(
  given: AnySchema,
  path: readonly string[] = [],
  isRow = false,
  above: readonly unknown[] = [],
): readonly Subject[] {
  const schema = plainOf(given);
  const of = isSchemaObject(schema) ? schema.subject ?? schema : schema;
  if (isItem(of)) return [{ of, schema, path, isRow }];
  // A declaration may contain itself.
  if (typeof schema !== "object" || schema === null || above.includes(schema)) return [];
  const around = [...above, schema];
  const { items } = schema as SchemaObject;
  const item = isSchemaObject(schema) ? items?.item : Array.isArray(schema) ? schema[0] as AnySchema : undefined;
  if (item !== undefined) return subjectsIn(item, path, true, around);
  if (isSchemaObject(schema)) return [];
  return Object.entries(schema).flatMap(([name, member]) =>
    subjectsIn(member as AnySchema, [...path, name], isRow, around)
  );
}

/** An entity class, or those of which a schema object picks one. */
export function classesOf(of: AnySchema): readonly AnyEntity[] {
  return isEntity(of)
    ? [of]
    : Object.values((of as { readonly mapping?: FieldSchemas }).mapping ?? {}).filter(isEntity);
}

/** Names a schema in a message: `["Article"]`, `{ results, next }`. */
export function nameOf(schema: AnySchema): string {
  if (isEntity(schema)) return `"${schema.key}"`;
  if (Array.isArray(schema)) return `[${nameOf(schema[0])}]`;
  if (typeof schema === "object" && schema !== null) {
    return isSchemaObject(schema) ? schema.name ?? schema.constructor.name : `{ ${Object.keys(schema).join(", ")} }`;
  }
  return typeof schema === "function" ? `a ${schema.name || "function"}` : String(schema);
}

/**
 * Whether a stored value stands for an entity: a pk, or an entity kept in place because it has none. A number is one in
 * tables that were written by hand.
 */
export function isReference(value: unknown): boolean {
  return Boolean(value) && value !== true;
}

/** What a reader gets for a stored value: `Date` is constructed, any other function is called. */
export function serialize(schema: unknown, value: unknown): unknown {
  return schema === Date ? dateOf(value) : (schema as (value: unknown) => unknown)(value);
}

/** Never throws: the constructor does, for a bigint and for an object without a primitive value. */
function dateOf(value: unknown): Date {
  const isTime = typeof value === "string" || typeof value === "number" || value instanceof Date;
  return new Date(isTime ? value : NaN);
}

/** Whether a schema stands for single entities: of one class, or of several that a value is told apart by. */
export function isItem(schema: AnySchema): boolean {
  return isEntity(schema) || (isSchemaObject(schema) && schema.pick !== undefined);
}

/** Whether a schema may read what no response keeps: that of an All reads the table. */
export function looksAround(schema: AnySchema): schema is SchemaObject {
  return isSchemaObject(schema) && schema.view !== undefined;
}

/** The entity that a kept item refers to, and by what; `undefined` for what is no reference. */
export function pick(item: AnySchema, kept: unknown): readonly [entity: AnyEntity, reference: unknown] | undefined {
  if (isEntity(item)) return isReference(kept) ? [item, kept] : undefined;
  if (!isSchemaObject(item) || item.pick === undefined) return undefined;
  const picked = item.pick(kept);
  return picked !== undefined && isReference(picked[1]) ? picked : undefined;
}

/** The records that an answer is about: one, or several in a row or by name. */
export function recordsNamed(
  schema: AnySchema,
  result: unknown,
): readonly (readonly [entity: AnyEntity, pk: string])[] {
  return subjectsIn(schema).flatMap(({ of, path }) => {
    const kept = path.reduce<unknown>((above, name) => (above as Record<string, unknown> | undefined)?.[name], result);
    const own = named(of, kept);
    return own.length > 0 ? own : Object.values(Object(kept)).flatMap((each) => named(of, each));
  });
}

function named(of: AnySchema, kept: unknown): readonly (readonly [entity: AnyEntity, pk: string])[] {
  const [entity, pk] = pick(of, kept) ?? [];
  return typeof pk === "string" ? [[entity!, pk]] : [];
}
