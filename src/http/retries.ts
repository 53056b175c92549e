import { clock } from "../deps/clock.ts";
import type { NetworkError } from "../errors/network_error.ts";
import { isOneShot } from "./platform.ts";

/** How often a request is sent again that may be, unless its endpoint says otherwise. */
const DEFAULT_RETRIES = 2;

/** What the first wait takes at most, in ms; each further one takes up to twice as long. */
const FIRST_WAIT = 300;

/**
 * How often a request may be sent again. `GET` and `HEAD` change nothing on a server; any other method is sent again
 * only where an `Idempotency-Key` lets the server know it. A body that is a stream is gone after the first time.
 *
 * @param init What is sent.
 * @param retry What the endpoint says. While a test has its own clock in place it is 0 unless that is said: nobody may be
 *   there to end the wait.
 */
export function retriesOf(
  { body, method = "GET", headers }: RequestInit,
  retry: number | false | undefined,
): number {
  const times = Number(retry ?? (clock.isReplaced ? 0 : DEFAULT_RETRIES));
  const isKnown = headers instanceof Headers && headers.has("idempotency-key");
  return times > 0 && !isOneShot(body) && (isKnown || /^(?:get|head)$/i.test(method)) ? times : 0;
}

/**
 * How long to wait before a request is sent again.
 *
 * @param error How it failed.
 * @param attempts How often it was sent.
 * @param isAnswered The answer was ok: what reading it throws by a status is the app's.
 * @returns In ms; `undefined` where the same request cannot succeed a little later.
 */
export function waitAfter(
  { status, headers }: NetworkError,
  attempts: number,
  isAnswered: boolean,
): number | undefined {
  if (status !== undefined && (isAnswered || ![408, 429, 502, 503, 504].includes(status))) return undefined;
  // A body that broke off has the headers of an answer that refused nothing.
  const asked = status === undefined || headers === undefined ? undefined : retryAfter(headers);
  // Full jitter: clients that failed together do not come back together.
  return asked ?? clock.random() * FIRST_WAIT * 2 ** (attempts - 1);
}

/**
 * How long a server asks to wait before it is asked again: the header `Retry-After`, in seconds or as a date in the
 * form that servers have to send (RFC 9110, 5.6.7 and 10.2.3; the two obsolete ones are no time).
 *
 * A date is compared with the server's own, where the answer has one: clocks of clients are often wrong.
 *
 * @param headers The headers of an answer.
 * @returns In ms; 0 for a date that has passed; `undefined` if there is no such header, or it cannot be read.
 */
export function retryAfter(headers: Headers): number | undefined {
  const value = headers.get("retry-after")?.trim();
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const until = httpDate(value);
  return until === undefined ? undefined : Math.max(0, until - (httpDate(headers.get("date") ?? "") ?? clock.now()));
}

/** Not `Date.parse` alone: it reads what is no date of HTTP, in the time zone of the machine. */
function httpDate(text: string): number | undefined {
  const at = /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? undefined : at;
}
