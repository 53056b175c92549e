import { RejoinError } from "./rejoin_error.ts";
import { said } from "./texts.ts";

/**
 * The answer of a read does not satisfy the class that its endpoint names: `validate` refused a record, or a required
 * nested record is missing. Nothing was written; the error is kept as the answer, so that nothing asks again and again.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Endpoint, Entity, ValidationError } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   content = "";
 *   static key = "Article";
 *   static validate(record: Partial<Article>) {
 *     return record.content === undefined ? "content is missing" : undefined;
 *   }
 * }
 * const getArticle = new Endpoint(async (id: string) => await Promise.resolve({ id }), {
 *   name: "getArticle",
 *   schema: Article,
 * });
 * const controller = new Controller();
 * const error = await controller.fetch(getArticle, "1").catch((reason: unknown) => reason);
 * assert(error instanceof ValidationError);
 * assert(controller.get(Article, "1") === undefined);
 * ```
 */
export class ValidationError extends RejoinError {
  override readonly name = "ValidationError";
  /** The key of the class that was not satisfied. */
  declare readonly entity: string;
  /** Which record. */
  declare readonly pk: string;
  /** Where in the response, as one would write it in code: `results[3]`; `""` for the response itself. */
  declare readonly path: string;
  /** What `validate` returned, or which required field is missing. */
  declare readonly reason: unknown;
  /** The required member, as one would write it in code; `undefined` where `validate` refused the record itself. */
  declare readonly field: string | undefined;

  /**
   * @param entity The key of the class.
   * @param pk Which record.
   * @param path Where in the response; `""` for the response itself.
   * @param reason What `validate` returned, or a sentence.
   * @param field The required member, if it is for one.
   */
  constructor(entity: string, pk: string, path: string, reason: unknown, field?: string) {
    const facts = { entity, pk, path, reason, field };
    super(said(214, facts), undefined, facts);
  }
}
