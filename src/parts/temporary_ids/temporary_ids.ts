import type { Part } from "../../controller/controller.ts";
import { Aliases } from "./aliases.ts";

/**
 * Lets what an optimistic mutation shows under a temporary id be used before the server has answered: a request that
 * names it waits, and is sent with the server's pk, and the row keeps its place and its `keyOf()` when it gets that pk.
 * Whoever has a `Collection` (all who use `resource`) has it already.
 *
 * @returns A part for one controller.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Endpoint, Entity, temporaryIds } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Article";
 * }
 * let id = "";
 * const create = new Endpoint(async (body: { title: string }) => await Promise.resolve({ id: "5", ...body }), {
 *   name: "create",
 *   schema: Article,
 *   sideEffect: true,
 *   getOptimisticResponse: (snapshot, body) => ({ id: id = snapshot.temporaryId(), ...body }),
 * });
 * const controller = new Controller({ use: [temporaryIds()] });
 * const creation = controller.fetch(create, { title: "One" });
 * assert(controller.get(Article, id)?.title === "One");
 * await creation;
 * assert(controller.get(Article, id)?.id === "5");
 * ```
 */
export function temporaryIds(): Part {
  return {
    init: ({ store: { tables } }) => {
      tables.aliases ??= new Aliases(tables);
    },
  };
}
