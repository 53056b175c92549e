import type { Value } from "../plain/value.ts";
import { Call } from "./_call.ts";
import type { UseLoading } from "./hook_types.ts";
import { useMemory } from "./_internals.ts";

/**
 * Any async function, and how its latest call stands: for what is no endpoint, or several calls in a row.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { useLoading } from "@rejoin/data/preact";
 *
 * function Copy({ text }: { text: string }) {
 *   const [copy, isLoading, error] = useLoading(() => navigator.clipboard.writeText(text));
 *   return <button type="button" disabled={isLoading} onClick={copy}>{error?.message ?? "Copy"}</button>;
 * }
 * assert(Copy.length === 1);
 * ```
 *
 * @param run What to call; that of the last rendering is called.
 * @returns The function, the same one at each rendering; whether its latest call runs; what that failed with.
 */
export const useLoading: UseLoading = (run: Value): Value => {
  const own = useMemory(() => {
    const call = new Call(),
      loading = [(...args: Value[]) => call.run(async () => await own.run(...args), args, () => ({}))];
    Object.defineProperties(loading, { 1: { get: () => call.isPending }, 2: { get: () => call.error } });
    return { run, loading, stop: () => call.stop() };
  });
  own.run = run;
  return own.loading;
};
