import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertNotStrictEquals,
  assertRejects,
  assertStrictEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import {
  Controller,
  EndpointError,
  Entity,
  idempotencyKey,
  NetworkError,
  ParseError,
  RestEndpoint,
  schema,
  SchemaError,
  UrlError,
} from "@rejoin/data";
import { BaseResource, Resource } from "@rejoin/data/legacy";
import * as fc from "fast-check";
import { FakeClock } from "../support/clock.ts";
import { startFaultServer } from "../support/fault_server.ts";
import { check, runs } from "../support/property.ts";
import { classesAt, serveArticles } from "./_articles.ts";

const ROOT = "https://api.example.com/articles";

class Article extends Resource {
  id: number | string | undefined = undefined;
  title = "";
  pk() {
    return this.id;
  }
  static urlRoot = ROOT;
}

const ENDPOINTS = ["detail", "list", "create", "update", "partialUpdate", "delete"] as const;

Deno.test("a class has six endpoints, as declared", () => {
  const lines = ENDPOINTS.map((member) => {
    const { name, method, sideEffect } = Article[member]();
    return [name, method, sideEffect].join(" ").trim();
  });
  assertEquals(lines, [
    "Article.detail GET",
    "Article.list GET",
    "Article.create POST true",
    "Article.update PUT true",
    "Article.partialUpdate PATCH true",
    "Article.delete DELETE true",
  ]);
  for (const member of ["detail", "create", "update", "partialUpdate"] as const) {
    assertStrictEquals(Article[member]().schema, Article);
  }
  assertEquals(Article.list().schema, [Article]);
  assertInstanceOf(Article.delete().schema, schema.Invalidate);
  assertStrictEquals(Article.delete().schema.entity, Article);
  assertInstanceOf(Article.detail(), RestEndpoint);
  assertInstanceOf(new (Article as unknown as new () => object)(), Entity);
});

Deno.test("endpoints are made once per class, and a subclass has its own", () => {
  class Featured extends Article {
    featured = true;
  }
  for (const member of ENDPOINTS) {
    assertStrictEquals(Article[member](), Article[member](), member);
    assertStrictEquals(Featured[member](), Featured[member](), member);
    assertNotStrictEquals(Featured[member](), Article[member]() as unknown, member);
  }
  assertStrictEquals(Featured.detail().schema, Featured);
  assertEquals(Featured.list().schema, [Featured]);
  assertEquals(Featured.detail().name, "Featured.detail");
  assertEquals(Featured.key, Article.key);
});

Deno.test("the key of a class is its urlRoot, unless the class says otherwise", () => {
  class Named extends Resource {
    pk() {
      return "the only one";
    }
    static urlRoot = "/named";
    static get key() {
      return "Named";
    }
  }
  class Assigned extends Article {}
  Assigned.key = "Assigned";
  assertEquals([Article.key, Named.key, Assigned.key], [ROOT, "Named", "Assigned"]);
});

Deno.test("a class without urlRoot says what to write when it is used", () => {
  class Nowhere extends Resource {
    pk() {
      return "1";
    }
  }
  const message =
    'The class "Nowhere" has no urlRoot: write `static urlRoot = "https://api.example.com/articles"` on it';
  const uses = [
    () => Nowhere.key,
    () => Nowhere.url({}),
    () => Nowhere.listUrl(),
    ...ENDPOINTS.map((member) => () => Nowhere[member]()),
  ];
  for (const use of uses) assertThrows(use, SchemaError, message);
  Nowhere.urlRoot = 5 as never;
  assertThrows(() => Nowhere.detail(), SchemaError, message);
  // It was never too late.
  Nowhere.urlRoot = "/somewhere";
  assertEquals(Nowhere.detail().key({}), "GET /somewhere/1");
});

Deno.test("a urlRoot that no URL can begin with is an error that names it", () => {
  class Odd extends Article {
    static override urlRoot = "https://ann:secret@api.example.com/articles";
  }
  class Searching extends Article {
    static override urlRoot = "/articles?page=1";
  }
  assertThrows(() => Odd.url({ id: 5 }), UrlError, "urlRoot may not hold credentials");
  assertThrows(() => Searching.listUrl(), UrlError, "urlRoot may not have spaces, backslashes, a search");
});

