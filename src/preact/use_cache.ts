import type { AnyReadable } from "../endpoint/interface.ts";
import type { StoredEndpoint } from "../endpoint/readable.ts";
import type { NullableArgs } from "../schemas/infer.ts";
import { checkGiven } from "./_check_given.ts";
import { useRead } from "./use_read.ts";

/**
 * What the store has of an endpoint or a Query. Never fetches, never suspends, never throws what a read failed with;
 * shows what `useSuspense` would show.
 *
 * @param endpoint An endpoint, or a Query; no mutation.
 * @param args Its arguments; `null` as the first: inactive.
 * @returns The data, `undefined` while there is none to show.
 */
export function useCache<E extends AnyReadable, G = E>(
  endpoint: StoredEndpoint<E, G>,
  ...args: NullableArgs<E["~types"]["args"]>
): E["~types"]["nullable"];
export function useCache(endpoint: AnyReadable, ...args: readonly unknown[]): unknown {
  checkGiven(endpoint, "stored", "useCache");
  return useRead(endpoint, args, undefined).data;
}
