import type { Layer } from "../layer.ts";
import { type Patch, patchAt, type Placed } from "../patch.ts";
import type { Store } from "../store.ts";

/** A mutation started, and shows at once what it expects. */
export interface OptimisticAction extends Placed {
  readonly type: "optimistic";
  readonly layer: Layer;
}

/** Puts a layer over the others. */
export function reduceOptimistic(store: Store, action: OptimisticAction): Patch {
  const patch = patchAt(store, action);
  patch.layers = [...patch.layers, action.layer];
  return patch.seal();
}

/** Mutations were aborted, or their doubts are over: what they showed goes at once, and nothing else happened. */
export interface AbandonAction extends Placed {
  readonly type: "abandon";
  readonly layers: readonly Layer[];
}

/** Takes layers away. */
export function reduceAbandon(store: Store, action: AbandonAction): Patch {
  const patch = patchAt(store, action);
  patch.dropLayers({ released: action.layers });
  return patch.seal();
}
