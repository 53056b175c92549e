import { assert, assertEquals, assertFalse, assertStringIncludes, assertThrows } from "@std/assert";
import { Resource } from "@rejoin/data/legacy";
import "../../src/dev/mod.ts";
import { UrlError } from "../../src/errors/url_error.ts";
import { RestEndpoint } from "../../src/rest/rest_endpoint.ts";
import { shortenPath } from "../../src/rest/shorten_path.ts";

class Film extends Resource {
  id = "";
  pk() {
    return this.id;
  }
  static urlRoot = "https://api.example.com/films";
}

/** An endpoint whose path the type checker does not know, so that any mistake may be made. */
function at(path: string, urlPrefix = "https://api.example.com"): RestEndpoint {
  return new RestEndpoint({ path, urlPrefix, name: "Test.get" }) as unknown as RestEndpoint;
}

/** The message of the error that building a URL ends with. */
function refusal(path: string, params: Record<string, unknown>, urlPrefix?: string): string {
  return assertThrows(() => at(path, urlPrefix).url(params), UrlError).message;
}

Deno.test("parameters fill the path, the rest goes to the search", () => {
  const cases: [string, Record<string, unknown>, string][] = [
    ["/articles/:id", { id: 5 }, "/articles/5"],
    ["/articles/:id", { id: 0 }, "/articles/0"],
    ["/articles/:id", { id: false }, "/articles/false"],
    ["/articles/:id", { id: 12345678901234567890n }, "/articles/12345678901234567890"],
    ["/articles/:id", { id: "a b/c?d#e" }, "/articles/a%20b%2Fc%3Fd%23e"],
    ["/articles/:id", { id: "größe" }, "/articles/gr%C3%B6%C3%9Fe"],
    ["/articles/:id", { id: 5, tag: "x", page: 2 }, "/articles/5?page=2&tag=x"],
    ["/articles/:id", { id: 5, tag: undefined }, "/articles/5"],
    ["/a/:b/c/:d", { b: 1, d: 2 }, "/a/1/c/2"],
    ["/a{/:b}", {}, "/a"],
    ["/a{/:b}", { b: undefined }, "/a"],
    ["/a{/:b}", { b: 1 }, "/a/1"],
    ["/a{/:b{/:c}}", { b: 1 }, "/a/1"],
    ["/files/*path", { path: ["docs", "read me.md"] }, "/files/docs/read%20me.md"],
    ["/files{/*path}", {}, "/files"],
    ["/:a-:b.json", { a: 1, b: 2 }, "/1-2.json"],
    ['/:"first name"', { "first name": "x" }, "/x"],
    ["/größe/:id", { id: 1 }, "/gr%C3%B6%C3%9Fe/1"],
    ["/x\\?fixed=1", { tag: "x" }, "/x?fixed=1&tag=x"],
    ["/x\\?fixed=:id", { id: "a&b", tag: "x" }, "/x?fixed=a%26b&tag=x"],
    ["articles/:id", { id: 5 }, "/articles/5"],
    [":id", { id: 5 }, "/5"],
    ["/articles/", {}, "/articles/"],
    ["{/:id}", {}, ""],
  ];
  for (const [path, params, expected] of cases) {
    assertEquals(at(path).url(params), `https://api.example.com${expected}`, path);
  }
});

Deno.test("urlPrefix may be absolute, protocol-relative, relative or absent", () => {
  const join = (urlPrefix: string | undefined, path = "/x") => new RestEndpoint({ path, urlPrefix }).url();
  assertEquals(join("https://api.example.com/v1/"), "https://api.example.com/v1/x");
  assertEquals(join("//api.example.com"), "//api.example.com/x");
  assertEquals(join("/api"), "/api/x");
  assertEquals(join("api"), "api/x");
  assertEquals(join(""), "/x");
  assertEquals(join("/"), "/x");
  assertEquals(join(undefined), "/x");
  assertEquals(join(undefined, "https\\://api.example.com/x"), "https://api.example.com/x");
});

