import { type Patch, patchAt } from "../patch.ts";
import type { Store } from "../store.ts";

/** Everything is forgotten: another person logged in. */
export interface ResetAction {
  readonly type: "reset";
  readonly seq: number;
  readonly date: number;
}

/** Forgets records, answers, errors and what pending mutations show. */
export function reduceReset(store: Store, action: ResetAction): Patch {
  const patch = patchAt(store, action);
  patch.forget();
  return patch;
}
