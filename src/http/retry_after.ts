import { clock } from "../deps/clock.ts";

/**
 * How long a server asks to wait before it is asked again: the header `Retry-After`, in seconds or as a date in one of
 * the three forms of HTTP (RFC 9110, 5.6.7 and 10.2.3).
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

const FORMS = [
  // Sun, 06 Nov 1994 08:49:37 GMT, and Sunday, 06-Nov-94 08:49:37 GMT
  /^[A-Z][a-z]+, (?<day>\d\d)[ -](?<month>[A-Z][a-z]{2})[ -](?<year>\d{4}|\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/,
  // Sun Nov  6 08:49:37 1994
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
];

/** Not `Date.parse` alone: it reads the third form in the time zone of the machine, and years of two digits as it likes. */
function httpDate(text: string): number | undefined {
  for (const form of FORMS) {
    const { day, month, year = "", time } = form.exec(text)?.groups ?? {};
    const at = Date.parse(`${day} ${month} ${fullYear(year)} ${time} GMT`);
    if (!Number.isNaN(at)) return at;
  }
  return undefined;
}

/** Two digits that would lie more than 50 years ahead are of the century before. */
function fullYear(year: string): number {
  const present = new Date(clock.now()).getUTCFullYear();
  const full = Number(year) + (year.length > 2 ? 0 : present - present % 100);
  return full > present + 50 && year.length < 4 ? full - 100 : full;
}
