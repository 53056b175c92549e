import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import "../../src/dev/mod.ts";
import { UrlError } from "../../src/errors/url_error.ts";
import { RestEndpoint } from "../../src/rest/rest_endpoint.ts";
import { check, runs } from "../support/property.ts";

const list = new RestEndpoint({ path: "/articles", name: "Article.getList" });
const search = (params: Record<string, unknown>): string => decodeURIComponent(list.searchToString(params));

Deno.test("the encoding is as documented", () => {
  const cases: [Record<string, unknown>, string][] = [
    [{ q: "a b", n: 5, on: true, at: new Date(0), big: 5n }, "at=1970-01-01T00:00:00.000Z&big=5&n=5&on=true&q=a b"],
    [{ tag: ["b", "a"] }, "tag[]=b&tag[]=a"],
    [{ where: { author: 5, not: { id: 1 } } }, "where[author]=5&where[not][id]=1"],
    [{ sort: [{ by: "title" }, "id"] }, "sort[0][by]=title&sort[1]=id"],
    [{ a: [[1, 2], []] }, "a[0][]=1&a[0][]=2&a[1][]"],
    [{ a: [null] }, "a[0]"],
    [{ a: undefined, b: [undefined, 1] }, "b[]=1"],
    [{ a: null }, "a"],
    [{ a: "" }, "a="],
    [{ a: [] }, "a[]"],
    [{ a: {} }, "a{}"],
    [{ a: { b: undefined } }, "a{}"],
    [{ a: [{}] }, "a[0]{}"],
    [{ a: { 0: "x", 1: "y" } }, "a[0]=x&a[1]=y"],
    [{ url: new URL("https://example.com/?a=1") }, "url=https://example.com/?a=1"],
    [{ __proto__: null, a: Object.assign(Object.create(null), { b: 1 }) }, "a[b]=1"],
    [{}, ""],
  ];
  for (const [params, expected] of cases) assertEquals(search(params), expected);
  assertEquals(list.searchToString({ q: "a&b=c#d", r: "ä" }), "q=a%26b%3Dc%23d&r=%C3%A4");
  assertEquals(list.url({ b: 1, a: [2] }), "/articles?a%5B%5D=2&b=1");
});

Deno.test("what would be read as something else is a typed error", () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  class Money {
    #amount = 5;
    amount() {
      return this.#amount;
    }
  }
  const cases: [Record<string, unknown>, string][] = [
    [{ "filter[author]": 5 }, 'parameter "filter[author]" has brackets in a name: nest it'],
    [{ "a{}": 5 }, "has brackets in a name"],
    [{ "": 5 }, "has no name"],
    [{ a: { "": 5 } }, "without a name"],
    [{ a: { 0: { b: 1 } } }, "could not be told from an array"],
    [{ a: NaN }, "is NaN"],
    [{ a: new Date(NaN) }, "has no text"],
    [{ a: "\ud800" }, "half of a surrogate pair"],
    [{ "\ud800": 1 }, "half of a surrogate pair in its name"],
    [{ a: new Map() }, "is an instance of Map"],
    [{ a: new Uint8Array(2) }, "is an instance of Uint8Array"],
    [{ a: new Money() }, "is an instance of Money"],
    [{ a: () => 1 }, "is a function"],
    [{ a: Symbol("s") }, "is a symbol"],
    [{ a: cycle }, "contains itself"],
  ];
  for (const [params, expected] of cases) {
    const error = assertThrows(() => list.searchToString(params), UrlError);
    assertStringIncludes(error.message, expected);
    assertStringIncludes(error.message, "Article.getList");
  }
});

Deno.test("property: texts are equal when parameters are, and only then", async () => {
  await check(
    fc.property(parameters, parameters, (a, b) => {
      const [left, right] = [encoded(a), encoded(b)];
      if (left === undefined || right === undefined) return;
      assertEquals(left === right, canonical(a) === canonical(b), `${left} against ${right}`);
      assertEquals(left, encoded(Object.fromEntries(Object.entries(a).reverse())));
      assert(new URL(`https://example.com/?${left}`).search.length <= left.length * 3 + 1);
    }),
    { name: "search parameters", runs: runs(10_000, 1_000_000) },
  );
});

const text = fc.oneof(
  fc.constantFrom("", "a", "1", "a=b", "[]", "&", "%5B", "a[b]", " ", "ä"),
  fc.string({ unit: "binary" }),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.constantFrom<unknown>(null, undefined, 0, 1, true, 1n),
    text,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "0", "1", "[]", "__proto__"), tie("value"), { maxKeys: 2 }),
  ),
}));
const parameters = fc.dictionary(fc.oneof(fc.constantFrom("a", "b", "a[]", "a{}", "%5B%5D"), text), value, {
  maxKeys: 3,
});

/** `undefined` where the parameters are refused, with a typed error. */
function encoded(params: Record<string, unknown>): string | undefined {
  try {
    return list.searchToString(params);
  } catch (error) {
    if (error instanceof UrlError) return undefined;
    throw error;
  }
}

// What equality means: leaves by their text, undefined is absent, members in any order.
function canonical(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) {
    return `[${
      value.filter((item) => item !== undefined).map(canonical).map((item) => `${item.length}:${item}`).join()
    }]`;
  }
  if (typeof value !== "object") return `"${value}"`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined).sort(([a], [b]) => a < b ? -1 : 1);
  return `{${
    members.map(([name, member]) => {
      const text = canonical(member);
      return `${name.length}:${name}${text.length}:${text}`;
    }).join()
  }}`;
}
