import { copyArgs } from "../../endpoint/copy_plain.ts";
import type { AnyReadable } from "../../endpoint/interface.ts";
import type { NullableArgs, Queryable, SchemaArgs } from "../../schemas/infer.ts";
import type { AnySchema } from "../../schemas/interface.ts";
import { isEntity } from "../../schemas/interface.ts";
import type { Controller, Part } from "../../controller/controller.ts";
import { isInactive } from "../../controller/is_inactive.ts";
import { Collector, type MemoryOptions } from "./collector.ts";

/** The part of a controller, with what it collects by. */
interface Memory extends Part {
  readonly collector: Collector;
}

/** Which part of a controller is its memory. */
function memoryOf({ store }: Controller): Collector | undefined {
  return store.parts.find((part): part is Memory => "collector" in part)?.collector;
}

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
  let collector: Collector | undefined;
  return {
    get collector(): Collector {
      return collector!;
    },
    init(controller): void {
      collector = new Collector({ store: controller.store, isInFlight: controller.isReading }, options);
      if (options !== undefined) collector.wake();
    },
    committed: (patch) => collector!.committed(patch),
    watched: (view) => collector!.watched(view),
    pause: () => collector!.pause(),
    cleanup: () => collector!.stop(),
  } as Memory;
}

/**
 * Keeps an answer, or what a schema and arguments name, and everything that it is made of, as if it were shown: for
 * data that is to be there whatever is mounted. `null` does nothing; so does a controller without {@linkcode memory}.
 *
 * @param controller Whose.
 * @param what An endpoint, or a schema.
 * @param args Its arguments.
 * @returns How to let it go; to call it twice does no harm.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Entity, memory, retain } from "@rejoin/data";
 *
 * class Settings extends Entity {
 *   id = "";
 *   language = "";
 *   static key = "Settings";
 * }
 * using controller = new Controller({ use: [memory()] });
 * const release = retain(controller, Settings, "mine");
 * controller.set(Settings, "mine", { id: "mine", language: "de" });
 * // However much time passes:
 * assert(controller.get(Settings, "mine")?.language === "de");
 * release();
 * ```
 */
export function retain<E extends AnyReadable>(
  controller: Controller,
  what: E,
  ...args: NullableArgs<E["~types"]["args"]>
): () => void;
/** The same of what a schema and arguments name. */
export function retain<S extends Queryable>(
  controller: Controller,
  what: S,
  ...args: NullableArgs<SchemaArgs<S>>
): () => void;
export function retain(
  controller: Controller,
  what: AnyReadable | Queryable,
  ...args: readonly unknown[]
): () => void {
  const collector = memoryOf(controller);
  if (collector === undefined || isInactive(args)) return () => {};
  const { store, store: { graph, tables } } = controller;
  const kept = copyArgs(args);
  return collector.retain(() => {
    if (typeof what !== "function" || isEntity(what)) return graph.query(what as AnySchema, tables.ids.resolve(kept));
    const call = store.callOf(what as AnyReadable, kept);
    return store.response(call.endpoint, call.args, call.key);
  });
}
