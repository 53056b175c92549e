import type { AnyReadable } from "../endpoint/interface.ts";
import type { NullableArgs } from "../schemas/infer.ts";
import { useRead } from "./use_read.ts";

/**
 * What the store has of an endpoint or a Query. Never fetches, never suspends, never throws what a read failed with;
 * shows what `useSuspense` would show.
 *
 * @param endpoint An endpoint, or a Query.
 * @param args Its arguments; `null` as the first: inactive.
 * @returns The data, `undefined` while there is none to show.
 */
export function useCache<E extends AnyReadable>(
  endpoint: E,
  ...args: NullableArgs<E["~types"]["args"]>
): E["~types"]["nullable"] {
  return useRead(endpoint, args, undefined).data;
}
