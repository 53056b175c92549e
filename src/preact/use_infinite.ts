import type { AnyEndpoint, ReadEndpoint } from "../endpoint/interface.ts";
import type { FetchedEndpoint } from "../endpoint/readable.ts";
import type { NullableArgs } from "../schemas/infer.ts";
import { type Nothing, type Steps, usePages } from "./_page_window.ts";

/** The parameters by which a page of a list is asked for: those of the list, and of its `getPage` where it has one. */
export type PageParams<E extends ReadEndpoint> =
  & Params<First<E>>
  & (E extends { readonly getPage: infer P } ? P extends AnyEndpoint ? Params<First<P>> : unknown : unknown);
type Params<P> = { readonly [K in keyof P]?: P[K] | undefined };
type First<E extends AnyEndpoint> = NonNullable<E["~types"]["args"][0 & keyof E["~types"]["args"]]>;

/** A row of a page: of an array, or of the array in an object. */
export type PageItem<T> = T extends readonly (infer I)[] ? I
  : { [K in keyof T]: NonNullable<T[K]> extends readonly (infer I)[] ? I : never }[keyof T];

/** What {@linkcode useInfinite} is told. */
export interface InfiniteOptions<E extends ReadEndpoint> {
  /**
   * What is to be asked for after a page: the parameters that differ from those of the list, `undefined` for one that it
   * has and the page has not. Nothing (`null`, `false`, `""` …) after the last one. Pure: it is called at each rendering.
   */
  readonly next: (page: E["~types"]["data"], params: PageParams<E>) => PageParams<E> | Nothing;
  /** The same before a page, for lists that begin in the middle, or forget their first pages by `maxPages`. */
  readonly previous?: ((page: E["~types"]["data"], params: PageParams<E>) => PageParams<E> | Nothing) | undefined;
  /** How many pages are shown at most: with one more at one end, one goes at the other. Any number by default. */
  readonly maxPages?: number | undefined;
}

/** What {@linkcode useInfinite} gives. */
export interface Infinite<T> {
  /** What each page was answered with, in order. The same array while it holds the same. */
  readonly pages: readonly T[];
  /**
   * The rows of all pages, a record once: of a page that is an object, those of its first member that is an array. The same
   * array while it holds the same.
   */
  readonly items: readonly PageItem<T>[];
  /** There is nothing to show yet. */
  readonly loading: boolean;
  /** What the first page that failed has failed with; what is no `Error` is its cause. */
  readonly error: Error | undefined;
  /** There is a page after the last one. */
  readonly hasNext: boolean;
  /** There is a page before the first one. */
  readonly hasPrevious: boolean;
  /** The page after the last one is on its way. */
  readonly isFetchingNext: boolean;
  /** The page before the first one is on its way. */
  readonly isFetchingPrevious: boolean;
  /** Shows one page more, or tries the one again that has failed. Does nothing where there is none, or one is on its way. */
  readonly next: () => void;
  /** The same at the other end. */
  readonly previous: () => void;
  /** Asks for all pages again, one after another: each says where the next one is. Rejects with what the first one fails with. */
  readonly refetch: () => Promise<void>;
}

/**
 * A list that is asked for page by page, and shown as one. Each page is a read of its own: its request is shared, its
 * records change as everywhere, and it is asked for again when it is stale, invalidated or expired. Where a page then
 * leads to another one than before, that is fetched, and what was shown stays until it is there. Pages that are stored
 * already are there at once when the component is mounted again.
 *
 * @param endpoint The list; no mutation. Of `getPage` or `paginated` the list itself is read.
 * @param args Its arguments for the first page; `null`, or `null` as the first: nothing is fetched.
 * @param options Where the next page is; `next` gets the last one.
 * @returns Pages, rows, and what to call for more. The functions are the same at each rendering.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Entity, RestEndpoint, typed } from "@rejoin/data";
 * import { useInfinite } from "@rejoin/data/preact";
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
 *   const { items, loading, error, hasNext, isFetchingNext, next } = useInfinite(getFilms, [{ genre }], {
 *     next: ({ nextCursor }) => nextCursor && { cursor: nextCursor },
 *   });
 *   if (loading) return <p>Loading …</p>;
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
export function useInfinite<E extends ReadEndpoint, G = E>(
  endpoint: FetchedEndpoint<E, G>,
  args: NullableArgs<E["~types"]["args"]> | null,
  options: InfiniteOptions<E>,
): Infinite<E["~types"]["data"]>;
export function useInfinite(
  endpoint: ReadEndpoint,
  args: readonly unknown[] | null,
  options: InfiniteOptions<ReadEndpoint>,
): unknown {
  return usePages(endpoint, args, options as Steps).data;
}