Deno.test("a prefix that leads elsewhere than it looks is refused", () => {
  for (
    const urlPrefix of [
      "ftp://example.com",
      "javascript:alert(1)",
      "https://user:secret@example.com",
      "https://example.com?x=1",
      "https://example.com#x",
      "https:\\\\example.com",
      " https://example.com",
      "https://exa\nmple.com",
      "https://",
    ]
  ) {
    assertStringIncludes(refusal("/x", {}, urlPrefix), "urlPrefix", urlPrefix);
  }
});

Deno.test("what no segment can be is a typed error that names endpoint, parameter and way out", () => {
  assertEquals(
    refusal("/articles/:id", { id: ".." }),
    'Cannot build the URL of "Test.get" (/articles/:id): parameter "id" is "..", which would leave /articles/:id',
  );
  assertEquals(
    refusal("/articles/:id", {}),
    'Cannot build the URL of "Test.get" (/articles/:id): parameter "id" is missing: pass { id }',
  );
  const cases: [unknown, string][] = [
    [".", 'is ".", which would leave'],
    ["%2e%2e", 'is "%2e%2e", which would leave'],
    [".%2E", 'is ".%2E", which would leave'],
    ["%252e", 'is "%252e", which would leave'],
    ["", "is empty"],
    [NaN, "is NaN"],
    [Infinity, "is Infinity"],
    [null, "is null"],
    [{}, "is an object"],
    [["a"], "is an array"],
    [new Date(0), "is an object"],
    [() => 1, "is a function"],
    [Symbol("s"), "is a symbol"],
    ["\ud800", "holds half of a surrogate pair"],
    ["a\udfffb", "holds half of a surrogate pair"],
  ];
  for (const [id, expected] of cases) {
    assertStringIncludes(refusal("/articles/:id/settings", { id }), `parameter "id" ${expected}`);
  }
  const error = assertThrows(() => at("/articles/:id").url({ id: ".." }), UrlError);
  assertEquals([error.path, error.endpoint, error.parameter, error.value], ["/articles/:id", "Test.get", "id", ".."]);
});

Deno.test("dots that several parameters or the path make together are refused", () => {
  assertStringIncludes(refusal("/x/:a{:b}", { a: ".", b: "." }), "would leave");
  assertStringIncludes(refusal("/x/.:a/y", { a: "." }), "would leave");
  assertEquals(at("/x/:a.:b").url({ a: ".", b: "." }), "https://api.example.com/x/...");
  assertEquals(at("/x/:a").url({ a: "..." }), "https://api.example.com/x/...");
  assertEquals(at("/x/:a.json").url({ a: "." }), "https://api.example.com/x/..json");
  assertEquals(at("/x\\?at=:a").url({ a: ".." }), "https://api.example.com/x?at=..");
  assertThrows(() => at("/x/../y").url(), UrlError, "no segments . and ..");
  for (const path of ["/x/%:a", "/x/%2:a", "/x/%2{:a}", "/x/.%2:a", "/x/%2*a"]) {
    assertThrows(() => at(path).url({ a: "e" }), UrlError, "write %25 for a percent sign", path);
  }
  assertEquals(at("/100%25/:a%20b").url({ a: "e" }), "https://api.example.com/100%25/e%20b");
});

Deno.test("wildcards are arrays of segments, none of them empty", () => {
  assertStringIncludes(refusal("/files/*path", { path: [] }), "must be an array of segments");
  assertStringIncludes(refusal("/files/*path", { path: "a/b" }), "must be an array of segments");
  assertStringIncludes(refusal("/files/*path", { path: ["a", ""] }), "is empty");
  assertStringIncludes(refusal("/files/*path", { path: ["a", ".."] }), "would leave");
  assertStringIncludes(refusal("/*rest", { rest: ["", "evil.example"] }, ""), "is empty");
});

Deno.test("no parameter becomes part of a host", () => {
  assertEquals(at(":host").url({ host: ".evil.example" }), "https://api.example.com/.evil.example");
  assertEquals(at(":host", "").url({ host: "evil.example" }), "/evil.example");
  assertStringIncludes(refusal("https\\://:tenant.example.com/x", { tenant: "a" }, ""), "may not be part of the host");
  assertStringIncludes(refusal("//example.com:port/x", { port: 1 }, ""), "may not be part of the host");
  for (
    const path of [
      "//exa\\\\mple.com/x",
      "ftp\\://example.com/x",
      "https\\://a:b@example.com/x",
      "data\\:x",
      "https\\:///x",
    ]
  ) {
    assertThrows(() => at(path, "").url(), UrlError, "host", path);
  }
  assertStringIncludes(refusal("/{:a}/x", {}, ""), "would begin with //");
  assertStringIncludes(refusal("https\\://example.com/x", {}), "the path is absolute");
});

