import { clock } from "../deps/clock.ts";
import { graphBelow } from "../store/layers.ts";
import { Patch } from "../store/patch.ts";
import { ResponseView } from "../store/response_view.ts";
import type { Store } from "../store/store.ts";
import { NEVER } from "../store/slot.ts";

/** Whether there is an answer, and a mutation that has not been answered shows that there is none: a delete, mostly. */
export function isHidden(store: Store, { endpoint, args, key, entry }: ResponseView): boolean {
  if (store.layers.length === 0) return false;
  return new ResponseView(endpoint, args, key, entry).read(graphBelow(new Patch(store, NEVER, 0))).hasData;
}

/**
 * Calls back once nothing pending hides an answer, and a task later: whoever is told first that a record was deleted may
 * leave its page first.
 *
 * @returns How to end that.
 */
export function whenDecided(store: Store, view: ResponseView, decided: () => void): () => void {
  let stopTimer: (() => void) | undefined;
  const look = (): void => {
    if (stopTimer === undefined && !isHidden(store, view)) stopTimer = clock.setTimeout(decided, 0);
  };
  const leave = store.join({ committed: look });
  look();
  return () => {
    leave();
    stopTimer?.();
  };
}
