import { RejoinError } from "./rejoin_error.ts";

/**
 * A declaration that cannot work: a default that is none, two classes behind one table. It is thrown when the
 * declaration is first used; the message says what to write instead.
 *
 * @example
 * ```ts
 * import { assertThrows } from "@std/assert";
 * import { Entity, normalize, SchemaError } from "@rejoin/data";
 *
 * class User extends Entity {
 *   id = "";
 *   static key = "User";
 * }
 * assertThrows(() => normalize({ users: [User], errors: [] }, { users: [] }), SchemaError, '"errors"');
 * ```
 */
export class SchemaError extends RejoinError {
  override name = "SchemaError";
}
