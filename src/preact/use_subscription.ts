import { useEffect } from "../deps/preact_hooks.ts";
import { checks } from "../errors/mod.ts";
import { polling } from "../parts/polling.ts";
import type { Value } from "../plain/value.ts";
import type { Prefetch, UseRead } from "./hook_types.ts";
import { useController } from "./use_controller.ts";
import { useRead } from "./use_read.ts";
import { dataOrThrow } from "./use_suspense.ts";

/**
 * Keeps the data of a call current as long as the component is mounted: by a part that serves it, else it asks the server
 * every `pollFrequency` ms. Show the data with another hook, anywhere.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Endpoint } from "@rejoin/data";
 * import { useCache, useSubscription } from "@rejoin/data/preact";
 *
 * const getPrice = new Endpoint(async () => await Promise.resolve(5), { name: "getPrice", pollFrequency: 5_000 });
 * function Price() {
 *   useSubscription(getPrice);
 *   return <b>{useCache(getPrice)}</b>;
 * }
 * assert(Price.length === 0);
 * ```
 *
 * @param endpoint What to read; no mutation.
 * @param args Its arguments; `null` as the first: nothing is read.
 */
export const useSubscription: Prefetch = (endpoint: Value, ...args: Value[]): void => {
  checks.given?.(endpoint, "fetched", "useSubscription");
  const controller = useController(), key = args[0] === null ? undefined : endpoint.key(...args);
  useEffect(() => {
    // After the parts that the app has.
    controller.use(polling);
    controller.subscribe(endpoint, ...args);
    return () => controller.unsubscribe(endpoint, ...args);
  }, [controller, key, endpoint]);
};

/**
 * The data of a call as `useSuspense` gives them, kept current as `useSubscription` does.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Endpoint } from "@rejoin/data";
 * import { useLive } from "@rejoin/data/preact";
 *
 * const getPrice = new Endpoint(async () => await Promise.resolve(5), { name: "getPrice", pollFrequency: 5_000 });
 * function Price() {
 *   return <b>{useLive(getPrice)}</b>;
 * }
 * assert(Price.length === 0);
 * ```
 *
 * @param endpoint What to read; no mutation.
 * @param args Its arguments; `null` as the first: nothing is read.
 * @returns The data; `undefined` when inactive.
 * @throws A promise while there is nothing to show, and the error of the read; a boundary catches both.
 */
export const useLive: UseRead = (endpoint: Value, ...args: Value[]): Value => {
  const shown = useRead(endpoint, args, "useLive");
  useSubscription(endpoint, ...args);
  return dataOrThrow(shown);
};
