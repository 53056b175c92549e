import type { Controller } from "../../controller/controller.ts";
import { StoreSnapshot } from "./store_snapshot.ts";

/**
 * Reads at one moment: what is shown now, what pending mutations show included, whatever happens afterwards.
 *
 * @param controller Whose.
 * @returns The snapshot. To take it costs nothing; as long as it is held, it keeps the records of this moment.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Entity, snapshotOf } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   pk() {
 *     return this.id;
 *   }
 *   static key = "Article";
 * }
 * const controller = new Controller();
 * controller.set(Article, "5", { id: "5", title: "Old" });
 * const before = snapshotOf(controller);
 * controller.set(Article, "5", { id: "5", title: "New" });
 * assert(before.get(Article, "5")?.title === "Old");
 * assert(snapshotOf(controller).get(Article, "5")?.title === "New");
 * ```
 */
export function snapshotOf({ store }: Controller): StoreSnapshot {
  return new StoreSnapshot(store);
}
