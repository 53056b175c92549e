import type { Controller } from "../controller/controller.ts";
import { Panel } from "./panel.ts";

/** Options of the panel. */
export interface InspectOptions {
  /** Whether the panel starts open. A button in the corner of the page opens it. */
  readonly open?: boolean | undefined;
  /** Names of members whose values the panel hides, beside those in `static redact` of the classes. */
  readonly redact?: readonly string[] | undefined;
}

/**
 * Puts a panel for development into the page. It shows the records and answers of a store and how long they are fresh,
 * the last changes with the components that ran for each, and pending mutations. Answers can be expired there.
 *
 * The panel lives in its own shadow root, and its styles work under a strict Content-Security-Policy. Without a
 * document nothing happens. The panel goes away when the controller stops.
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
 * @param controller The controller whose store is shown.
 * @param options Options of the panel.
 * @returns A function that removes the panel.
 */
export function inspect(controller: Controller, options: InspectOptions = {}): () => void {
  if (typeof document == "undefined") return () => {};
  const panel = new Panel(controller, options);
  return () => panel.remove();
}
