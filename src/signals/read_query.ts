import type { Controller } from "../controller/controller.ts";
import type { ResponseState } from "../controller/controller_types.ts";
import type { AnyReadable } from "../endpoint/endpoint_types.ts";
import type { Value } from "../plain/value.ts";
import { signalOf } from "./signal_of.ts";
import type { DenormalizeNullable, NullableArgs, Queryable, SchemaArgs } from "../store/infer.ts";

/**
 * Reads like `controller.get`, and subscribes: the effect or computed that calls this runs again when the value is
 * another object.
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
 * @param controller The controller whose store is read.
 * @param schema An entity, an `All`, a `Query` …
 * @param args What names the data; with `null` as the first, nothing is read.
 * @returns The value; `undefined` while it is not in the store.
 */
export function readQuery<S extends Queryable>(
  controller: Controller,
  schema: S,
  ...args: NullableArgs<SchemaArgs<S>>
): DenormalizeNullable<S>;
export function readQuery(controller: Controller, schema: Value, ...args: Value[]): Value {
  return signalOf(controller, schema, ...args).value;
}

/**
 * Reads like `controller.getResponse`, and subscribes: the effect or computed that calls this runs again when the data
 * are another object. It never fetches.
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
 * @param controller The controller whose store is read.
 * @param endpoint A read, or a `Query`.
 * @param args Its arguments; with `null` as the first, nothing is read.
 * @returns The data, the time until which they are fresh, and whether they may be shown.
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
