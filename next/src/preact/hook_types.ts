/**
 * What hooks take and give, for the type checker. In each of them `G` and `F` are what was given: see `accepted_types`.
 *
 * @module
 */
import type { ReadonlySignal } from "../deps/signals_core.ts";
import type {
  ActiveArgs,
  ChangingEndpoint,
  FetchedEndpoint,
  InactiveArgs,
  NamedSchema,
  StoredEndpoint,
  StoredSource,
} from "../endpoint/accepted_types.ts";
import type { AnyEndpoint, AnyReadable, ReadEndpoint } from "../endpoint/endpoint_types.ts";
import type { DenormalizeNullable, NullableArgs, Queryable, SchemaArgs } from "../store/infer.ts";

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
/** `useSubscription`. */
export interface UseSubscription extends Prefetch {}

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
