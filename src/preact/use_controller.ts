import { type Context, createContext } from "../deps/preact.ts";
import { useContext } from "../deps/preact_hooks.ts";
import type { Controller } from "../controller/controller.ts";
import { UsageError } from "../errors/mod.ts";
import "./_internals.ts";

export const ControllerContext: Context<Controller | undefined> = createContext<Controller | undefined>(undefined);

/**
 * Returns the controller of the provider above, to fetch and write in event handlers.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { createResource, Entity } from "@rejoin/data";
 * import { useController } from "@rejoin/data/preact";
 *
 * class Article extends Entity {
 *   id = "";
 *   static override key = "Article";
 * }
 * const ArticleResource = createResource({ path: "/articles/:id", schema: Article });
 *
 * function DeleteButton({ id }: { id: string }) {
 *   const controller = useController();
 *   return <button type="button" onClick={() => controller.fetch(ArticleResource.delete, { id })}>Delete</button>;
 * }
 * assert(DeleteButton.length === 1);
 * ```
 *
 * @returns The controller, the same at each rendering.
 * @throws {UsageError} If there is no provider above.
 */
export function useController(): Controller {
  const controller = useContext(ControllerContext);
  if (!controller) throw new UsageError(801);
  return controller;
}
