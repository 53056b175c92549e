import { isSchemaObject, type SchemaObject } from "./interface.ts";
import type { Union } from "./union.ts";
import type { UnionMapping } from "./union_types.ts";

/** What can stand for a union: one of this copy of the library, or of another. */
export type AnyUnion = Pick<Union<UnionMapping>, "mapping" | "take" | "namedBy" | "pick"> & SchemaObject;

/** Whether a schema is a union, of this or another copy of the library. */
export function isUnion(schema: unknown): schema is AnyUnion {
  return isSchemaObject(schema) && typeof (schema as Partial<AnyUnion>).take === "function" &&
    typeof schema.pick === "function";
}