Deno.test("half a group is an error: dropping what was given would address something else", () => {
  assertStringIncludes(refusal("/x{/:a/:b}", { a: 1 }), 'parameter "b" is missing, though "a" is given');
  assertStringIncludes(refusal("/x{/:a{/:b}}", { b: 1 }), 'parameter "a" is missing, though "b" is given');
  assertStringIncludes(refusal("/posts{/:id}", { id: null }), "is null");
});

Deno.test("the spelling of older dialects gives the new one, when the endpoint is made", () => {
  const cases: [string, string][] = [
    ["/users/:id?", "/users{/:id}"],
    ["/users/:id/posts/:postId?", "/users/:id/posts{/:postId}"],
    ["/users/:id(\\d+)", "/users/:id"],
    ["/users/:id(\\d+)?", "/users{/:id}"],
    ["/files/:path+", "/files/*path"],
    ["/files/:path*", "/files{/*path}"],
    ["/a{-:b}?", "/a{-:b}"],
  ];
  for (const [path, written] of cases) {
    const error = assertThrows(() => at(path).url(), UrlError);
    assertStringIncludes(error.message, `write ${written}`, path);
    at(written).key({ id: 1, path: ["a"] });
  }
  assertThrows(() => new RestEndpoint({ path: "/users/:id?" as string }), UrlError, "write /users{/:id}");
  assertStringIncludes(refusal("https://example.com/x", {}, ""), "write scheme and host in urlPrefix");
  assertStringIncludes(refusal("/x?y=1", {}), "are written with \\\\ before them");
  assertStringIncludes(refusal("/x/:", {}), "Missing parameter name");
  assertStringIncludes(refusal("/x#y", {}), "fragment");
});

Deno.test("parameters are own members only", () => {
  assertThrows(() => at("/x/:toString").url({}), UrlError, '"toString" is missing');
  assertThrows(() => at("/x/:id").url(Object.create({ id: 5 })), UrlError, '"id" is missing');
  assertEquals(at("/x/:__proto__").url(JSON.parse('{"__proto__":5}')), "https://api.example.com/x/5");
});

Deno.test("shortenPath cuts the last parameter", () => {
  const cases: [string, string | undefined][] = [
    ["/articles/:id", "/articles"],
    ["/articles/:id/", "/articles"],
    ["/:first", "/"],
    ["/:first/:second", "/:first"],
    ["/articles", "/articles"],
    ["/x{/:id}", "/x"],
    ["/x{/:id/edit}", "/x"],
    ["/x{/:a{/:b}}", "/x"],
    ["/x/*rest", "/x"],
    ["/x/:a-:b", "/x/:a-"],
    ['/x/:"a/b"', "/x"],
    ['/x/:"a\\"b"', "/x"],
    ["/x{.json}/:id", "/x{.json}"],
    ["https\\://example.com/:id", "https\\://example.com"],
    ["/users/:id/settings", undefined],
    ["/users/:id.json", undefined],
    ["/users/:id{.json}", undefined],
    ["/users/:id\\*", undefined],
    ["/x{/:id}/y", undefined],
    ["/größe/:größe", "/größe"],
  ];
  for (const [path, expected] of cases) assertEquals(shortenPath(path), expected, path);
});

