import { clock } from "../deps/clock.ts";
import { isHidden } from "../store/is_hidden.ts";
import type { ResponseView } from "../store/response_view.ts";
import type { Store } from "../store/store.ts";

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
