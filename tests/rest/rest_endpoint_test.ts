import { stateOf } from "@rejoin/data";
import { assert, assertEquals, assertInstanceOf, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { EndpointError } from "../../src/errors/endpoint_error.ts";
import { NetworkError } from "../../src/errors/network_error.ts";
import { ParseError } from "../../src/errors/parse_error.ts";
import { TimeoutError } from "../../src/errors/timeout_error.ts";
import { UrlError } from "../../src/errors/url_error.ts";
import { Endpoint } from "../../src/endpoint/endpoint.ts";
import { RestEndpoint } from "../../src/rest/rest_endpoint.ts";
import { resource } from "../../src/collections/resource.ts";
import type { RestGenerics } from "../../src/rest/rest_types.ts";
import { Controller } from "../../src/controller/controller.ts";
import { Entity } from "../../src/schemas/entity.ts";
import { FakeClock } from "../support/clock.ts";
import { type Logged, startFaultServer } from "../support/fault_server.ts";
import { replaceGlobals } from "../support/replace_globals.ts";

class Article extends Entity {
  id = "";
  pk() {
    return this.id;
  }
  static key = "Article";
}

/** Declares that a call is answered with what the server got. */
const echoed = (value: Logged): Logged => value;

Deno.test("a RestEndpoint is an Endpoint and a function", () => {
  const get = new RestEndpoint({ path: "/articles/:id" });
  assertInstanceOf(get, Endpoint);
  assertEquals(typeof get, "function");
  assertEquals(get.name, "/articles/:id");
  assertEquals(get.extend({ path: "/other" }).name, "/other");
  assertEquals(get.extend({ name: "named" }).extend({ path: "/other" }).name, "named");
});

Deno.test("a GET sends its parameters, and no content type", async () => {
  await using server = await startFaultServer();
  const get = new RestEndpoint({ urlPrefix: server.origin, path: "/echo", process: echoed });
  const { method, path, headers, body } = await get({ b: [1, 2], a: "x y" });
  assertEquals([method, path, body], ["GET", "/echo?a=x%20y&b%5B%5D=1&b%5B%5D=2", ""]);
  assertEquals(headers["content-type"], undefined);
});

Deno.test("bodies are sent as JSON or as they are", async () => {
  await using server = await startFaultServer();
  const post = new RestEndpoint({ urlPrefix: server.origin, path: "/echo", method: "POST", process: echoed });
  const form = new FormData();
  form.set("title", "x");
  class Draft {
    title = "x";
  }
  const stream = () =>
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode("streamed"));
        controller.close();
      },
    });
  const cases: [unknown, string, string | undefined][] = [
    [{ title: "x" }, '{"title":"x"}', "application/json"],
    [[1, { a: 2 }], '[1,{"a":2}]', "application/json"],
    [Object.assign(Object.create(null), { a: 1 }), '{"a":1}', "application/json"],
    [new Draft(), '{"title":"x"}', "application/json"],
    [new Date(0), '"1970-01-01T00:00:00.000Z"', "application/json"],
    [5, "5", "application/json"],
    [false, "false", "application/json"],
    ["plain text", "plain text", "text/plain;charset=UTF-8"],
    [new URLSearchParams({ a: "1" }), "a=1", "application/x-www-form-urlencoded;charset=UTF-8"],
    [new Blob(["bytes"], { type: "image/png" }), "bytes", "image/png"],
    [new TextEncoder().encode("bytes"), "bytes", undefined],
    [new TextEncoder().encode("bytes").buffer, "bytes", undefined],
    [stream(), "streamed", undefined],
    [undefined, "", undefined],
    [null, "", undefined],
  ];
  for (const [body, text, type] of cases) {
    const { method, body: sent, headers } = await post(body);
    assertEquals([method, sent, headers["content-type"]], ["POST", text, type], text);
  }
  const sent = await post(form);
  assertStringIncludes(sent.headers["content-type"]!, "multipart/form-data; boundary=");
  assertStringIncludes(sent.body, 'name="title"');
});

Deno.test("a body that cannot be sent is a typed error, and nothing is sent", async () => {
  await using server = await startFaultServer();
  const post = new RestEndpoint({ urlPrefix: server.origin, path: "/echo", method: "POST", name: "Article.create" });
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  for (const body of [cycle, { n: 1n }, () => 1, Symbol("s")]) {
    await assertRejects(() => post(body), EndpointError, 'Cannot send the body of "Article.create"');
  }
  assertEquals(server.requests.length, 0);
});

