import { checks } from "../errors/mod.ts";
import type { Value } from "../plain/value.ts";
import type { UseCache, UseError, UseQuery } from "./hook_types.ts";
import { useController } from "./use_controller.ts";
import { errorOf, follow, readOf } from "../signals/read.ts";
import { signalOf, storedOf } from "../signals/signal_of.ts";

/**
 * Returns the stored data of an endpoint or a `Query`. It never fetches.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Endpoint } from "@rejoin/data";
 * import { useCache } from "@rejoin/data/preact";
 *
 * const getCount = new Endpoint(async () => await Promise.resolve(5), { name: "getCount" });
 * function Count() {
 *   return <b>{useCache(getCount) ?? "…"}</b>;
 * }
 * assert(Count.length === 0);
 * ```
 *
 * @param endpoint An endpoint, or a Query.
 * @param args Its arguments; with `null` as the first, nothing is read.
 * @returns The data; `undefined` if the store has none.
 */
export const useCache: UseCache = (endpoint: Value, ...args: Value[]): Value => {
  checks.given?.(endpoint, "stored", "useCache");
  return signalOf(useController(), endpoint, ...args).value;
};

/**
 * Returns what the store has for a schema: a record by its key, an `All`, a `Query`. It never fetches.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Entity } from "@rejoin/data";
 * import { useQuery } from "@rejoin/data/preact";
 *
 * class User extends Entity {
 *   id = "";
 *   name = "";
 *   static override key = "User";
 * }
 * function Name({ id }: { id: string }) {
 *   return <b>{useQuery(User, { id })?.name ?? "…"}</b>;
 * }
 * assert(Name.length === 1);
 * ```
 *
 * @param schema An entity, a Query, an All …
 * @param args The arguments that name the record or the result; with `null` as the first, nothing is read.
 * @returns The value; `undefined` if the store has none.
 */
export const useQuery: UseQuery = (schema: Value, ...args: Value[]): Value => {
  checks.given?.(schema, "schema", "useQuery");
  return storedOf(useController().store, schema, args).value;
};

/**
 * Returns the error of a read that another component makes. It never fetches.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Endpoint } from "@rejoin/data";
 * import { useError } from "@rejoin/data/preact";
 *
 * const getCount = new Endpoint(async () => await Promise.resolve(5), { name: "getCount" });
 * function Trouble() {
 *   return <p role="alert">{useError(getCount)?.message}</p>;
 * }
 * assert(Trouble.length === 0);
 * ```
 *
 * @param endpoint The endpoint that is read elsewhere.
 * @param args Its arguments; with `null` as the first, nothing is read.
 * @returns The error; `undefined` if there is none, or if data are shown in spite of it.
 */
export const useError: UseError = (endpoint: Value, ...args: Value[]): Error | undefined => {
  checks.given?.(endpoint, "stored", "useError");
  const controller = useController(); // also for `null`, because hooks must run in the same order
  return args[0] === null ? undefined : follow(readOf(controller, endpoint, args), errorOf).value;
};
