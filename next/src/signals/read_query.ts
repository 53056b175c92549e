import type { Controller } from "../controller/controller.ts";
import type { Value } from "../plain/value.ts";
import type { DenormalizeNullable, NullableArgs, SchemaArgs } from "../store/infer.ts";
import { signalOf } from "./signal_of.ts";

/**
 * The value that a schema and arguments name, like `controller.get`, followed: an effect or computed that calls this runs
 * again when the value is another one.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { effect } from "@preact/signals-core";
 * import { Controller, Entity } from "@rejoin/data";
 * import { readQuery } from "@rejoin/data/signals";
 *
 * class User extends Entity {
 *   id = "";
 *   name = "";
 *   static override key = "User";
 * }
 * const controller = new Controller(), seen: unknown[] = [];
 * const stop = effect(() => void seen.push(readQuery(controller, User, { id: "1" })?.name));
 * controller.set(User, { id: "1" }, { id: "1", name: "Ann" });
 * stop();
 * assertEquals(seen, [undefined, "Ann"]);
 * ```
 *
 * @param controller Whose store is read.
 * @param schema An entity, an All, a Query …
 * @param args What names it; `null` as the first: nothing.
 * @returns The value; `undefined` while it is not there.
 */
export function readQuery<S>(
  controller: Controller,
  schema: S,
  ...args: NullableArgs<SchemaArgs<S>>
): DenormalizeNullable<S>;
export function readQuery(controller: Controller, schema: Value, ...args: Value[]): Value {
  return signalOf(controller, schema, ...args).value;
}
