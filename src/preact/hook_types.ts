import type { ReadonlySignal } from "../deps/signals_core.ts";
import type {
  ActiveArgs,
  ChangingEndpoint,
  FetchedEndpoint,
  InactiveArgs,
  StoredEndpoint,
  StoredSource,
} from "./accepted_types.ts";
import type { NamedSchema } from "../controller/controller_types.ts";
import type { AnyEndpoint, AnyReadable, ReadEndpoint } from "../endpoint/endpoint_types.ts";
import type { DenormalizeNullable, NullableArgs, Queryable, SchemaArgs } from "../store/infer.ts";
import type { SignalSource, SourceArgs, SourceValue } from "../signals/signal_of.ts";

/**
 * The types of the hooks. In each of them `G` and `F` are inferred from the actual arguments: see `accepted_types`.
 *
 * @module
 */

type ArgsOf<E extends AnyReadable> = E["~types"]["args"];
type Data<E extends AnyReadable> = E["~types"]["data"];
type Nullable<E extends AnyReadable> = E["~types"]["nullable"];

/** `useSuspense` and `useLive`: the data, or also `undefined` if the first argument may be `null`. */
export interface UseRead {
  <E extends ReadEndpoint, G = E, F extends readonly unknown[] = []>(
    endpoint: FetchedEndpoint<E, G>,
    ...args: ActiveArgs<ArgsOf<E>, F>
  ): Data<E>;
  <E extends ReadEndpoint, G = E, F extends readonly unknown[] = []>(
    endpoint: FetchedEndpoint<E, G>,
    ...args: InactiveArgs<ArgsOf<E>, F>
  ): Nullable<E>;
}

/** `useDLE`. */
export interface UseDLE {
  <E extends ReadEndpoint, G = E, F extends readonly unknown[] = []>(
    endpoint: FetchedEndpoint<E, G>,
    ...args: ActiveArgs<ArgsOf<E>, F>
  ): DLE<Data<E>, Nullable<E>>;
  <E extends ReadEndpoint, G = E, F extends readonly unknown[] = []>(
    endpoint: FetchedEndpoint<E, G>,
    ...args: InactiveArgs<ArgsOf<E>, F>
  ): DLE<Nullable<E>, Nullable<E>>;
}

/** Data, loading and error of a read of `T`. If the last two are ruled out, TypeScript knows that there are data. */
export type DLE<T, N> =
  | DLEState<T, undefined, true, undefined>
  | DLEState<T, N, false, Error>
  | DLEState<T, T, false, undefined>;

/** The state of a read of `T`. */
export interface DLEState<T, D, L extends boolean, E> {
  /** The data. If the read has failed, the data from before, if any. */
  readonly data: D;
  /** Whether there is nothing to show yet. */
  readonly loading: L;
  /** The error of the read. A thrown value that is no `Error` is its cause. */
  readonly error: E;
  /** Whether a request is in flight. */
  readonly isFetching: boolean;
  /** Whether the data were stale when the component rendered. */
  readonly isStale: boolean;
  /** Fetches again, also if the data are fresh. */
  readonly refetch: () => Promise<T>;
}

/** `useFetch`. */
export interface UseFetch {
  <E extends ReadEndpoint, G = E>(
    endpoint: FetchedEndpoint<E, G>,
    ...args: NullableArgs<ArgsOf<E>>
  ): FetchedPromise<Data<E>> | undefined;
}

/** A promise that also has its state as members. */
export type FetchedPromise<T> =
  & Promise<T>
  & (
    | FetchState<"pending", undefined, undefined>
    | FetchState<"fulfilled", T, undefined>
    | FetchState<"rejected", undefined, unknown>
  );

/** The state of a read, with the members that frameworks expect of a promise that they unwrap. */
export interface FetchState<S extends string, T, R> {
  /** Whether the promise has settled. */
  readonly resolved: S extends "pending" ? false : true;
  readonly status: S;
  /** The data. */
  readonly value: T;
  /** The error. */
  readonly reason: R;
}

/** `useCache`. */
export interface UseCache {
  <E extends AnyReadable, G = E>(endpoint: StoredEndpoint<E, G>, ...args: NullableArgs<ArgsOf<E>>): Nullable<E>;
}

/** `useError`. */
export interface UseError {
  <E extends ReadEndpoint, G = E>(
    endpoint: FetchedEndpoint<E, G>,
    ...args: NullableArgs<ArgsOf<E>>
  ): Error | undefined;
}

/** `useQuery`. */
export interface UseQuery {
  <S extends Queryable, G = S>(
    schema: NamedSchema<S, G>,
    ...args: NullableArgs<SchemaArgs<S>>
  ): DenormalizeNullable<S>;
}

/** `useSubscription`, and the function that `usePrefetch` returns. */
export interface Prefetch {
  <E extends ReadEndpoint, G = E>(endpoint: FetchedEndpoint<E, G>, ...args: NullableArgs<ArgsOf<E>>): void;
}

/** `useDeferredArgs`. */
export interface UseDeferredArgs {
  <E extends ReadEndpoint, G = E, F extends readonly unknown[] = []>(
    endpoint: FetchedEndpoint<E, G>,
    ...args: ActiveArgs<ArgsOf<E>, F>
  ): readonly [args: ArgsOf<E>, isPending: boolean];
  <E extends ReadEndpoint, G = E, F extends readonly unknown[] = []>(
    endpoint: FetchedEndpoint<E, G>,
    ...args: InactiveArgs<ArgsOf<E>, F>
  ): readonly [args: NullableArgs<ArgsOf<E>>, isPending: boolean];
}

