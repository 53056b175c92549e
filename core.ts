/**
 * Rejoin for production: what `mod.ts` exports, without the sentences and checks of development. An error has its class,
 * its code and its facts; docs/errors.md says what each code means.
 *
 * Rejoin: declare entities and REST resources once; every response is normalized into one cache of records, and every
 * read rejoins them, so that the same record is the same object everywhere.
 *
 * This entry needs no UI, no signals, no DOM and no permission but the network of the API's host.
 *
 * @module
 */
export * from "./src/errors/mod.ts";
export { Entity, type OverridablePk, type OverridableStatics } from "./src/schemas/entity.ts";
export { EntityMixin, type EntityMixinOptions, type MixedEntity, type MixinBase } from "./src/schemas/entity_mixin.ts";
export { validateRequired } from "./src/schemas/validate_required.ts";
export {
  Query,
  type QueryArgs,
  type QueryConstructor,
  type QueryEntries,
  type QueryEntry,
  type QueryTypes,
} from "./src/schemas/query.ts";
export { type OrderArgs, type QueryOrder, Sorter } from "./src/schemas/sorter.ts";
export * as schema from "./src/collections/schemas.ts";
// The same by themselves: some bundlers keep all of a namespace of which an app uses one member.
export { All, Collection, HasMany, HasOne, Invalidate, Lazy, Union, Values } from "./src/collections/schemas.ts";
export type {
  AnyEntity,
  AnySchema,
  EntityMeta,
  EntityStatics,
  FieldSchemas,
  Literal,
  Schema,
  Serializer,
} from "./src/schemas/interface.ts";
export type { DefaultPk, EntityInstance, EntityPrototype, NoPk, Pk } from "./src/schemas/pk_types.ts";
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
export * from "./src/collections/mod.ts";
export * from "./src/managers/mod.ts";
export * from "./src/parts/mod.ts";
