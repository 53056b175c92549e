import { page } from "./page.ts";
import type { Part } from "../controller/part.ts";
import { now } from "../store/store.ts";

/** When {@linkcode focus} asks. */
export interface FocusOptions {
  /** When the page gets the focus, or becomes visible; on by default. */
  readonly focus?: boolean | undefined;
  /** When the network is back; on by default. */
  readonly reconnect?: boolean | undefined;
}

/**
 * A part: what is mounted, and is stale or failed, is asked again when the page comes back, or the network. `DataProvider`
 * brings it.
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
 * @param options When.
 */
export function focus({ focus = true, reconnect = true }: FocusOptions = {}): Part {
  const over = new AbortController();
  return {
    install({ store }) {
      const ask = () => {
        if (page.document?.visibilityState === "hidden") return;
        store.write([], {}, (commit) =>
          store.expire(
            // What is in flight is asked for already: two events tell of one return.
            (answer) => answer.watchers && !answer.flight && (answer.error || now() >= store.freshUntil(answer)),
            commit,
          ));
      };
      const names = [...focus ? ["focus", "visibilitychange"] : [], ...reconnect ? ["online"] : []];
      for (const name of names) page.addEventListener?.(name, ask, over);
    },
    cleanup: () => over.abort(),
  };
}