Deno.test("url is urlRoot and the pk as one segment", () => {
  class Slashed extends Article {
    static override urlRoot = `${ROOT}/`;
  }
  for (const resource of [Article, Slashed]) {
    assertEquals(resource.url({ id: 5 }), `${ROOT}/5`);
    assertEquals(resource.url({ id: "a b/c?d#e&f", title: "says nothing" }), `${ROOT}/a%20b%2Fc%3Fd%23e%26f`);
    assertEquals(resource.detail().url({ id: 5 }), `${ROOT}/5`);
  }
  class Vote extends Resource {
    user = "";
    post = "";
    pk() {
      return [this.user, this.post].join(",");
    }
    static urlRoot = "/votes";
  }
  assertEquals(Vote.url({ user: "ann", post: "1/2" }), "/votes/ann%2C1%2F2");
});

Deno.test("a call that names no record is an error, and never one to all of them", () => {
  for (const id of [undefined, null, ""]) {
    const error = assertThrows(() => Article.url({ id }), UrlError, 'parameter "pk" is missing');
    assertStringIncludes(error.message, '"Article.url" (/:pk)');
    assertThrows(() => Article.delete().key({ id }), UrlError);
  }
  for (const id of [NaN, { id: 5 }, "..", ".", "\ud800"]) assertThrows(() => Article.url({ id }), UrlError, '"pk"');
  class Strict extends Article {
    override pk() {
      return (this as unknown as { author: { id: string } }).author.id;
    }
  }
  assertThrows(() => Strict.url({ id: 5 }), UrlError, "because pk() fails");
});

Deno.test("a url among the parameters counts when it is one that the class could have made", () => {
  const slug = `${ROOT}/how-to-write`;
  assertEquals(Article.url({ id: 5, url: slug }), slug);
  assertEquals(Article.url({ url: `${slug}/` }), `${slug}/`);
  const elsewhere = [
    "https://evil.example/articles/5",
    "//evil.example/5",
    `${ROOT}/5/comments`,
    `${ROOT}/..`,
    `${ROOT}/%2e%2E`,
    `${ROOT}/5?admin=true`,
    `${ROOT}/5#x`,
    `${ROOT}//evil.example`,
    `${ROOT}/\\evil.example`,
    `${ROOT}@evil.example/5`,
    `${ROOT}.evil.example/5`,
    `${ROOT}/5\r\nHost: evil.example`,
    ROOT,
    "",
    5,
  ];
  for (const url of elsewhere) {
    assertEquals(Article.url({ id: 5, url }), `${ROOT}/5`, String(url));
    assertThrows(() => Article.url({ url }), UrlError, "is missing", String(url));
  }
  assertThrows(() => Article.url(Object.create({ url: slug })), UrlError);
});

Deno.test("listUrl is urlRoot and the parameters in one order", () => {
  assertEquals(Article.listUrl(), ROOT);
  assertEquals(Article.listUrl({}), ROOT);
  assertEquals(Article.listUrl({ tag: ["a", "b"], page: 2, q: undefined }), `${ROOT}?page=2&tag%5B%5D=a&tag%5B%5D=b`);
  assertEquals(Article.list().key({ b: 1, a: "&c=2" }), `GET ${ROOT}?a=%26c%3D2&b=1`);
  class Slashed extends Article {
    static override urlRoot = "/articles/";
  }
  assertEquals([Slashed.listUrl(), Slashed.listUrl({ a: 1 })], ["/articles/", "/articles/?a=1"]);
  class AtTop extends Article {
    static override urlRoot = "/";
  }
  assertEquals([AtTop.listUrl({ a: 1 }), AtTop.url({ id: 5 })], ["/?a=1", "/5"]);
  assertThrows(() => AtTop.url({ url: "//evil.example" }), UrlError);
});

