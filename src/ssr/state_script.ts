import type { Controller } from "../controller/controller.ts";
import { stateOf } from "../parts/state.ts";
import { now } from "../store/store.ts";

/** How the data of a page is written into it. */
export interface StateScriptOptions {
  /** The id of the element; `rejoin-state` by default. */
  readonly id?: string | undefined;
  /** For pages whose Content-Security-Policy asks for one of every script. */
  readonly nonce?: string | undefined;
}

/**
 * Everything that a controller knows, as an element of HTML that `readState` reads in the browser. Whatever is in the
 * data, it does not end the element, and nothing of it runs.
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
 * @param controller Whose data.
 * @param options Id and nonce of the element.
 * @returns The element, as text.
 */
export function stateScript(controller: Controller, { id = "rejoin-state", nonce }: StateScriptOptions = {}): string {
  const text = JSON.stringify({ at: now(), state: stateOf(controller) }, plain);
  // Without it nothing in the text can begin a tag or a comment.
  return `<script type="application/json" id="${escaped(id)}"${nonceText(nonce)}>${
    text.replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")
  }</script>`;
}
/** JSON has no bigint: the schema `BigInt` reads it of a text. */
const plain = (_name: string, value: unknown): unknown => typeof value == "bigint" ? `${value}` : value;

/** The attribute; the empty text where there is no nonce. */
export function nonceText(nonce: string | undefined): string {
  return nonce === undefined ? "" : ` nonce="${escaped(nonce)}"`;
}
const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
