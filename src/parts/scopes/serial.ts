import type { Scope } from "../../endpoint/interface.ts";
import { type LinedScope, openLines } from "./lines.ts";
import type { ScopeName } from "./scope_name.ts";

/**
 * Mutations of one scope are sent one after another, in the order of their calls, whichever endpoints they are of; those
 * of different scopes at once. All are shown at once. One that fails stops none of those behind it.
 *
 * @param name What a call is about: `"record"`, of a resource, or a function of the arguments.
 * @returns For the option `scope` of an endpoint or a resource.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Controller, Endpoint, serial } from "@rejoin/data";
 *
 * const log: string[] = [];
 * const rename = new Endpoint(async ({ id }: { id: string }, title: string) => {
 *   log.push(`begins ${title}`);
 *   await new Promise((resolve) => setTimeout(resolve, 5));
 *   log.push(`ends ${title}`);
 *   return { id, title };
 * }, { name: "rename", sideEffect: true, scope: serial(({ id }) => `article ${id}`) });
 * const controller = new Controller();
 * await Promise.all(["A", "B"].map((title) => controller.fetch(rename, { id: "5" }, title)));
 * assertEquals(log, ["begins A", "ends A", "begins B", "ends B"]);
 * ```
 */
export function serial(name: ScopeName): Scope {
  const scope: LinedScope = { name, open: openLines };
  return scope;
}
