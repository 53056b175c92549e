import type { Controller, Manager } from "../controller/controller.ts";
import { clock } from "../deps/clock.ts";
import type { ResponseView } from "../store/response_view.ts";
import { isAwake, listenToPage } from "./_page.ts";
import { expireWatched } from "./_watched.ts";
import { isPassing } from "./healing.ts";

/** How a {@linkcode FocusManager} works. */
export interface FocusManagerOptions {
  /** When the window gets the focus, or the page is seen again. Defaults to `true`. */
  readonly focus?: boolean | undefined;
  /** When the network is back. Defaults to `true`. */
  readonly reconnect?: boolean | undefined;
}

/**
 * Refreshes what somebody looks at when they come back to the page, or the network comes back: what is mounted **and**
 * stale is fetched again, and stays visible meanwhile. What is fresh, and what nobody shows, is left alone; time passing
 * alone fetches nothing. A refusal (status 400 to 499) is not changed by coming back, and left alone; what has failed and
 * may pass is asked again by the hooks that show it, with this manager or without.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, FocusManager, stateOf } from "@rejoin/data";
 *
 * using controller = new Controller({ managers: [new FocusManager({ reconnect: false })] });
 * assert(stateOf(controller).lastReset === 0);
 * ```
 */
export class FocusManager implements Manager {
  readonly #types: string[] = [];
  readonly #stops = new Map<Controller, () => void>();

  /** @param options What counts as coming back. */
  constructor({ focus = true, reconnect = true }: FocusManagerOptions = {}) {
    if (focus) this.#types.push("visibilitychange", "focus");
    if (reconnect) this.#types.push("online");
  }

  /** @param controller Which one is accompanied from now on. */
  init(controller: Controller): void {
    this.cleanup(controller);
    // The network may come back while nobody looks, and somebody while there is none.
    let isDue = false;
    const look = ({ type }: { readonly type: string }): void => {
      isDue ||= this.#types.includes(type);
      if (!isDue || !isAwake()) return;
      isDue = false;
      expireWatched(controller, (view) => isStale(controller, view));
    };
    this.#stops.set(controller, listenToPage(look, "visibilitychange", "focus", "online"));
  }

  /** @param controller Which one stops; all of them when left out. */
  cleanup(controller?: Controller): void {
    for (const [owner, stop] of this.#stops) {
      if (owner === (controller ?? owner) && this.#stops.delete(owner)) stop();
    }
  }
}

/** Data or an error that is older than it should be. What was never asked for is not made better by asking. */
function isStale({ store }: Controller, view: ResponseView): boolean {
  if (clock.now() < view.expiresAt()) return false;
  try {
    const { hasData, error } = view.read(store.graph);
    // What may pass is asked again by whoever shows it; a refusal is not changed by coming back.
    return error === undefined ? hasData : !isPassing(view) && !isRefusal(error);
  } catch {
    // Whoever reads it meets the error there.
    return false;
  }
}

/** Whether a server has said no: status 400 to 499. */
function isRefusal(error: unknown): boolean {
  const status = (error as { readonly status?: unknown } | null)?.status;
  return typeof status === "number" && status >= 400 && status < 500;
}
