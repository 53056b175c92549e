/**
 * Schemas that are no entity: `import { schema } from "@rejoin/data"` gives them as `schema.All`, `schema.Collection`.
 *
 * @module
 */
export * from "../schemas/mod.ts";
export {
  Collection,
  type CollectionArgs,
  type CollectionItem,
  type CollectionOptions,
  type CollectionSource,
  type CollectionTypes,
} from "./collection.ts";
export { CollectionChange, type CollectionChangeParts, type CollectionChangeTypes } from "./collection_change.ts";
export type { CollectionRecord, MergeItems } from "./collection_rows.ts";
