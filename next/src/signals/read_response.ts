import type { Controller } from "../controller/controller.ts";
import type { ResponseState } from "../controller/controller_types.ts";
import type { AnyReadable } from "../endpoint/endpoint_types.ts";
import type { Value } from "../plain/value.ts";
import type { NullableArgs } from "../store/infer.ts";
import { signalOf } from "./signal_of.ts";

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