Deno.test("arguments: (params), (params, body), and (body) alone where there need be no params", () => {
  const read = (endpoint: { readArgs(args: readonly unknown[]): unknown }, ...args: unknown[]) =>
    endpoint.readArgs(args);
  const body = { title: "x" };
  const list = new RestEndpoint({ path: "/articles", method: "POST" });
  assertEquals(read(list, body), { params: {}, body });
  assertEquals(read(list, { a: 1 }, body), { params: { a: 1 }, body });
  assertEquals(read(list), { params: {}, body: undefined });
  const grouped = new RestEndpoint({ path: "/articles{/:id}", method: "POST" });
  assertEquals(read(grouped, body), { params: {}, body });
  const one = new RestEndpoint({ path: "/articles/:id", method: "PATCH" });
  assertEquals(read(one, { id: 5 }), { params: { id: 5 }, body: undefined });
  assertEquals(read(one, { id: 5 }, body), { params: { id: 5 }, body });
  const none = new RestEndpoint({ path: "/articles", method: "POST", body: undefined });
  assertEquals(read(none, { a: 1 }), { params: { a: 1 }, body: undefined });
  const deletion = new RestEndpoint({ path: "/articles", method: "DELETE" });
  assertEquals(read(deletion, { a: 1 }), { params: { a: 1 }, body: undefined });
  const bulk = new RestEndpoint({ path: "/articles", method: "DELETE", body: {} as { ids: number[] } });
  assertEquals(read(bulk, { ids: [1] }), { params: {}, body: { ids: [1] } });
  const get = new RestEndpoint({ path: "/articles" });
  assertEquals(read(get, { a: 1 }, body), { params: { a: 1 }, body: undefined });
  assertThrows(() => read(one, 5), EndpointError, "parameters are an object, such as { id }");
});

Deno.test("a DELETE may carry a body", async () => {
  await using server = await startFaultServer();
  const remove = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/echo",
    method: "DELETE",
    body: {} as { ids: number[] },
    process: echoed,
  });
  const { method, body } = await remove({ ids: [1, 2] });
  assertEquals([method, body], ["DELETE", '{"ids":[1,2]}']);
});

Deno.test("method and side effect follow from each other", () => {
  const table: [Partial<RestGenerics>, string, boolean | undefined][] = [
    [{}, "GET", undefined],
    [{ sideEffect: true }, "POST", true],
    [{ method: "GET" }, "GET", undefined],
    [{ method: "HEAD" }, "HEAD", undefined],
    [{ method: "POST" }, "POST", true],
    [{ method: "POST", sideEffect: false }, "POST", false],
    [{ method: "GET", sideEffect: true }, "GET", true],
    [{ body: {} }, "POST", true],
    [{ body: {}, method: "PUT" }, "PUT", true],
    [{ body: undefined }, "GET", undefined],
    [{ method: "DELETE" }, "DELETE", true],
  ];
  for (const [options, method, sideEffect] of table) {
    for (
      const endpoint of [new RestEndpoint({ path: "/x", ...options }), new RestEndpoint({ path: "/x" }).extend(options)]
    ) {
      assertEquals([endpoint.method, endpoint.sideEffect], [method, sideEffect], JSON.stringify(options));
    }
  }
  const put = new RestEndpoint({ path: "/x", method: "PUT" });
  assertEquals(put.extend({ method: "GET" }).sideEffect, undefined);
  const search = new RestEndpoint({ path: "/x", method: "POST", sideEffect: false });
  assertEquals(search.extend({ method: "PUT" }).sideEffect, false);
  assertEquals(new RestEndpoint({ path: "/x", method: "patch" }).key(), "PATCH /x");
});

