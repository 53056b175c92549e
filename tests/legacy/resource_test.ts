import {
  assertEquals,
  assertInstanceOf,
  assertNotStrictEquals,
  assertRejects,
  assertStrictEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { Controller, Entity, NetworkError, ParseError, schema } from "@rejoin/data";
import { BaseResource, HookableResource, Resource } from "@rejoin/data/legacy";

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

/** A server that answers with the body of the request, or with two articles. `lines` are its requests. */
function serve(answer?: (request: Request, text: string) => Response | undefined) {
  const lines: string[] = [];
  const rows = new Map<string, object>([["5", { id: 5, title: "old" }], ["6", { id: 6, title: "other" }]]);
  const server = Deno.serve({ port: 0, onListen() {} }, async (request) => {
    const { pathname, search } = new URL(request.url), text = await request.text();
    const id = pathname.split("/")[2] ?? "";
    lines.push(
      [request.method, pathname + search, request.headers.get("content-type"), text].filter(Boolean).join(" "),
    );
    const own = answer?.(request, text);
    if (own) return own;
    if (request.method === "GET") {
      if (!id) return Response.json([...rows.values()]);
      return rows.has(id) ? Response.json(rows.get(id)) : Response.json({ error: "gone" }, { status: 404 });
    }
    const sent = text.startsWith("{") ? JSON.parse(text) : {};
    const row = { ...rows.get(id), ...sent, id: Number(id || 7) };
    if (request.method === "DELETE") rows.delete(id);
    else rows.set(`${row.id}`, row);
    return Response.json(row);
  });
  const origin = `http://localhost:${server.addr.port}`;
  class At extends Article {
    static override urlRoot = `${origin}/articles/`;
  }
  return { lines, origin, At, [Symbol.asyncDispose]: () => server.shutdown() };
}

Deno.test("a class has six endpoints, as declared", () => {
  assertEquals(
    ENDPOINTS.map((member) => {
      const { name, method, sideEffect } = Article[member]();
      return [name, method, sideEffect].join(" ").trim();
    }),
    [
      "Article.detail GET",
      "Article.list GET",
      "Article.create POST true",
      "Article.update PUT true",
      "Article.partialUpdate PATCH true",
      "Article.delete DELETE true",
    ],
  );
  for (const member of ["detail", "create", "update", "partialUpdate"] as const) {
    assertStrictEquals(Article[member]().schema, Article);
  }
  assertEquals(Article.list().schema, [Article]);
  assertInstanceOf(Article.delete().schema, schema.Invalidate);
  assertInstanceOf(Article.fromJS(), Entity);
});

Deno.test("endpoints are made once per class, and a subclass has its own", () => {
  class Featured extends Article {
    featured = true;
  }
  for (const member of ENDPOINTS) {
    assertStrictEquals(Article[member](), Article[member](), member);
    assertNotStrictEquals(Featured[member](), Article[member]() as unknown, member);
  }
  assertEquals(Featured.list().schema, [Featured]);
  assertEquals([Featured.detail().name, Featured.key], ["Featured.detail", Article.key]);
});

Deno.test("the key of a class is its urlRoot, unless the class says otherwise", () => {
  class Named extends Article {
    static override get key() {
      return "Named";
    }
  }
  class Assigned extends Article {
    static override key = "Assigned";
  }
  assertEquals([Article.key, Named.key, Assigned.key], [ROOT, "Named", "Assigned"]);
});

Deno.test("a class without urlRoot says what to write when it is used", () => {
  class Nowhere extends Resource {
    pk() {
      return "1";
    }
  }
  const message = 'The class "Nowhere" has no urlRoot';
  const uses = [() => Nowhere.key, () => Nowhere.url({}), () => Nowhere.listUrl(), () => Nowhere.create()];
  for (const use of uses) assertThrows(use, Error, message);
  Nowhere.urlRoot = "/somewhere";
  assertEquals(Nowhere.detail().key({}), "GET /somewhere/1");
});

Deno.test("url is urlRoot and the pk as one segment, listUrl is urlRoot and the parameters in one order", () => {
  class Slashed extends Article {
    static override urlRoot = `${ROOT}/`;
  }
  for (const resource of [Article, Slashed]) {
    assertEquals(resource.url({ id: 5, title: "says nothing" }), `${ROOT}/5`);
    assertEquals(resource.detail().url({ id: "a b/c?d#e&f" }), `${ROOT}/a%20b%2Fc%3Fd%23e%26f`);
  }
  assertEquals([Article.listUrl(), Slashed.listUrl({})], [ROOT, `${ROOT}/`]);
  assertEquals(Article.listUrl({ tag: ["a", "b"], page: 2, q: undefined }), `${ROOT}?page=2&tag%5B%5D=a&tag%5B%5D=b`);
  assertEquals(Article.list().key({ b: 1, a: "&c=2" }), `GET ${ROOT}?a=%26c%3D2&b=1`);
  assertEquals([Article.fromJS({ id: 5 }).url, Article.url(Article.fromJS({ id: 6 }))], [`${ROOT}/5`, `${ROOT}/6`]);
});

Deno.test("a call that names no record is an error, and never one to all of them", () => {
  for (const id of [undefined, null, "", NaN, { id: 5 }, "..", "."]) {
    assertThrows(() => Article.url({ id }), Error);
    assertThrows(() => Article.delete().key({ id }), Error);
  }
  class Strict extends Article {
    override pk() {
      return (this as unknown as { author: { id: string } }).author.id;
    }
  }
  assertThrows(() => Strict.url({ id: 5 }), Error);
});

Deno.test("testKey knows the keys of its endpoint and no others", () => {
  for (const urlRoot of [ROOT, `${ROOT}/`]) {
    class At extends Article {
      static override urlRoot = urlRoot;
    }
    const keys = [
      At.detail().key({ id: "5" }),
      At.detail().key({ id: "a/b?c" }),
      At.list().key(),
      At.list().key({ tag: "a/b" }),
      At.update().key({ id: "5" }, {}),
      `GET ${ROOT}/5/comments`,
      `GET ${ROOT}s`,
    ];
    const known = (endpoint: { testKey(key: string): boolean }) =>
      keys.flatMap((key, index) => endpoint.testKey(key) ? [index] : []);
    assertEquals([known(At.detail()), known(At.list()), known(At.update())], [[0, 1], [2, 3], [4]], urlRoot);
  }
});

Deno.test("an endpoint with a side effect stays the GET that it was", () => {
  assertEquals(Article.detail().extend({ sideEffect: true }).method, "GET");
});

Deno.test("an endpoint is extended from what super gives, and memo keeps what was made", () => {
  class Paged extends Article {
    static override list() {
      return super.list().extend({ schema: { results: [this], next: "" }, dataExpiryLength: 5_000 });
    }
    static popular() {
      return this.memo("#popular", () => this.list().extend({ url: () => `${this.urlRoot}/popular`, schema: [this] }));
    }
    static override getEndpointExtra() {
      return { ...super.getEndpointExtra(), fetchInit: { mode: "same-origin" as const } };
    }
  }
  class Special extends Paged {}
  assertEquals(Special.list().schema.results, [Special] as unknown[]);
  assertEquals([Paged.list().dataExpiryLength, Paged.list().key()], [5_000, `GET ${ROOT}`]);
  assertStrictEquals(Paged.popular(), Paged.popular());
  assertEquals(Special.popular().key(), `GET ${ROOT}/popular`);
  assertEquals([Paged.list().init.mode, Article.list().init.mode], ["same-origin", undefined]);
});

Deno.test("what is sent is what 5.0 sent", async () => {
  await using api = serve();
  const { At, lines } = api, json = "application/json";
  await At.detail()({ id: 5 });
  await At.list()({ tag: "a" });
  await At.create()({ title: "n" });
  await At.create()({ group: "g" }, { title: "n" });
  await At.update()({ id: 5 }, { title: "n" });
  await At.partialUpdate()({ id: 5 }, { title: "n" });
  await At.delete()({ id: 5 });
  await At.create().extend({ fetchInit: { headers: { "content-type": "text/csv" } } })("title\nn");
  assertEquals(lines, [
    "GET /articles/5",
    "GET /articles/?tag=a",
    `POST /articles/ ${json} {"title":"n"}`,
    `POST /articles/?group=g ${json} {"title":"n"}`,
    `PUT /articles/5 ${json} {"title":"n"}`,
    `PATCH /articles/5 ${json} {"title":"n"}`,
    "DELETE /articles/5",
    "POST /articles/ text/csv title\nn",
  ]);
});

Deno.test("init and getFetchInit complete every request", async () => {
  await using api = serve((request) => Response.json({ id: 5, title: request.headers.get("x-old") }));
  class Old extends api.At {
    static override getFetchInit(init: RequestInit) {
      return { ...init, headers: { ...init.headers, "x-old": "5.0" } };
    }
  }
  class New extends Old {
    static override init(init: RequestInit) {
      return { ...super.init(init), referrerPolicy: "no-referrer" as const };
    }
  }
  assertEquals(await New.update()({ id: 5 }, { title: "n" }), { id: 5, title: "5.0" });
  assertEquals(New.detail().init.referrerPolicy, "no-referrer");
  assertEquals(New.create().getFetchInit({ a: 1 }).body, '{"a":1}');
});

Deno.test("fetch and fetchResponse of a class are on the way of all its endpoints when they are replaced", async () => {
  await using api = serve((request) =>
    request.method === "HEAD" ? undefined : Response.json({ data: { id: 5, TITLE: "loud" } })
  );
  const asked: string[] = [];
  class Loud extends api.At {
    static override async fetch(input: RequestInfo, init: RequestInit) {
      asked.push(`${init.method} ${input}`);
      const { data } = await super.fetch(input, init) as { data: { id: number; TITLE: string } };
      return { id: data.id, title: data.TITLE };
    }
    static override async fetchResponse(input: RequestInfo, init: RequestInit) {
      const response = await super.fetchResponse(input, init);
      asked.push(`${response.status}`);
      return response;
    }
  }
  using controller = new Controller();
  assertEquals({ ...await controller.fetch(Loud.detail(), { id: 5 }) }, { id: 5, title: "loud" });
  assertEquals((await controller.fetch(Loud.update(), { id: 5 }, { title: "n" })).title, "loud");
  const processed = Loud.detail().extend({ process: (value: { title: string }) => value.title, schema: undefined });
  assertEquals(await processed({ id: 5 }), "loud");
  const url = `${Loud.urlRoot}5`;
  assertEquals(asked, [`GET ${url}`, "200", `PUT ${url}`, "200", `GET ${url}`, "200"]);
});

Deno.test("an endpoint's own fetch reads what else an answer says", async () => {
  await using api = serve(() => Response.json([{ id: 5, title: "a" }], { headers: { link: "</articles?page=2>" } }));
  class Linked extends api.At {
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
  using controller = new Controller();
  const page = await controller.fetch(Linked.list(), { page: 1 });
  assertEquals([page.link, page.results[0]?.title], ["</articles?page=2>", "a"]);
  assertEquals(controller.getResponse(Linked.list(), { page: 1 }).data, page);
});

Deno.test("classes work in one store with everything else, and lists follow their records", async () => {
  await using api = serve();
  const { At, lines } = api;
  using controller = new Controller();
  const list = await controller.fetch(At.list());
  assertStrictEquals(await controller.fetch(At.detail(), { id: 5 }), list[0]);
  await controller.fetch(At.partialUpdate(), { id: 5 }, { title: "Hi" });
  assertEquals(controller.getResponse(At.list()).data?.map(({ title }) => title), ["Hi", "other"]);
  await controller.fetch(At.delete(), { id: 5 });
  assertEquals(controller.getResponse(At.list()).data?.map(({ id }) => id), [6]);
  assertEquals(controller.getResponse(At.list()).expiresAt > 0, true);
  await controller.fetch(At.create(), { title: "new" });
  assertEquals(controller.getResponse(At.list()).expiresAt, 0);
  assertEquals(controller.get(At, "7")?.title, "new");
  assertEquals(lines.length, 5);
});

Deno.test("BaseResource has URLs and requests, and no endpoints but those that are made", async () => {
  await using api = serve();
  class Draft extends BaseResource {
    id = 0;
    title = "";
    pk() {
      return this.id;
    }
    static urlRoot = `${api.origin}/articles`;
    static publish() {
      return this.memo("publish", () => this.endpointMutate().extend({ schema: this, method: "PATCH" }));
    }
  }
  assertEquals("detail" in Draft, false);
  using controller = new Controller();
  assertEquals((await controller.fetch(Draft.publish(), { id: 5 }, { title: "out" })).title, "out");
  assertEquals(api.lines, ['PATCH /articles/5 application/json {"title":"out"}']);
});

Deno.test("hooks give the endpoints with what useFetchInit says, and leave the shared ones as they are", async () => {
  await using api = serve((request) => Response.json({ id: 5, title: request.headers.get("x-token") }));
  let token = "a";
  class Hooked extends HookableResource {
    id = 0;
    title = "";
    pk() {
      return this.id;
    }
    static urlRoot = `${api.origin}/articles`;
    static useFetchInit(init: RequestInit) {
      return token ? { ...init, headers: { ...init.headers, "x-token": token } } : init;
    }
  }
  assertEquals(await Hooked.useDetail()({ id: 5 }), { id: 5, title: "a" });
  token = "";
  assertStrictEquals(Hooked.useList(), Hooked.useList());
  assertEquals(await Hooked.usePartialUpdate()({ id: 5 }, {}), { id: 5, title: null });
  assertEquals(["detail" in Hooked, Hooked.useDelete().method], [false, "DELETE"]);
});

Deno.test("fetch and fetchResponse of a class can be called by themselves", async () => {
  await using api = serve();
  const { At, origin } = api;
  assertEquals(await At.fetch(`${origin}/articles/5`, {}), { id: 5, title: "old" });
  assertEquals(await At.fetch(new URL(`${origin}/articles/6`), {}), { id: 6, title: "other" });
  assertEquals(await (await At.fetchResponse(`${origin}/articles/5`, {})).json(), { id: 5, title: "old" });
  const error = await assertRejects(() => At.detail()({ id: 9 }), NetworkError);
  assertEquals([error.status, error.body], [404, { error: "gone" }]);
});

Deno.test("a body that is not JSON is an error with status 400", async () => {
  await using api = serve(() => new Response('{"id": 5', { headers: { "content-type": "application/json" } }));
  class Rethrown extends api.At {
    static override async fetch(input: RequestInfo, init: RequestInit) {
      return await super.fetch(input, init);
    }
  }
  using controller = new Controller();
  for (const resource of [api.At, Rethrown]) {
    const error = await assertRejects(() => controller.fetch(resource.detail(), { id: 5 }), ParseError);
    assertEquals(error.status, 400);
    assertStrictEquals(controller.getError(resource.detail(), { id: 5 }), error as Error);
    assertStringIncludes(error.message, "JSON");
  }
});
