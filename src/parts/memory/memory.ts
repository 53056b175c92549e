import type { Part } from "../../controller/controller.ts";
import { Collector, type MemoryOptions } from "./collector.ts";

/**
 * Lets go of what nobody has needed for long, in idle moments: answers, records, views, indexes. What is watched or
 * retained stays, with all that it is made of, and so does what was read or written lately. Without this part everything
 * stays.
 *
 * Where nothing is said it sleeps until something is first watched or retained: a script that only fetches keeps what it
 * has fetched. With options it works from the beginning. It keeps no process alive.
 *
 * @param options How long, and how much.
 * @returns A part for one controller.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Entity, memory } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   static key = "Article";
 * }
 * using controller = new Controller({ use: [memory({ maxAge: 10 * 60_000 })] });
 * controller.set(Article, "5", { id: "5" });
 * assert(controller.get(Article, "5")?.id === "5");
 * ```
 */
export function memory(options?: MemoryOptions): Part {
  return {
    init(controller): void {
      const collector = new Collector(controller, options);
      controller.store.join(collector);
      if (options !== undefined) collector.wake();
    },
  };
}
