import type { ReadEndpoint } from "../endpoint/interface.ts";
import type { NullableArgs } from "../schemas/infer.ts";
import { type Memory, useMemory } from "./_internals.ts";
import { useRead } from "./use_read.ts";

/** What {@linkcode useFetch} gives: a promise that also tells at once whether it has settled. */
export interface FetchedPromise<T> extends PromiseLike<T> {
  /** The data is there, or the error; `false` while it is waited for. */
  readonly resolved: boolean;
  /** As frameworks that unwrap promises expect it. */
  readonly status: "pending" | "fulfilled" | "rejected";
  /** The data, when it is there. */
  readonly value: T | undefined;
  /** The error, when there is one. */
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
export function useFetch<E extends ReadEndpoint>(
  endpoint: E,
  ...args: NullableArgs<E["~types"]["args"]>
): FetchedPromise<E["~types"]["data"]> | undefined {
  const { isInactive, isShown, data, error, pending } = useRead(endpoint, args, "useFetch");
  const last = useMemory((): Last => ({ made: undefined, of: undefined }));
  if (isInactive) return undefined;
  const isPending = !isShown && pending !== undefined;
  const of = isPending ? pending : error ?? data;
  if (last.made === undefined || last.of !== of) {
    last.of = of;
    last.made = isPending
      ? asThenable(pending, { resolved: false, status: "pending", value: undefined, reason: undefined })
      : error !== undefined
      ? asThenable(rejected(error), { resolved: true, status: "rejected", value: undefined, reason: error })
      : asThenable(Promise.resolve(data), { resolved: true, status: "fulfilled", value: data, reason: undefined });
  }
  return last.made as FetchedPromise<E["~types"]["data"]>;
}

/** What the hook gave last, and what it was made of. */
interface Last extends Memory {
  made: FetchedPromise<unknown> | undefined;
  of: unknown;
}

function asThenable<T>(promise: Promise<T>, state: Omit<FetchedPromise<T>, "then">): FetchedPromise<T> {
  return { ...state, then: promise.then.bind(promise) };
}

function rejected(reason: unknown): Promise<never> {
  const promise = Promise.reject(reason);
  // Whoever does not look at the promise is not to be told of an error that the component shows.
  promise.catch(() => {});
  return promise;
}
