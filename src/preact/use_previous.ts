import { type Memory, useMemory } from "./_internals.ts";
import { useController } from "./use_controller.ts";

/**
 * The value, and while it is `undefined` the last one that was not: the old rows stay on the page while the new ones are
 * on their way. When the store is emptied they go: they may be those of another person.
 *
 * @param value What there is now.
 * @returns It, or what there was before; `undefined` until there has been something.
 *
 * @example Search as you type, without a skeleton in between
 * ```tsx
 * import { assert } from "@std/assert";
 * import { createResource, Entity } from "@rejoin/data";
 * import { useDLE, usePrevious } from "@rejoin/data/preact";
 *
 * class Film extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Film";
 * }
 * const FilmResource = createResource({ path: "/films/:id", schema: Film, searchParams: {} as { q: string } });
 *
 * function Results({ q }: { q: string }) {
 *   const { data, loading, error } = useDLE(FilmResource.getList, { q });
 *   const films = usePrevious(data);
 *   if (error) return <p>{error.message}</p>;
 *   return <ul aria-busy={loading}>{films?.map((film) => <li key={film.id}>{film.title}</li>)}</ul>;
 * }
 * assert(Results.length === 1);
 * ```
 */
export function usePrevious<T>(value: T): T {
  const { lastReset } = useController().store;
  const last = useMemory((): Last<T> => ({ value, lastReset }));
  if (value !== undefined || last.lastReset !== lastReset) Object.assign(last, { value, lastReset });
  return last.value;
}

/** What was there last, and since which reset of the store. */
interface Last<T> extends Memory {
  value: T;
  lastReset: number;
}
