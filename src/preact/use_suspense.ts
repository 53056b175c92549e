import type { ReadEndpoint } from "../endpoint/interface.ts";
import type { ActiveArgs, FetchedEndpoint, InactiveArgs } from "../endpoint/readable.ts";
import { shownOrThrown, useRead } from "./use_read.ts";

/**
 * The data of an endpoint: fetched when it is missing or stale, waited for at the nearest `AsyncBoundary`. The component
 * runs again only when what it was given has changed.
 *
 * @param endpoint What to read; no mutation.
 * @param args Its arguments; `null` as the first: nothing is fetched.
 * @returns The data. Stale data is shown while new data is fetched.
 * @throws A promise while there is nothing to show, and the error of the read when there is one; a boundary catches both.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { createResource, Entity } from "@rejoin/data";
 * import { useSuspense } from "@rejoin/data/preact";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Article";
 * }
 * const ArticleResource = createResource({ path: "/articles/:id", schema: Article });
 *
 * function ArticlePage({ id }: { id: string }) {
 *   const article = useSuspense(ArticleResource.get, { id });
 *   return <h1>{article.title}</h1>;
 * }
 * assert(ArticlePage.length === 1);
 * ```
 */
export function useSuspense<E extends ReadEndpoint, G = E, F extends readonly unknown[] = []>(
  endpoint: FetchedEndpoint<E, G>,
  ...args: ActiveArgs<E["~types"]["args"], F>
): E["~types"]["data"];
/**
 * The same where the first argument may be `null`: then nothing is fetched.
 *
 * @param endpoint What to read; no mutation.
 * @param args Its arguments, or `null`.
 * @returns The data; what an object schema has without a response, or `undefined`, when inactive.
 */
export function useSuspense<E extends ReadEndpoint, G = E, F extends readonly unknown[] = []>(
  endpoint: FetchedEndpoint<E, G>,
  ...args: InactiveArgs<E["~types"]["args"], F>
): E["~types"]["nullable"];
export function useSuspense(endpoint: ReadEndpoint, ...args: readonly unknown[]): unknown {
  return shownOrThrown(useRead(endpoint, args, "useSuspense"));
}
