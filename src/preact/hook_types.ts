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

/**
 * What hooks take and give, for the type checker. In each of them `G` and `F` are what was given: see `accepted_types`.
 *
 * @module
 */

type ArgsOf<E extends AnyReadable> = E["~types"]["args"];
type Data<E extends AnyReadable> = E["~types"]["data"];
type Nullable<E extends AnyReadable> = E["~types"]["nullable"];

/** `useSuspense`, `useLive`: data; `undefined` may be among them where the first argument may be `null`. */
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

/** Data, loading, error of a read of `T`: after the last two are ruled out, there are data. */
export type DLE<T, N> =
  | DLEState<T, undefined, true, undefined>
  | DLEState<T, N, false, Error>
  | DLEState<T, T, false, undefined>;

/** How a read of `T` stands. */
export interface DLEState<T, D, L extends boolean, E> {
  /** The data; beside an error what was there before, if anything was. */
  readonly data: D;
  /** It is asked for, and there is nothing to show. */
  readonly loading: L;
  /** What the read failed with; what is no `Error` is its cause. */
  readonly error: E;
  /** A request is in flight. */
  readonly isFetching: boolean;
  /** What is shown is due to be asked for again; as of this rendering. */
  readonly isStale: boolean;
  /** Asks again, however fresh the data are. */
  readonly refetch: () => Promise<T>;
}

/** `useFetch`. */
export interface UseFetch {
  <E extends ReadEndpoint, G = E>(
    endpoint: FetchedEndpoint<E, G>,
    ...args: NullableArgs<ArgsOf<E>>
  ): FetchedPromise<Data<E>> | undefined;
}

/** A promise that also tells at once whether it has settled, and with what. */
export type FetchedPromise<T> =
  & Promise<T>
  & (
    | FetchState<"pending", undefined, undefined>
    | FetchState<"fulfilled", T, undefined>
    | FetchState<"rejected", undefined, unknown>
  );

/** How a read stands, with the members that frameworks expect which unwrap promises. */
export interface FetchState<S extends string, T, R> {
  /** It has settled. */
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

/** `useSubscription`, and what `usePrefetch` gives. */
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

/** What is read as a signal: an endpoint, or a schema that arguments name. */
export type SignalSource = AnyReadable | Queryable;
/** The arguments of a {@linkcode SignalSource}. */
export type SourceArgs<S> = S extends AnyReadable ? NullableArgs<ArgsOf<S>>
  : S extends Queryable ? NullableArgs<SchemaArgs<S>>
  : never;
/** What reading a {@linkcode SignalSource} gives; `undefined` while it is not there. */
export type SourceValue<S> = S extends AnyReadable ? Nullable<S> : S extends Queryable ? DenormalizeNullable<S> : never;

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
/** What `useMutation` is told. Neither is called when the component is gone, or after a `reset`. */
export interface MutationOptions<E extends AnyEndpoint> {
  /** Goes on when a call is done: resets a form, leaves the page. */
  readonly onSuccess?: ((data: Data<E>, args: ArgsOf<E>) => unknown) | undefined;
  /** Is told of what a call failed with; an abort or a reset of the store is no failure. */
  readonly onError?: ((error: Error, args: ArgsOf<E>) => unknown) | undefined;
}
/** What `useMutation` gives. */
export interface Mutation<E extends AnyEndpoint> {
  /** Calls the endpoint, for handlers of events. A failure is in `error`, and in `onError`. */
  readonly mutate: (...args: ArgsOf<E>) => void;
  /** The same, for code that goes on when it is done: what `controller.fetch` gives. */
  readonly mutateAsync: (...args: ArgsOf<E>) => Promise<Data<E>>;
  /** Forgets data and error, and what is on its way: that goes on, and is not shown here. */
  readonly reset: () => void;
  /** The latest call has not settled. */
  readonly isPending: boolean;
  /** What the latest call failed with. `if (error instanceof NetworkError)`: its `status` and `body`. */
  readonly error: Error | undefined;
  /** What the latest call has given. */
  readonly data: Data<E> | undefined;
}

/** `useLoading`: `[run, isLoading, error]`. */
export interface UseLoading {
  <A extends readonly unknown[], T>(run: (...args: A) => T | PromiseLike<T>): Loading<A, T>;
}
/** What `useLoading` gives. */
export type Loading<A extends readonly unknown[], T> = readonly [
  run: (...args: A) => Promise<T>,
  isLoading: boolean,
  error: Error | undefined,
];

/**
 * What `useInfinite` takes and gives, for the type checker.
 *
 * @module
 */

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
