import { RejoinError } from "./rejoin_error.ts";

/**
 * A value that does not have the shape which its schema declares. Nothing of it was written.
 *
 * @example
 * ```ts
 * import { assertThrows } from "@std/assert";
 * import { Entity, normalize, NormalizeError } from "@rejoin/data";
 *
 * class User extends Entity {
 *   id = "";
 *   static key = "User";
 * }
 * assertThrows(() => normalize([User], { error: "maintenance" }), NormalizeError);
 * ```
 */
export class NormalizeError extends RejoinError {
  override name = "NormalizeError";
}
