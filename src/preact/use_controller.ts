import type { Controller } from "../controller/controller.ts";
import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";
import { isRendering, readConstant } from "./_internals.ts";
import { ControllerContext } from "./context.ts";

/**
 * The controller of the nearest `DataProvider`: `await controller.fetch(ArticleResource.create, …)`. Never renders again.
 *
 * @returns The same controller for the life of the provider.
 * @throws {SchemaError} If there is no `DataProvider` above, or no component renders.
 */
export function useController(): Controller {
  const controller = readConstant(ControllerContext);
  if (controller === undefined) throw new SchemaError(isRendering() ? said(751) : said(750));
  return controller;
}
