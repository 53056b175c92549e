import type { CallContext, ReplyNote } from "../endpoint/interface.ts";
import { etagOf } from "./etag.ts";

/** The version of what a URL names, as the last reply told it: reads and writes of one URL share it through the store. */
export class VersionNote {
  readonly #method: string;
  readonly #url: string;

  /**
   * @param method The method of the request.
   * @param url What is asked for.
   */
  constructor(method: string, url: string) {
    this.#method = method.toUpperCase();
    this.#url = url;
  }

  /**
   * Makes a write conditional: `If-Match`, if a version is known and the app has set none. Weak tags are sent as well: a
   * server that cannot compare them refuses, which is seen; a write without condition would not be.
   *
   * @param headers The headers of the request.
   * @param context What the controller knows of earlier replies.
   */
  ask(headers: Headers, context: CallContext): void {
    // Not POST: what it creates has no version yet, and a list has one of its own.
    if (!/^(?:PUT|PATCH|DELETE)$/.test(this.#method) || headers.has("if-match")) return;
    const version = context.recall(this.#name);
    if (typeof version === "string") headers.set("If-Match", version);
  }

  /**
   * The version that an answer tells.
   *
   * @param response An ok answer, or a 304.
   * @returns What is to be noted; a write without a tag in its answer makes the version unknown.
   */
  of(response: Response): ReplyNote | undefined {
    if (this.#method === "POST") return undefined;
    const value = this.#method === "DELETE" ? undefined : etagOf(response, this.#url);
    // A 304 that names none speaks of the one that is known.
    return value === undefined && response.status === 304 ? undefined : { name: this.#name, value };
  }

  get #name(): string {
    return `etag ${this.#url}`;
  }
}