Deno.test("keys are METHOD and url, and the body of a read", () => {
  const urlPrefix = "https://api.example.com";
  const get = new RestEndpoint({ urlPrefix, path: "/articles/:id" });
  assertEquals(get.key({ id: 5, b: 1, a: 2 }), "GET https://api.example.com/articles/5?a=2&b=1");
  assertEquals(get.key({ id: "5" }), get.key({ id: 5 }));
  const search = new RestEndpoint({ urlPrefix, path: "/search", method: "POST", sideEffect: false });
  assertEquals(search.key({ text: "x", at: 1 }), 'POST https://api.example.com/search {"at":1,"text":"x"}');
  assert(search.testKey(search.key({ text: "a b" })));
  assertThrows(() => search.key(new Blob(["x"])), EndpointError, "(in the body of");
  const post = new RestEndpoint({ urlPrefix, path: "/articles", method: "POST" });
  assertEquals(post.key({ title: "x" }), "POST https://api.example.com/articles");
});

Deno.test("options of the request are put together from all that may set them", async () => {
  await using server = await startFaultServer();
  const seen: RequestInit[] = [];
  const post = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/echo",
    method: "POST",
    requestInit: { headers: new Headers({ "X-Init": "1" }), credentials: "omit" },
    getRequestInit(body) {
      return { ...RestEndpoint.prototype.getRequestInit.call(this, body), cache: "no-store" };
    },
    async getHeaders(headers) {
      return { ...headers, "X-Token": await Promise.resolve("secret"), "x-none": undefined! };
    },
    fetchResponse(url, init) {
      seen.push(init);
      return RestEndpoint.prototype.fetchResponse.call(this, url, init);
    },
    process: echoed,
  });
  const { headers, body } = await post({ a: 1 });
  assertEquals(
    [headers["x-init"], headers["x-token"], headers["x-none"], headers["content-type"], body],
    ["1", "secret", undefined, "application/json", '{"a":1}'],
  );
  assertEquals([seen[0]?.cache, seen[0]?.credentials, seen[0]?.method], ["no-store", "omit", "POST"]);
});

Deno.test("a header that is given several times is sent with all of its values, as fetch sends it", async () => {
  await using server = await startFaultServer();
  const requestInit = { headers: [["X-Tag", "a"], ["x-tag", "b"], ["X-Other", "c"]] as [string, string][] };
  const get = new RestEndpoint({ urlPrefix: server.origin, path: "/echo", requestInit, process: echoed });
  const { headers } = await get();
  assertEquals([headers["x-tag"], headers["x-other"]], ["a, b", "c"]);
  const { headers: late } = await get.extend({ getHeaders: () => requestInit.headers })();
  assertEquals(late["x-tag"], "a, b");
});

Deno.test("what a class writes into each search is there without parameters, too, and in the request of a record", () => {
  class Versioned<O extends RestGenerics> extends RestEndpoint<O> {
    override searchToString(search: Record<string, unknown>) {
      return super.searchToString({ ...search, v: 2 });
    }
  }
  class Note extends Entity {
    id = "";
    static key = "Note";
  }
  const { get, getList } = resource({ path: "/notes/:id", schema: Note, Endpoint: Versioned });
  assertEquals([getList.url(), getList.url({ q: "a" }), get.url({ id: 1 })], [
    "/notes?v=2",
    "/notes?q=a&v=2",
    "/notes/1?v=2",
  ]);
  assert(getList.testKey(getList.key()) && get.testKey(get.key({ id: 1 })));
});

Deno.test("the base of getRequestInit is synchronous, and its headers survive a spread", () => {
  const post = new RestEndpoint({ path: "/x", method: "POST", requestInit: { headers: [["content-type", "text/x"]] } });
  assertEquals(post.getRequestInit({ a: 1 }), {
    method: "POST",
    body: '{"a":1}',
    headers: { "content-type": "text/x" },
  } as RequestInit);
  assertEquals({ ...post.extend({ requestInit: {} }).getRequestInit({ a: 1 }), credentials: "include" }, {
    method: "POST",
    body: '{"a":1}',
    headers: { "Content-Type": "application/json" },
    credentials: "include",
  });
  assertEquals(post.getRequestInit().body, undefined);
});

