/**
 * A type as an option, where an option is there for its type only: `searchParams`, `body`.
 *
 * @returns A value that nobody looks at, but that is not `undefined`, which would mean: none.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Entity, resource, typed } from "@rejoin/data";
 *
 * class Film extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Film";
 * }
 * interface FilmSearch {
 *   q?: string;
 *   page?: number;
 * }
 * const FilmResource = resource({
 *   urlPrefix: "https://api.example.com",
 *   path: "/films/:id",
 *   schema: Film,
 *   searchParams: typed<FilmSearch>(),
 *   body: typed<{ title: string }>(),
 * });
 * assert(FilmResource.getList.url({ q: "alien" }) === "https://api.example.com/films?q=alien");
 * assert(FilmResource.create.method === "POST");
 * ```
 */
export function typed<T>(): T {
  return {} as T;
}
