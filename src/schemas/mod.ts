/**
 * Schemas that are no entity: `import { schema } from "@rejoin/data"` gives them as `schema.All`, `schema.Invalidate`.
 *
 * @module
 */
export { All, type AllTypes } from "./all.ts";
export { Invalidate, type InvalidateTypes } from "./invalidate.ts";
export { Query, type QueryArgs, type QueryTypes } from "./query.ts";
