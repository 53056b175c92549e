/**
 * Rejoin: declare entities and REST resources once; every response is normalized into one cache of records, and every
 * read rejoins them, so that the same record is the same object everywhere.
 *
 * This entry needs no UI, no signals, no DOM and no permission but the network of the API's host.
 *
 * @module
 */
export * from "./src/errors/mod.ts";
export { Entity } from "./src/schemas/entity.ts";
export { Query, type QueryArgs, type QueryConstructor, type QueryTypes } from "./src/schemas/query.ts";
export * as schema from "./src/schemas/mod.ts";
export type {
  AnyEntity,
  AnySchema,
  DenormalizeWalk,
  EntityInstance,
  EntityStatics,
  FieldSchemas,
  Literal,
  NormalizeWalk,
  Pk,
  QueryWalk,
  Schema,
  SchemaObject,
  SchemaTypes,
  Serializer,
} from "./src/schemas/interface.ts";
export type {
  Denormalize,
  DenormalizeNullable,
  EntityArgs,
  EntityInput,
  InputValue,
  Normalize,
  NullableArgs,
  NullableMember,
  Queryable,
  SchemaArgs,
  Widen,
} from "./src/schemas/infer.ts";
export * from "./src/endpoint/mod.ts";
export * from "./src/rest/mod.ts";
export * from "./src/normalize/mod.ts";
export * from "./src/denormalize/mod.ts";
export * from "./src/controller/mod.ts";
