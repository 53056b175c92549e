import type { AnyEndpoint } from "../endpoint/endpoint_types.ts";
import type { DenormalizeNullable, NullableArgs, SchemaArgs } from "../store/infer.ts";

type Args<E extends AnyEndpoint> = E["~types"]["args"];
type Data<E extends AnyEndpoint> = E["~types"]["data"];
type Nullable<E extends AnyEndpoint> = E["~types"]["nullable"];

/** With `null` as first argument nothing is read. */
export interface UseRead {
  <E extends AnyEndpoint>(endpoint: E, ...args: Args<E>): Data<E>;
  <E extends AnyEndpoint>(endpoint: E, ...args: NullableArgs<Args<E>>): Data<E> | undefined;
}
export interface UseCache {
  <E extends AnyEndpoint>(endpoint: E, ...args: NullableArgs<Args<E>>): Nullable<E>;
  <S extends { key(...args: any): string; readonly "~types": { args: readonly any[]; nullable: any } }>(
    query: S,
    ...args: S["~types"]["args"]
  ): S["~types"]["nullable"];
}
export interface UseQuery {
  <S>(schema: S, ...args: SchemaArgs<S>): DenormalizeNullable<S>;
  <S>(schema: S, inactive: null): undefined;
}
export interface UseFetch {
  <E extends AnyEndpoint>(endpoint: E, ...args: NullableArgs<Args<E>>): Promise<Data<E>>;
}
interface Common {
  readonly isFetching: boolean;
  refetch(): void;
}
/** After `loading` and `error` are ruled out, there are data. */
export type DLE<D, N> =
  | Common & { readonly data: D; readonly loading: false; readonly error: undefined }
  | Common & { readonly data: N; readonly loading: true; readonly error: undefined }
  | Common & { readonly data: N; readonly loading: false; readonly error: Error };
export interface UseDLE {
  <E extends AnyEndpoint>(endpoint: E, ...args: Args<E>): DLE<Data<E>, Nullable<E>>;
  <E extends AnyEndpoint>(endpoint: E, ...args: NullableArgs<Args<E>>): DLE<Nullable<E>, Nullable<E>>;
}
export interface MutationOptions<D = any, A = any> {
  readonly onSuccess?: ((data: D, args: A) => void) | undefined;
  readonly onError?: ((error: any, args: A) => void) | undefined;
}
export interface UseMutation {
  <E extends AnyEndpoint>(endpoint: E, options?: MutationOptions<Data<E>, Args<E>>): {
    mutate(...args: Args<E>): void;
    mutateAsync(...args: Args<E>): Promise<Data<E>>;
    reset(): void;
    readonly isPending: boolean;
    readonly data: Data<E> | undefined;
    readonly error: Error | undefined;
  };
}
export interface UseLoading {
  <F extends (...args: any[]) => any>(
    run: F,
  ): [run: (...args: Parameters<F>) => Promise<Awaited<ReturnType<F>>>, isLoading: boolean, error: Error | undefined];
}
