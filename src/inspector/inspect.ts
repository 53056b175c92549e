import type { Controller } from "../controller/controller.ts";
import { Panel } from "./panel.ts";

/** How the panel begins. */
export interface InspectOptions {
  /** Whether it is open at the start; a button in the corner of the page opens it. */
  readonly open?: boolean | undefined;
  /** Names of members that it does not show, beside those in `static redact` of the classes. */
  readonly redact?: readonly string[] | undefined;
}

/**
 * Puts a panel into the page that shows what a store does, for development: its records and answers with their freshness,
 * the last changes with the components that ran for each, and what is pending. Answers can be made stale there.
 *
 * It lives in a shadow root of its own, whose styles hold under a strict policy. Where there is no document it does
 * nothing. It goes when the controller stops.
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
 *
 * @param controller Whose store.
 * @param options How it begins.
 * @returns How to remove it.
 */
export function inspect(controller: Controller, options: InspectOptions = {}): () => void {
  if (typeof document == "undefined") return () => {};
  const panel = new Panel(controller, options);
  return () => panel.remove();
}
