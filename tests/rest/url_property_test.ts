import { assert, assertEquals, assertInstanceOf } from "@std/assert";
import * as fc from "fast-check";
import { EndpointError } from "../../src/errors/endpoint_error.ts";
import { UrlError } from "../../src/errors/url_error.ts";
import { RestEndpoint } from "../../src/rest/rest_endpoint.ts";
import { check, runs } from "../support/property.ts";

const ORIGIN = "https://api.example.com";

/** Templates, and their segments as functions of the parameters. */
const TEMPLATES: readonly {
  readonly path: string;
  readonly names: readonly string[];
  segments(params: Record<string, unknown>): readonly string[];
}[] = [
  { path: "/users/:id", names: ["id"], segments: ({ id }) => ["users", String(id)] },
  { path: "/users/:id/settings", names: ["id"], segments: ({ id }) => ["users", String(id), "settings"] },
  { path: "/:a/:b/:c", names: ["a", "b", "c"], segments: ({ a, b, c }) => [a, b, c].map(String) },
  { path: ":a", names: ["a"], segments: ({ a }) => [String(a)] },
  { path: "/x/:a-:b", names: ["a", "b"], segments: ({ a, b }) => ["x", `${a}-${b}`] },
  { path: "/x/:a.:b", names: ["a", "b"], segments: ({ a, b }) => ["x", `${a}.${b}`] },
  { path: "/x/:a{:b}", names: ["a", "b"], segments: ({ a, b }) => ["x", `${a}${b ?? ""}`] },
  { path: "/x/.:a", names: ["a"], segments: ({ a }) => ["x", `.${a}`] },
  {
    path: "/x{/:a}{/:b}/y",
    names: ["a", "b"],
    segments: ({ a, b }) => ["x", a, b, "y"].filter((s) => s !== undefined).map(String),
  },
  { path: "/files/*rest", names: ["rest"], segments: ({ rest }) => ["files", ...(rest as unknown[]).map(String)] },
  {
    path: "/v1{/*rest}/end",
    names: ["rest"],
    segments: ({ rest }) => ["v1", ...(rest as unknown[] ?? []).map(String), "end"],
  },
];
const endpoints = ["", "/base", "/a/b/"].map((base) =>
  TEMPLATES.map(({ path }) => new RestEndpoint({ path, urlPrefix: ORIGIN + base }) as unknown as RestEndpoint)
);

// Known ways out of a path, by themselves and inside of other text.
const PAYLOADS = [
  ...["..", ".", "...", "....", "../", "../../", "..\\", "..;/", "/..", "/../x", "./", "a/../b", "..\\..\\", "..%2f"],
  ...["%2e%2e", "%2e%2e%2f", "%2E%2E", ".%2e", "%2e.", "%252e%252e", "%25252e", "%2e", "%c0%ae%c0%ae", "%uff0e"],
  ...[
    "%2f",
    "%5c",
    "%00",
    "%0d%0a",
    "\r\n",
    "\r\nHost: evil.example",
    "\t",
    "\n",
    "\0",
    " ",
    "\u3002\u3002",
    "\uff0e\uff0e",
  ],
  ...[
    "//",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "https://evil.example",
    "https:evil.example",
  ],
  ...[
    "javascript:alert(1)",
    "data:text/html,x",
    "@evil.example",
    ":80@evil.example",
    "user:pass@evil.example",
    ".evil.example",
  ],
  ...[
    "?",
    "?admin=1",
    "#",
    "#x",
    "&a=b",
    ";a=b",
    ":",
    "a:b",
    "*",
    "{}",
    "\ud800",
    "\udc00",
    "a\ud800b",
    "\u2028",
    "\ufeff",
  ],
  ...["", "null", "undefined", "__proto__", "constructor", "é", "\u202e", "%", "%%", "%zz", "1e999", "-0"],
];
const payload = fc.constantFrom(...PAYLOADS);
const text = fc.oneof(
  payload,
  fc.array(fc.oneof(payload, fc.constantFrom(".", "/", "%2e", "%25", "a")), { maxLength: 4 }).map((parts) =>
    parts.join("")
  ),
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom(".", "/", "%", "2", "e", "5", "\\", "?", "#") }),
);
const value = fc.oneof(
  text,
  text,
  fc.constantFrom<unknown>(0, -0, NaN, Infinity, 5, 5n, true, null, undefined, {}, [], ["a"], ["..", "a"]),
);
const params = fc.record(
  { a: value, b: value, c: value, id: value, rest: fc.oneof(fc.array(text, { maxLength: 3 }), value), other: text },
  { requiredKeys: [] },
);

