import { UsageError } from "../errors/mod.ts";
import type { Args, Value } from "../plain/value.ts";
import { type Steps, usePages } from "./_pages.ts";
import type { UseInfinite, UseSuspenseInfinite } from "./hook_types.ts";
import { failed } from "../signals/read.ts";

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

/**
 * As `useInfinite`, and the first page is waited for at the boundary. Pages that come later, or fail, are told as values.
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
 * @param endpoint The list; of `getPage` or `paginated` the list itself is read.
 * @param args Its arguments for the first page; `null`, or `null` as the first: nothing is read.
 * @param options As those of `useInfinite`.
 * @returns What `useInfinite` gives, without `loading`.
 * @throws A promise while there is no page, and the error of the first one; a boundary catches both.
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