Deno.test("an instance has its url, which the server or the class may replace", () => {
  const article = Article.fromJS({ id: 5, title: "Hello" });
  assertEquals(article.url, `${ROOT}/5`);
  assertEquals({ ...article }, { id: 5, title: "Hello" } as never);
  assertEquals(Article.fromJS().url, ROOT);
  assertEquals(Article.url(article), `${ROOT}/5`);
  const sent = Article.fromJS({ id: 5, url: `${ROOT}/hello` });
  assertEquals([sent.url, Article.url(sent)], [`${ROOT}/hello`, `${ROOT}/hello`]);
  assertEquals(Object.keys(sent).sort(), ["id", "title", "url"]);
  class Declared extends Article {
    url = "none";
  }
  assertEquals([Declared.fromJS({ id: 5 }).url, Declared.fromJS({ url: "/x" }).url], ["none", "/x"]);
  class Custom extends Article {
    static override url() {
      return "/custom";
    }
  }
  assertEquals(Custom.fromJS({ id: 5 }).url, "/custom");
});

Deno.test("instances from the store have what the server sent as url", () => {
  using controller = new Controller({ strict: true });
  controller.setResponse(Article.list(), {}, [{ id: 5, title: "a" }, { id: 6, url: "https://blog.example/6" }]);
  assertEquals(controller.get(Article, "5")?.url, `${ROOT}/5`);
  assertEquals(controller.get(Article, "6")?.url, "https://blog.example/6");
  // A record can be what an endpoint is called with, whatever its url is.
  assertEquals(Article.delete().key(controller.get(Article, "6")!), `DELETE ${ROOT}/6`);
});

Deno.test("testKey knows the keys of its endpoint and no others", () => {
  class Comment extends Article {
    static override urlRoot = `${ROOT}/`;
  }
  for (const resource of [Article, Comment]) {
    const keys = [
      resource.detail().key({ id: "5" }),
      resource.detail().key({ id: "a/b?c" }),
      resource.list().key(),
      resource.list().key({ tag: "a/b" }),
      resource.update().key({ id: "5" }, {}),
      `GET ${ROOT}/5/comments`,
      `GET ${ROOT}s`,
    ];
    const known = (endpoint: { testKey(key: string): boolean }) =>
      keys.flatMap((key, index) => endpoint.testKey(key) ? [index] : []);
    assertEquals(known(resource.detail()), [0, 1]);
    assertEquals(known(resource.list()), [2, 3]);
    assertEquals(known(resource.update()), [4]);
    // Where the app makes the URL, nobody knows what it looks like: all reads at and below urlRoot.
    assertEquals(known(resource.list().extend({ url: () => `${ROOT}/newest` })), [0, 1, 2, 3, 5]);
  }
  class Own extends Article {
    static override listUrl(params: { readonly group?: string }) {
      return `${this.urlRoot}/of/${params.group}`;
    }
  }
  assert(Own.list().testKey(Own.list().key({ group: "deno" })));
  assert(!Own.list().testKey(Own.create().key({ group: "deno" }, {})));
});

Deno.test("an endpoint is extended from what super gives, and memo keeps what was made", () => {
  class Paged extends Article {
    static override list() {
      return super.list().extend({ schema: { results: [this], next: "" }, dataExpiryLength: 5_000 });
    }
    static popular() {
      return this.memo("#popular", () => this.list().extend({ url: () => `${this.urlRoot}/popular`, schema: [this] }));
    }
  }
  class Special extends Paged {}
  assertEquals(Paged.list().schema.results, [Paged]);
  assertEquals(Special.list().schema.results, [Special] as unknown[]);
  assertEquals([Paged.list().dataExpiryLength, Paged.list().key()], [5_000, `GET ${ROOT}`]);
  assertStrictEquals(Paged.popular(), Paged.popular());
  assertNotStrictEquals(Special.popular(), Paged.popular());
  assertEquals([Special.popular().name, Special.popular().key()], ["Special.popular", `GET ${ROOT}/popular`]);
  // The class's own is what it was.
  assertEquals(Article.list().schema, [Article]);
});

Deno.test("getEndpointExtra is for all endpoints of a class", () => {
  class Slow extends Article {
    static override getEndpointExtra() {
      return { ...super.getEndpointExtra(), dataExpiryLength: 60_000_000, fetchInit: { mode: "same-origin" as const } };
    }
  }
  for (const member of ENDPOINTS) assertEquals(Slow[member]().dataExpiryLength, 60_000_000);
  assertEquals(Slow.detail().init.mode, "same-origin");
  assertEquals(Article.detail().dataExpiryLength, undefined);
});

