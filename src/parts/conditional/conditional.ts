import { RejoinError } from "../../errors/rejoin_error.ts";
import { readBody } from "../../http/read_body.ts";
import { remember, remembered } from "./remember.ts";
import { isJson, lineOf, parseText } from "../../rest/response.ts";
import { RestEndpoint } from "../../rest/rest_endpoint.ts";
import { etagOf, lastModifiedOf } from "./etag.ts";
import type { Step, StepCall } from "../../rest/steps/step.ts";

/** How reads are asked for again. */
export interface ConditionalOptions {
  /**
   * `true`: the server is asked with `If-None-Match` also from a page of another origin, where each request then costs a
   * preflight. Defaults to `false`.
   */
  readonly crossOrigin?: boolean | undefined;
}

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

/**
 * Remembers the answers of reads, so that an equal one is neither sent (304) nor read again. It works for calls of a
 * controller.
 *
 * @param options Where the server is asked.
 * @returns A step, for `use` of an endpoint, a class or a resource.
 */
export function conditional({ crossOrigin = false }: ConditionalOptions = {}): Step {
  return async (call, next) => {
    const { endpoint, context, url } = call;
    if (context === undefined || endpoint.sideEffect) return await next(call);
    const { memo: last, isCurrent } = remembered(context);
    const before = last instanceof AnswerMemo ? last : undefined;
    const isAsked = before !== undefined && (crossOrigin || isWithinOrigin(url)) &&
      (before.text !== undefined || isCurrent) && ask(call, before);
    let memo: AnswerMemo | undefined;
    let isUnchanged = false;
    const reply = await next({
      ...call,
      async fetchResponse(url, init) {
        try {
          return await call.fetchResponse(url, init);
        } catch (error) {
          const { status, response } = error as { readonly status?: unknown; readonly response?: Response };
          // A 304 that was asked for is an answer.
          if (isAsked && RejoinError.is(error) && status === 304 && response !== undefined) return response;
          throw error;
        }
      },
      async parseResponse(response) {
        isUnchanged = isAsked && response.status === 304;
        if (isUnchanged) {
          // What it was asked by stands for the answer that is here, whatever tag this one names.
          memo = before;
          return undefined;
        }
        const keep = (text?: string): void => {
          if (response.status === 200) {
            memo = new AnswerMemo(etagOf(response, url), lastModifiedOf(response, url), text);
          }
        };
        // The text of an answer is ours to compare only where nobody else reads it.
        if (endpoint.parseResponse !== RestEndpoint.prototype.parseResponse || !isJson(endpoint, response)) {
          const value = await call.parseResponse(response);
          keep();
          return value;
        }
        const text = await readBody(response, "text", lineOf(endpoint, response));
        keep(text.length > LONGEST_TEXT ? undefined : text);
        isUnchanged = response.status === 200 && text === before?.text;
        return isUnchanged ? undefined : parseText(endpoint, response, text);
      },
    });
    const text = isUnchanged ? memo!.text : undefined;
    const read = text === undefined ? {} : { read: async () => await JSON.parse(text) };
    return await remember(context, { ...reply, ...read, memo, unchanged: isUnchanged });
  };
}

/** Headers that make a request conditional already, or ask for a part only. */
const OWN_CONDITIONS = ["if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "range"];
/** With these modes of `fetch` the app wants the whole answer, or one that some cache has. */
const OWN_CACHING = /^(?:no-store|reload|force-cache|only-if-cached)$/;

/** Asks the server to answer only if it has something else, unless the app has set a condition, a range or a mode. */
function ask({ method, init: { headers, cache } }: StepCall, { etag, lastModified }: AnswerMemo): boolean {
  if (!/^(?:get|head)$/i.test(method) || OWN_CACHING.test(String(cache))) return false;
  if (OWN_CONDITIONS.some((name) => headers.has(name))) return false;
  if (etag !== undefined) headers.set("If-None-Match", etag);
  else if (lastModified !== undefined) headers.set("If-Modified-Since", lastModified);
  return (etag ?? lastModified) !== undefined;
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
