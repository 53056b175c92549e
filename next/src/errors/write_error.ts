import { RejoinError } from "./rejoin_error.ts";

/**
 * The server accepted a mutation, but its reply could not be stored; `cause` says why. What was shown before is taken back,
 * and what the mutation may have changed is asked for again. Do not send it again, for the server has done it.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Endpoint, Entity, WriteError } from "@rejoin/data";
 *
 * class User extends Entity {
 *   id = "";
 *   static key = "User";
 * }
 * const save = new Endpoint(() => Promise.resolve(["saved"]), { name: "save", schema: User, sideEffect: true });
 * const error = await new Controller().fetch(save).catch((reason: unknown) => reason);
 * assert(error instanceof WriteError && error.cause instanceof Error);
 * ```
 */
export class WriteError extends RejoinError {
  override name = "WriteError";
}