Deno.test("BaseResource has URLs and requests, and no endpoints but those that are made", async () => {
  await using api = await serveArticles();
  class Draft extends BaseResource {
    id = 0;
    title = "";
    pk() {
      return this.id;
    }
    static urlRoot = `${api.origin}/articles`;
    static read() {
      return this.memo("read", () => this.endpoint().extend({ schema: this }));
    }
    static publish() {
      return this.memo("publish", () => this.endpointMutate().extend({ schema: this, method: "PATCH" }));
    }
  }
  assertEquals("detail" in Draft, false);
  assertEquals([Draft.read().name, Draft.publish().name], ["Draft.read", "Draft.publish"]);
  using controller = new Controller({ strict: true });
  const draft = await controller.fetch(Draft.read(), { id: 5 });
  assertInstanceOf(draft, Draft);
  assertEquals((await controller.fetch(Draft.publish(), { id: 5 }, { title: "out" })).title, "out");
  assertEquals(api.lines, ["GET /articles/5", "PATCH /articles/5"]);
  assertEquals(api.requests[1]!.body, '{"title":"out"}');
});

Deno.test("what is sent is what 5.0 sent", async () => {
  await using api = await startFaultServer({ fallback: () => Response.json({ id: 5 }) });
  const { Article } = classesAt(api.origin);
  const line = async (call: Promise<unknown>) => {
    await call;
    const { method, path, headers, body } = api.requests.at(-1)!;
    return [method, path, "|", headers["content-type"] ?? "", "|", body].join(" ");
  };
  const json = "application/json";
  assertEquals(await line(Article.detail()({ id: 5 })), "GET /articles/5 |  | ");
  assertEquals(await line(Article.list()()), "GET /articles/ |  | ");
  assertEquals(await line(Article.list()({ tag: "a" })), "GET /articles/?tag=a |  | ");
  assertEquals(await line(Article.create()({ title: "n" })), `POST /articles/ | ${json} | {"title":"n"}`);
  assertEquals(
    await line(Article.create()({ group: "g" }, { title: "n" })),
    `POST /articles/?group=g | ${json} | {"title":"n"}`,
  );
  assertEquals(await line(Article.update()({ id: 5 }, { title: "n" })), `PUT /articles/5 | ${json} | {"title":"n"}`);
  assertEquals(
    await line(Article.partialUpdate()({ id: 5 }, { title: "n" })),
    `PATCH /articles/5 | ${json} | {"title":"n"}`,
  );
  assertEquals(await line(Article.delete()({ id: 5 })), "DELETE /articles/5 |  | ");
  // A text was JSON in 5.0, unless its type was said.
  assertEquals(await line(Article.create()('{"title":"n"}')), `POST /articles/ | ${json} | {"title":"n"}`);
  const csv = Article.create().extend({ fetchInit: { headers: { "content-type": "text/csv" } } });
  assertEquals(await line(csv("title\nn")), "POST /articles/ | text/csv | title\nn");
  const form = new FormData();
  form.set("title", "n");
  assertStringIncludes(await line(Article.create()(form)), "| multipart/form-data; boundary=");
});

Deno.test("init and getFetchInit complete every request", async () => {
  await using api = await startFaultServer();
  const seen: (string | undefined)[] = [];
  class Old extends Article {
    static override urlRoot = `${api.origin}/echo`;
    static override url() {
      return this.urlRoot;
    }
    static override getFetchInit(init: RequestInit) {
      seen.push(init.method);
      return { ...init, headers: { ...init.headers, "x-old": "5.0" } };
    }
  }
  class New extends Old {
    static override init(init: RequestInit) {
      return { ...super.init(init), referrerPolicy: "no-referrer" as const };
    }
  }
  const sent = async (call: Promise<unknown>) => (await call as { headers: Record<string, string> }).headers;
  const headers = await sent(Old.update().extend({ schema: undefined })({ id: 5 }, { title: "n" }));
  assertEquals([headers["x-old"], headers["content-type"]], ["5.0", "application/json"]);
  assertEquals((await sent(New.list().extend({ schema: undefined })()))["x-old"], "5.0");
  assertEquals(seen, ["PUT", "GET"]);
  assertEquals(New.detail().init.referrerPolicy, "no-referrer");
  assertEquals(New.create().getFetchInit({ a: 1 }).body, '{"a":1}');
  const own = New.detail().extend({ schema: undefined, getFetchInit: () => ({ headers: { "x-own": "1" } }) });
  const replaced = await sent(own({ id: 5 }));
  assertEquals([replaced["x-own"], replaced["x-old"]], ["1", undefined]);
});

