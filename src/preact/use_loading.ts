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
  const state = useMemory(() => new LoadingState<A, T>());
  state.fn = fn;
  return state.loading;
}

/** The calls of one component. */
class LoadingState<A extends readonly unknown[], T> extends CallState {
  fn!: (...args: A) => T | PromiseLike<T>;
  // Whoever does not take the others does not read them.
  readonly loading = Object.defineProperties([(...args: A) => this.run(() => this.fn(...args))], {
    1: { get: () => this.isPending, enumerable: true },
    2: { get: () => this.error, enumerable: true },
  }) as unknown as Loading<A, T>;
}
