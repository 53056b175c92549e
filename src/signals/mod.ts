/**
 * Reads as signals, for any user of signals-core, without a UI.
 *
 * @module
 */
import type { AnyReadable } from "../endpoint/interface.ts";
import type { Controller } from "../controller/controller.ts";
import type { ResponseState } from "../controller/controller_types.ts";
import type { DenormalizeNullable, NullableArgs, Queryable, SchemaArgs } from "../schemas/infer.ts";
import { track } from "./track.ts";

/**
 * What {@linkcode Controller.getResponse} gives, tracked: an effect or computed that calls this runs again when the
 * answer is another one, and only then. Never fetches.
 *
 * @param controller Whose store is read.
 * @param endpoint Which endpoint, or a Query.
 * @param args Its arguments; `null`: inactive.
 * @returns Data, status, and until when it is fresh.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { effect } from "@preact/signals-core";
 * import { Controller, Endpoint, Entity } from "@rejoin/data";
 * import { readResponse } from "@rejoin/data/signals";
 *
 * class User extends Entity {
 *   id = "";
 *   name = "";
 *   static key = "User";
 * }
 * const getUser = new Endpoint(async ({ id }: { id: string }) => await Promise.resolve({ id, name: "Ann" }), {
 *   name: "getUser",
 *   schema: User,
 * });
 * const controller = new Controller();
 * const seen: (string | undefined)[] = [];
 * const stop = effect(() => {
 *   seen.push(readResponse(controller, getUser, { id: "1" }).data?.name);
 * });
 * await controller.fetch(getUser, { id: "1" });
 * controller.set(User, "1", { id: "1", name: "Bo" });
 * stop();
 * assert(seen.join() === ",Ann,Bo");
 * ```
 */
export function readResponse<E extends AnyReadable>(
  controller: Controller,
  endpoint: E,
  ...args: NullableArgs<E["~types"]["args"]>
): ResponseState<E["~types"]["nullable"]> {
  const { store } = controller;
  if (args[0] !== null) {
    const call = store.callOf(endpoint, args);
    track(store, store.response(call.endpoint, call.args, call.key));
  }
  return controller.getResponse(endpoint, ...args);
}

/**
 * The value that a schema and arguments name, tracked; like {@linkcode Controller.get}.
 *
 * @param controller Whose store is read.
 * @param schema An entity, a Query, an All …
 * @param args What names it; `null`: nothing.
 * @returns The value, `undefined` when it is not there.
 */
export function readQuery<S extends Queryable>(
  controller: Controller,
  schema: S,
  ...args: NullableArgs<SchemaArgs<S>>
): DenormalizeNullable<S> {
  const { store } = controller;
  const view = store.query(schema, args);
  track(store, view);
  return view.read(store.graph) as DenormalizeNullable<S>;
}
