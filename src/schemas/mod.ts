/**
 * All schemas but entities: `import { schema } from "@rejoin/data"` has them as `schema.All`, `schema.Collection` …
 *
 * @module
 */
export { All } from "./all.ts";
export { ArraySchema as Array, ObjectSchema as Object, Values } from "./items.ts";
export { Collection } from "./collection.ts";
export {
  type ArgumentNames,
  type CollectionArgs,
  CollectionChange,
  type CollectionItem,
  type CollectionOptions,
  type CollectionSource,
  type ListFilter,
  type MergeItems,
} from "./lists.ts";
export { HasMany, HasOne } from "./relation.ts";
export { Invalidate, type Invalidated } from "./invalidate.ts";
export { Lazy, LazyQuery } from "./lazy.ts";
export { Query } from "./query.ts";
export { Union, type UnionArgs, type UnionAttribute, type UnionMapping, type UnionReference } from "./union.ts";
