import { assert, assertEquals } from "@std/assert";
import { ageText, expiryText, spanText, textOf, timeText, tookText } from "../../src/inspector/_text.ts";
import { FakeClock } from "../support/clock.ts";

Deno.test("any value has a line of text, however it behaves and however large it is", () => {
  const circle: unknown[] = [];
  circle.push(circle);
  const thrower = new Proxy({}, {
    ownKeys() {
      throw new Error("no");
    },
  });
  const values: readonly [unknown, string][] = [
    [undefined, "undefined"],
    [null, "null"],
    [5n, "5n"],
    [NaN, "NaN"],
    ['a"b', '"a\\"b"'],
    [new Date(0), "1970-01-01T00:00:00.000Z"],
    [new Date(NaN), "no date"],
    [new TypeError("x"), "TypeError: x"],
    [[], "[]"],
    [{}, "{}"],
    [{ a: 1, b: [true, { c: "d" }] }, '{a: 1, b: [true, {c: "d"}]}'],
    [circle, "[[[[…]]]]"],
    [new Map(), "Map"],
    [thrower, "?"],
    [{
      get a() {
        throw 1;
      },
    }, "?"],
    [Object.create(null, { then: { value: 1, enumerable: true } }), "{then: 1}"],
  ];
  for (const [value, text] of values) assertEquals(textOf(value), text);
  const large = [Array(1_000_000).fill("x"), "x".repeat(1_000_000), { ["n".repeat(1_000)]: "x".repeat(10_000) }];
  for (const value of large) assert(textOf(value).length <= 120);
  assertEquals(textOf(Array(100).fill(0), 400), `[${"0, ".repeat(12)}… 88 more]`);
});

Deno.test("times are told in one unit", () => {
  const clock = new FakeClock();
  using _ = clock.install();
  const now = clock.now();
  assertEquals([0, 59_999, 60_000, 3_600_000, 86_400_000 * 1_234].map(spanText), [
    "0 s",
    "59 s",
    "1 min",
    "1 h",
    "1,234 d",
  ]);
  assertEquals([0.4, 999, 1_250].map(tookText), ["0 ms", "999 ms", "1.3 s"]);
  assertEquals([undefined, 0, now - 5_000].map(ageText), ["", "", "5 s"]);
  assertEquals([0, Infinity, now + 9_000, now - 120_000].map(expiryText), [
    "marked stale",
    "never",
    "in 9 s",
    "2 min ago",
  ]);
  assertEquals(timeText(new Date(2026, 0, 2, 3, 4, 5, 6).getTime()), "03:04:05.006");
  assertEquals(timeText(NaN), "?");
});