/** A segment that means here or up, also for who decodes slashes before looking for segments. */
const DOTS = /(?:^|[/\\]|%(?:25)*(?:2f|5c))(?:\.|%(?:25)*2e){1,2}(?:$|[/\\]|%(?:25)*(?:2f|5c))/i;

Deno.test("property: parameters change neither origin nor number nor place of segments", async () => {
  let built = 0;
  await check(
    fc.property(fc.nat(2), fc.nat(TEMPLATES.length - 1), params, (base, index, params) => {
      const { names, segments } = TEMPLATES[index]!;
      let url: string;
      try {
        url = endpoints[base]![index]!.url(params);
      } catch (error) {
        assertInstanceOf(error, UrlError);
        return;
      }
      built++;
      const parsed = new URL(url);
      assertEquals([parsed.origin, parsed.username, parsed.password, parsed.hash], [ORIGIN, "", "", ""]);
      const expected = [["base"], ["a", "b"]][base - 1] ?? [];
      const actual = parsed.pathname.slice(1).split("/").map(decodeURIComponent);
      assertEquals(actual, [...expected, ...segments(params)]);
      for (const segment of parsed.pathname.slice(1).split("/")) {
        assert(segment !== "" && !DOTS.test(segment), `${segment} in ${url}`);
      }
      assertEquals(
        parsed.search !== "",
        params.other !== undefined ||
          Object.keys(params).some((name) =>
            !names.includes(name) && name !== "other" && params[name as "a"] !== undefined
          ),
      );
      assert(endpoints[base]![index]!.testKey(`GET ${url}`), url);
    }),
    { name: "URLs", runs: runs(10_000, 1_000_000) },
  );
  assert(built > 100, `only ${built} URLs could be built: the generators have gone astray`);
});

Deno.test("every known payload stays in its segment, or is refused", () => {
  const endpoint = endpoints[0]![1]!;
  for (
    const id of [
      ...PAYLOADS,
      ...PAYLOADS.map((payload) => `x${payload}`),
      ...PAYLOADS.map((payload) => `${payload}x`),
    ]
  ) {
    let url: string;
    try {
      url = endpoint.url({ id });
    } catch (error) {
      assertInstanceOf(error, UrlError);
      assert(id === "" || DOTS.test(id) || DOTS.test(encodeSafely(id)) || !id.isWellFormed(), JSON.stringify(id));
      continue;
    }
    assertEquals(new URL(url).pathname.split("/").map(decodeURIComponent), ["", "users", id, "settings"]);
  }
});

