import { assertEquals } from "@std/assert";
import { retryAfter } from "../../src/http/retries.ts";
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
  ["a date that has passed", "Sun, 06 Nov 1994 08:49:00 GMT", 0],
];

for (const [name, value, ms] of readable) {
  Deno.test(`retryAfter reads ${name}`, () => assertEquals(after(value), ms));
}

Deno.test("retryAfter gives nothing for what is no time", () => {
  for (
    const value of ["", "soon", "-1", "1.5", "1e3", "0x10", "2024-01-01T00:00:00Z", "Sun, 06 Foo 1994 08:49:37 GMT"]
      .concat("Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994")
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
