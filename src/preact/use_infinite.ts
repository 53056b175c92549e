import { UsageError } from "../errors/mod.ts";
import type { Args, Value } from "../plain/value.ts";
import { type Steps, usePages } from "./_pages.ts";
import type { UseInfinite, UseSuspenseInfinite } from "./hook_types.ts";
import { failed } from "../signals/read.ts";

/**
 * Reads a list page by page and returns the pages as one list. Each page is its own read. Stale pages are fetched again
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
 * @param endpoint The endpoint of the list. With `getPage` or a `paginated` endpoint, its list is read.
 * @param args The arguments of the first page; with `null`, or `null` as the first, nothing is read.
 * @param options `next(page, params)` returns the parameters of the page after the last one, or nothing; `previous`
 * those of the page before the first one; `maxPages` is the most pages that are shown.
 * @returns The pages, their rows and state, and functions to get more, which are the same at each rendering.
 */
export const useInfinite: UseInfinite = (endpoint: Value, args: Args | null, options: Steps): Value =>
  usePages(endpoint, args, options, "useInfinite").shown;

/**
 * Works as `useInfinite`, but suspends until the first page is there. The state of later pages is returned as values.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Endpoint } from "@rejoin/data";
 * import { useSuspenseInfinite } from "@rejoin/data/preact";
 *
 * const getNumbers = new Endpoint(async ({ page = 1 }: { page?: number }) => await Promise.resolve([page]), {
 *   name: "getNumbers",
 * });
 * function Numbers() {
 *   const { items, next } = useSuspenseInfinite(getNumbers, [{}], { next: (_, { page = 1 }) => ({ page: page + 1 }) });
 *   return <button type="button" onClick={next}>{items.join()}</button>;
 * }
 * assert(Numbers.length === 0);
 * ```
 *
 * @param endpoint The endpoint of the list. With `getPage` or a `paginated` endpoint, its list is read.
 * @param args The arguments of the first page; with `null`, or `null` as the first, nothing is read.
 * @param options The options of `useInfinite`.
 * @returns The result of `useInfinite`, without `loading`.
 * @throws A promise while there is no page, or the error of the first page. A boundary catches both.
 */
export const useSuspenseInfinite: UseSuspenseInfinite = (endpoint: Value, args: Args | null, options: Steps): Value => {
  const { shown, gap } = usePages(endpoint, args, options, "useSuspenseInfinite");
  if (shown.loading) throw gap?.wait ?? new UsageError(805, [endpoint.name]);
  if (shown.error && !shown.pages.length) {
    if (gap) failed.set(shown.error, gap);
    throw shown.error;
  }
  return shown;
};
