import { CallState } from "./_call_state.ts";
import { useMemory } from "./_internals.ts";

/** What {@linkcode useLoading} gives: the function, whether its latest call runs, and what that failed with. */
export type Loading<A extends readonly unknown[], T> = readonly [
  run: (...args: A) => Promise<T>,
  isLoading: boolean,
  error: Error | undefined,
];

/**
 * Any async function, and how its latest call stands: for what is no endpoint, or several calls in a row. What an earlier
 * call ends with is not shown. A component runs again for the members that it has taken.
 *
 * @param fn What to call; the one of the last rendering is called.
 * @returns `run`, the same in each rendering, gives what the function gives; it rejects for who awaits it. Who does not
 *   need not handle what `error` shows; one that nobody sees is an unhandled rejection.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Entity, resource } from "@rejoin/data";
 * import { useController, useLoading } from "@rejoin/data/preact";
 *
 * class Article extends Entity {
 *   id = "";
 *   isRead = false;
 *   static key = "Article";
 * }
 * const { partialUpdate } = resource({ path: "/articles/:id", schema: Article });
 *
 * function ReadAll({ ids }: { ids: string[] }) {
 *   const controller = useController();
 *   const [readAll, isLoading, error] = useLoading(async () => {
 *     for (const id of ids) await controller.fetch(partialUpdate, { id }, { isRead: true });
 *   });
 *   return <button type="button" disabled={isLoading} onClick={readAll}>{error?.message ?? "All read"}</button>;
 * }
 * assert(ReadAll.length === 1);
 * ```
 */
export function useLoading<A extends readonly unknown[], T>(fn: (...args: A) => T | PromiseLike<T>): Loading<A, T> {
  const memory = useMemory(() => {
    const state = new CallState();
    const run = (...args: A) => state.run(() => memory.fn(...args));
    const loading = [run];
    // Whoever does not take them does not read them.
    Object.defineProperties(loading, {
      1: { get: () => state.isPending, enumerable: true },
      2: { get: () => state.error, enumerable: true },
    });
    const memory = { fn, loading: loading as unknown as Loading<A, T>, leave: () => state.leave() };
    return memory;
  });
  memory.fn = fn;
  return memory.loading;
}
