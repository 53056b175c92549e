import { checks } from "../errors/mod.ts";
import type { Value } from "../plain/value.ts";
import { readOf } from "../signals/read.ts";
import type { Prefetch } from "./hook_types.ts";
import { useMemory } from "./_internals.ts";
import { useController } from "./use_controller.ts";

/**
 * Returns a function that fetches what a click will need, to be called when the pointer or the focus comes to a link.
 * Data that are fresh or in flight are not fetched again. An error is shown by the hook that reads the data later.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { createResource, Entity } from "@rejoin/data";
 * import { usePrefetch } from "@rejoin/data/preact";
 *
 * class Article extends Entity {
 *   id = "";
 *   static override key = "Article";
 * }
 * const ArticleResource = createResource({ path: "/articles/:id", schema: Article });
 *
 * function ArticleLink({ id }: { id: string }) {
 *   const prefetch = usePrefetch();
 *   return <a href={`/articles/${id}`} onMouseEnter={() => prefetch(ArticleResource.get, { id })}>Article</a>;
 * }
 * assert(ArticleLink.length === 1);
 * ```
 *
 * @returns The function, the same at each rendering.
 */
export function usePrefetch(): Prefetch {
  const controller = useController();
  return useMemory(() => (endpoint: Value, ...args: Value[]): void => {
    checks.given?.(endpoint, "fetched", "usePrefetch");
    if (args[0] !== null) readOf(controller, endpoint, args).ask(true);
  });
}