Deno.test("a class shared by all endpoints overrides each step", async () => {
  await using server = await startFaultServer();
  class Api<O extends RestGenerics> extends RestEndpoint<O> {
    override urlPrefix = server.origin;
    override async getRequestInit(body?: unknown) {
      return { ...super.getRequestInit(body), credentials: await Promise.resolve("omit" as const) };
    }
    override getHeaders(headers: Record<string, string>) {
      return new Headers({ ...headers, "X-Class": "1" });
    }
    override searchToString(search: Record<string, unknown>) {
      return `all=${Object.keys(search).join("+")}`;
    }
    override async parseResponse(response: Response) {
      return { parsed: await super.parseResponse(response) };
    }
    override process(value: { parsed: Logged }, ...args: unknown[]) {
      return { ...value.parsed, args };
    }
    override errorPolicy(): "soft" {
      return "soft";
    }
  }
  const get = new Api({ path: "/echo", schema: Article });
  const answer = await get({ b: 1, a: 2 }) as Logged & { args: unknown[] };
  assertEquals([answer.path, answer.headers["x-class"], answer.args], ["/echo?all=b+a", "1", [{ b: 1, a: 2 }]]);
  assertEquals(get.extend({ path: "/other" }).errorPolicy(0), "soft");
  assertInstanceOf(get.extend({ path: "/other" }), Api);
});

Deno.test("options win over class fields, also for the body rule and the side effect", () => {
  class Api<O extends RestGenerics> extends RestEndpoint<O> {
    override urlPrefix = "https://field.example";
    override dataExpiryLength = 5;
  }
  assertEquals(new Api({ path: "/x" }).url(), "https://field.example/x");
  const option = new Api({ path: "/x", urlPrefix: "https://option.example", dataExpiryLength: 6 });
  assertEquals(option.url(), "https://option.example/x");
  assertEquals([option.urlPrefix, option.dataExpiryLength], ["https://option.example", 6]);
  const extended = new Api({ path: "/x" }).extend({ urlPrefix: "https://extend.example" });
  assertEquals([extended.urlPrefix, extended.dataExpiryLength], ["https://extend.example", 5]);
  class Poster extends RestEndpoint {
    // @ts-expect-error in TypeScript it must be an option; a JavaScript app may write it
    override method = "POST";
  }
  const poster = new Poster({ path: "/x" });
  assertEquals([poster.sideEffect, poster.readArgs([{ a: 1 }])], [true, { params: {}, body: { a: 1 } }]);
});

Deno.test("urlPrefix may be a getter that changes", () => {
  let tenant = "a";
  class Api extends RestEndpoint<{ path: "/x" }> {
    override get urlPrefix() {
      return `https://${tenant}.example`;
    }
  }
  const get = new Api({ path: "/x" });
  assertEquals(get.url(), "https://a.example/x");
  tenant = "b";
  assertEquals(get.key(), "GET https://b.example/x");
  assert(get.testKey("GET https://b.example/x"));
});

Deno.test("answers are read by their content type", async () => {
  await using server = await startFaultServer();
  const get = new RestEndpoint({ urlPrefix: server.origin, path: "/:route" });
  assertEquals(await get({ route: "json" }), { ok: true });
  assertEquals(await get({ route: "bom" }), { ok: true });
  assertEquals(await get({ route: "204" }), null);
  assertEquals(await get({ route: "205" }), null);
  assertEquals(await get({ route: "text" }), "just text");
  assertEquals(await get({ route: "no-type" }), '{"ok":true}');
  assertInstanceOf(await get({ route: "binary" }), Blob);
  assertStringIncludes(String(await get({ route: "html" })), "<!DOCTYPE html>");
  const withSchema = get.extend({ schema: Article });
  assertEquals(await withSchema({ route: "no-type" }), { ok: true });
  assertEquals(await withSchema({ route: "json-as-text" }), { ok: true });
  const processed = withSchema.extend({ process: (text: string) => ({ id: text }) });
  assertEquals(await processed({ route: "text" }), { id: "just text" });
});

Deno.test("what is not what was declared is a ParseError that shows it", async () => {
  await using server = await startFaultServer();
  const get = new RestEndpoint({ urlPrefix: server.origin, path: "/:route", schema: Article });
  const processed = get.extend({ process: (value: unknown) => value });
  for (const endpoint of [get, processed]) {
    for (const route of ["html", "html-as-json", "truncated", "empty"]) {
      const error = await assertRejects(() => endpoint({ route }), ParseError);
      assertEquals([error.url, error.expected, error.status], [`${server.origin}/${route}`, "JSON", 200], route);
      if (route === "html") assertStringIncludes(error.message, 'got "<!DOCTYPE html>');
      assertEquals(endpoint.errorPolicy(error), "hard");
    }
  }
  await assertRejects(() => get({ route: "text" }), ParseError, 'got "just text"');
  await assertRejects(() => get({ route: "binary" }), ParseError, "binary data");
  await server.settled();
  assertEquals(server.open, 0);
});

