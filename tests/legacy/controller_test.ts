import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { Controller, createResource, NetworkError, Query, schema, stateOf } from "@rejoin/data";
import { HookableResource } from "@rejoin/data/legacy";
import { startFaultServer } from "../support/fault_server.ts";
import { classesAt, type Reply, serveArticles } from "./_articles.ts";

Deno.test("answers are normalized, and the same record is the same object everywhere", async () => {
  await using api = await serveArticles();
  const { Article, User } = classesAt(api.origin);
  using controller = new Controller({ strict: true });
  const list = await controller.fetch(Article.list());
  assertEquals(list.map(({ title }) => title), ["old", "other"]);
  assert(list[0] instanceof Article && list[0].author instanceof User);
  assertStrictEquals(list[0].author, list[1]!.author);
  const article = await controller.fetch(Article.detail(), { id: 5 });
  assertStrictEquals(article, list[0]);
  assertStrictEquals(controller.get(Article, { id: 5 }), article);
  assertEquals(Object.keys(stateOf(controller).entities).sort(), [Article.urlRoot, User.urlRoot]);
});

Deno.test("an update is seen in every list, detail and query", async () => {
  await using api = await serveArticles();
  const { Article } = classesAt(api.origin);
  using controller = new Controller({ strict: true });
  const titles = new Query(new schema.All(Article), (all) => all.map(({ title }) => title).sort());
  await controller.fetch(Article.list());
  await controller.fetch(Article.detail(), { id: 5 });
  await controller.fetch(Article.partialUpdate(), { id: 5 }, { title: "new" });
  assertEquals(controller.getResponse(Article.list()).data?.map(({ title }) => title), ["new", "other"]);
  assertEquals(controller.getResponse(Article.detail(), { id: 5 }).data?.title, "new");
  // What was not sent stays, with PATCH.
  assertEquals(controller.get(Article, { id: 5 })?.author?.name, "Ann");
  await controller.fetch(Article.update(), { id: 6 }, { id: 6, title: "replaced" });
  assertEquals(controller.getResponse(titles).data, ["new", "replaced"]);
});

Deno.test("a created record is in queries at once, and in lists when they are fetched again", async () => {
  await using api = await serveArticles();
  const { Article } = classesAt(api.origin);
  using controller = new Controller({ strict: true });
  const all = new Query(new schema.All(Article));
  await controller.fetch(Article.list());
  const created = await controller.fetch(Article.create(), { title: "seventh" });
  assertEquals([created.id, created.title], [7, "seventh"]);
  assertEquals(controller.getResponse(all).data?.length, 3);
  assertEquals(controller.getResponse(Article.list()).data?.length, 2);
  assertEquals((await controller.fetch(Article.list())).at(-1), created);
  await controller.fetch(Article.create(), { group: "deno" }, { title: "again" });
  assertEquals(api.lines.at(-1), "POST /articles/?group=deno");
});

Deno.test("a deleted record is gone from every list, detail and query", async () => {
  await using api = await serveArticles();
  const { Article } = classesAt(api.origin);
  for (
    const reply of [undefined, { status: 204 }, { body: "{}" }, { body: '"OK"' }, { body: "OK", type: "text/plain" }]
  ) {
    using controller = new Controller({ strict: true });
    api.reply = undefined;
    await controller.fetch(Article.update(), { id: 5 }, { id: 5, title: "back" });
    api.reply = reply;
    await controller.fetch(Article.list());
    await controller.fetch(Article.detail(), { id: 5 });
    await controller.fetch(Article.delete(), { id: 5 });
    assertEquals(controller.get(Article, { id: 5 }), undefined);
    assertEquals(controller.getResponse(Article.list()).data?.map(({ id }) => id), [6]);
    assertEquals(controller.getResponse(Article.detail(), { id: 5 }).data, undefined);
  }
});

const SILENT: readonly Reply[] = [
  { status: 204 },
  { body: "" },
  { body: "null" },
  { body: "{}" },
  { body: '{"success":true}' },
  { body: '"OK"' },
  { body: "1" },
  { body: "OK", type: "text/plain" },
];

Deno.test("a mutation that is answered with nothing is what was sent", async () => {
  for (const reply of SILENT) {
    await using api = await serveArticles();
    const { Article } = classesAt(api.origin);
    using controller = new Controller({ strict: true });
    await controller.fetch(Article.list());
    api.reply = reply;
    const changed = await controller.fetch(Article.partialUpdate(), { id: 5 }, { title: "new" });
    assertEquals([changed?.title, changed?.author?.name], ["new", "Ann"], JSON.stringify(reply));
    assertStrictEquals(controller.getResponse(Article.list()).data?.[0], changed);
    // Which record it made, nobody knows: the lists are asked again.
    controller.setResponse(Article.list(), {}, [{ id: 5 }]);
    assert(controller.getResponse(Article.list(), {}).expiresAt > Date.now());
    assertEquals(await controller.fetch(Article.create(), { title: "seventh" }), undefined as never);
    assert(controller.getResponse(Article.list(), {}).expiresAt <= Date.now(), JSON.stringify(reply));
  }
});

