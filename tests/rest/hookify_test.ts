import { assert, assertEquals, assertNotStrictEquals, assertStrictEquals } from "@std/assert";
import { Controller, Entity, hookifyResource, resource, RestEndpoint, type RestGenerics } from "@rejoin/data";

class Article extends Entity {
  id = "";
  title = "";
  static key = "Article";
}

/** A server that remembers what it was sent. */
function serve() {
  const seen: { line: string; token: string | null; type: string | null; trace: string | null; body: string }[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    const { headers } = request;
    seen.push({
      line: `${request.method} ${pathname}`,
      token: headers.get("access-token"),
      type: headers.get("content-type"),
      trace: headers.get("x-trace"),
      body: await request.text(),
    });
    return Response.json(pathname === "/articles" && request.method === "GET" ? [] : { id: "5", title: "x" });
  });
  return { seen, origin: `http://127.0.0.1:${server.addr.port}`, [Symbol.asyncDispose]: () => server.shutdown() };
}

const at = (urlPrefix: string) => resource({ urlPrefix, path: "/articles/:id", schema: Article });
const headersOf = (init: RequestInit) => init.headers as Record<string, string>;

Deno.test("each member is a hook, those of the app too; what is no endpoint is left out", () => {
  const articles = at("https://api.example.com");
  const hooks = hookifyResource({ ...articles, publish: articles.update.extend({ path: "/publish/:id" }), limit: 5 });
  assertEquals(
    Object.keys(hooks).sort(),
    ["useCreate", "useDelete", "useGet", "useGetList", "usePartialUpdate", "usePublish", "useUpdate"],
  );
  assertStrictEquals(hooks.useGet(), articles.get);
  assertStrictEquals(hookifyResource(articles, () => undefined).useGet(), articles.get);
});

Deno.test("every call carries the init: reads, mutations, verbs of the list", async () => {
  await using server = serve();
  const hooks = hookifyResource(at(server.origin), () => ({ headers: { "Access-Token": "s3cret" } }));
  using controller = new Controller();
  await controller.fetch(hooks.useGet(), { id: "5" });
  await controller.fetch(hooks.useGetList());
  await controller.fetch(hooks.useCreate(), { title: "a" });
  await controller.fetch(hooks.useUpdate(), { id: "5" }, { title: "b" });
  await controller.fetch(hooks.usePartialUpdate(), { id: "5" }, { title: "c" });
  await controller.fetch(hooks.useGetList().push, { title: "d" });
  await controller.fetch(hooks.useDelete(), { id: "5" });
  assertEquals(server.seen.map(({ line, token, type, body }) => [line, token, type, body].join(" ")), [
    "GET /articles/5 s3cret  ",
    "GET /articles s3cret  ",
    'POST /articles s3cret application/json {"title":"a"}',
    'PUT /articles/5 s3cret application/json {"title":"b"}',
    'PATCH /articles/5 s3cret application/json {"title":"c"}',
    'POST /articles s3cret application/json {"title":"d"}',
    "DELETE /articles/5 s3cret  ",
  ]);
});

Deno.test("the same endpoint as long as the init is equal, however it is written; keys hold no headers", () => {
  let init: RequestInit | undefined = { headers: { token: "a" }, credentials: "include" };
  let calls = 0;
  const articles = at("https://api.example.com");
  const { useGet, useGetList } = hookifyResource(articles, () => (calls++, init));
  const first = useGet();
  assertEquals(calls, 1, "hooks are called once in each rendering");
  for (const headers of [{ token: "a" }, new Headers({ token: "a" }), [["token", "a"]] as [string, string][]]) {
    init = { credentials: "include", headers };
    assertStrictEquals(useGet(), first);
  }
  assertStrictEquals(useGetList().push, useGetList().push);
  init = { headers: { token: "b" }, credentials: "include" };
  const second = useGet();
  assertNotStrictEquals(second, first);
  assertStrictEquals(useGet(), second);
  assertEquals([headersOf(first.getRequestInit()).token, headersOf(second.getRequestInit()).token], ["a", "b"]);
  init = { headers: { token: "a" }, credentials: "include" };
  assertStrictEquals(useGet(), first, "two people who take turns");
  init = undefined;
  assertStrictEquals(useGet(), articles.get);
  assertEquals(second.key({ id: 5 }), articles.get.key({ id: 5 }));
  using controller = new Controller();
  controller.setResponse(first, { id: "5" }, { id: "5", title: "x" });
  assertStrictEquals(controller.getResponse(second, { id: "5" }).data, controller.getResponse(first, { id: "5" }).data);
  assert(controller.getResponse(second, { id: "5" }).data !== undefined);
});

Deno.test("the init is put over what getRequestInit gives: header by header, also over an async override", async () => {
  await using server = serve();
  class Api<O extends RestGenerics> extends RestEndpoint<O> {
    override urlPrefix = server.origin;
    override async getRequestInit(body?: unknown) {
      const init = super.getRequestInit(body);
      return await Promise.resolve({ ...init, headers: { ...headersOf(init), "x-trace": "1", "access-token": "old" } });
    }
  }
  const articles = resource({ path: "/articles/:id", schema: Article, Endpoint: Api });
  const { useUpdate } = hookifyResource(articles, () => ({ headers: { "Access-Token": "new" } }));
  assert(useUpdate() instanceof Api);
  await useUpdate()({ id: "5" }, { title: "x" });
  assertEquals(server.seen, [
    { line: "PUT /articles/5", token: "new", type: "application/json", trace: "1", body: '{"title":"x"}' },
  ]);
});

Deno.test("a signal of the init ends calls, and that of the endpoint, too", async () => {
  await using server = serve();
  const hook = new AbortController();
  const own = new AbortController();
  const { useGet } = hookifyResource(at(server.origin), () => ({ signal: hook.signal }));
  const init = useGet().extend({ signal: own.signal }).getRequestInit();
  assertEquals(init.signal?.aborted, false);
  own.abort();
  assertEquals(init.signal?.aborted, true);
  hook.abort(new Error("left"));
  assertEquals(await useGet()({ id: "5" }).catch((error: Error) => error.message), "left");
});

Deno.test("what the app does to its init afterwards changes no endpoint", () => {
  const headers: Record<string, string> = { token: "a" };
  const { useGet } = hookifyResource(at(""), () => ({ headers }));
  const first = useGet();
  headers.token = "b";
  assertNotStrictEquals(useGet(), first);
  assertEquals(headersOf(first.getRequestInit()).token, "a");
});