function encodeSafely(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

Deno.test("property: a prefix and a path make a URL of the prefix's host, or none", async () => {
  const prefix = fc.oneof(
    fc.constantFrom(
      "https://a.example",
      "http://a.example:8080/x",
      "//a.example",
      "/api",
      "api",
      "",
      "https://a.example/",
    ),
    text,
    text.map((text) => `https://a.example${text}`),
  );
  const path = fc.oneof(
    fc.constantFrom("/x/:id", ":id", "x/:id", "{/:id}", "/*id", "//:id", "\\:id", ".:id", "@:id", "\\\\:id"),
    text,
  );
  await check(
    fc.property(prefix, path, text, (urlPrefix, path, id) => {
      let url: string;
      try {
        url = (new RestEndpoint({ urlPrefix, path }) as unknown as RestEndpoint).url({
          id: path === "/*id" ? [id] : id,
        });
      } catch (error) {
        assertInstanceOf(error, UrlError);
        return;
      }
      // A path may be absolute by itself; what a parameter holds never makes one.
      const host = (text: string): string => new URL(text, "https://page.invalid/").host;
      const declared = urlPrefix === "" || urlPrefix === "/"
        ? path.replace(/\\(.)/g, "$1").replace(/[:*{].*$/s, "")
        : urlPrefix;
      let expected: string;
      try {
        expected = host(/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(declared) ? declared : "/");
      } catch {
        return;
      }
      assertEquals(host(url), expected, url);
    }),
    { name: "prefixes", runs: runs(3_000, 100_000) },
  );
});

Deno.test("property: keys are equal when requests are, and only then", async () => {
  const read = new RestEndpoint({
    path: "/search/:id{/:a}",
    method: "POST",
    sideEffect: false,
    urlPrefix: ORIGIN,
  }) as unknown as RestEndpoint;
  const leaf = fc.oneof(
    fc.jsonValue({ maxDepth: 0 }),
    fc.constantFrom<unknown>(undefined, NaN, Infinity, 0, -0, 1n, 1, "1", "", new Date(0), new Date(1), "#NaN", "null"),
  );
  const { body } = fc.letrec((tie) => ({
    body: fc.oneof(
      { maxDepth: 2 },
      leaf,
      fc.array(tie("body"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("a", "b", "", "__proto__", "a:1"), tie("body"), { maxKeys: 3 }),
    ),
  }));
  const small = fc.constantFrom<unknown>("1", 1, "2", "a b", "?", undefined, " ", ",", "[]", "&q=1", "=");
  const call = fc.record({ id: small, a: small, q: fc.oneof(small, fc.array(small, { maxLength: 2 })), body });
  type Call = { readonly id: unknown; readonly a: unknown; readonly q: unknown; readonly body: unknown };
  const line = ({ body, ...params }: Call): string => read.key(params, body);
  const text = (value: unknown): unknown =>
    value === undefined ? undefined : Array.isArray(value) ? value.map(text) : String(value);
  const meaning = ({ id, a, q, body }: Call): string =>
    canonical([text(id), text(a), Array.isArray(q) ? q.filter((item) => item !== undefined).map(text) : text(q)]) +
    (body === undefined || body === null ? "" : canonical(body));
  await check(
    fc.property(call, call, fc.boolean(), (left, other, isSame) => {
      const right = isSame ? turned(left) as Call : other;
      let keys: [string, string];
      try {
        keys = [line(left), line(right)];
      } catch (error) {
        assert(error instanceof UrlError || error instanceof EndpointError, String(error));
        return;
      }
      const isEqual = meaning(left) === meaning(right);
      if (isSame) assert(isEqual);
      assertEquals(keys[0] === keys[1], isEqual, keys.join("\n"));
    }),
    { name: "request keys", runs: runs(10_000, 1_000_000) },
  );
});

Deno.test("property: what stands in a URL as it is, is written as the platform encodes it", async () => {
  const plain = fc.oneof(
    fc.string({ unit: fc.constantFrom("a", "Z", "0", "9", "-", "_", ".", "%", "/", "~"), maxLength: 4 }),
    fc.integer(),
    value,
  );
  const own = fc.record({ a: plain, b: plain, c: plain, id: plain }, { requiredKeys: [] });
  let built = 0;
  await check(
    fc.property(fc.nat(TEMPLATES.length - 1), own, (index, params) => {
      const { path, names, segments } = TEMPLATES[index]!;
      const endpoint = new RestEndpoint({ path, urlPrefix: ORIGIN }) as unknown as RestEndpoint;
      const taken = Object.fromEntries(Object.entries(params).filter(([name]) => names.includes(name)));
      let url: string;
      try {
        url = endpoint.url(taken);
      } catch (error) {
        assertInstanceOf(error, UrlError);
        return;
      }
      built++;
      assertEquals(url, ORIGIN + segments(taken).map((segment) => `/${encodeURIComponent(segment)}`).join(""));
    }),
    { name: "plain paths", runs: runs(5_000, 200_000) },
  );
  assert(built > 100, `only ${built} URLs could be built`);
});

/** The same with the members of all objects in another order, and members that are not there. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  const members = Object.entries(value).reverse().map(([name, member]) => [name, turned(member)] as const);
  return Object.fromEntries([...members, ["absent", undefined]]);
}

/** One text for all values that are equal as arguments: kinds of leaves apart, members in any order, `undefined` absent. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value instanceof Date) return `date ${value.getTime()}`;
  if (typeof value === "object" && value !== null) {
    const members = Object.keys(value).sort().filter((name) => (value as Record<string, unknown>)[name] !== undefined);
    return `{${
      members.map((name) => `${JSON.stringify(name)}=${canonical((value as Record<string, unknown>)[name])}`).join()
    }}`;
  }
  return `${typeof value} ${typeof value === "string" ? JSON.stringify(value) : Object.is(value, -0) ? "0" : value}`;
}
