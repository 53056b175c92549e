/** The declared interface's sentences about versions, and about errors in the 5.0 form. */
import { assertEquals, assertInstanceOf, assertRejects, assertStrictEquals } from "@std/assert";
import { Controller, createResource, Entity } from "@rejoin/data";
import { Resource } from "@rejoin/data/legacy";
import { serve as serveAny } from "../support/api.ts";

/** A server of articles. */
function serve() {
  const server = serveAny(({ method, path }) => {
    if (path.endsWith("/broken")) return new Response("{", { headers: { "content-type": "application/json" } });
    if (method !== "GET") return new Promise(() => {});
    const rows = [{ id: "1", title: "a" }, { id: "2", title: "b" }];
    const body = path === "/articles" ? rows : rows.find(({ id }) => path === `/articles/${id}`);
    return Response.json(body, { headers: { link: "</articles?page=2>" } });
  });
  const origin = server.urlPrefix;
  class Article extends Resource {
    id = "";
    title = "";
    pk() {
      return this.id;
    }
    static urlRoot = `${origin}/articles`;
  }
  return { ...server, origin, Article };
}

Deno.test("versioning 1: the option optimistic of 6.7 makes all mutation endpoints optimistic", async () => {
  await using api = serve();
  class Article extends Entity {
    id = "";
    title = "";
    static key = "Article";
  }
  const ArticleResource = createResource({
    urlPrefix: api.origin,
    path: "/articles/:id",
    schema: Article,
    optimistic: true,
  });
  const controller = new Controller();
  await controller.fetch(ArticleResource.getList);
  for (const call of ["update", "partialUpdate"] as const) {
    controller.fetch(ArticleResource[call], { id: "1" }, { title: call }).catch(() => {});
    assertEquals(controller.get(Article, "1")?.title, call);
  }
  controller.fetch(ArticleResource.delete, { id: "2" }).catch(() => {});
  assertEquals(controller.get(Article, "2"), undefined);
  controller.cleanup();
});

Deno.test("versioning 2: a resource is a class with urlRoot, whose list() is an endpoint that is read", async () => {
  await using api = serve();
  const { Article } = api, controller = new Controller();
  const list = await controller.fetch(Article.list());
  assertInstanceOf(list[0], Article);
  assertEquals(controller.getResponse(Article.list()).data, list);
  assertStrictEquals(await controller.fetch(Article.detail(), { id: "1" }), list[0]);
});

Deno.test("versioning 2: fetch is customized per endpoint, by fetch, fetchResponse, url(params) and init", async () => {
  await using api = serve();
  class Paged extends api.Article {
    static override init(init: RequestInit) {
      return { ...init, headers: { ...init.headers, "access-token": "secret" } };
    }
    static override list() {
      const fetchResponse = this.fetchResponse.bind(this);
      return super.list().extend({
        async fetch(params: { page: number }) {
          const response = await fetchResponse(this.url(params), this.init);
          return { link: response.headers.get("link"), results: await response.json() };
        },
        schema: { results: [this], link: "" },
      });
    }
  }
  const controller = new Controller();
  const { results, link } = await controller.fetch(Paged.list(), { page: 1 });
  assertEquals([results.length, results[0] instanceof Paged, link], [2, true, "</articles?page=2>"]);
  assertEquals(controller.getResponse(Paged.list(), { page: 1 }).data?.results, results);
  assertEquals(api.lines(), ["GET /articles?page=1"]);
  assertEquals(api.asked[0]!.headers.get("access-token"), "secret");
});

Deno.test("errors 2: a body that cannot be parsed as JSON is an error with status 400, which is rethrown", async () => {
  await using api = serve();
  const error = await assertRejects(() => new Controller().fetch(api.Article.detail(), { id: "broken" }));
  assertEquals((error as { status?: number }).status, 400);
});
