import { UsageError } from "../errors/mod.ts";
import { failed, type Shown } from "../signals/read.ts";
import type { Value } from "../plain/value.ts";
import type { UseRead } from "./hook_types.ts";
import { useRead } from "./use_read.ts";

/** Returns the data, or throws the promise or the error for the boundary. */
export function dataOrThrow({ read, data, error, isMissing }: Shown): Value {
  if (error) {
    failed.set(error, read!);
    throw error;
  }
  if (!isMissing) return data;
  // Nothing has asked for it if it was hidden while the component waited for another read.
  read!.ask();
  throw read!.wait ?? new UsageError(805, [read!.endpoint.name]);
}

/**
 * Returns the data of a read, and fetches them if the store has none that are fresh. Until there are data, the
 * `AsyncBoundary` above shows its fallback; an error is shown by the nearest boundary.
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
 *   static override key = "Article";
 * }
 * const ArticleResource = createResource({ path: "/articles/:id", schema: Article });
 *
 * function ArticlePage({ id }: { id: string }) {
 *   return <h1>{useSuspense(ArticleResource.get, { id }).title}</h1>;
 * }
 * assert(ArticlePage.length === 1);
 * ```
 *
 * @param endpoint The endpoint to read; no mutation.
 * @param args Its arguments; with `null` as the first, nothing is read.
 * @returns The data; `undefined` if nothing is read.
 * @throws A promise while there is nothing to show, or the error of the read. A boundary catches both.
 */
export const useSuspense: UseRead = (endpoint: Value, ...args: Value[]): Value =>
  dataOrThrow(useRead(endpoint, args, "useSuspense"));
