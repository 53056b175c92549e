import { clock } from "../deps/clock.ts";

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
