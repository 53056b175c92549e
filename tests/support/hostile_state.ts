/**
 * Stores whose every text tries to break out of the element that carries them.
 *
 * @module
 */
import * as fc from "fast-check";
import { Controller, Endpoint, Entity, schema } from "@rejoin/data";

/** What means something to parsers of HTML, scripts and JSON. */
const UNITS = [
  ..."<>/!-=\"'&\\ \t\n\r\0\ufeff\u2028\u2029{}[],:a",
  "script",
  "</script>",
  "</SCRIPT ",
  "<script>",
  "<!--",
  "-->",
  "--!>",
  "<![CDATA[",
  "]]>",
  "&lt;",
  "&#60;/script>",
  "\\u003c",
  "<template>",
  "</title>",
  "<plaintext>",
  "~rejoin",
  "__proto__",
  "\ud800",
  "\u{1f600}",
];

/** Texts of that. */
export const hostileText: fc.Arbitrary<string> = fc.string({ unit: fc.constantFrom(...UNITS), maxLength: 8 });

/**
 * Names of members. `JSON.parse` of V8 15.0 (Deno 2.9) takes a name for another one, once it has met one like it that ends
 * with a backslash: `JSON.parse('{"m\\":1}')`, then `JSON.parse('{"m\n":1}')`. That of Chromium 156 and of Node 20 does not.
 */
const hostileName: fc.Arbitrary<string> = hostileText.filter((text) => !text.endsWith("\\"));

/** One store: a text for each place where one may stand. */
export interface HostileState {
  readonly pk: string;
  readonly title: string;
  readonly name: string;
  readonly arg: string;
  readonly result: unknown;
  readonly error: string;
}

/** Stores of that. */
export const hostileState: fc.Arbitrary<HostileState> = fc.record({
  pk: hostileName.map((text) => `i${text}`),
  title: hostileText,
  name: hostileName,
  arg: hostileText,
  result: fc.oneof(hostileText, fc.array(hostileText, { maxLength: 3 }), fc.dictionary(hostileName, hostileText)),
  error: hostileText,
});

class Film extends Entity {
  id = "";
  title = "";
  static key = "</script>Film<!--<script>";
}

const getText = new Endpoint((_: { readonly arg: string }) => Promise.resolve<unknown>(undefined), {
  name: "getText",
});

/** A controller that holds one. */
export function hostileController({ pk, title, name, arg, result, error }: HostileState): Controller {
  const controller = new Controller();
  controller.set(Film, { id: pk }, { id: pk, title, [`m${name}`]: title });
  controller.set(new schema.Invalidate(Film), { id: `${pk}-` });
  controller.setResponse(getText, { arg }, result);
  controller.setError(getText, { arg: `${arg}!` }, Object.assign(new Error(error), { name }));
  return controller;
}
