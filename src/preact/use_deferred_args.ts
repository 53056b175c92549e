import type { Args, Value } from "../plain/value.ts";
import { copyPlain } from "../plain/copy_plain.ts";
import { dataOf, errorOf, follow, readOf } from "../signals/read.ts";
import type { UseDeferredArgs } from "./hook_types.ts";
import { useMemory } from "./_internals.ts";
import { useRead } from "./use_read.ts";

interface Before {
  key: string;
  /** The arguments whose data were shown last; `undefined` if there are none. */
  args: Args | undefined;
}

/**
 * Keeps the old rows on the page while those for new arguments are fetched: it fetches the new ones, and returns the
 * old arguments until they are there. Pass the result to a hook that reads.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Endpoint } from "@rejoin/data";
 * import { useDeferredArgs, useSuspense } from "@rejoin/data/preact";
 *
 * const search = new Endpoint(async (q: string) => await Promise.resolve([q]), { name: "search" });
 * function Results({ q }: { q: string }) {
 *   const [args, isPending] = useDeferredArgs(search, q);
 *   return <p aria-busy={isPending}>{useSuspense(search, ...args).join()}</p>;
 * }
 * assert(Results.length === 1);
 * ```
 *
 * @param endpoint The endpoint to read; no mutation.
 * @param args Its arguments; with `null` as the first, nothing is read.
 * @returns The arguments whose data can be shown, and whether the new ones are still being fetched.
 */
export const useDeferredArgs: UseDeferredArgs = (endpoint: Value, ...args: Value[]): Value => {
  const { read, error, isMissing } = useRead(endpoint, args, "useDeferredArgs"),
    last = useMemory((): Before => ({ key: "", args: undefined }));
  // The old arguments may not fit another endpoint.
  if (read && isMissing && !error && last.args && endpoint.testKey(last.key)) {
    const before = readOf(read.controller, endpoint, last.args);
    if (follow(before, dataOf).value !== undefined && !follow(before, errorOf).value) return [last.args, true];
  }
  if (!read || isMissing) last.args = undefined;
  else if (last.key !== read.key || !last.args) Object.assign(last, { key: read.key, args: copyPlain(args) });
  return [args, false];
};