Deno.test("fetch of a class is on the way of all its endpoints when it is replaced", async () => {
  await using api = await startFaultServer({
    fallback: () => Response.json({ data: { id: 5, TITLE: "loud" } }),
  });
  const asked: string[] = [];
  class Loud extends Article {
    static override urlRoot = `${api.origin}/articles`;
    static override async fetch(input: RequestInfo, init: RequestInit) {
      asked.push(`${init.method} ${input}`);
      const { data } = await super.fetch(input, init) as { data: { id: number; TITLE: string } };
      return { id: data.id, title: data.TITLE };
    }
  }
  using controller = new Controller({ strict: true });
  const article = await controller.fetch(Loud.detail(), { id: 5 });
  assertEquals({ ...article }, { id: 5, title: "loud" });
  assertEquals((await controller.fetch(Loud.update(), { id: 5 }, { title: "n" })).title, "loud");
  const processed = Loud.detail().extend({ process: (value: { title: string }) => value.title, schema: undefined });
  assertEquals(await processed({ id: 5 }), "loud");
  const root = Loud.urlRoot;
  assertEquals(asked, [`GET ${root}/5`, `PUT ${root}/5`, `GET ${root}/5`]);
  assertEquals(api.requests.map(({ body }) => body), ["", '{"title":"n"}', ""]);
});

Deno.test("options of an endpoint count also where the class replaces fetch", async () => {
  await using api = await startFaultServer();
  class Rethrown extends Article {
    static override urlRoot = api.origin;
    static override url() {
      return `${this.urlRoot}/echo`;
    }
    static override async fetch(input: RequestInfo, init: RequestInit) {
      return await super.fetch(input, init);
    }
  }
  const update = Rethrown.update().extend({
    schema: undefined,
    use: [idempotencyKey(({ id }: { id: number }, body: { title: string }) => `${id} ${body.title}`)],
    getHeaders: (headers: Record<string, string>) => ({ ...headers, "x-own": "1" }),
  });
  const echo = await update({ id: 5 }, { title: "n" }) as { body: string; headers: Record<string, string> };
  const { "idempotency-key": key, "x-own": own, "content-type": type } = echo.headers;
  assertEquals([key, own, type, echo.body], ["5 n", "1", "application/json", '{"title":"n"}']);
  assertEquals(await update.extend({ process: () => "processed" })({ id: 5 }, { title: "n" }), "processed");
});

Deno.test("fetchResponse of a class is on the way of all its endpoints when it is replaced", async () => {
  await using api = await serveArticles();
  const { Article } = classesAt(api.origin);
  const statuses: number[] = [];
  class Watched extends Article {
    static override async fetchResponse(input: RequestInfo, init: RequestInit) {
      const response = await super.fetchResponse(input, init);
      statuses.push(response.status);
      return response;
    }
  }
  assertEquals((await Watched.detail()({ id: 5 }) as { title: string }).title, "old");
  await Watched.delete()({ id: 5 });
  await assertRejects(() => Watched.detail()({ id: 5 }), NetworkError);
  assertEquals(statuses, [200, 200]);
});

Deno.test("an endpoint's own fetch reads what else an answer says", async () => {
  await using api = await startFaultServer({
    fallback: () => Response.json([{ id: 5, title: "a" }], { headers: { link: '</articles?page=2>; rel="next"' } }),
  });
  class Linked extends Article {
    static override urlRoot = `${api.origin}/articles`;
    static override list() {
      const fetchResponse = this.fetchResponse.bind(this);
      return super.list().extend({
        async fetch(params: { page?: number }) {
          const response = await fetchResponse(this.url(params), this.init);
          return { link: response.headers.get("link"), results: await response.json() };
        },
        schema: { results: [this], link: "" },
      });
    }
  }
  using controller = new Controller({ strict: true });
  const page = await controller.fetch(Linked.list(), { page: 1 });
  assertEquals([page.link, page.results[0]?.title], ['</articles?page=2>; rel="next"', "a"]);
  assertEquals(controller.getResponse(Linked.list(), { page: 1 }).data, page);
});

