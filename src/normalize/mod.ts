/**
 * Responses → records and results.
 *
 * @module
 */
export { type EntityTables, normalize, type NormalizedResponse } from "./normalize.ts";
