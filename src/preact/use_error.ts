import type { ReadEndpoint } from "../endpoint/interface.ts";
import type { FetchedEndpoint } from "../endpoint/readable.ts";
import type { NullableArgs } from "../schemas/infer.ts";
import { checkGiven } from "./_check_given.ts";
import { useRead } from "./use_read.ts";

/**
 * What a read of an endpoint last failed with, for a component beside the one that shows the data. Never fetches.
 *
 * @param endpoint What is read elsewhere.
 * @param args Its arguments; `null` as the first: nothing.
 * @returns The error, and what is none as its cause; `undefined` where there is none, or where data is shown in spite of it.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { createResource, Entity } from "@rejoin/data";
 * import { useError } from "@rejoin/data/preact";
 *
 * class Article extends Entity {
 *   id = "";
 *   static key = "Article";
 * }
 * const ArticleResource = createResource({ path: "/articles/:id", schema: Article });
 *
 * function Trouble({ id }: { id: string }) {
 *   const error = useError(ArticleResource.get, { id });
 *   return error === undefined ? null : <p role="alert">{error.message}</p>;
 * }
 * assert(Trouble.length === 1);
 * ```
 */
export function useError<E extends ReadEndpoint, G = E>(
  endpoint: FetchedEndpoint<E, G>,
  ...args: NullableArgs<E["~types"]["args"]>
): Error | undefined;
export function useError(endpoint: ReadEndpoint, ...args: readonly unknown[]): Error | undefined {
  checkGiven(endpoint, "stored", "useError");
  return useRead(endpoint, args, undefined).error;
}