Deno.test("a mutation may be answered with nothing or plain text, but not with a page", async () => {
  await using server = await startFaultServer();
  const send = new RestEndpoint({ urlPrefix: server.origin, path: "/:route", method: "POST", schema: Article });
  assertEquals(await send({ route: "204" }), null);
  assertEquals(await send({ route: "empty" }), "");
  assertEquals(await send({ route: "text" }), "just text");
  assertEquals(await send({ route: "no-type" }), { ok: true });
  await assertRejects(() => send({ route: "html" }), ParseError);
  await assertRejects(() => send({ route: "truncated" }), ParseError);
});

Deno.test("what may pass by itself is soft, everything else is hard", async () => {
  await using server = await startFaultServer();
  const get = new RestEndpoint({ urlPrefix: server.origin, path: "/:route{/:status}" });
  const policy = async (params: { route: string; status?: number }, of: typeof get = get): Promise<unknown> =>
    get.errorPolicy(await assertRejects(() => of(params)));
  assertEquals(await policy({ route: "500" }), "soft");
  assertEquals(await policy({ route: "status", status: 503 }), "soft");
  assertEquals(await policy({ route: "reset" }), "soft");
  assertEquals(await policy({ route: "hang" }, get.extend({ deadline: 30 })), "soft");
  assertEquals(await policy({ route: "404" }), "hard");
  assertEquals(await policy({ route: "status", status: 429 }), "hard");
  assertEquals([get.errorPolicy(new Error()), get.errorPolicy(undefined), get.errorPolicy(null)], [
    "hard",
    "hard",
    "hard",
  ]);
});

Deno.test("errors of the network name the URL and say what the server said", async () => {
  await using server = await startFaultServer();
  const get = new RestEndpoint({ urlPrefix: server.origin, path: "/:route", schema: Article });
  const missing = await assertRejects(() => get({ route: "404" }), NetworkError, "404");
  assertEquals([missing.status, missing.url, missing.method], [404, `${server.origin}/404`, "GET"]);
  const invalid = await assertRejects(() => get({ route: "problem" }), NetworkError);
  assertEquals(invalid.body, { title: "Invalid", detail: "title is empty" });
});

Deno.test("the deadline covers the body, and what is awaited before the request and after", async () => {
  await using server = await startFaultServer();
  const get = new RestEndpoint({ urlPrefix: server.origin, path: "/:route", deadline: 50 });
  for (const route of ["hang", "hang-body"]) await assertRejects(() => get({ route }), TimeoutError, route);
  const never = () => new Promise<never>(() => {});
  await assertRejects(() => get.extend({ getHeaders: never })({ route: "json" }), TimeoutError);
  await assertRejects(() => get.extend({ getRequestInit: never })({ route: "json" }), TimeoutError);
  await assertRejects(() => get.extend({ process: never })({ route: "json" }), TimeoutError);
  await assertRejects(() => get.extend({ parseResponse: never })({ route: "json" }), TimeoutError);
  await assertRejects(() => get.extend({ fetchResponse: never })({ route: "json" }), TimeoutError);
  assertEquals([get.hasDeadline, get.extend({ fetch: never }).hasDeadline], [true, false]);
});

Deno.test("a signal aborts, with its reason untouched", async () => {
  await using server = await startFaultServer();
  const abort = new AbortController();
  const get = new RestEndpoint({ urlPrefix: server.origin, path: "/hang" }).extend({ signal: abort.signal });
  const call = get();
  abort.abort(new Error("changed my mind"));
  await assertRejects(() => call, Error, "changed my mind");
  await assertRejects(() => get(), Error, "changed my mind");
  const both = new AbortController();
  const twice = get.extend({ signal: new AbortController().signal, requestInit: { signal: both.signal } });
  const pending = twice();
  both.abort(new Error("the other one"));
  await assertRejects(() => pending, Error, "the other one");
});

