/**
 * What `useInfinite` takes and gives, for the type checker.
 *
 * @module
 */
import type { FetchedEndpoint } from "../endpoint/accepted_types.ts";
import type { AnyEndpoint, ReadEndpoint } from "../endpoint/endpoint_types.ts";
import type { NullableArgs } from "../store/infer.ts";

/** The parameters by which a page of a list is asked for: those of the list, and of its `getPage` where it has one. */
export type PageParams<E extends ReadEndpoint> = Params<
  & First<E>
  & (E extends { readonly getPage: infer P } ? P extends AnyEndpoint ? Partial<First<P>> : unknown : unknown)
>;
// Written out: of an intersection `{}` would be no default of a parameter.
type Params<P> = { readonly [K in keyof P]?: P[K] | undefined };
type First<E extends AnyEndpoint> = NonNullable<E["~types"]["args"][0 & keyof E["~types"]["args"]]>;

/** What says that there is no page. */
export type NoPage = null | undefined | false | "" | 0;

/** A row of a page: of an array, or of the array in an object. */
export type PageItem<T> = T extends readonly (infer I)[] ? I
  : { [K in keyof T]: NonNullable<T[K]> extends readonly (infer I)[] ? I : never }[keyof T];

/** What `useInfinite` is told. */
export interface InfiniteOptions<E extends ReadEndpoint> {
  /** The parameters of the page after a page, which differ from those of the list; nothing after the last one. Pure. */
  readonly next: (page: E["~types"]["data"], params: PageParams<E>) => PageParams<E> | NoPage;
  /** The same before a page. */
  readonly previous?: ((page: E["~types"]["data"], params: PageParams<E>) => PageParams<E> | NoPage) | undefined;
  /** How many pages are shown at most: with one more at one end, one goes at the other. Any number by default. */
  readonly maxPages?: number | undefined;
}

/** What `useInfinite` gives. */
export interface Infinite<T> {
  /** What each page was answered with, in order. */
  readonly pages: readonly T[];
  /** The rows of all pages, a record once: of a page that is an object, those of its first member that is an array. */
  readonly items: readonly PageItem<T>[];
  /** There is nothing to show yet. */
  readonly loading: boolean;
  /** What the first page that failed has failed with. */
  readonly error: Error | undefined;
  /** There is a page after the last one. */
  readonly hasNext: boolean;
  /** There is a page before the first one. */
  readonly hasPrevious: boolean;
  /** The page after the last one is on its way. */
  readonly isFetchingNext: boolean;
  /** The page before the first one is on its way. */
  readonly isFetchingPrevious: boolean;
  /** Shows one page more, or tries the one again that has failed. */
  readonly next: () => void;
  /** The same at the other end. */
  readonly previous: () => void;
  /** Asks for all pages again, in order. */
  readonly refetch: () => Promise<void>;
}

/** `useInfinite`. */
export interface UseInfinite {
  <E extends ReadEndpoint, G = E>(
    endpoint: FetchedEndpoint<E, G>,
    args: NullableArgs<E["~types"]["args"]> | null,
    options: InfiniteOptions<E>,
  ): Infinite<E["~types"]["data"]>;
}
/** `useSuspenseInfinite`. */
export interface UseSuspenseInfinite {
  <E extends ReadEndpoint, G = E>(
    endpoint: FetchedEndpoint<E, G>,
    args: NullableArgs<E["~types"]["args"]> | null,
    options: InfiniteOptions<E>,
  ): Omit<Infinite<E["~types"]["data"]>, "loading">;
}
