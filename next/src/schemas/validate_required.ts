/**
 * Says which member a record lacks: for `static validate`, to tell a summary from a whole record.
 *
 * @param record The merged record.
 * @param required An object whose members are required, whatever their values: `this.defaults`, or some of them.
 * @returns `Missing key X` for the first member that the record lacks; `undefined` where it has all. `null` is there.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Entity, validateRequired } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   body = "";
 *   static key = "Article";
 *   static validate(record: object) {
 *     return validateRequired(record, this.defaults);
 *   }
 * }
 * assert(Article.validate({ id: "5" }) === "Missing key body");
 * ```
 */
export function validateRequired(record: object, required: object): string | undefined {
  for (const name of Object.keys(required)) if (!Object.hasOwn(record, name)) return `Missing key ${name}`;
}
