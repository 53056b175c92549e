import type { ReadEndpoint } from "../endpoint/interface.ts";
import type { FetchedEndpoint } from "../endpoint/readable.ts";
import type { NullableArgs } from "../schemas/infer.ts";
import { useMemory } from "./_internals.ts";
import { useRead } from "./use_read.ts";

/** What {@linkcode useFetch} gives: a promise that also tells at once whether it has settled, and with what. */
export type FetchedPromise<T> =
  & Promise<T>
  & (
    | FetchState<"pending", undefined, undefined>
    | FetchState<"fulfilled", T, undefined>
    | FetchState<"rejected", undefined, unknown>
  );

/** How a read stands, with the members that frameworks expect which unwrap promises. */
export interface FetchState<S extends string, T, R> {
  /** The data is there, or the error; and then no data that may be shown. */
  readonly resolved: S extends "pending" ? false : true;
  /** Which of these. */
  readonly status: S;
  /** The data. */
  readonly value: T;
  /** The error. */
  readonly reason: R;
}

/**
 * Starts a read without waiting for it: several can be on their way before the first is needed.
 *
 * @param endpoint What to read; no mutation.
 * @param args Its arguments; `null` as the first: nothing is fetched.
 * @returns A promise that also tells whether it has settled; the same one while it tells the same; `undefined` when
 *   inactive.
 */
export function useFetch<E extends ReadEndpoint, G = E>(
  endpoint: FetchedEndpoint<E, G>,
  ...args: NullableArgs<E["~types"]["args"]>
): FetchedPromise<E["~types"]["data"]> | undefined;
export function useFetch(endpoint: ReadEndpoint, ...args: readonly unknown[]): FetchedPromise<unknown> | undefined {
  const { view, data, error, loading } = useRead(endpoint, args, "useFetch");
  const last = useMemory((): { made?: FetchedPromise<unknown>; of?: unknown } => ({}));
  if (view === undefined) return undefined;
  const of = loading ?? error ?? data;
  if (last.made === undefined || last.of !== of) {
    last.of = of;
    last.made = loading !== undefined
      // A promise of its own: that of the request is shared.
      ? tell(loading.then(), "pending")
      : error !== undefined
      ? tell(Promise.reject(error), "rejected", undefined, error)
      : tell(Promise.resolve(data), "fulfilled", data);
  }
  return last.made;
}

function tell(promise: Promise<unknown>, status: string, value?: unknown, reason?: unknown): FetchedPromise<unknown> {
  // Whoever does not look at the promise is not to be told of an error that the component shows.
  promise.catch(() => {});
  return Object.assign(promise, { resolved: status !== "pending", status, value, reason }) as FetchedPromise<unknown>;
}
