import { useMemo } from "../deps/preact_hooks.ts";
import type { Value } from "../plain/value.ts";
import type { FetchedPromise, UseDLE, UseFetch } from "./hook_types.ts";
import { useRead } from "./use_read.ts";
import { follow, isInFlight, type Read } from "../signals/read.ts";
import { now } from "../store/store.ts";

/**
 * Returns data, loading and error of a read as values, for a component that shows all three itself. It fetches as
 * `useSuspense` does, and needs no boundary.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { createResource, Entity } from "@rejoin/data";
 * import { useDLE } from "@rejoin/data/preact";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   static override key = "Article";
 * }
 * const ArticleResource = createResource({ path: "/articles/:id", schema: Article });
 *
 * function ArticlePage({ id }: { id: string }) {
 *   const { data, loading, error, refetch } = useDLE(ArticleResource.get, { id });
 *   if (loading) return <p>Loading …</p>;
 *   if (error) return <p>{error.message} <button type="button" onClick={refetch}>Again</button></p>;
 *   return <h1>{data.title}</h1>;
 * }
 * assert(ArticlePage.length === 1);
 * ```
 *
 * @param endpoint The endpoint to read; no mutation.
 * @param args Its arguments; with `null` as the first, nothing is read.
 * @returns `data`, `loading` and `error`; `isFetching` and `isStale`, whose changes render the component only if it
 * reads them; and `refetch`, the same function while the arguments are equal.
 */
export const useDLE: UseDLE = (endpoint: Value, ...args: Value[]): Value => {
  const { read, data, error, isMissing } = useRead(endpoint, args, "useDLE"),
    // The promise of the read itself, so that an error, which is in the store, is no unhandled rejection.
    refetch = useMemo(() => (): Promise<Value> => Promise.resolve(read?.refetch(true)), [read]);
  return {
    data,
    error,
    loading: isMissing && !error,
    refetch,
    get isFetching() {
      return !!read && follow(read, isInFlight).value;
    },
    get isStale() {
      return !!read && (follow(read, isInFlight).value, now() >= read.controller.store.freshUntil(read.node));
    },
  };
};

/**
 * Fetches a read if the store has no fresh data, and does not wait. A component can start several requests before it
 * needs the first result.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Endpoint } from "@rejoin/data";
 * import { useFetch } from "@rejoin/data/preact";
 *
 * const getCount = new Endpoint(async () => await Promise.resolve(5), { name: "getCount" });
 * function Count() {
 *   return <b>{useFetch(getCount)?.value ?? "…"}</b>;
 * }
 * assert(Count.length === 0);
 * ```
 *
 * @param endpoint The endpoint to read; no mutation.
 * @param args Its arguments; with `null` as the first, nothing is read.
 * @returns A promise with its state as members, the same object while the state is the same; `undefined` if nothing is
 * read.
 */
export const useFetch: UseFetch = (endpoint: Value, ...args: Value[]): Value => {
  const { read, data, error, isMissing } = useRead(endpoint, args, "useFetch");
  const isPending = isMissing && !error;
  return useMemo(() =>
    !read ? undefined : isPending
      // A new promise, because it gets members, and the promise of the request is shared.
      ? tell(settled(read), "pending")
      : error
      ? tell(Promise.reject(error), "rejected", undefined, error)
      : tell(Promise.resolve(data), "fulfilled", data), [read, isPending, error ?? data]);
};
async function settled(read: Read): Promise<Value> {
  let shown;
  do {
    await read.wait;
    shown = read.look(read.node);
    // If a mutation has made the reply stale, the store fetches again at once, and this waits for that reply.
  } while (shown.isMissing && read.node.flight);
  if (shown.error) throw shown.error;
  return shown.data;
}
function tell(promise: Promise<Value>, status: string, value?: Value, reason?: unknown): FetchedPromise<Value> {
  // The error is in the store, where other hooks show it, so a component need not handle the promise.
  promise.catch(() => {});
  return Object.assign(promise, { resolved: status !== "pending", status, value, reason }) as FetchedPromise<Value>; // the members fit the status
}
