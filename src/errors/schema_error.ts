import { RejoinError } from "./rejoin_error.ts";

/**
 * A declaration that cannot work: two classes behind one table, initializers that build each other without end, a
 * schema that is none. Thrown when the declaration is first used; the message says what to write instead.
 *
 * @example A class that cannot be called as a serializer
 * ```ts
 * import { assert } from "@std/assert";
 * import { Entity, normalize, SchemaError } from "@rejoin/data";
 *
 * class Page extends Entity {
 *   id = "";
 *   link = new URL("https://example.com");
 *   static key = "Page";
 *   // write: (value: string) => new URL(value)
 *   static schema = { link: URL as unknown as (value: string) => URL };
 * }
 * try {
 *   normalize(Page, { id: "1", link: "https://example.com/1" });
 * } catch (error) {
 *   assert(error instanceof SchemaError);
 * }
 * ```
 */
export class SchemaError extends RejoinError {
  override readonly name = "SchemaError";
}
