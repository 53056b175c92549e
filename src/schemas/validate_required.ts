/**
 * Says which member a record lacks: for `static validate`, to tell a record that is only a summary from a whole one.
 *
 * @param record The merged record.
 * @param requiredDefaults An object whose members are required, whatever their values: `this.defaults`, or some of them.
 * @returns `Missing key X` for the first member that the record does not have; `undefined` when it has all. A member
 *   that is `null` is there.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Entity, validateRequired } from "@rejoin/data";
 *
 * class ArticleSummary extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Article";
 * }
 * class Article extends ArticleSummary {
 *   body = "";
 *   static validate(record: object) {
 *     return validateRequired(record, this.defaults);
 *   }
 * }
 * assert(Article.validate({ id: "5", title: "Hello" }) === "Missing key body");
 * assert(Article.validate({ id: "5", title: "Hello", body: "…" }) === undefined);
 * ```
 */
export function validateRequired(record: object, requiredDefaults: object): string | undefined {
  const missing = Object.keys(requiredDefaults).find((name) => !Object.hasOwn(record, name));
  return missing === undefined ? undefined : `Missing key ${missing}`;
}
