import { useMemory } from "./_internals.ts";
import { useController } from "./use_controller.ts";

/**
 * Returns a value, or while it is `undefined` the last value that was not. A reset of the store clears it, because it
 * may belong to another user. For rows that are read by arguments, prefer `useDeferredArgs`.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Endpoint } from "@rejoin/data";
 * import { useFetch, usePrevious } from "@rejoin/data/preact";
 *
 * const countFilms = new Endpoint(async (genre: string) => await Promise.resolve(genre.length), { name: "countFilms" });
 * function Count({ genre }: { genre: string }) {
 *   return <b>{usePrevious(useFetch(countFilms, genre)?.value)} films</b>;
 * }
 * assert(Count.length === 1);
 * ```
 *
 * @param value The current value.
 * @returns The current value, or the last one that was not `undefined`.
 */
export function usePrevious<T>(value: T): T {
  const { resets } = useController().store, last = useMemory(() => ({ value, resets }));
  if (value !== undefined || last.resets !== resets) Object.assign(last, { value, resets });
  return last.value;
}
