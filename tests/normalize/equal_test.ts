import { assert } from "@std/assert";
import { equal } from "../../src/plain/equal.ts";

const hostile = JSON.parse(`{"__proto__": {"a": 1}}`);

const EQUAL: readonly (readonly [unknown, unknown])[] = [
  [1, 1],
  [NaN, NaN],
  [null, null],
  [undefined, undefined],
  [[], []],
  [{}, {}],
  [{ a: 1, b: [NaN, null] }, { b: [NaN, null], a: 1 }],
  [hostile, JSON.parse(JSON.stringify(hostile))],
  [Object.assign(Object.create(null), { a: 1 }), Object.assign(Object.create(null), { a: 1 })],
];
const DIFFERENT: readonly (readonly [unknown, unknown])[] = [
  [1, "1"],
  [null, undefined],
  [null, {}],
  [[], {}],
  [[1, 2], [2, 1]],
  [[1], [1, undefined]],
  [{ a: undefined }, {}],
  [{ a: undefined }, { b: undefined }],
  [{}, hostile],
  [{ a: {} }, { a: { b: 1 } }],
  [new Date(5), new Date(6)],
  [new Date(5), {}],
  [new Date(0), "1970-01-01T00:00:00.000Z"],
  [new Map([[1, 1]]), new Map([[1, 1]])],
  [new Set(), new Set()],
  [{ toString: undefined }, { a: 1 }],
  [
    new (class A {
      a = 1;
    })(),
    { a: 1 },
  ],
  [Symbol.iterator, Symbol.asyncIterator],
];

Deno.test("equal is true for equal plain values, in both orders", () => {
  for (const [a, b] of EQUAL) assert(equal(a, b) && equal(b, a), Deno.inspect([a, b]));
});

Deno.test("equal is false for different values and for instances, in both orders", () => {
  for (const [a, b] of DIFFERENT) assert(!equal(a, b) && !equal(b, a), Deno.inspect([a, b]));
});
