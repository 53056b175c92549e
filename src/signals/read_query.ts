import type { Controller } from "../controller/controller.ts";
import type { ResponseState } from "../controller/controller_types.ts";
import type { AnyReadable } from "../endpoint/endpoint_types.ts";
import type { Value } from "../plain/value.ts";
import { signalOf } from "./signal_of.ts";
import type { DenormalizeNullable, NullableArgs, SchemaArgs } from "../store/infer.ts";

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

/**
 * What `controller.getResponse` gives, followed: an effect or computed that calls this runs again when the data are other
 * ones. It never asks the server.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { effect } from "@preact/signals-core";
 * import { Controller, Endpoint } from "@rejoin/data";
 * import { readResponse } from "@rejoin/data/signals";
 *
 * const getName = new Endpoint(async (id: string) => await Promise.resolve(`Ann ${id}`), { name: "getName" });
 * const controller = new Controller(), seen: unknown[] = [];
 * const stop = effect(() => void seen.push(readResponse(controller, getName, "1").data));
 * await controller.fetch(getName, "1");
 * stop();
 * assertEquals(seen, [undefined, "Ann 1"]);
 * ```
 *
 * @param controller Whose store is read.
 * @param endpoint An endpoint, or a Query.
 * @param args Its arguments; `null` as the first: nothing.
 * @returns Data, status, and until when they are fresh.
 */
export function readResponse<E extends AnyReadable>(
  controller: Controller,
  endpoint: E,
  ...args: NullableArgs<E["~types"]["args"]>
): ResponseState<E["~types"]["nullable"]>;
export function readResponse(controller: Controller, endpoint: Value, ...args: Value[]): ResponseState<Value> {
  void signalOf(controller, endpoint, ...args).value;
  return controller.getResponse(endpoint, ...args);
}