Deno.test("testKey recognizes the keys of its endpoint and no others", () => {
  const paths: [string, Record<string, unknown>][] = [
    ["/articles/:id", { id: "a?b*c /d", tag: "x" }],
    ["/articles{/:id}", {}],
    ["/articles{/:id}", { id: 5 }],
    ["/files/*path", { path: ["a", "b", "c"] }],
    ["/:a-:b-:c", { a: "a-a", b: "b", c: "c" }],
    ["/x\\?fixed=1", { tag: "x" }],
    [":id", { id: 5 }],
    ["/größe/:id", { id: "größe" }],
    ["{/:id}", {}],
  ];
  for (const [path, params] of paths) {
    const endpoint = at(path);
    assert(endpoint.testKey(endpoint.key(params)), path);
  }
  const get = at("/articles/:id");
  const others = ["/articles", "/articles/", "/articles/5/6", "/articlesx/5", "/v2/articles/5", "//articles/5"];
  for (const other of others) assertFalse(get.testKey(`GET https://api.example.com${other}`), other);
  assertFalse(get.testKey("POST https://api.example.com/articles/5"));
  assertFalse(get.testKey("GET https://api.example.org/articles/5"));
  assertFalse(at("/files/*path").testKey("GET https://api.example.com/files/a//b"));
  assertFalse(at("/files/*path").testKey("GET https://api.example.com/files/"));
});

Deno.test("testKey takes time in proportion to the length of the key", () => {
  const endpoint = at("/:a-:b-:c{-:d}/*rest");
  const time = (key: string): number => {
    const start = performance.now();
    endpoint.testKey(key);
    return performance.now() - start;
  };
  const key = (length: number): string => `GET https://api.example.com/${"-".repeat(length)}`;
  time(key(100_000));
  // A watchdog: a pattern with three parameters in one segment took a backtracking matcher minutes for a third of it.
  assert(time(key(300_000)) < 5_000);
});

Deno.test("13.B4 a segment that means here or up is refused, also behind a slash that is encoded", () => {
  const hostile = ["../admin", "a/..", "a/../../b", "..\\admin", "a\\..\\b", "./a", "a/.", "..%2Fadmin", "..%5cadmin"];
  for (const id of [...hostile, "%2e%2e/admin", "%2E.%252fadmin", "a/%252e%252e/b", "/.."]) {
    assertStringIncludes(refusal("/films/:id", { id }), 'parameter "id" is', id);
    assertStringIncludes(refusal("/films/:id/reviews", { id }), 'parameter "id" is', id);
    assertStringIncludes(refusal("/files/*path", { path: ["a", id] }), 'parameter "path" is', id);
    assertThrows(() => Film.url({ id }), UrlError);
  }
  assertStringIncludes(refusal("/files/:name.:ext", { name: "a/", ext: "." }), "would leave");
  assertStringIncludes(refusal("/x/..%2Fadmin/:id", { id: 1 }), "a path has no segments . and ..");
  // What the server sent as `url` is taken only if it is a record below the root.
  assertEquals(
    Film.url({ id: "5", url: "https://api.example.com/films/..%2Fadmin" }),
    "https://api.example.com/films/5",
  );
  for (const id of ["a/b", "...", ".a", "a.", "a/..b", "a/...", "1.5", "..a", "a..b", ".../a"]) {
    assertEquals(at("/films/:id").url({ id }), `https://api.example.com/films/${encodeURIComponent(id)}`);
  }
});

Deno.test("13.B4 no parameter right behind a host becomes part of it", () => {
  const evil = ["evil", ".evil.example", "@evil.example", ":8080", "//evil.example", "/evil", "\\evil", "%2f%2fevil"];
  const absolute = [
    "http\\://good.example:a",
    "//good.example:a",
    "http\\://good.example{:a}/x",
    "http\\://good.example*a",
  ];
  for (
    const path of [...absolute, "http\\://good.example\\::a", "http\\://good.example{/b}:a", "http://good.example:a"]
  ) {
    assertThrows(() => new RestEndpoint({ path } as never).url({ a: "x" }), UrlError);
  }
  for (const path of [":a", "{:a}", "{path}:a", "*a", "{*a}", "\\::a", "@:a", "{/b}:a"]) {
    for (const urlPrefix of ["http://good.example", "http://good.example/", "//good.example", "http://good.example:"]) {
      for (const value of evil) {
        const a = path.includes("*") ? [value, "b"] : value;
        const url = new RestEndpoint({ path, urlPrefix } as never).url({ a });
        const { origin, username, pathname } = new URL(url, "http://page.example");
        assertEquals([origin, username], ["http://good.example", ""], url);
        assert(pathname.length > 1, url);
      }
    }
  }
});
