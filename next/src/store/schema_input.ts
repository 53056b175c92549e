import type { AnyEntity, SchemaObject, Serializer } from "./schema.ts";

/** A member of an object schema that is no schema: the value that a reader gets where the response has none. */
export type Literal = string | number | boolean | bigint | null | undefined;

/** Everything that an app may give as a schema, for the type checker. */
export type SchemaInput = AnyEntity | SchemaObject | Serializer<unknown> | readonly SchemaInput[] | ObjectMembers;

/** Names of members → schemas, and literals for members that are none. */
export interface ObjectMembers {
  readonly [member: string]: SchemaInput | Literal;
}