Deno.test("a create that is answered with nothing expires the list that the class has", async () => {
  await using api = await serveArticles();
  const { Article } = classesAt(api.origin);
  class Paged extends Article {
    static override list() {
      return super.list().extend({
        schema: { results: [this] },
        url: ({ page = 1 }: { page?: number } = {}) => `${this.urlRoot}page/${page}`,
      });
    }
  }
  class Hooked extends HookableResource {
    id = 0;
    pk() {
      return this.id;
    }
    static urlRoot = Article.urlRoot;
  }
  using controller = new Controller({ strict: true });
  controller.setResponse(Paged.list(), { page: 2 }, { results: [{ id: 5 }] });
  api.reply = { status: 204 };
  await controller.fetch(Paged.create(), { title: "seventh" });
  assert(controller.getResponse(Paged.list(), { page: 2 }).expiresAt <= Date.now());
  controller.setResponse(Hooked.useList(), {}, [{ id: 5 }]);
  await controller.fetch(Hooked.useCreate(), {});
  assert(controller.getResponse(Hooked.useList(), {}).expiresAt <= Date.now());
});

Deno.test("an endpoint with a schema of its own is not answered for", async () => {
  await using api = await startFaultServer({
    fallback: () => Response.json({ article: { id: 5, title: "a" }, likes: 3 }),
  });
  const { Article } = classesAt(api.origin);
  using controller = new Controller({ strict: true });
  const like = Article.update().extend({ schema: { article: Article, likes: 0 } });
  const { article, likes } = await controller.fetch(like, { id: 5 }, {});
  assertEquals([article?.title, likes], ["a", 3]);
});

Deno.test("an optimistic update is shown at once, and taken back when it is refused", async () => {
  await using api = await serveArticles();
  const { Article } = classesAt(api.origin);
  class Quick extends Article {
    static override partialUpdate() {
      return super.partialUpdate().extend({
        schema: this,
        getOptimisticResponse: (_: unknown, { id }: { id: number }, body: { title: string }) => ({ id, ...body }),
      });
    }
  }
  using controller = new Controller({ strict: true });
  await controller.fetch(Quick.list());
  const title = () => controller.getResponse(Quick.list()).data?.[0]?.title;
  api.reply = { status: 500, body: "{}" };
  const refused = controller.fetch(Quick.partialUpdate(), { id: 5 }, { title: "wanted" });
  assertEquals(title(), "wanted");
  await assertRejects(() => refused, NetworkError);
  assertEquals(title(), "old");
});

Deno.test("a subclass is the same record with other members", async () => {
  await using api = await serveArticles();
  const { Article } = classesAt(api.origin);
  class Detailed extends Article {
    summary = "none yet";
  }
  using controller = new Controller({ strict: true });
  await controller.fetch(Article.list());
  const detailed = await controller.fetch(Detailed.partialUpdate(), { id: 5 }, { title: "new" });
  assert(detailed instanceof Detailed);
  assertEquals([detailed.summary, detailed.title], ["none yet", "new"]);
  assertEquals(controller.get(Article, { id: 5 })?.title, "new");
});

Deno.test("both forms work side by side in one store", async () => {
  await using api = await serveArticles();
  const { Article } = classesAt(api.origin);
  const ArticleResource = createResource({ urlPrefix: api.origin, path: "/articles/:id", schema: Article });
  using controller = new Controller({ strict: true });
  const article = await controller.fetch(ArticleResource.get, { id: 5 });
  assertStrictEquals(await controller.fetch(Article.detail(), { id: 5 }), article);
  await controller.fetch(Article.delete(), { id: 5 });
  assertEquals(controller.getResponse(ArticleResource.get, { id: 5 }).data, undefined);
});

Deno.test("a read is sent once for all who ask, and given up when nobody needs it", async () => {
  let arrival = Promise.withResolvers<void>();
  await using api = await startFaultServer({
    fallback: () => {
      arrival.resolve();
      return new Promise(() => {});
    },
  });
  const { Article } = classesAt(api.origin);
  class Rethrown extends Article {
    static override async fetch(input: RequestInfo, init: RequestInit) {
      return await super.fetch(input, init);
    }
  }
  using controller = new Controller({ strict: true });
  for (const resource of [Article, Rethrown]) {
    arrival = Promise.withResolvers<void>();
    const before = api.requests.length;
    const ask = () => controller.startRead(resource.detail(), [{ id: 5 }], resource.detail().key({ id: 5 }))!;
    const flight = ask();
    assertStrictEquals(ask(), flight);
    const release = controller.hold(flight);
    await arrival.promise;
    release();
    await assertRejects(() => flight.promise, DOMException, "Nobody needs");
    await api.settled();
    assertEquals(api.requests.length - before, 1);
  }
});
