import { useEffect, useMemo, useRef } from "../deps/preact_hooks.ts";
import type { Controller } from "../controller/controller.ts";
import { isInactive } from "../controller/is_inactive.ts";
import type { AnyEndpoint, ReadEndpoint } from "../endpoint/interface.ts";
import type { FetchedEndpoint } from "../endpoint/readable.ts";
import { servePolls } from "../managers/polling_manager.ts";
import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";
import type { NullableArgs } from "../schemas/infer.ts";
import { copyArgs } from "../endpoint/copy_plain.ts";
import { checkGiven } from "./_check_given.ts";
import { useController } from "./use_controller.ts";

/**
 * Keeps the answer of an endpoint up to date while the component is mounted: by polling, as often as its
 * `pollFrequency` says, or by whatever manager claims its subscriptions. Reads nothing itself; `useLive` does both.
 *
 * @param endpoint What to keep up to date; no mutation.
 * @param args Its arguments; `null` as the first: nothing.
 * @throws {EndpointError} If `pollFrequency` is no number of ms above 0; the nearest error boundary shows it.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Endpoint } from "@rejoin/data";
 * import { useSubscription } from "@rejoin/data/preact";
 *
 * const getPrice = new Endpoint(async ({ symbol }: { symbol: string }) => await Promise.resolve({ symbol, price: 5 }), {
 *   name: "getPrice",
 *   pollFrequency: 5_000,
 * });
 * function KeepsPrice({ symbol }: { symbol: string | null }) {
 *   useSubscription(getPrice, symbol === null ? null : { symbol });
 *   return null;
 * }
 * assert(KeepsPrice.length === 1);
 * ```
 */
export function useSubscription<E extends ReadEndpoint, G = E>(
  endpoint: FetchedEndpoint<E, G>,
  ...args: NullableArgs<E["~types"]["args"]>
): void;
export function useSubscription(endpoint: ReadEndpoint, ...args: readonly unknown[]): void {
  checkGiven(endpoint, "fetched", "useSubscription");
  if (endpoint.sideEffect) throw new SchemaError(said(753, { name: (endpoint as AnyEndpoint).name }));
  const controller = useController();
  const release = useRef<(() => void) | undefined>(undefined);
  const key = isInactive(args) ? undefined : endpoint.key(...args);
  const kept = useMemo(() => copyArgs(args), [key]);
  useEffect(() => {
    const before = release.current;
    release.current = undefined;
    try {
      if (key !== undefined) release.current = subscribe(controller, endpoint, kept);
    } finally {
      // After the new one: what goes on with another token is neither aborted nor asked for anew.
      before?.();
    }
  }, [controller, key, endpoint]);
  useEffect(() => () => {
    release.current?.();
    release.current = undefined;
  }, []);
}

function subscribe(controller: Controller, endpoint: ReadEndpoint, args: readonly unknown[]): () => void {
  servePolls(controller);
  controller.subscribe(endpoint, ...args);
  return () => controller.unsubscribe(endpoint, ...args);
}
