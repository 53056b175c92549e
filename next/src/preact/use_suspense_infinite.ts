import { UsageError } from "../errors/mod.ts";
import type { Args, Value } from "../plain/value.ts";
import { failed } from "../signals/read.ts";
import type { UseSuspenseInfinite } from "./infinite_types.ts";
import { type Steps, usePages } from "./_pages.ts";

/**
 * As `useInfinite`, and the first page is waited for at the boundary. Pages that come later, or fail, are told as values.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Endpoint } from "@rejoin/data";
 * import { useSuspenseInfinite } from "@rejoin/data/preact";
 *
 * const getNumbers = new Endpoint(async ({ page = 1 }: { page?: number }) => await Promise.resolve([page]), {
 *   name: "getNumbers",
 * });
 * function Numbers() {
 *   const { items, next } = useSuspenseInfinite(getNumbers, [{}], { next: (_, { page = 1 }) => ({ page: page + 1 }) });
 *   return <button type="button" onClick={next}>{items.join()}</button>;
 * }
 * assert(Numbers.length === 0);
 * ```
 *
 * @param endpoint The list; of `getPage` or `paginated` the list itself is read.
 * @param args Its arguments for the first page; `null`, or `null` as the first: nothing is read.
 * @param options As those of `useInfinite`.
 * @returns What `useInfinite` gives, without `loading`.
 * @throws A promise while there is no page, and the error of the first one; a boundary catches both.
 */
export const useSuspenseInfinite: UseSuspenseInfinite = (endpoint: Value, args: Args | null, options: Steps): Value => {
  const { shown, gap } = usePages(endpoint, args, options, "useSuspenseInfinite");
  if (shown.loading) throw gap?.wait ?? new UsageError(805, [endpoint.name]);
  if (shown.error && !shown.pages.length) {
    if (gap) failed.set(shown.error, gap);
    throw shown.error;
  }
  return shown;
};
