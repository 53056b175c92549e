import { RejoinError } from "./rejoin_error.ts";
import { said } from "./texts.ts";

/**
 * No complete answer came before the deadline. For a `RestEndpoint` it is *soft*: data that is already there stays,
 * and the next call starts anew.
 *
 * The deadline covers all attempts of a call, and the body: a server that sends headers and then nothing ends here, too. Uploads of `FormData`,
 * `Blob` and streams, and answers that are handed out as streams, are given up when nothing moved for that time, however
 * long they take in all.
 *
 * @example
 * ```ts
 * import { TimeoutError } from "@rejoin/data";
 * import { assertEquals, assertStringIncludes } from "@std/assert";
 *
 * const error = new TimeoutError("GET", "https://api.example.com/articles", 30_000);
 * assertStringIncludes(error.message, "GET https://api.example.com/articles gave no complete answer within 30000 ms");
 * assertEquals(error.deadline, 30_000);
 * ```
 */
export class TimeoutError extends RejoinError {
  /** The name of the class, also in minified code. */
  override readonly name: string = "TimeoutError";
  /** The method of the request. */
  declare readonly method: string;
  /** The URL that was asked for. */
  declare readonly url: string;
  /** The deadline that passed, in ms. */
  declare readonly deadline: number;
  /** What the deadline counted: the whole exchange, or the time in which nothing moved. */
  declare readonly counted: "total" | "silence";
  /** How often the request was sent within that time; more than 1 where it was retried. */
  declare readonly attempts: number;

  /**
   * Says what was asked for, and how long was waited.
   *
   * @param method The method of the request.
   * @param url The URL that was asked for.
   * @param deadline The deadline that passed, in ms.
   * @param counted What it counted. Defaults to `"total"`.
   * @param attempts How often the request was sent. Defaults to 1.
   */
  constructor(method: string, url: string, deadline: number, counted: "total" | "silence" = "total", attempts = 1) {
    const facts = { method, url, deadline, counted, attempts };
    super(said(458, facts), undefined, facts, `${method} ${url} `);
  }
}
