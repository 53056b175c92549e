import type { ReadEndpoint } from "../endpoint/interface.ts";
import type { FetchedEndpoint } from "../endpoint/readable.ts";
import type { NullableArgs } from "../schemas/infer.ts";
import { useMemory } from "./_internals.ts";
import { useRead } from "./use_read.ts";

/** What {@linkcode useFetch} gives: a promise that also tells at once whether it has settled. */
export type FetchedPromise<T> = Promise<T> & (FetchPending | FetchFulfilled<T> | FetchRejected);

/** It is waited for. */
export interface FetchPending {
  /** The data is there, or the error. */
  readonly resolved: false;
  /** As frameworks that unwrap promises expect it. */
  readonly status: "pending";
  /** The data. */
  readonly value: undefined;
  /** The error. */
  readonly reason: undefined;
}

/** The data is there. */
export interface FetchFulfilled<T> {
  /** The data is there, or the error. */
  readonly resolved: true;
  /** As frameworks that unwrap promises expect it. */
  readonly status: "fulfilled";
  /** The data. */
  readonly value: T;
  /** The error. */
  readonly reason: undefined;
}

/** The read has failed, and there is no data that may be shown. */
export interface FetchRejected {
  /** The data is there, or the error. */
  readonly resolved: true;
  /** As frameworks that unwrap promises expect it. */
  readonly status: "rejected";
  /** The data. */
  readonly value: undefined;
  /** The error. */
  readonly reason: unknown;
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
  const { view, isShown, data, error, pending } = useRead(endpoint, args, "useFetch");
  const last = useMemory((): { made?: FetchedPromise<unknown>; of?: unknown } => ({}));
  if (view === undefined) return undefined;
  const isPending = !isShown && pending !== undefined;
  const of = isPending ? pending : error ?? data;
  if (last.made === undefined || last.of !== of) {
    last.of = of;
    last.made = isPending
      // A promise of its own: that of the request is shared.
      ? tell(pending.then(), { resolved: false, status: "pending", value: undefined, reason: undefined })
      : error !== undefined
      ? tell(Promise.reject(error), { resolved: true, status: "rejected", value: undefined, reason: error })
      : tell(Promise.resolve(data), { resolved: true, status: "fulfilled", value: data, reason: undefined });
  }
  return last.made;
}

function tell<T>(
  promise: Promise<T>,
  state: FetchPending | FetchFulfilled<T> | FetchRejected,
): FetchedPromise<T> {
  // Whoever does not look at the promise is not to be told of an error that the component shows.
  promise.catch(() => {});
  return Object.assign(promise, state);
}