/** `useSignalOf`. */
export interface UseSignalOf {
  <S extends SignalSource, T = SourceValue<S>, G = S>(
    source: StoredSource<S, G>,
    args: readonly [...SourceArgs<S>],
    select?: (value: SourceValue<S>) => T,
  ): ReadonlySignal<T>;
}
/** `useSelect`. */
export interface UseSelect {
  <S extends SignalSource, T, G = S>(
    source: StoredSource<S, G>,
    args: readonly [...SourceArgs<S>],
    select: (value: SourceValue<S>) => T,
  ): T;
}

/** `useMutation`. */
export interface UseMutation {
  <E extends AnyEndpoint, G = E>(endpoint: ChangingEndpoint<E, G>, options?: MutationOptions<E>): Mutation<E>;
}
/** Options of `useMutation`. Neither function is called after the component is unmounted, or after a `reset`. */
export interface MutationOptions<E extends AnyEndpoint> {
  /** Called when a call has succeeded, for example to reset a form or leave the page. */
  readonly onSuccess?: ((data: Data<E>, args: ArgsOf<E>) => unknown) | undefined;
  /** Called when a call has failed. An abort and a reset of the store are no failures. */
  readonly onError?: ((error: Error, args: ArgsOf<E>) => unknown) | undefined;
}
/** The result of `useMutation`. */
export interface Mutation<E extends AnyEndpoint> {
  /** Calls the endpoint, for event handlers. A failure goes to `error` and to `onError`. */
  readonly mutate: (...args: ArgsOf<E>) => void;
  /** Calls the endpoint and returns the promise of `controller.fetch`. */
  readonly mutateAsync: (...args: ArgsOf<E>) => Promise<Data<E>>;
  /** Clears data and error. A call in flight continues, but its outcome is not shown here. */
  readonly reset: () => void;
  /** Whether the latest call is in flight. */
  readonly isPending: boolean;
  /** The error of the latest call. `if (error instanceof NetworkError)` gives its `status` and `body`. */
  readonly error: Error | undefined;
  /** The data of the latest call. */
  readonly data: Data<E> | undefined;
}

/** `useLoading`: `[run, isLoading, error]`. */
export interface UseLoading {
  <A extends readonly unknown[], T>(run: (...args: A) => T | PromiseLike<T>): Loading<A, T>;
}
/** The result of `useLoading`. */
export type Loading<A extends readonly unknown[], T> = readonly [
  run: (...args: A) => Promise<T>,
  isLoading: boolean,
  error: Error | undefined,
];

/**
 * The types of `useInfinite`.
 *
 * @module
 */

/** The parameters of a page of a list: those of the list, and those of its `getPage` if it has one. */
export type PageParams<E extends ReadEndpoint> = Params<
  & First<E>
  & (E extends { readonly getPage: infer P } ? P extends AnyEndpoint ? Partial<First<P>> : unknown : unknown)
>;
// Written out, because TypeScript accepts no default `{}` for a parameter of an intersection type.
type Params<P> = { readonly [K in keyof P]?: P[K] | undefined };
type First<E extends AnyEndpoint> = NonNullable<E["~types"]["args"][0 & keyof E["~types"]["args"]]>;

/** A value that says that there is no further page. */
export type NoPage = null | undefined | false | "" | 0;

/** A row of a page: an item of the array, or of the array in the object. */
export type PageItem<T> = T extends readonly (infer I)[] ? I
  : { [K in keyof T]: NonNullable<T[K]> extends readonly (infer I)[] ? I : never }[keyof T];

/** Options of `useInfinite`. */
export interface InfiniteOptions<E extends ReadEndpoint> {
  /**
   * Returns the parameters of the page after `page` that differ from those of the list, or nothing after the last page.
   * It must be pure.
   */
  readonly next: (page: E["~types"]["data"], params: PageParams<E>) => PageParams<E> | NoPage;
  /** Returns the parameters of the page before `page`. */
  readonly previous?: ((page: E["~types"]["data"], params: PageParams<E>) => PageParams<E> | NoPage) | undefined;
  /** The most pages that are shown: a page added at one end removes one at the other. By default there is no limit. */
  readonly maxPages?: number | undefined;
}

/** The result of `useInfinite`. */
export interface Infinite<T> {
  /** The data of each page, in order. */
  readonly pages: readonly T[];
  /** The rows of all pages, each record once. The rows of a page that is an object are those of its first array. */
  readonly items: readonly PageItem<T>[];
  /** Whether there is nothing to show yet. */
  readonly loading: boolean;
  /** The error of the first page that failed. */
  readonly error: Error | undefined;
  /** Whether there is a page after the last one. */
  readonly hasNext: boolean;
  /** Whether there is a page before the first one. */
  readonly hasPrevious: boolean;
  /** Whether the page after the last one is in flight. */
  readonly isFetchingNext: boolean;
  /** Whether the page before the first one is in flight. */
  readonly isFetchingPrevious: boolean;
  /** Shows one more page at the end. If it has failed, it is fetched again. */
  readonly next: () => void;
  /** Shows one more page at the beginning. If it has failed, it is fetched again. */
  readonly previous: () => void;
  /** Fetches all pages again, in order. */
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
