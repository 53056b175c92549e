import { copyArgs } from "../../endpoint/copy_plain.ts";
import type { AnyReadable } from "../../endpoint/interface.ts";
import type { NullableArgs, Queryable, SchemaArgs } from "../../schemas/infer.ts";
import type { AnySchema } from "../../schemas/interface.ts";
import { isEntity } from "../../schemas/interface.ts";
import type { Controller } from "../../controller/controller.ts";
import { isInactive } from "../../controller/is_inactive.ts";
import type { ViewNode } from "../../denormalize/node.ts";
import type { Store } from "../../store/store.ts";

const held = /* @__PURE__ */ new WeakMap<Store, Set<() => ViewNode>>();

/** The views that are held by hand, as they are now. To look at them is no use of them. */
export function heldIn(store: Store): ReadonlySet<ViewNode> {
  const { graph, graph: { uses } } = store;
  const views = new Set<ViewNode>();
  for (const find of held.get(store) ?? []) {
    try {
      const view = find();
      views.add(view);
      view.read(graph);
    } catch {
      // A key, pk or schema of the app that throws: whoever reads with it meets the error there.
    }
  }
  graph.uses = uses;
  return views;
}

/**
 * Holds what a view is made of.
 *
 * @param store Whose view.
 * @param find Gives the view, each time anew.
 * @returns How to let it go.
 */
export function hold(store: Store, find: () => ViewNode): () => void {
  let own = held.get(store);
  if (own === undefined) held.set(store, own = new Set());
  const each = () => find();
  own.add(each);
  const view = find();
  for (const part of store.parts) part.watched?.(view);
  return () => {
    // From now on its age counts.
    if (own.delete(each)) find();
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
