import { useEffect } from "../deps/preact_hooks.ts";
import { checks } from "../errors/mod.ts";
import type { Value } from "../plain/value.ts";
import type { UseSubscription } from "./hook_types.ts";
import { poll } from "../parts/polling.ts";
import { useController } from "./use_controller.ts";

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
export const useSubscription: UseSubscription = (endpoint: Value, ...args: Value[]): void => {
  checks.given?.(endpoint, "fetched", "useSubscription");
  const controller = useController(),
    key = args[0] === null ? undefined : endpoint.key(...args);
  useEffect(() => {
    if (key === undefined) return;
    for (const part of controller.parts) {
      const stop = part.subscribe?.(endpoint, args);
      if (stop) return stop;
    }
    return endpoint.pollFrequency ? poll(controller, endpoint, args) : undefined;
  }, [controller, key, endpoint]);
};
