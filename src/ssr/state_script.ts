import type { Controller } from "../controller/controller.ts";
import { stateOf } from "../parts/state.ts";
import { now } from "../store/store.ts";

/** Options of the element that holds the data of a page. */
export interface StateScriptOptions {
  /** The id of the element; `rejoin-state` by default. */
  readonly id?: string | undefined;
  /** The nonce of the script, for pages whose Content-Security-Policy requires one. */
  readonly nonce?: string | undefined;
}

/**
 * Writes everything in a controller's store as an HTML element, which `readState` reads in the browser. No text in the
 * data can end the element or run as code.
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
 *
 * @param controller The controller whose data are written.
 * @param options Id and nonce of the element.
 * @returns The HTML of the element.
 */
export function stateScript(controller: Controller, { id = "rejoin-state", nonce }: StateScriptOptions = {}): string {
  const text = JSON.stringify({ at: now(), state: stateOf(controller) }, plain);
  // Without `<` no text in the data can begin a tag or a comment.
  return `<script type="application/json" id="${escaped(id)}"${nonceText(nonce)}>${
    text.replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")
  }</script>`;
}
/** JSON has no bigint, so one is written as text, which the schema `BigInt` reads. */
const plain = (_name: string, value: unknown): unknown => typeof value == "bigint" ? `${value}` : value;

/** The `nonce` attribute; the empty text if there is no nonce. */
export function nonceText(nonce: string | undefined): string {
  return nonce === undefined ? "" : ` nonce="${escaped(nonce)}"`;
}
const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
