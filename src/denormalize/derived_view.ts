import { ViewNode } from "./node.ts";

/**
 * An answer that is made of others. One that was made for one response goes with it; one that a query keeps for its
 * arguments is everybody's.
 */
export abstract class DerivedView extends ViewNode {
  /** Kept for its arguments: it does not go with the view that it is part of. */
  isShared = false;
}

/** Nobody needs the view of one response any more, nor those that it is made of: their edges die with it. */
export function release(view: ViewNode): void {
  if (!(view instanceof DerivedView) || view.isShared) return;
  const { kids } = view;
  view.release();
  for (const kid of kids) release(kid);
}
