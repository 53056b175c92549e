import type { Args, Value } from "../plain/value.ts";
import type { UseInfinite } from "./infinite_types.ts";
import { type Steps, usePages } from "./_pages.ts";

/**
 * A list that is asked for page by page, and shown as one. Each page is a read of its own; stale pages are asked for again
 * in order, and their old rows stay until the new ones are there.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Entity, RestEndpoint, typed } from "@rejoin/data";
 * import { useInfinite } from "@rejoin/data/preact";
 *
 * class Film extends Entity {
 *   id = "";
 *   static override key = "Film";
 * }
 * const getFilms = new RestEndpoint({
 *   path: "/films",
 *   searchParams: typed<{ genre: string; cursor?: string }>(),
 *   schema: { results: [Film], nextCursor: "" as string | null },
 * });
 *
 * function Films({ genre }: { genre: string }) {
 *   const { items, hasNext, next } = useInfinite(getFilms, [{ genre }], {
 *     next: ({ nextCursor }) => nextCursor && { cursor: nextCursor },
 *   });
 *   return <p>{items.length} films {hasNext && <button type="button" onClick={next}>More</button>}</p>;
 * }
 * assert(Films.length === 1);
 * ```
 *
 * @param endpoint The list; of `getPage` or `paginated` the list itself is read.
 * @param args Its arguments for the first page; `null`, or `null` as the first: nothing is read.
 * @param options `next(page, params)` gives the parameters of the page after the last one, or nothing; `previous` those of
 *   the page before the first one; `maxPages`: how many are shown.
 * @returns Pages, their rows, how they stand, and what to call for more: the same functions at each rendering.
 */
export const useInfinite: UseInfinite = (endpoint: Value, args: Args | null, options: Steps): Value =>
  usePages(endpoint, args, options, "useInfinite").shown;
