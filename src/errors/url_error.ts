import { RejoinError } from "./rejoin_error.ts";
import type { Problem } from "./texts.ts";

/** Which parameter of which URL is at fault. */
export interface UrlErrorDetails extends ErrorOptions {
  /** The template of the URL: `/articles/:id`. */
  readonly path: string;
  /** The name of the endpoint; left out when there is none. */
  readonly endpoint?: string | undefined;
  /** The name of the parameter; left out when it is not one parameter that is at fault. */
  readonly parameter?: string | undefined;
  /** What was given for it. */
  readonly value?: unknown;
}

/**
 * A URL cannot be built, and nothing was sent: a parameter is missing, or cannot stand in a URL without changing its
 * origin or its segments.
 *
 * @example
 * ```ts
 * import { UrlError } from "@rejoin/data";
 * import { assertEquals } from "@std/assert";
 *
 * const details = { path: "/articles/:id", endpoint: "Article.get", parameter: "id", value: ".." };
 * const error = new UrlError('is "..", which would leave its segment', details);
 * assertEquals(
 *   error.message,
 *   'Cannot build the URL of "Article.get" (/articles/:id): parameter "id" is "..", which would leave its segment',
 * );
 * assertEquals([error.parameter, error.value], ["id", ".."]);
 * ```
 */
export class UrlError extends RejoinError {
  /** The name of the class, also in minified code. */
  override readonly name: string = "UrlError";

  /**
   * Says which URL cannot be built, and why.
   *
   * @param reason What is wrong, and the way out; where a parameter is at fault, what follows its name.
   * @param details Which parameter of which URL is at fault.
   */
  constructor(reason: Problem, details: UrlErrorDetails) {
    const { path, endpoint, parameter } = details;
    const subject = endpoint === undefined || endpoint === path ? `"${path}"` : `"${endpoint}" (${path})`;
    const before = `Cannot build the URL of ${subject}: ${parameter === undefined ? "" : `parameter "${parameter}" `}`;
    super(reason, details, details, before);
  }
}

/** What it says is what it was given. */
export interface UrlError extends UrlErrorDetails {}
