import type { Controller } from "../controller/controller.ts";
import { type InspectOptions, Panel } from "./_panel.ts";

export type { InspectOptions } from "./_panel.ts";

const panels = new WeakMap<Controller, Panel>();

/**
 * Puts a panel into the page that shows what a store does, for development: requests in flight, what pending mutations
 * show, tables of records with their freshness, why an answer is as it is, the graph of a record, and the commits back
 * and forth. It writes nothing into the store, unless somebody has the page show the past.
 *
 * It lives in a shadow root of its own, whose styles hold under a strict policy, and needs the page's own Preact only to
 * find the components that show a record. Where there is no document it does nothing. A controller has one panel: to
 * inspect it again takes the first one away.
 *
 * @param controller Whose store.
 * @param options How it begins.
 * @returns How to remove it, without a trace. That brings the present back, where the page shows the past; it happens by
 *   itself when the controller stops.
 *
 * @example
 * ```ts
 * import { Controller } from "@rejoin/data";
 * import { inspect } from "@rejoin/data/inspector";
 *
 * const controller = new Controller();
 * const remove = inspect(controller);
 * remove();
 * ```
 */
export function inspect(controller: Controller, options: InspectOptions = {}): () => void {
  if (!("document" in globalThis)) return () => {};
  panels.get(controller)?.remove();
  const panel = new Panel(controller, options);
  panels.set(controller, panel);
  return () => panel.remove();
}
