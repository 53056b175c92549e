import type { EntityStatics } from "../schemas/interface.ts";
import type { EntityInstance } from "../schemas/pk_types.ts";
import { pkText } from "../schemas/plan.ts";

/** The first name that the record of an object was seen under, where it got another one since. */
const firstNames = new WeakMap<object, string>();

/** Remembers for an object under which name its record was seen first. */
export function nameFirst(instance: object, name: string): void {
  firstNames.set(instance, name);
}

/**
 * A text that tells an entity from all others, for as long as it is on the page: write `key={keyOf(film)}` in lists.
 *
 * It is the same before and after the server has named what an optimistic create shows, where the pk is another: so a
 * row that is confirmed is not mounted again, and keeps its focus and its state.
 *
 * @param entity An entity that was read.
 * @returns Table and name; the name is `""` for an entity without a pk.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Entity, keyOf } from "@rejoin/data";
 *
 * class Film extends Entity {
 *   id = "";
 *   static key = "Film";
 * }
 * const controller = new Controller();
 * controller.set(Film, "5", { id: "5" });
 * assert(keyOf(controller.get(Film, "5")!) === "Film 5");
 * ```
 */
export function keyOf(entity: EntityInstance): string {
  const { key } = entity.constructor as EntityStatics;
  return `${key} ${firstNames.get(entity) ?? pkText(entity.pk(), entity) ?? ""}`;
}
