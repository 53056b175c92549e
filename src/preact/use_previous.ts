import { useMemory } from "./_internals.ts";
import { useController } from "./use_controller.ts";

/**
 * The value, and while it is `undefined` the last one that was not: the old rows stay on the page while the new ones are
 * on their way. When the store is emptied they go: they may be those of another person.
 * Where rows are read by arguments, `useDeferredArgs` does more: what stays is as it is in the store.
 *
 * @param value What there is now.
 * @returns It, or what there was before; `undefined` until there has been something.
 *
 * @example A number that stays while it is counted again
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Endpoint } from "@rejoin/data";
 * import { useFetch, usePrevious } from "@rejoin/data/preact";
 *
 * const countFilms = new Endpoint(
 *   async ({ genre }: { genre: string }) => await Promise.resolve(genre.length),
 *   { name: "countFilms" },
 * );
 * function Count({ genre }: { genre: string }) {
 *   const count = useFetch(countFilms, { genre });
 *   return <b aria-busy={!count?.resolved}>{usePrevious(count?.value)} films</b>;
 * }
 * assert(Count.length === 1);
 * ```
 */
export function usePrevious<T>(value: T): T {
  const { lastReset } = useController().store;
  const last = useMemory(() => ({ value, lastReset }));
  if (value !== undefined || last.lastReset !== lastReset) Object.assign(last, { value, lastReset });
  return last.value;
}
