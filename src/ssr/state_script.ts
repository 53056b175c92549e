import type { Controller } from "../controller/controller.ts";
import { clock } from "../deps/clock.ts";
import { toPlain } from "../parts/recording/plain_json.ts";
import { stateOf } from "../parts/state/state_of.ts";

/** How the data of a page is written into it. */
export interface StateScriptOptions {
  /** The id of the element. Default: `rejoin-state`. */
  readonly id?: string | undefined;
  /** For pages whose Content-Security-Policy asks for one of every script. */
  readonly nonce?: string | undefined;
}

/** The form of what is written; what has another one is not read. */
export const STATE_VERSION = 1;

/** Where the data is, unless somebody says otherwise. */
export const STATE_ID = "rejoin-state";

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
  const data = { version: STATE_VERSION, at: clock.now(), state: toPlain(stateOf(controller)) };
  // Without it nothing in the text can begin a tag or a comment.
  const text = JSON.stringify(data).replaceAll("<", "\\u003c");
  const nonceText = nonce === undefined ? "" : ` nonce="${escaped(nonce)}"`;
  return `<script type="application/json" id="${escaped(id)}"${nonceText}>${text}</script>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
