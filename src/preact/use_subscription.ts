import { useEffect } from "../deps/preact_hooks.ts";
import { checks } from "../errors/mod.ts";
import { polling } from "../parts/polling.ts";
import type { Value } from "../plain/value.ts";
import type { Prefetch, UseRead } from "./hook_types.ts";
import { useController } from "./use_controller.ts";
import { useRead } from "./use_read.ts";
import { dataOrThrow } from "./use_suspense.ts";

/**
 * Keeps the data of a read current while the component is mounted: by a part that serves the subscription, else by
 * polling every `pollFrequency` ms. It returns nothing; show the data with another hook.
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
 * @param endpoint The endpoint to read; no mutation.
 * @param args Its arguments; with `null` as the first, nothing is read.
 */
export const useSubscription: Prefetch = (endpoint: Value, ...args: Value[]): void => {
  checks.given?.(endpoint, "fetched", "useSubscription");
  const controller = useController(), key = args[0] === null ? undefined : endpoint.key(...args);
  useEffect(() => {
    // Polling becomes the last part, so that it takes only subscriptions that no part of the app serves.
    controller.use(polling);
    controller.subscribe(endpoint, ...args);
    return () => controller.unsubscribe(endpoint, ...args);
  }, [controller, key, endpoint]);
};

/**
 * Returns the data of a read as `useSuspense` does, and keeps them current as `useSubscription` does.
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
 * @param endpoint The endpoint to read; no mutation.
 * @param args Its arguments; with `null` as the first, nothing is read.
 * @returns The data; `undefined` if nothing is read.
 * @throws A promise while there is nothing to show, or the error of the read. A boundary catches both.
 */
export const useLive: UseRead = (endpoint: Value, ...args: Value[]): Value => {
  const shown = useRead(endpoint, args, "useLive");
  useSubscription(endpoint, ...args);
  return dataOrThrow(shown);
};
