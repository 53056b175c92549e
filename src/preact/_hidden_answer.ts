import { clock } from "../deps/clock.ts";
import { graphBelow } from "../store/layers.ts";
import { Patch } from "../store/patch.ts";
import { ResponseView } from "../store/response_view.ts";
import type { Store } from "../store/store.ts";
import { NEVER } from "../store/slot.ts";

/** Whether there is an answer, and a mutation that has not been answered shows that there is none: a delete, mostly. */
export function isHidden(store: Store, { endpoint, args, key, entry }: ResponseView): boolean {
  if (store.layers.length === 0) return false;
  return new ResponseView(endpoint, args, key, entry).read(graphBelow(new Patch(store, NEVER))).hasData;
}

/**
 * What a pending mutation takes away, or a delete has taken, is not asked for: the server would bring what nobody is to
 * see, or refuse. Once it is decided, and a task later, when who was told first could leave, whoever is still there asks.
 */
export function untilDecided(store: Store, view: ResponseView): { promise: Promise<void>; release: () => void } {
  let release!: () => void;
  const promise = new Promise<void>((resolve) => {
    const look = (): void => {
      if (isHidden(store, view)) return;
      release();
      release = clock.setTimeout(resolve, 0);
    };
    release = store.join({ committed: look });
    look();
  });
  return { promise, release: () => release() };
}
