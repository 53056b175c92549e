import { checks } from "../errors/mod.ts";
import type { Value } from "../plain/value.ts";
import { errorOf, follow, readOf } from "../signals/read.ts";
import type { UseError } from "./hook_types.ts";
import { useController } from "./use_controller.ts";

/**
 * The error of a read that another component makes. It never asks the server.
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
 * @param endpoint What is read elsewhere.
 * @param args Its arguments; `null` as the first: nothing.
 * @returns The error; `undefined` where there is none, or where data are shown in spite of it.
 */
export const useError: UseError = (endpoint: Value, ...args: Value[]): Error | undefined => {
  checks.given?.(endpoint, "stored", "useError");
  return args[0] === null ? undefined : follow(readOf(useController(), endpoint, args), errorOf).value;
};
