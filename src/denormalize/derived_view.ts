import { CLEAN, type ViewGraph, ViewNode } from "./node.ts";

/**
 * An answer that is made of others. One that was made for one response goes with it; one that a query keeps for its
 * arguments is everybody's.
 */
export abstract class DerivedView extends ViewNode {
  /** Kept for its arguments: it does not go with the view that it is part of. */
  isShared = false;

  /** Its answer is this one now; `isOwn`: an object that is of its own making. */
  protected show(graph: ViewGraph, value: unknown, isOwn: boolean): unknown {
    this.state = CLEAN;
    if (!Object.is(value, this.value)) {
      if (isOwn && graph.strict) Object.freeze(value);
      this.value = value;
      this.version = graph.nextVersion();
    }
    return this.value;
  }
}

/** Nobody needs the view of one response any more, nor those that it is made of: their edges die with it. */
export function release(view: ViewNode): void {
  if (!(view instanceof DerivedView) || view.isShared) return;
  const { kids } = view;
  view.release();
  for (const kid of kids) release(kid);
}
