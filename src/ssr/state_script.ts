import type { Controller } from "../controller/controller.ts";
import { StateWriter } from "./_state_writer.ts";
import { STATE_ID } from "./_written.ts";

/** How the data of a page is written into it. */
export interface StateScriptOptions {
  /** The id of the element. Default: `rejoin-state`. */
  readonly id?: string | undefined;
  /** For pages whose Content-Security-Policy asks for one of every script. */
  readonly nonce?: string | undefined;
}

/**
 * Everything that a controller knows, as an element of HTML that {@linkcode readState} reads in the browser. Whatever is in
 * the data, it does not end the element, and nothing of it runs.
 *
 * @param controller Whose.
 * @param options Its id and nonce.
 * @returns The element, as text.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Entity } from "@rejoin/data";
 * import { stateScript } from "@rejoin/data/ssr";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Article";
 * }
 * const controller = new Controller();
 * controller.set(Article, { id: "5" }, { title: "</script><script>alert(1)" });
 * assert(!stateScript(controller).includes("</script><script>"));
 * ```
 */
export function stateScript(controller: Controller, { id = STATE_ID, nonce }: StateScriptOptions = {}): string {
  return new StateWriter(controller, id, nonce).next();
}
