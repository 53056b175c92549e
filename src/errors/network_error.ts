import { RejoinError } from "./rejoin_error.ts";
import { tried } from "./report_error.ts";
import type { Problem } from "./texts.ts";

/** What is known of a failed exchange. A `Response` gives `status`, `statusText` and `headers`. */
export interface NetworkErrorDetails extends ErrorOptions {
  /** The method of the request, as it was sent. */
  readonly method: string;
  /** The URL that was asked for. */
  readonly url: string;
  /** The status that the server gave; left out when no answer came. */
  readonly status?: number | undefined;
  /** The server's words for the status; empty in HTTP/2. */
  readonly statusText?: string | undefined;
  /** The headers of the answer. */
  readonly headers?: Headers | undefined;
  /** The answer, of which the body may still be read, unless it was binary or longer than 1 MB. */
  readonly response?: Response | undefined;
  /** The body of the answer: parsed if it was JSON, as text if it was text. */
  readonly body?: unknown;
  /** What is wrong beyond the status, and the way out, as a clause. */
  readonly problem?: Problem | undefined;
  /** How often the request was sent, redirects not counted. Defaults to 1. */
  readonly attempts?: number | undefined;
}

/**
 * The server refused, or no answer came. Where a call was tried several times, this is how the last attempt ended.
 *
 * `status` tells the two apart: it is the server's status when there was an answer that was not ok, and `undefined`
 * when there was none: the network is down, the name does not resolve, the connection broke (in the body, too), the
 * browser withheld the answer (CORS). No status and 5xx are *soft* by default: data that is already there stays.
 *
 * @example The server's words
 * ```ts
 * import { NetworkError } from "@rejoin/data";
 * import { assertEquals } from "@std/assert";
 *
 * const error = new NetworkError({
 *   method: "GET",
 *   url: "https://api.example.com/articles/5",
 *   status: 404,
 *   statusText: "Not Found",
 *   body: { detail: "no such article" },
 * });
 * assertEquals(error.message, "GET https://api.example.com/articles/5 failed: 404 Not Found");
 * assertEquals(error.body, { detail: "no such article" });
 * ```
 *
 * @example No answer
 * ```ts
 * import { NetworkError } from "@rejoin/data";
 * import { assertEquals } from "@std/assert";
 *
 * const cause = new TypeError("connection refused");
 * const error = new NetworkError({ method: "GET", url: "https://api.example.com/articles", cause });
 * assertEquals(error.message, "GET https://api.example.com/articles failed: connection refused");
 * assertEquals([error.status, error.cause], [undefined, cause]);
 * ```
 */
export class NetworkError extends RejoinError {
  /** The name of the class, also in minified code. */
  override readonly name: string = "NetworkError";
  /** How often the request was sent; more than 1 where it was retried. */
  declare readonly attempts: number;

  /**
   * Says what was asked for, and what came of it.
   *
   * @param given What is known of the exchange; or an answer, of which nobody knows by which method it was asked for.
   */
  constructor(given: NetworkErrorDetails | Response) {
    const { url, status, statusText, headers } = given;
    // An answer that was made by `Response.error()` has the status 0.
    const details: NetworkErrorDetails = "bodyUsed" in given
      ? { method: "", url, status: status || undefined, statusText, headers, response: given }
      : given;
    const { method, problem = "", attempts = 1, cause } = details;
    const asked = `${method} ${url}`.trim() || "A request";
    const reason = details.status === undefined ? describe(cause) : `${status} ${statusText ?? ""}`.trimEnd();
    const facts = { method, url, status: details.status, attempts };
    super(problem, details, facts, `${asked} failed: ${reason}${problem && ": "}`);
  }

  /**
   * What can be logged or sent: neither headers nor body, which may hold secrets, and no response.
   *
   * @returns A plain object.
   */
  toJSON(): NetworkErrorJson {
    const { name, message, method, url, status } = this;
    return { name, message, method, url, status };
  }
}

/** What it says is what it was given; where only an answer was given, `method` is `""`. */
export interface NetworkError extends Omit<NetworkErrorDetails, "statusText" | "problem" | "attempts"> {}

/** The plain form of a {@linkcode NetworkError}. */
export type NetworkErrorJson = Pick<NetworkError, "name" | "message" | "method" | "url" | "status">;

function describe(cause: unknown): string {
  const nothing = "no answer";
  if (cause === undefined) return nothing;
  return tried(() => cause instanceof Error && cause.message || `${nothing} (${String(cause)})`) ?? nothing;
}
