/**
 * Records and results → objects.
 *
 * @module
 */
export { denormalize, type PlainTables } from "./denormalize.ts";
