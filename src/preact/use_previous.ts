import { useMemory } from "./_internals.ts";
import { useController } from "./use_controller.ts";

/**
 * A value, and while it is `undefined` the last one that was not. When the store is reset it goes: it may be that of
 * another person. For rows that are read by arguments `useDeferredArgs` does more.
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
 * @param value What there is now.
 * @returns It, or what there was before.
 */
export function usePrevious<T>(value: T): T {
  const { resets } = useController().store, last = useMemory(() => ({ value, resets }));
  if (value !== undefined || last.resets !== resets) Object.assign(last, { value, resets });
  return last.value;
}
