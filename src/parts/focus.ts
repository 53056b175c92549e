import { page } from "./page.ts";
import type { Part } from "../controller/part.ts";
import { now } from "../store/store.ts";

/** Options of {@linkcode focus}. */
export interface FocusOptions {
  /** Whether to fetch when the page gets the focus or becomes visible. Default `true`. */
  readonly focus?: boolean | undefined;
  /** Whether to fetch when the browser is online again. Default `true`. */
  readonly reconnect?: boolean | undefined;
}

/**
 * A part that fetches again when the user returns to the page, and when the network is back: every mounted read that is
 * stale or failed. `DataProvider` adds this part to the controller that it makes.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, focus } from "@rejoin/data";
 *
 * using controller = new Controller({ use: [focus({ focus: false })] });
 * assert(controller.parts.length === 1);
 * ```
 *
 * @param options The events that cause a fetch.
 */
export function focus({ focus = true, reconnect = true }: FocusOptions = {}): Part {
  const over = new AbortController();
  return {
    install({ store }) {
      const ask = () => {
        if (page.document?.visibilityState === "hidden") return;
        store.write([], {}, (commit) =>
          store.expire(
            // `focus` and `visibilitychange` both report one return: the second finds the read in flight.
            (answer) => answer.watcher && !answer.flight && (answer.error || now() >= store.freshUntil(answer)),
            commit,
          ));
      };
      const names = [...focus ? ["focus", "visibilitychange"] : [], ...reconnect ? ["online"] : []];
      for (const name of names) page.addEventListener?.(name, ask, over);
    },
    cleanup: () => over.abort(),
  };
}
