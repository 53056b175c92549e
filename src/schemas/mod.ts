/**
 * Schemas that are no entity, but for collections.
 *
 * @module
 */
export { All, type AllConstructor, type AllTypes } from "./all.ts";
export { type ArrayConstructor, ArraySchema as Array, type ArrayTypes } from "./array.ts";
export { HasMany, type HasManyTypes } from "./has_many.ts";
export { HasOne, type HasOneTypes } from "./has_one.ts";
export { Lazy, LazyQuery, type LazyQueryTypes, type LazyTypes } from "./lazy.ts";
export { Relation, type RelationArgs, type RelationMember } from "./relation.ts";
export { Invalidate, type InvalidateConstructor } from "./invalidate.ts";
export type { Invalidated, InvalidateTypes } from "./invalidate_schema.ts";
export { type ObjectMembers, ObjectSchema as Object, type ObjectTypes } from "./object.ts";
export { Query, type QueryArgs, type QueryEntries, type QueryEntry, type QueryTypes } from "./query.ts";
export { type OrderArgs, type QueryOrder, Sorter } from "./sorter.ts";
export { Union, type UnionArgs, type UnionTypes } from "./union.ts";
export type { UnionAttribute, UnionMapping, UnionReference, UnionSchemaObject } from "./union_types.ts";
export { Values, type ValuesConstructor, type ValuesTypes } from "./values.ts";
