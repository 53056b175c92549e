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
  pk: hostileText.map((text) => `i${text}`),
  title: hostileText,
  name: hostileText,
  arg: hostileText,
  result: fc.oneof(hostileText, fc.array(hostileText, { maxLength: 3 }), fc.dictionary(hostileText, hostileText)),
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
