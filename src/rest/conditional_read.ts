import { RejoinError } from "../errors/rejoin_error.ts";
import { readBody } from "../http/read_body.ts";
import { etagOf, lastModifiedOf } from "./etag.ts";
import { type Expected, parseText } from "./response.ts";

/** Longer answers are not kept as text, in characters: 8 Mi. */
export const LONGEST_TEXT = 8_388_608;

/** What is kept of an answer, so that an equal one need be neither sent nor read. */
class AnswerMemo {
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  /** `undefined`: it was too long, or a `parseResponse` of the app's own has read it. */
  readonly text: string | undefined;

  constructor(etag: string | undefined, lastModified: string | undefined, text: string | undefined) {
    this.etag = etag;
    this.lastModified = lastModified;
    this.text = text;
  }

  /** Nothing: it may hang on actions that are logged. */
  toJSON(): undefined {}
}

function memoOf(...parts: ConstructorParameters<typeof AnswerMemo>): AnswerMemo | undefined {
  return parts.every((part) => part === undefined) ? undefined : new AnswerMemo(...parts);
}

/** Headers that make a request conditional already, or ask for a part only. */
const OWN_CONDITIONS = ["if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "range"];
/** With these modes of `fetch` the app wants the whole answer, or one that some cache has. */
const OWN_CACHING: ReadonlySet<unknown> = new Set(["no-store", "reload", "force-cache", "only-if-cached"]);

/** One read whose answer may be the one that is there already. */
export class ConditionalRead {
  readonly #before: AnswerMemo | undefined;
  #isAsked = false;
  #memo: AnswerMemo | undefined;
  #isUnchanged = false;

  /** @param memo What an earlier read gave as {@linkcode ConditionalRead.memo}, or anything else. */
  constructor(memo: unknown) {
    this.#before = memo instanceof AnswerMemo ? memo : undefined;
  }

  /** What the next read is to be given; when this one has been read. */
  get memo(): unknown {
    return this.#memo;
  }

  /** Whether the answer is the remembered one. */
  get isUnchanged(): boolean {
    return this.#isUnchanged;
  }

  /** The text of the answer; `undefined` if it was not kept. */
  get text(): string | undefined {
    return this.#memo?.text;
  }

  /**
   * Asks the server to answer only if it has something else.
   *
   * @param method The method of the request. Nothing is asked but of `GET` and `HEAD`.
   * @param init The request. Its headers get `If-None-Match` or `If-Modified-Since`, unless the app has set a condition,
   *   a range or a mode of caching.
   * @param isCurrent Whether an answer without text could be taken.
   */
  ask(method: string, init: { readonly headers: Headers; readonly cache?: unknown }, isCurrent: boolean): void {
    const { headers, cache } = init;
    const memo = this.#before;
    if (!/^(?:get|head)$/i.test(method)) return;
    if (memo === undefined || (memo.text === undefined && !isCurrent)) return;
    if (OWN_CONDITIONS.some((name) => headers.has(name)) || OWN_CACHING.has(cache)) return;
    if (memo.etag !== undefined) headers.set("If-None-Match", memo.etag);
    else if (memo.lastModified !== undefined) headers.set("If-Modified-Since", memo.lastModified);
    else return;
    this.#isAsked = true;
  }

  /**
   * Sends the request. A 304 that was asked for is an answer.
   *
   * @param fetchResponse Sends it; rejects with what is not ok.
   */
  async send(fetchResponse: () => Promise<Response>): Promise<Response> {
    if (!this.#isAsked) return await fetchResponse();
    try {
      return await fetchResponse();
    } catch (error) {
      const { status, response } = error as { readonly status?: unknown; readonly response?: Response };
      if (RejoinError.is(error) && status === 304 && response !== undefined) return response;
      throw error;
    }
  }

  /**
   * Reads the answer, if it is another one.
   *
   * @param response The answer.
   * @param url What was asked for.
   * @param expected What is known about it.
   * @param parse Parses it, where the app has a `parseResponse` of its own: then its text is not ours to read.
   * @returns What it holds; `undefined` if it is unchanged.
   */
  async read(
    response: Response,
    url: string,
    expected: Expected,
    parse: (() => Promise<unknown>) | undefined,
  ): Promise<unknown> {
    const before = this.#before;
    const etag = etagOf(response, url);
    const lastModified = lastModifiedOf(response, url);
    if (this.#isAsked && response.status === 304) {
      this.#isUnchanged = true;
      this.#memo = memoOf(etag ?? before!.etag, lastModified ?? before!.lastModified, before!.text);
      return undefined;
    }
    const isWhole = response.status === 200;
    if (parse !== undefined) {
      const value = await parse();
      if (isWhole) this.#memo = memoOf(etag, lastModified, undefined);
      return value;
    }
    const text = await readBody(response, "text", expected);
    this.#isUnchanged = isWhole && text === before?.text;
    const value = this.#isUnchanged ? undefined : parseText(text, response, expected);
    if (isWhole) this.#memo = memoOf(etag, lastModified, text.length > LONGEST_TEXT ? undefined : text);
    return value;
  }
}

/**
 * Whether a request of a page stays within its origin: elsewhere a condition, which is no header that CORS lets pass,
 * would cost a request of its own (a preflight) and fail where the server does not allow it.
 *
 * @param url An absolute URL.
 * @returns `true` where there is no page, too.
 */
export function isWithinOrigin(url: string): boolean {
  const { origin, location } = globalThis as {
    readonly origin?: unknown;
    readonly location?: { readonly origin?: unknown };
  };
  // `origin` is that of a sandboxed frame, too; servers have neither, or a location without CORS.
  const own = origin ?? location?.origin;
  return typeof own !== "string" || new URL(url).origin === own;
}
