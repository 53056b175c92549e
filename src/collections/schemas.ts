/**
 * Schemas that are no entity: `import { schema } from "@rejoin/data"` gives them as `schema.All`, `schema.Collection`.
 *
 * @module
 */
export * from "../schemas/mod.ts";
export { Collection } from "./collection.ts";
export type {
  CollectionArgs,
  CollectionItem,
  CollectionOptions,
  CollectionSource,
  CollectionTypes,
} from "./collection_options.ts";
export { CollectionChange, type CollectionChangeParts, type CollectionChangeTypes } from "./collection_change.ts";
export type { CollectionRecord } from "./collection_items.ts";
export type { MergeItems } from "./collection_rows.ts";
