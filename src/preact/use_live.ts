import type { ReadEndpoint } from "../endpoint/interface.ts";
import type { ActiveArgs, FetchedEndpoint, InactiveArgs } from "../endpoint/readable.ts";
import { useSubscription } from "./use_subscription.ts";
import { shownOrThrown, useRead } from "./use_read.ts";

/**
 * The data of an endpoint as `useSuspense` gives it, kept up to date as `useSubscription` does.
 *
 * @param endpoint What to read; no mutation.
 * @param args Its arguments; `null` as the first: nothing is fetched.
 * @returns The data.
 * @throws A promise while there is nothing to show, and the error of the read when there is one; a boundary catches both.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Endpoint } from "@rejoin/data";
 * import { useLive } from "@rejoin/data/preact";
 *
 * const getPrice = new Endpoint(async ({ symbol }: { symbol: string }) => await Promise.resolve({ symbol, price: 5 }), {
 *   name: "getPrice",
 *   pollFrequency: 5_000,
 * });
 * function Price({ symbol }: { symbol: string }) {
 *   return <b>{useLive(getPrice, { symbol }).price}</b>;
 * }
 * assert(Price.length === 1);
 * ```
 */
export function useLive<E extends ReadEndpoint, G = E, F extends readonly unknown[] = []>(
  endpoint: FetchedEndpoint<E, G>,
  ...args: ActiveArgs<E["~types"]["args"], F>
): E["~types"]["data"];
/**
 * The same where the first argument may be `null`: then nothing is fetched.
 *
 * @param endpoint What to read; no mutation.
 * @param args Its arguments, or `null`.
 * @returns The data; what an object schema has without a response, or `undefined`, when inactive.
 */
export function useLive<E extends ReadEndpoint, G = E, F extends readonly unknown[] = []>(
  endpoint: FetchedEndpoint<E, G>,
  ...args: InactiveArgs<E["~types"]["args"], F>
): E["~types"]["nullable"];
export function useLive(endpoint: ReadEndpoint, ...args: readonly unknown[]): unknown {
  const reading = useRead(endpoint, args, "useLive");
  useSubscription(endpoint, ...args);
  return shownOrThrown(reading);
}
