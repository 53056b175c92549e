import { mount, settled } from "../support/dom.ts";
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { Controller, Entity, explain, resource, schema } from "@rejoin/data";
import { AsyncBoundary, DataProvider, useSuspense } from "@rejoin/data/preact";
import { FakeClock } from "../support/clock.ts";

class Article extends Entity {
  id = "";
  slug = "";
  title = "";
  static key = "Article";
  static indexes = ["slug"];
}
class Video extends Entity {
  id = "";
  type = "";
  static key = "Video";
}

/** Answers lists as they are and details in `{ data, version }`; keeps what it was asked. */
function serve() {
  const requests: string[] = [];
  const rows = ["1", "2"].map((id) => ({ id, slug: `s${id}`, title: `Title ${id}`, type: "video" }));
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const { pathname } = new URL(request.url);
    requests.push(`${request.method} ${pathname}`);
    const id = pathname.split("/")[2];
    if (id === undefined) return Response.json(rows);
    const data = rows.find((row) => row.id === id || row.slug === id);
    return Response.json({ data, version: 7, meta: { by: "server", tags: ["a"] } });
  });
  return {
    requests,
    urlPrefix: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: async () => await server.shutdown(),
  };
}

const WRAPPED = { data: Article, version: 0, meta: { by: "nobody", tags: null } } as const;

Deno.test("13.E11 a wrapper of one entity opens at once from a list, with the record's freshness", async () => {
  // The clocks of the platform may differ by a millisecond between two reads.
  using _ = new FakeClock().install();
  await using api = serve();
  const { get, getList } = resource({ urlPrefix: api.urlPrefix, path: "/articles/:id", schema: Article });
  for (const declared of [WRAPPED, new schema.Object(WRAPPED), { out: WRAPPED } as never as typeof WRAPPED]) {
    api.requests.length = 0;
    const getOne = get.extend({ schema: declared });
    const controller = new Controller();
    const unwrap = (data: unknown) => {
      const { out = data } = data as { out?: unknown };
      return out as { data: Article; version: number; meta: { by: string } };
    };
    assertEquals(controller.getResponse(getOne, { id: "1" }).data, undefined);
    const [first] = await controller.fetch(getList);
    const read = controller.getResponse(getOne, { id: "1" });
    const { data, version, meta } = unwrap(read.data);
    assertStrictEquals(data, first);
    assertEquals([version, meta.by], [0, "nobody"]);
    const bare = controller.getResponse(get, { id: "1" });
    assertEquals([read.expiryStatus, read.expiresAt], [bare.expiryStatus, bare.expiresAt]);
    assertEquals(explain(controller, getOne, { id: "1" }).state, "fresh");
    assertEquals(await controller.fetchIfStale(getOne, { id: "1" }), read.data);
    assertEquals(api.requests, ["GET /articles"]);
    // The same object, until something in it changes.
    assertStrictEquals(controller.getResponse(getOne, { id: "1" }).data, read.data);
    controller.set(Article, "2", { title: "other" });
    assertStrictEquals(controller.getResponse(getOne, { id: "1" }).data, read.data);
    controller.set(Article, "1", { title: "new" });
    assertEquals(unwrap(controller.getResponse(getOne, { id: "1" }).data).data.title, "new");
    // A stale mark and an invalidation reach it.
    controller.expire(getOne, { id: "1" });
    assertEquals(controller.getResponse(getOne, { id: "1" }).expiresAt, 0);
    controller.invalidate(getOne, { id: "1" });
    assertEquals(controller.getResponse(getOne, { id: "1" }).data, undefined);
  }
});

Deno.test("13.E11 a wrapper of one entity is its own answer once it was fetched, and gone with its record", async () => {
  await using api = serve();
  const { get, getList, delete: remove } = resource({
    urlPrefix: api.urlPrefix,
    path: "/articles/:id",
    schema: Article,
  });
  const getOne = get.extend({ schema: WRAPPED });
  const controller = new Controller();
  await controller.fetch(getList);
  const answer = await controller.fetch(getOne, { id: "1" });
  assertEquals([answer.version, answer.meta.by as string, answer.data?.title], [7, "server", "Title 1"]);
  controller.setResponse(remove, { id: "2" }, { id: "2" });
  assertEquals(controller.getResponse(getOne, { id: "2" }).data, undefined);
  controller.setResponse(remove, { id: "1" }, { id: "1" });
  assertEquals(controller.getResponse(getOne, { id: "1" }).data, undefined);
});

Deno.test("13.E11 a wrapper of a union is served, too, and by an index", async () => {
  await using api = serve();
  const { get, getList } = resource({ urlPrefix: api.urlPrefix, path: "/articles/:id", schema: Article });
  const controller = new Controller();
  await controller.fetch(getList);
  const either = new schema.Union({ article: Article, video: Video }, "type");
  const getEither = get.extend({ schema: { data: either } });
  assert(controller.getResponse(getEither, { id: "1" }).data?.data instanceof Article);
  const getBySlug = get.extend({ path: "/articles/:slug", schema: { data: Article } });
  assertEquals(controller.getResponse(getBySlug, { slug: "s2" }).data?.data?.id, "2");
  assert(Number(controller.getResponse(getBySlug, { slug: "s2" }).expiresAt) > 0);
});

Deno.test("13.E11 what is more than one entity and literals is asked for: nobody knows whether it is whole", async () => {
  await using api = serve();
  const { get, getList } = resource({ urlPrefix: api.urlPrefix, path: "/articles/:id", schema: Article });
  const controller = new Controller();
  await controller.fetch(getList);
  const more = [
    { data: Article, related: [Article] },
    { data: Article, video: Video },
    { data: Article, at: Date },
    { data: Article, all: new schema.All(Article) },
    { data: Article, byName: new schema.Values(Article) },
    { version: 0 },
    [Article],
  ];
  for (const declared of more) {
    assertEquals(controller.getResponse(get.extend({ schema: declared as never }), { id: "1" }).data, undefined);
  }
});

Deno.test("13.E11 useSuspense of a wrapped detail shows what the list brought, and sends nothing", async () => {
  await using api = serve();
  const { get, getList } = resource({ urlPrefix: api.urlPrefix, path: "/articles/:id", schema: Article });
  const getOne = get.extend({ schema: { data: Article } });
  const controller = new Controller();
  await controller.fetch(getList);
  const Detail = () => <p>{useSuspense(getOne, { id: "1" }).data?.title}</p>;
  await using app = mount(
    <DataProvider controller={controller}>
      <AsyncBoundary fallback="…">
        <Detail />
      </AsyncBoundary>
    </DataProvider>,
  );
  await settled();
  assertEquals(app.text, "Title 1");
  assertEquals(api.requests, ["GET /articles"]);
  controller.cleanup();
});