Deno.test("fetch and fetchResponse of a class can be called by themselves", async () => {
  await using api = await startFaultServer();
  class At extends Article {
    static override urlRoot = api.origin;
  }
  assertEquals(await At.fetch(`${api.origin}/json`, {}), { ok: true });
  assertEquals(await At.fetch(new URL(`${api.origin}/text`), {}), "just text");
  assertEquals(await At.fetch(`${api.origin}/204`, {}), "");
  const echo = await At.fetch(`${api.origin}/echo`, { method: "POST", body: "{}" }) as Record<string, unknown>;
  assertEquals([echo.method, echo.body], ["POST", "{}"]);
  assertEquals((echo.headers as Record<string, string>)["content-type"], "application/json");
  const response = await At.fetchResponse(`${api.origin}/json`, { headers: new Headers({ accept: "x/y" }) });
  assertEquals(await response.json(), { ok: true });
  await assertRejects(() => At.fetch(new Request(`${api.origin}/json`), {}), EndpointError, "pass its url");
  await assertRejects(() => At.fetch("/json", {}), UrlError, "is relative");
  await assertRejects(() => At.fetchResponse("/json", {}), UrlError, "is relative");
  // A mutation is sent once, whatever comes of it.
  api.clear();
  await assertRejects(() => At.fetch(`${api.origin}/status/503`, { method: "POST" }), NetworkError);
  assertEquals(api.requests.length, 1);
});

Deno.test("a body that is not JSON is an error with status 400", async () => {
  await using api = await startFaultServer();
  class At extends Article {
    static override urlRoot = api.origin;
  }
  class Rethrown extends At {
    static override async fetch(input: RequestInfo, init: RequestInit) {
      return await super.fetch(input, init);
    }
  }
  for (const id of ["truncated", "html-as-json", "html", "binary", "empty"]) {
    for (const resource of [At, Rethrown]) {
      const error = await assertRejects(() => resource.detail()({ id }), ParseError);
      assertEquals([id, error.status], [id, 400]);
    }
  }
  const error = await assertRejects(() => At.fetch(`${api.origin}/truncated`, {}), ParseError);
  assertEquals(error.status, 400);
  using controller = new Controller({ strict: true });
  const stored = await assertRejects(() => controller.fetch(At.detail(), { id: "truncated" }), ParseError);
  assertStrictEquals(controller.getError(At.detail(), { id: "truncated" }), stored);
});

Deno.test("an answer that is not ok is a NetworkError with its status", async () => {
  await using api = await serveArticles();
  const { Article } = classesAt(api.origin);
  const error = await assertRejects(() => Article.detail()({ id: 9 }), NetworkError);
  assertEquals([error.status, error.body], [404, { error: "gone" }]);
});

Deno.test("calls end with their deadline and with their signal", async () => {
  await using api = await startFaultServer();
  class At extends Article {
    static override urlRoot = api.origin;
  }
  class Rethrown extends At {
    static override async fetch(input: RequestInfo, init: RequestInit) {
      return await super.fetch(input, init);
    }
  }
  for (const resource of [At, Rethrown]) {
    for (const id of ["hang", "hang-body"]) {
      const clock = new FakeClock();
      using _ = clock.install();
      const calls = [
        resource.detail()({ id }),
        resource.detail().extend({ deadline: 500 })({ id }),
        resource.fetch(`${api.origin}/${id}`, {}),
      ].map((call) => call.then(() => "answered", (error) => `${error.name} ${error.deadline}`));
      await clock.tickAsync(500);
      await clock.tickAsync(29_500);
      assertEquals(await Promise.all(calls), ["TimeoutError 30000", "TimeoutError 500", "TimeoutError 30000"]);
      assertEquals(clock.pending, 0);
      const abort = new AbortController();
      const call = resource.detail().extend({ signal: abort.signal })({ id });
      abort.abort(new Error("not needed"));
      await assertRejects(() => call, Error, "not needed");
      assertEquals(clock.pending, 0);
    }
  }
  await api.settled();
  assertEquals(api.open, 0);
});