Deno.test("a relative URL needs a page, and a protocol-relative one takes its scheme", async () => {
  await using server = await startFaultServer();
  const relative = new RestEndpoint({ path: "/json", name: "Article.get" });
  const error = await assertRejects(() => relative(), UrlError);
  assertEquals(
    error.message,
    'Cannot build the URL of "Article.get" (/json): "/json" is relative, and there is no page here that it could be relative to: ' +
      'give the endpoint an absolute urlPrefix, such as "https://api.example.com"',
  );
  assertEquals(relative.key(), "GET /json");
  const urls: string[] = [];
  const recorded = new RestEndpoint({
    urlPrefix: "//api.example.com",
    path: "/json",
    fetchResponse(url) {
      urls.push(url);
      return Promise.resolve(Response.json({}));
    },
  });
  await recorded();
  {
    using _page = replaceGlobals({ location: new URL(`${server.origin}/page/`) });
    assertEquals(await relative(), { ok: true });
    await recorded();
  }
  assertEquals(urls, ["https://api.example.com/json", "http://api.example.com/json"]);
  const foreign = relative.extend({ url: () => "file:///etc/passwd" });
  await assertRejects(() => foreign(), UrlError, "must be http or https");
  const secret = relative.extend({ url: () => "https://user:secret@example.com" });
  await assertRejects(() => secret(), UrlError, "may not hold credentials");
});

Deno.test("members on Object.prototype change no request", async () => {
  // The server would be polluted as well: the request is looked at where it is handed over.
  const answer = Response.json({ ok: true });
  const seen: { url: string; init: Record<string, unknown> }[] = [];
  const get = new RestEndpoint({
    urlPrefix: "https://api.example.com",
    path: "/articles",
    fetchResponse(url, init) {
      seen.push({ url, init: { ...init } });
      return Promise.resolve(answer);
    },
  });
  const polluted: Record<string, unknown> = {
    method: "DELETE",
    body: "x",
    credentials: "include",
    urlPrefix: "http://evil.example",
    path: "/evil",
    requestInit: { method: "PUT" },
    searchParams: { evil: 1 },
    sideEffect: true,
    signal: AbortSignal.abort(),
    deadline: 0,
    evil: "parameter",
    schema: Article,
  };
  const prototype = Object.prototype as Record<string, unknown>;
  for (const name of Object.keys(polluted)) prototype[name] = polluted[name];
  try {
    await get({ a: 1 });
  } finally {
    for (const name of Object.keys(polluted)) delete prototype[name];
  }
  const { url, init: { headers, signal, ...init } } = seen[0]!;
  assertEquals([url, init], ["https://api.example.com/articles?a=1", { method: "GET" }]);
  assertEquals([[...headers as Headers], (signal as AbortSignal).aborted], [[], false]);
});

Deno.test("bind fixes parameters and shares keys", async () => {
  await using server = await startFaultServer();
  const get = new RestEndpoint({ urlPrefix: server.origin, path: "/status/:status" });
  const bound = get.bind(undefined, { status: 200 });
  assertEquals(await bound(), { status: 200 });
  assertEquals(bound.key(), get.key({ status: 200 }));
});

Deno.test("everything on the way is open to extend", async () => {
  await using server = await startFaultServer();
  const base = new RestEndpoint({ urlPrefix: "https://wrong.example", path: "/wrong" });
  const extended = base.extend({
    urlPrefix: server.origin,
    path: "/echo",
    method: "POST",
    sideEffect: false,
    schema: [],
    searchParams: {} as { q: string },
    body: {} as { a: number },
    requestInit: { headers: { "x-init": "1" } },
    searchToString: () => "search=1",
    getHeaders: (headers) => ({ ...headers, "x-headers": "1" }),
    key: () => "key",
    testKey: (key) => key === "key",
    errorPolicy: () => "soft",
    name: "name",
    dataExpiryLength: Infinity,
    errorExpiryLength: 1,
    invalidIfStale: true,
    pollFrequency: 5,
    extra: "extra",
    process: (value: Logged, params: { q: string }, body: { a: number }) => ({ value, params, body }),
  });
  const { value, params, body } = await extended({ q: "x" }, { a: 1 });
  assertEquals([value.method, value.path, value.body, params, body], ["POST", "/echo?search=1", '{"a":1}', { q: "x" }, {
    a: 1,
  }]);
  assertEquals([value.headers["x-init"], value.headers["x-headers"]], ["1", "1"]);
  assertEquals([extended.key({ q: "x" }, { a: 1 }), extended.testKey("key"), extended.testKey("other")], [
    "key",
    true,
    false,
  ]);
  assertEquals(
    [extended.errorPolicy(0), extended.name, extended.dataExpiryLength, extended.errorExpiryLength],
    ["soft", "name", Infinity, 1],
  );
  assertEquals(
    [extended.invalidIfStale, extended.pollFrequency, extended.extra, extended.sideEffect],
    [true, 5, "extra", false],
  );
  assertEquals(await base.extend({ fetch: (id: number) => Promise.resolve(id) })(5 as never), 5);
});

