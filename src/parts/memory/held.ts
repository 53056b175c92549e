import type { ViewNode } from "../../denormalize/node.ts";
import type { Store } from "../../store/store.ts";

const held = /* @__PURE__ */ new WeakMap<Store, Set<() => ViewNode>>();

/** What is held by hand: each gives its view, each time anew. */
export function heldIn(store: Store): Iterable<() => ViewNode> {
  return held.get(store) ?? [];
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