Deno.test("what somebody put on Object.prototype is in no request and no URL", async () => {
  await using api = await startFaultServer();
  class At extends Article {
    static override urlRoot = `${api.origin}/echo`;
    static override url() {
      return this.urlRoot;
    }
  }
  const polluted = {
    url: "https://evil.example",
    fetchInit: { method: "DELETE" },
    isList: true,
    method: "DELETE",
  };
  Object.assign(Object.prototype, polluted);
  try {
    assertThrows(() => Article.url({ title: "x" }), UrlError);
    const echo = await At.endpoint()({}) as { method: string; path: string };
    assertEquals([echo.method, echo.path], ["GET", "/echo"]);
  } finally {
    for (const name of Object.keys(polluted)) delete (Object.prototype as unknown as Record<string, unknown>)[name];
  }
});

const pieces = fc.constantFrom(
  ...["..", ".", "/", "\\", "//", "%2e", "%2E%2e", "%2f", "%5c", "?", "#", "@", ":", ";", "&", "=", "\r\n", "\0", " "],
  ...[
    "evil.example",
    "https:",
    "__proto__",
    "constructor",
    "toString",
    "",
    "5",
    "a",
    "ü",
    "\ud83d\ude00",
    "\ud800",
    "%",
  ],
);
const hostile = fc.array(fc.oneof(pieces, fc.string({ unit: "binary", maxLength: 3 })), { maxLength: 6 })
  .map((parts) => parts.join(""));

Deno.test("no parameter leads a URL of a class away from its place", async () => {
  const { pathname, origin } = new URL(ROOT);
  await check(
    fc.property(hostile, hostile, fc.boolean(), (id, text, isUrl) => {
      const params = { id, ...isUrl ? { url: ROOT + text } : { url: text } };
      let url: URL;
      try {
        url = new URL(Article.url(params));
      } catch (error) {
        assertInstanceOf(error, UrlError);
        return;
      }
      assertEquals([url.origin, url.username, url.search, url.hash], [origin, "", "", ""]);
      assert(url.pathname.startsWith(`${pathname}/`), url.href);
      assertEquals(url.pathname.slice(pathname.length + 1).replace(/\/$/, "").split("/").length, 1, url.href);
    }),
    { name: "legacy_url", runs: runs(2_000, 200_000) },
  );
});

Deno.test("no parameter leads the URL of a list away from its place", async () => {
  await check(
    fc.property(fc.dictionary(hostile, fc.oneof(hostile, fc.array(hostile), fc.integer())), (params) => {
      let url: URL;
      try {
        url = new URL(Article.listUrl(params));
      } catch (error) {
        assertInstanceOf(error, UrlError);
        return;
      }
      assertEquals(url.origin + url.pathname + url.hash, ROOT);
    }),
    { name: "legacy_list_url", runs: runs(2_000, 200_000) },
  );
});

Deno.test("13.E13 a body alone is no part of the URL of create, and a class as text is its key", async () => {
  const create = Article.create();
  assertEquals(create.url({ title: "New", secret: "s3cret" }), ROOT);
  assertEquals(create.url({ tag: "deno" }, { title: "New" }), `${ROOT}?tag=deno`);
  assertEquals(create.url(), ROOT);
  assertEquals(create.key({ title: "New" }), `POST ${ROOT}`);
  assertEquals(create.key({ tag: "deno" }, { title: "New" }), `POST ${ROOT}?tag=deno`);
  assertEquals(Article.list().url({ tag: "deno" }), `${ROOT}?tag=deno`);
  await using server = await startFaultServer();
  class Echo extends Resource {
    id = "";
    title = "";
    pk() {
      return this.id;
    }
    static urlRoot = `${server.origin}/echo`;
  }
  await Echo.create()({ title: "New" });
  await Echo.create()({ tag: "deno" }, { title: "New" });
  assertEquals(server.requests.map(({ method, path, body }) => [method, path, body]), [
    ["POST", "/echo", '{"title":"New"}'],
    ["POST", "/echo?tag=deno", '{"title":"New"}'],
  ]);

  assertEquals(String(Article), ROOT);
  class Named extends Article {
    static override key = "Named";
  }
  assertEquals(`${Named}`, "Named");
  assertEquals(String(BaseResource), "BaseResource");
});
