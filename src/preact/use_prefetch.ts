import { isInactive } from "../controller/is_inactive.ts";
import type { AnyEndpoint, ReadEndpoint } from "../endpoint/interface.ts";
import type { FetchedEndpoint } from "../endpoint/readable.ts";
import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";
import type { NullableArgs } from "../schemas/infer.ts";
import { checkGiven } from "./_check_given.ts";
import { useMemory } from "./_internals.ts";
import { useController } from "./use_controller.ts";

/**
 * What {@linkcode usePrefetch} gives.
 *
 * @param endpoint What to read; no mutation.
 * @param args Its arguments; `null` as the first: nothing.
 */
export type Prefetch = <E extends ReadEndpoint, G = E>(
  endpoint: FetchedEndpoint<E, G>,
  ...args: NullableArgs<E["~types"]["args"]>
) => void;

/**
 * A function that asks for what will be needed soon, when a link is hovered or gets the focus. What is there and fresh, or
 * on its way, is not asked for again. Nothing is rendered for it, and nobody is told of an error: who reads the data later
 * is. As long as `errorExpiryLength` says, an error is not asked for again either.
 *
 * @returns The same function at each rendering.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Entity, resource } from "@rejoin/data";
 * import { usePrefetch } from "@rejoin/data/preact";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Article";
 * }
 * const ArticleResource = resource({ path: "/articles/:id", schema: Article });
 *
 * function ArticleLink({ article }: { article: Article }) {
 *   const prefetch = usePrefetch();
 *   const load = () => prefetch(ArticleResource.get, { id: article.id });
 *   return <a href={`/articles/${article.id}`} onMouseEnter={load} onFocus={load}>{article.title}</a>;
 * }
 * assert(ArticleLink.length === 1);
 * ```
 */
export function usePrefetch(): Prefetch {
  const controller = useController();
  const { prefetch } = useMemory(() => ({
    prefetch: (endpoint: AnyEndpoint, ...args: readonly unknown[]) => {
      checkGiven(endpoint, "fetched", "usePrefetch");
      if (isInactive(args)) return;
      if (endpoint.sideEffect) throw new SchemaError(said(781, { name: endpoint.name }));
      const answer: unknown = controller.fetchIfStale(endpoint, ...args);
      if (answer instanceof Promise) answer.catch(() => {});
    },
  }));
  return prefetch as Prefetch;
}
