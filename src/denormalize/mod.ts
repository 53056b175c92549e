/**
 * Records and results → objects.
 *
 * @module
 */
export { keyOf } from "./key_of.ts";
export { denormalize, type PlainTables } from "./denormalize.ts";
export { Memo } from "./memo.ts";
