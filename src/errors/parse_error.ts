import { RejoinError } from "./rejoin_error.ts";
import { said } from "./texts.ts";

/** What is known of an answer that cannot be read. */
export interface ParseErrorDetails {
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
  readonly cause?: unknown;
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
 *     'expected JSON, got "<!DOCTYPE html><title>Sign in</title>"',
 * );
 * ```
 */
export class ParseError extends RejoinError {
  /** The name of the class, also in minified code. */
  override readonly name: string = "ParseError";
  /** The method of the request. */
  declare readonly method: string;
  /** The URL that was asked for. */
  declare readonly url: string;
  /** The status of the answer: that of a success. */
  declare readonly status: number;
  /** The `content-type` of the answer; `undefined` if it has none. */
  declare readonly contentType: string | undefined;
  /** What the answer should have been. */
  declare readonly expected: string;
  readonly #received: string | undefined;

  /**
   * Says what was expected, and shows what came.
   *
   * @param details What is known of the answer.
   */
  constructor(details: ParseErrorDetails) {
    const { method, url, status, contentType, expected } = details;
    const facts = { method, url, status, contentType: contentType ?? undefined, expected };
    super(said(459, details), details, 459, `Cannot read the answer to ${method} ${url} `, facts);
    this.#received = details.received?.slice(0, SHOWN);
  }

  // No member of its own: consoles and reports print those, and data may hold secrets.

  /** The first characters of the answer; `undefined` when it is binary. */
  get received(): string | undefined {
    return this.#received;
  }
}
