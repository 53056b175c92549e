import { type Patch, patchAt, type Placed } from "../patch.ts";
import type { Store } from "../store.ts";

/** Everything is forgotten: another person logged in. */
export interface ResetAction extends Placed {
  readonly type: "reset";
}

/** Forgets records, answers, errors and what pending mutations show. */
export function reduceReset(store: Store, action: ResetAction): Patch {
  const patch = patchAt(store, action);
  patch.forget();
  return patch;
}
