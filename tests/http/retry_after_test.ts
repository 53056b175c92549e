import { assertEquals } from "@std/assert";
import { retryAfter } from "../../src/http/retry_after.ts";
import { FakeClock } from "../support/clock.ts";

const NOW = Date.UTC(1994, 10, 6, 8, 49, 30);

/** What the header comes to on a client whose clock says 8:49:30, in ms. */
function after(value: string, date?: string, now: number = NOW): number | undefined {
  using _ = new FakeClock(now).install();
  return retryAfter(new Headers({ "retry-after": value, ...date === undefined ? {} : { date } }));
}

const readable: readonly (readonly [string, string, number])[] = [
  ["seconds", "120", 120_000],
  ["no seconds", "0", 0],
  ["seconds with spaces around them", "  5 ", 5_000],
  ["a date", "Sun, 06 Nov 1994 08:49:37 GMT", 7_000],
  ["a date in the form of RFC 850", "Sunday, 06-Nov-94 08:49:37 GMT", 7_000],
  ["a date in the form of asctime", "Sun Nov  6 08:49:37 1994", 7_000],
  ["a date in the form of asctime, with a day of two digits", "Wed Nov 16 08:49:30 1994", 864_000_000],
  ["a date that has passed", "Sun, 06 Nov 1994 08:49:00 GMT", 0],
];

for (const [name, value, ms] of readable) {
  Deno.test(`retryAfter reads ${name}`, () => assertEquals(after(value), ms));
}

Deno.test("retryAfter gives nothing for what is no time", () => {
  for (
    const value of ["", "soon", "-1", "1.5", "1e3", "0x10", "2024-01-01T00:00:00Z", "Sun, 06 Foo 1994 08:49:37 GMT"]
  ) {
    assertEquals(after(value), undefined, value);
  }
  assertEquals(retryAfter(new Headers()), undefined);
});

Deno.test("retryAfter compares a date with that of the server, for clocks of clients are often wrong", () => {
  const value = "Sun, 06 Nov 1994 08:49:37 GMT";
  const date = "Sun, 06 Nov 1994 08:49:30 GMT";
  for (const wrong of [-3_600_000, 0, 86_400_000]) assertEquals(after(value, date, NOW + wrong), 7_000);
  assertEquals(after(value, "yesterday"), 7_000);
});

Deno.test("retryAfter takes a year of two digits for the one that is not more than 50 years ahead", () => {
  assertEquals(after("Saturday, 01-Jan-00 00:00:07 GMT", undefined, Date.UTC(2000, 0, 1)), 7_000);
  assertEquals(after("Friday, 31-Dec-99 23:59:59 GMT", undefined, Date.UTC(2000, 0, 1)), 0);
  const ahead = Date.UTC(2074, 0, 1) - Date.UTC(2024, 0, 1);
  assertEquals(after("Monday, 01-Jan-74 00:00:00 GMT", undefined, Date.UTC(2024, 0, 1)), ahead);
});
