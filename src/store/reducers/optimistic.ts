import type { Layer } from "../layers.ts";
import { Patch } from "../patch.ts";
import type { Store } from "../store.ts";

/** A mutation started, and shows at once what it expects. */
export interface OptimisticAction {
  readonly type: "optimistic";
  readonly layer: Layer;
  readonly place: number;
  readonly date: number;
}

/** Puts a layer over the others. */
export function reduceOptimistic(store: Store, action: OptimisticAction): Patch {
  const patch = new Patch(store, { place: action.place, fetchedAt: action.date, expiresAt: 0 }, store.places.oldest());
  patch.layers = [...patch.layers, action.layer];
  return patch.seal();
}

/** Mutations were aborted, or their doubts are over: what they showed goes at once, and nothing else happened. */
export interface AbandonAction {
  readonly type: "abandon";
  readonly layers: readonly Layer[];
  readonly place: number;
  readonly date: number;
}

/** Takes layers away. */
export function reduceAbandon(store: Store, action: AbandonAction): Patch {
  const patch = new Patch(store, { place: action.place, fetchedAt: action.date, expiresAt: 0 }, store.places.oldest());
  patch.dropLayers(action.layers);
  return patch.seal();
}
