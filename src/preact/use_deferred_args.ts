import type { Args, Value } from "../plain/value.ts";
import { copyPlain } from "../plain/copy_plain.ts";
import { dataOf, errorOf, follow, readOf } from "../signals/read.ts";
import type { UseDeferredArgs } from "./hook_types.ts";
import { useMemory } from "./_internals.ts";
import { useRead } from "./use_read.ts";

interface Before {
  key: string;
  /** What was shown last; `undefined`: nothing that may stay. */
  args: Args | undefined;
}

/**
 * Keeps the old rows on the page while those for other arguments are on their way: it asks for the new ones, and gives the
 * old arguments until they are there. Give its result to a hook that reads.
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
 * @param endpoint What to read; no mutation.
 * @param args Its arguments; `null` as the first: nothing is read.
 * @returns The arguments of what can be shown, and whether those that were given are waited for.
 */
export const useDeferredArgs: UseDeferredArgs = (endpoint: Value, ...args: Value[]): Value => {
  const { read, error, isMissing } = useRead(endpoint, args, "useDeferredArgs"),
    last = useMemory((): Before => ({ key: "", args: undefined }));
  // Of another endpoint the old arguments may be none.
  if (read && isMissing && !error && last.args && endpoint.testKey(last.key)) {
    const before = readOf(read.controller, endpoint, last.args);
    if (follow(before, dataOf).value !== undefined && !follow(before, errorOf).value) return [last.args, true];
  }
  if (!read || isMissing) last.args = undefined;
  else if (last.key !== read.key || !last.args) Object.assign(last, { key: read.key, args: copyPlain(args) });
  return [args, false];
};
