import { copyArgs } from "../../endpoint/copy_plain.ts";
import type { AnyReadable } from "../../endpoint/interface.ts";
import type { NullableArgs, Queryable, SchemaArgs } from "../../schemas/infer.ts";
import type { AnySchema } from "../../schemas/interface.ts";
import { isEntity } from "../../schemas/interface.ts";
import type { Controller } from "../../controller/controller.ts";
import { isInactive } from "../../controller/is_inactive.ts";
import type { ViewNode } from "../../denormalize/node.ts";
import type { Store, StorePart } from "../../store/store.ts";
import { partOf } from "../part_of.ts";

/** What is held by hand. */
class Held implements StorePart {
  readonly finds = new Set<() => ViewNode>();
  readonly #graph: Store["graph"];

  constructor({ graph }: Store) {
    this.#graph = graph;
  }

  held(): readonly ViewNode[] {
    const { uses } = this.#graph;
    const views = [...this.finds].flatMap((find) => {
      try {
        const view = find();
        view.read(this.#graph);
        return view;
      } catch {
        // A key, pk or schema of the app that throws: whoever reads with it meets the error there.
        return [];
      }
    });
    // To look at them is no use of them.
    this.#graph.uses = uses;
    return views;
  }
}

/**
 * Holds what a view is made of.
 *
 * @param store Whose view.
 * @param find Gives the view, each time anew.
 * @returns How to let it go.
 */
export function hold(store: Store, find: () => ViewNode): () => void {
  const { finds } = partOf(store, Held);
  const each = () => find();
  finds.add(each);
  const view = find();
  for (const other of store.parts) other.watched?.(view);
  return () => {
    // From now on its age counts.
    if (finds.delete(each)) find();
  };
}

/**
 * Keeps an answer, or what a schema and arguments name, and everything that it is made of, as if it were shown: for
 * data that is to be there whatever is mounted. `null` does nothing; so does a controller without `memory()`.
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
  if (isInactive(args)) return () => {};
  const { store } = controller;
  const kept = copyArgs(args);
  return hold(store, () => {
    if (typeof what !== "function" || isEntity(what)) return store.query(what as AnySchema, kept);
    const call = store.callOf(what as AnyReadable, kept);
    return store.response(call.endpoint, call.args, call.key);
  });
}
