import { type AnyEntity, type AnySchema, isEntity, isSchemaObject } from "../schemas/interface.ts";
import { subjectsIn } from "../schemas/subjects.ts";

/**
 * Whether a stored value stands for an entity: a pk, or an entity kept in place because it has none. A number is one in
 * tables that were written by hand.
 */
export function isReference(value: unknown): boolean {
  switch (typeof value) {
    case "string":
      return value !== "";
    case "object":
      return value !== null;
    case "number":
      return value !== 0 && Number.isFinite(value);
    default:
      return typeof value === "bigint" && value !== 0n;
  }
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

/** The entity that a kept item refers to, and by what; `undefined` for what is no reference. */
export function pick(item: AnySchema, kept: unknown): readonly [entity: AnyEntity, reference: unknown] | undefined {
  if (isEntity(item)) return isReference(kept) ? [item, kept] : undefined;
  if (!isSchemaObject(item) || item.pick === undefined) return undefined;
  const picked = item.pick(kept);
  return picked !== undefined && isReference(picked[1]) ? picked : undefined;
}

/** Whether a kept item refers to an entity. */
export function isReferenceTo(item: AnySchema, kept: unknown): boolean {
  return isEntity(item) ? isReference(kept) : pick(item, kept) !== undefined;
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
