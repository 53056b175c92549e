import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";
import { type EntityStatics, isEntity, isSchemaObject } from "./interface.ts";
import { isMembers } from "./declared.ts";
import { entityDefaults } from "./entity.ts";

/**
 * Refuses what can be no schema, with the way out.
 *
 * @param schema What stands where a schema is expected.
 * @param where Names it in the message: `Article.author`.
 * @throws {SchemaError} If it is a class that cannot be called, an array that does not have one item, or `undefined`
 *   where a class of an import cycle is not defined yet.
 */
export function checkSchema(schema: unknown, where: string): void {
  if (schema === undefined) throw new SchemaError(said(107, { where }));
  if (Array.isArray(schema)) {
    if (schema.length !== 1) throw new SchemaError(said(108, { where, length: schema.length }));
    checkSchema(schema[0], `${where}[]`);
  } else if (typeof schema === "function" && !isEntity(schema) && schema !== Date && !isCallable(schema)) {
    throw new SchemaError(said(109, { where, name: schema.name }));
  } else if (typeof schema === "object" && schema !== null && !isSchemaObject(schema)) {
    // One level only: a mapping may contain itself, and is checked where the walk meets it.
    for (const [name, member] of Object.entries(schema)) {
      if (typeof member === "function") checkSchema(member, `${where}.${name}`);
    }
  }
}

/**
 * Refuses indexes that would find nothing for ever, by what is never stored under that name, a `static schema` that is no
 * object, and a `static redact` that would leave nothing out.
 *
 * @throws {SchemaError} If there is one.
 */
export function checkEntity({ key, indexes, redact, defaults, schema }: EntityStatics): void {
  if (indexes !== entityDefaults.indexes) {
    if (!Array.isArray(indexes)) throw new SchemaError(said(104, { key, indexes }));
    for (const name of indexes) {
      if (typeof name === "string" && Object.hasOwn(defaults, name)) continue;
      throw new SchemaError(said(105, { key, name, fields: Object.keys(defaults) }));
    }
  }
  if (!Array.isArray(redact) || !redact.every((name) => typeof name === "string")) {
    throw new SchemaError(said(141, { key, redact }));
  }
  if (typeof schema !== "object" || schema === null) throw new SchemaError(said(106, { key, schema }));
}

/**
 * Refuses what a schema object cannot be of.
 *
 * @param kind What kind of schema it is: `Union`.
 * @param given Its definition; `undefined` where `define()` gives it.
 * @param attribute What tells the entities of a mapping apart; `undefined` where the definition is none.
 * @throws {SchemaError} If it can be none.
 */
export function checkDefinition(kind: string, given: unknown, attribute?: unknown): void {
  if (attribute !== undefined && typeof attribute !== "string" && typeof attribute !== "function") {
    throw new SchemaError(said(120, { attribute }));
  }
  if (given === undefined && kind !== "Invalidate") return;
  if (attribute !== undefined) {
    if (!isMembers(given)) {
      throw new SchemaError(said(kind === "Union" ? 122 : kind === "Invalidate" ? 118 : 114, { kind, given }));
    }
    for (const [tag, entity] of Object.entries(given)) {
      if (!isEntity(entity)) throw new SchemaError(said(123, { kind, tag, entity }));
    }
  } else if (kind === "Object") {
    if (!isMembers(given)) throw new SchemaError(said(116, { given }));
  } else if (kind === "All" || kind === "Invalidate") {
    const item: unknown = kind === "Invalidate" && Array.isArray(given) && given.length === 1 ? given[0] : given;
    const isUnion = isSchemaObject(item) && "take" in item;
    if (!isEntity(item) && !isUnion) throw new SchemaError(said(kind === "All" ? 117 : 118, { kind, given }));
  } else if (Object(given) !== given) throw new SchemaError(said(115, { kind, given }));
}

/** Constructors that may be called without `new`, though their `prototype` is as unwritable as that of a class. */
const CALLABLE_CONSTRUCTORS: ReadonlySet<unknown> = new Set([
  Number,
  String,
  Boolean,
  BigInt,
  Object,
  Array,
  RegExp,
  Error,
]);

/** Classes, native ones too, are told from functions by their unwritable `prototype`. */
function isCallable(candidate: object): boolean {
  const prototype = Object.getOwnPropertyDescriptor(candidate, "prototype");
  return prototype === undefined || prototype.writable === true || CALLABLE_CONSTRUCTORS.has(candidate);
}