Deno.test("content says how an answer is read, whatever it calls itself", async () => {
  await using server = await startFaultServer();
  const get = new RestEndpoint({ urlPrefix: server.origin, path: "/:route" });
  const text = get.extend({ content: "text" });
  assertEquals(await text({ route: "json" }), '{"ok":true}');
  assertStringIncludes(await text({ route: "html" }), "<!DOCTYPE html>");
  const json = get.extend({ content: "json" });
  for (const route of ["json", "json-as-text", "no-type", "bom"]) assertEquals(await json({ route }), { ok: true });
  const error = await assertRejects(() => json({ route: "text" }), ParseError, 'got "just text"');
  assertEquals(error.expected, "JSON");
  await assertRejects(() => json({ route: "html-as-json" }), ParseError);
  // The type says that there is a text, a blob, a stream: where there is no body, it is empty.
  assertEquals(await json({ route: "204" }), null);
  assertEquals(await text({ route: "204" }), "");
  assertEquals((await get.extend({ content: "blob" })({ route: "204" })).size, 0);
  assertEquals((await get.extend({ content: "arrayBuffer" })({ route: "205" })).byteLength, 0);
  const stream = get.extend({ content: "stream" });
  assertEquals(await new Response(await stream({ route: "204" })).text(), "");
  await assertRejects(() => text({ route: "404" }), NetworkError);
  await assertRejects(() => stream({ route: "500" }), NetworkError);
});

Deno.test("content that no schema can be read of is an error before anything is sent", async () => {
  await using server = await startFaultServer();
  const post = new RestEndpoint({ urlPrefix: server.origin, path: "/echo", method: "POST", name: "Article.import" });
  const wrong = post.extend({ content: "text" }).extend({ schema: Article });
  await assertRejects(
    () => wrong({}),
    EndpointError,
    'Cannot call "Article.import": its schema needs JSON, and content is "text"',
  );
  const unknown = post.extend({ content: "html" } as object) as unknown as RestEndpoint;
  await assertRejects(() => unknown({}), EndpointError, 'content is "html"; it may be "json"');
  assertEquals(server.requests.length, 0);
  const table = wrong.extend({ path: "/text", method: "GET", process: (id: string) => ({ id }) });
  assertEquals(await table(), { id: "just text" });
});

Deno.test("a stream has the deadline for each silence, not for the whole", async () => {
  await using server = await startFaultServer();
  const clock = new FakeClock();
  using _ = clock.install();
  const get = new RestEndpoint({ urlPrefix: server.origin, path: "/:route", content: "stream", deadline: 1_000 });
  const reader = (await get({ route: "drip", ms: 5, chunks: 4 })).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    text += new TextDecoder().decode(value);
    // Longer than the deadline in all, and the reader takes its time.
    clock.tick(900);
  }
  assertEquals(text, "[1,2,3,4]");
  const silent = (await get({ route: "hang-body" })).getReader();
  await silent.read();
  const rejected = assertRejects(() => silent.read(), TimeoutError, "hang-body");
  await clock.tickAsync(1_000);
  await rejected;
  assertEquals(clock.pending, 0);
});

Deno.test("each call of a stream gets its own, and the store keeps none", async () => {
  await using server = await startFaultServer();
  using controller = new Controller();
  const get = new RestEndpoint({ urlPrefix: server.origin, path: "/json", content: "stream" });
  const streams = await Promise.all([controller.fetch(get), controller.fetch(get)]);
  const texts = await Promise.all(streams.map((stream) => new Response(stream).text()));
  assertEquals(texts, ['{"ok":true}', '{"ok":true}']);
  assertEquals([server.requests.length, stateOf(controller).endpoints], [2, {} as never]);
});

