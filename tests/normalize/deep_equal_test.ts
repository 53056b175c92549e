import { assert, assertEquals } from "@std/assert";
import { deepEqual } from "../../src/normalize/deep_equal.ts";
import { pathOf, stepOf } from "../../src/errors/path.ts";

const hostile = JSON.parse(`{"__proto__": {"a": 1}}`);

const EQUAL: readonly (readonly [unknown, unknown])[] = [
  [1, 1],
  [NaN, NaN],
  [0, -0],
  [null, null],
  [undefined, undefined],
  [[], []],
  [{}, {}],
  [{ a: 1, b: [NaN, null] }, { b: [NaN, null], a: 1 }],
  [new Date(5), new Date(5)],
  [new Date(NaN), new Date(NaN)],
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

Deno.test("deepEqual is right about equal values, both ways round", () => {
  for (const [a, b] of EQUAL) assert(deepEqual(a, b) && deepEqual(b, a), Deno.inspect([a, b]));
});

Deno.test("deepEqual is right about different values, both ways round", () => {
  for (const [a, b] of DIFFERENT) assert(!deepEqual(a, b) && !deepEqual(b, a), Deno.inspect([a, b]));
});

Deno.test("deepEqual ends for values that contain themselves, and for those that share parts in all ways", () => {
  const loop = (length: number) => {
    const first: Record<string, unknown> = {};
    let at = first;
    for (let i = 1; i < length; i++) at = at.next = { twice: first } as Record<string, unknown>;
    at.next = first;
    return first;
  };
  assert(deepEqual(loop(3), loop(3)));
  assert(deepEqual(loop(3), loop(6)) === deepEqual(loop(6), loop(3)));
  assert(!deepEqual(loop(3), { next: { twice: 1 } }));
  const fold = (leaf: number) => {
    let at: unknown = { leaf };
    for (let i = 0; i < 1_000; i++) at = [at, at];
    return at;
  };
  assert(deepEqual(fold(1), fold(1)));
  assert(!deepEqual(fold(1), fold(2)));
});

Deno.test("deepEqual has no depth", () => {
  const chain = (end: number) => {
    let at: unknown = end;
    for (let i = 0; i < 1_000_000; i++) at = i % 2 ? { at } : [at];
    return at;
  };
  assert(deepEqual(chain(1), chain(1)));
  assert(!deepEqual(chain(1), chain(2)));
});

Deno.test("pathOf writes a path as one would in code, and ends for cycles and depth", () => {
  const target = {};
  const root: Record<string, unknown> = { results: [{}, { "a b": { "0": target } }] };
  root.self = root;
  assertEquals(pathOf(root, target), `results[1]["a b"]["0"]`);
  assertEquals([pathOf(root, root), pathOf(root, {}), pathOf(5, target)], ["", undefined, undefined]);
  let deep: unknown = target;
  for (let i = 0; i < 100_000; i++) deep = [deep];
  assertEquals(pathOf(deep, target)!.length, 300_000);
  assertEquals(["a", "größe", "$1", "1", "a-b", "__proto__"].map(stepOf), [
    ...[".a", ".größe", ".$1", `["1"]`, `["a-b"]`, ".__proto__"],
  ]);
});
