import type { Controller } from "../controller/controller.ts";
import { SchemaError } from "../errors/schema_error.ts";
import { isRendering, readConstant } from "./_internals.ts";
import { ControllerContext } from "./context.ts";

/**
 * The controller of the nearest `DataProvider`: `await controller.fetch(ArticleResource.create, …)`. Never renders again.
 *
 * @returns The same controller for the life of the provider.
 * @throws {SchemaError} If there is no `DataProvider` above, or no component renders.
 */
export function useController(): Controller {
  if (!isRendering()) {
    throw new SchemaError(
      "A hook was called, and no component renders. Call hooks at the top of a component. If it is there, the app has " +
        'another copy of Preact than @rejoin/data: map both to one, with Preact 10 by "npm:preact@^11": "npm:preact@^10" ' +
        'and "npm:preact@^11/hooks": "npm:preact@^10/hooks" in the import map',
    );
  }
  const controller = readConstant(ControllerContext);
  if (controller === undefined) {
    throw new SchemaError(
      "There is no <DataProvider> above this component. Put one around the app: render(<DataProvider><App /></DataProvider>, …). " +
        "If there is one, two copies of @rejoin/data are loaded",
    );
  }
  return controller;
}
