import { NetworkError, type NetworkErrorDetails } from "./network_error.ts";

/** What is known of a write that was refused because somebody else wrote first. */
export interface ConflictErrorDetails extends NetworkErrorDetails {
  /** What was sent. */
  readonly mine: unknown;
  /** What the server has; `undefined` when that is not known. */
  readonly theirs: unknown;
}

/**
 * The server refused a write (412), because what it has is not the version that the write was based on: somebody else
 * was first. Nothing was changed. Comes of endpoints with `use: [ifMatch()]`.
 *
 * @example
 * ```ts
 * import { ConflictError, NetworkError } from "@rejoin/data";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const error = new ConflictError({
 *   method: "PUT",
 *   url: "https://api.example.com/articles/5",
 *   status: 412,
 *   mine: { title: "Hello" },
 *   theirs: { id: "5", title: "Good morning" },
 * });
 * assert(error instanceof NetworkError);
 * assertEquals(
 *   error.message,
 *   "PUT https://api.example.com/articles/5 failed: 412 Precondition Failed: " +
 *     "the server has another version than this was based on; read it again, and decide what of yours is to stay",
 * );
 * ```
 */
export class ConflictError extends NetworkError {
  /** The name of the class, also in minified code. */
  override readonly name: string = "ConflictError";
  /** What was sent: the body of the call; `undefined` for a delete. */
  declare readonly mine: unknown;
  /** What the server has, as its reply or a read of the same URL gave it; `undefined` when neither did. */
  declare readonly theirs: unknown;

  /**
   * Says what was refused, and keeps both versions.
   *
   * @param details What is known of the exchange, and both versions.
   */
  constructor(details: ConflictErrorDetails) {
    super({
      ...details,
      statusText: details.statusText || "Precondition Failed",
      problem: "the server has another version than this was based on; read it again, and decide what of yours is to " +
        "stay",
    });
  }
}
