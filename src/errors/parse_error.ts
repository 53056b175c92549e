import { RejoinError } from "./rejoin_error.ts";
import { said } from "./texts.ts";

/** What is known of an answer that cannot be read. */
export interface ParseErrorDetails extends ErrorOptions {
  /** The method of the request. */
  readonly method: string;
  /** The URL that was asked for. */
  readonly url: string;
  /** The status of the answer. */
  readonly status: number;
  /** The `content-type` of the answer; `null` or left out if it has none. */
  readonly contentType?: string | null | undefined;
  /** What the answer should have been, as words: `JSON`. */
  readonly expected: string;
  /** The text of the answer, of which the first characters are kept. Left out when it is binary. */
  readonly received?: string | undefined;
  /** What the parser said. */
}

/** How many characters of an answer an error shows. */
const SHOWN = 80;

/**
 * The server answered with success, but not with what was declared: HTML where JSON is expected, JSON that was cut, a
 * body that is labelled as something else. Nothing of such an answer is written. What is no JSON stands in the message;
 * data does not, for it may hold secrets: see `received`.
 *
 * @example
 * ```ts
 * import { ParseError } from "@rejoin/data";
 * import { assertEquals } from "@std/assert";
 *
 * const error = new ParseError({
 *   method: "GET",
 *   url: "https://api.example.com/articles",
 *   status: 200,
 *   contentType: "text/html",
 *   expected: "JSON",
 *   received: "<!DOCTYPE html><title>Sign in</title>",
 * });
 * assertEquals(
 *   error.message,
 *   "Cannot read the answer to GET https://api.example.com/articles (200, text/html): " +
 *     'expected JSON, got "<!DOCTYPE html><title>Sign in</title>". ' +
 *     "This is a page: check urlPrefix, and the proxy if there is one",
 * );
 * ```
 */
export class ParseError extends RejoinError {
  /** The name of the class, also in minified code. */
  override readonly name: string = "ParseError";
  /** The `content-type` of the answer; `undefined` if it has none. */
  declare readonly contentType: string | undefined;

  /**
   * Says what was expected, and shows what came.
   *
   * @param details What is known of the answer.
   */
  constructor(details: ParseErrorDetails) {
    const { received, ...facts } = { ...details, contentType: details.contentType ?? undefined };
    // The sentence is made of all that came; what is kept is its beginning.
    const kept = { ...facts, received: received?.slice(0, SHOWN) };
    super(said(459, details), kept, facts, `Cannot read the answer to ${facts.method} ${facts.url} `);
  }
}

/** What it says is what it was given; of what came, the first characters. */
export interface ParseError extends Omit<ParseErrorDetails, "contentType"> {}