Deno.test("what JSON has no form for is read from the store, and is not in its state", async () => {
  await using server = await startFaultServer();
  using controller = new Controller();
  const get = new RestEndpoint({ urlPrefix: server.origin, path: "/binary", content: "blob" });
  const blob = await controller.fetch(get);
  assertEquals([blob.size, controller.getResponse(get).data === blob], [4, true]);
  const { endpoints, meta } = stateOf(controller);
  assertEquals([Object.keys(endpoints), Object.keys(meta)], [[], []]);
});

Deno.test("13.E6 documents of Office are bytes and no text, and text is still text", async () => {
  const bytes = new Uint8Array([0x50, 0x4b, 3, 4, 0xff, 0xfe, 0, 0x80]);
  const office = "application/vnd.openxmlformats-officedocument.";
  const types = ["spreadsheetml.sheet", "wordprocessingml.document", "presentationml.presentation"];
  const binary = [...types.map((type) => office + type), "application/vnd.oasis.opendocument.text", "image/png"];
  const text = [
    "application/xml",
    "image/svg+xml",
    "application/xhtml+xml; charset=utf-8",
    "application/yaml",
    "text/csv",
  ];
  await using server = await startFaultServer({
    fallback(request) {
      const type = new URL(request.url).searchParams.get("type")!;
      const isFailing = request.url.includes("/failing");
      return new Response(bytes, { status: isFailing ? 500 : 200, headers: { "content-type": type } });
    },
  });
  const get = new RestEndpoint({ urlPrefix: server.origin, path: "/:route", retry: false });
  for (const type of binary) {
    const blob = await get({ route: "file", type });
    assertInstanceOf(blob, Blob, type);
    assertEquals(new Uint8Array(await blob.arrayBuffer()), bytes);
    const error = await assertRejects(() => get({ route: "failing", type }), NetworkError);
    assertEquals(error.body, undefined, type);
  }
  for (const type of [...text, "application/x-www-form-urlencoded", "application/x-javascript", "text"]) {
    assertEquals(typeof await get({ route: "file", type }), "string", type);
  }
  await server.settled();
});

Deno.test("13.E6 a mutation that is answered with nothing has succeeded, whatever the answer is said to be", async () => {
  let type = "";
  let text = "";
  await using server = await startFaultServer({
    fallback: ({ method }) =>
      method === "GET"
        ? Response.json([{ id: "5", title: "old" }])
        : new Response(text, { headers: { "content-type": type } }),
  });
  class Note extends Entity {
    id = "";
    title = "";
    static key = "Note";
  }
  const types = [
    "text/html",
    "text/html; charset=utf-8",
    "application/octet-stream",
    "text",
    "text/plain",
    "image/png",
    "application/json",
    "application/problem+json; charset=utf-8",
  ];
  for (type of types) {
    for (text of /^text|json/.test(type) ? ["", "\n"] : [""]) {
      const Notes = resource({ urlPrefix: server.origin, path: "/notes/:id", schema: Note });
      using controller = new Controller();
      await controller.fetch(Notes.getList);
      const params = { id: "5" };
      await controller.fetch(Notes.partialUpdate, params, { title: "new" });
      assertEquals(controller.get(Note, params)?.title, "new", type);
      await controller.fetch(Notes.update, params, { id: "5", title: "newer" });
      assertEquals(controller.get(Note, params)?.title, "newer", type);
      await controller.fetch(Notes.create, { title: "other" });
      await controller.fetch(Notes.delete, params);
      assertEquals(controller.get(Note, params), undefined, type);
      // With a process of its own, too.
      const processed = Notes.partialUpdate.extend({ process: (value: unknown) => ({ value }) });
      assertEquals(await processed(params, {}), { value: "" });
    }
  }
  // A page, and bytes, are no answer to a mutation; and what is read has an answer.
  const send = new RestEndpoint({ urlPrefix: server.origin, path: "/:route", method: "POST", schema: Article });
  [type, text] = ["text/html", "<p>"];
  await assertRejects(() => send({ route: "x" }), ParseError, 'got "<p>"');
  [type, text] = ["application/octet-stream", "PK"];
  await assertRejects(() => send({ route: "x" }), ParseError, "binary data");
  [type, text] = ["text/html", ""];
  await assertRejects(() => send.extend({ sideEffect: false })({ route: "x" }), ParseError, "an empty body");
});
