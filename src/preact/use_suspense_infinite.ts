import type { ReadEndpoint } from "../endpoint/interface.ts";
import type { FetchedEndpoint } from "../endpoint/readable.ts";
import type { NullableArgs } from "../schemas/infer.ts";
import { type Steps, usePages } from "./_page_window.ts";
import type { Infinite, InfiniteOptions } from "./use_infinite.ts";
import { shownOrThrown } from "./use_read.ts";

/**
 * A list that is asked for page by page, as `useInfinite` gives it, and waited for at the nearest `AsyncBoundary` until
 * there is a page to show. Pages that come later, or fail, leave what is there on the page: that is told as values.
 *
 * @param endpoint The list; no mutation.
 * @param args Its arguments for the first page; `null`, or `null` as the first: nothing is fetched.
 * @param options Where the next page is; `next` gets the last one.
 * @returns Pages, rows, and what to call for more. The functions are the same at each rendering.
 * @throws A promise while there is no page, and the error of the read when none came; a boundary catches both.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Entity, RestEndpoint, typed } from "@rejoin/data";
 * import { useSuspenseInfinite } from "@rejoin/data/preact";
 *
 * class Film extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Film";
 * }
 * const getFilms = new RestEndpoint({
 *   path: "/films",
 *   searchParams: typed<{ genre: string; cursor?: string }>(),
 *   schema: { results: [Film], nextCursor: "" as string | null },
 * });
 *
 * function Films({ genre }: { genre: string }) {
 *   const { items, error, hasNext, isFetchingNext, next } = useSuspenseInfinite(getFilms, [{ genre }], {
 *     next: ({ nextCursor }) => nextCursor && { cursor: nextCursor },
 *   });
 *   return (
 *     <section>
 *       <ul>{items.map((film) => <li key={film.id}>{film.title}</li>)}</ul>
 *       {error && <p role="alert">{error.message}</p>}
 *       {hasNext && <button type="button" disabled={isFetchingNext} onClick={next}>More</button>}
 *     </section>
 *   );
 * }
 * assert(Films.length === 1);
 * ```
 */
export function useSuspenseInfinite<E extends ReadEndpoint, G = E>(
  endpoint: FetchedEndpoint<E, G>,
  args: NullableArgs<E["~types"]["args"]> | null,
  options: InfiniteOptions<E>,
): Omit<Infinite<E["~types"]["data"]>, "loading">;
export function useSuspenseInfinite(
  endpoint: ReadEndpoint,
  args: readonly unknown[] | null,
  options: InfiniteOptions<ReadEndpoint>,
): unknown {
  return shownOrThrown(usePages(endpoint, args, options as Steps));
}
