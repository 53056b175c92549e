/** "hookifyResource", "RestEndpoint extension points", "Pagination shapes", "Authentication", "Limits" of the declared interface. */
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import {
  Controller,
  createResource,
  Entity,
  hookifyResource,
  RestEndpoint,
  type RestGenerics,
  schema,
} from "@rejoin/data";
import { serve } from "../support/api.ts";

class Film extends Entity {
  id = "";
  title = "";
  override pk() {
    return this.id;
  }
  static override key = "Film";
}
const film = (id: unknown) => ({ id: `${id}`, title: `Film ${id}` });

Deno.test("hookifyResource: a hook for each member gives the endpoint, with request-init of useInit over it", async () => {
  await using api = serve(({ path }) => film(path.split("/")[2] ?? 1));
  const R = createResource({ urlPrefix: api.urlPrefix, path: "/films/:id", schema: Film });
  let token = "one";
  const hooks = hookifyResource(R, () => ({ credentials: "include", headers: { "Access-Token": token } }));
  const pairs = [
    [hooks.useGet(), R.get],
    [hooks.useGetList(), R.getList],
    [hooks.useCreate(), R.create],
    [hooks.useUpdate(), R.update],
    [hooks.usePartialUpdate(), R.partialUpdate],
    [hooks.useDelete(), R.delete],
  ] as const;
  for (const [hooked, member] of pairs) {
    assertEquals([hooked.method, hooked.path], [member.method, member.path]);
    assertStrictEquals(hooked.schema, member.schema);
    assertStrictEquals((hooked as { process: unknown }).process, (member as { process: unknown }).process);
  }
  const get = hooks.useGet();
  assertStrictEquals(hooks.useGet(), get, "the same as long as the options are equal");
  assertEquals(get.getRequestInit(), { method: "GET", credentials: "include", headers: { "Access-Token": "one" } });
  await get({ id: "1" });
  token = "two";
  await hooks.usePartialUpdate()({ id: "1" }, { title: "x" });
  assertEquals(api.asked.map(({ headers }) => headers.get("access-token")), ["one", "two"]);
  assertEquals(api.asked[1]!.headers.get("content-type"), "application/json");
});
Deno.test("hookifyResource: without useInit the hooks give the members", () => {
  const R = createResource({ urlPrefix: "https://a.test", path: "/films/:id", schema: Film });
  const hooks = hookifyResource(R);
  assertStrictEquals(hooks.useGet(), R.get);
});

Deno.test("RestEndpoint: parseResponse is async, and may add response headers", async () => {
  await using api = serve(() => Response.json([film(1)], { headers: { "x-total": "7" } }));
  class Counted<O extends RestGenerics> extends RestEndpoint<O> {
    override async parseResponse(response: Response) {
      return { results: await super.parseResponse(response), total: Number(response.headers.get("x-total")) };
    }
  }
  const getFilms = new Counted({ urlPrefix: api.urlPrefix, path: "/films", schema: { results: [Film], total: 0 } });
  using controller = new Controller();
  const { results, total } = await controller.fetch(getFilms);
  assertEquals([results[0]?.title, total], ["Film 1", 7]);
});
Deno.test("RestEndpoint: getRequestInit(body) gives the request-init; a class sets credentials by it", async () => {
  const inits: RequestInit[] = [];
  class Own<O extends RestGenerics> extends RestEndpoint<O> {
    override urlPrefix = "https://a.test";
    override getRequestInit(body?: unknown) {
      return { ...super.getRequestInit(body), credentials: "same-origin" as const };
    }
    override fetchResponse(_url: string, init: RequestInit) {
      inits.push(init);
      return Promise.resolve(Response.json(film(1)));
    }
  }
  const R = createResource({ path: "/films/:id", schema: Film, Endpoint: Own });
  await R.create({ title: "Alien" });
  const { credentials, method, body } = inits[0]!;
  assertEquals([credentials, method, body], ["same-origin", "POST", '{"title":"Alien"}']);
  assertEquals(R.create.getRequestInit({ title: "x" }).headers, { "Content-Type": "application/json" });
});

Deno.test("paginated(removeCursor): [rest] where rest has keys, else an empty array", async () => {
  await using api = serve(({ search }) => {
    const cursor = new URLSearchParams(search).get("cursor");
    return cursor ? { results: [film(cursor)], cursor: "" } : { results: [film(1)], cursor: "2" };
  });
  const getFeed = new RestEndpoint({
    urlPrefix: api.urlPrefix,
    path: "/feed",
    schema: { results: [Film], cursor: "" },
  });
  const more = getFeed.paginated(({ cursor: _cursor, ...rest }: { cursor: string; tag?: string }) =>
    Object.keys(rest).length ? [rest] : []
  );
  using controller = new Controller();
  const shown = (...args: [{ tag: string }?]) =>
    controller.getResponse(getFeed, ...args).data?.results?.map(({ id }) => id);
  await controller.fetch(getFeed);
  await controller.fetch(getFeed, { tag: "a" });
  const first = controller.getResponse(getFeed).data?.results?.[0];
  await controller.fetch(more, { cursor: "2" });
  assertEquals([shown(), shown({ tag: "a" })], [["1", "2"], ["1"]]);
  await controller.fetch(more, { cursor: "3", tag: "a" });
  assertEquals([shown(), shown({ tag: "a" })], [["1", "2"], ["1", "3"]]);
  assertStrictEquals(controller.getResponse(getFeed).data?.results?.[0], first, "rows that were there stay");
  assertEquals(controller.getResponse(getFeed).data?.cursor, "", "the other members are those of the page");
});
const shapes = [
  ["tokens in the body", { nextPage: "", prevPage: "" }, { nextPage: "2", prevPage: null }],
  ["offset style", { total: 0, limit: 0, skip: 0 }, { total: 1, limit: 10, skip: 0 }],
] as const;
for (const [name, declared, sent] of shapes) {
  Deno.test(`Pagination shapes: ${name}`, async () => {
    await using api = serve(() => ({ results: [film(1)], ...sent }));
    const schema = { results: [Film], ...declared };
    const getFilms = new RestEndpoint({ urlPrefix: api.urlPrefix, path: "/films", schema });
    using controller = new Controller();
    const { results, ...rest } = await controller.fetch(getFilms, { limit: 10 });
    assertEquals([results.map(({ title }) => title), rest as unknown], [["Film 1"], sent]);
  });
}
Deno.test("Pagination shapes: tokens in the header, by one class for all resources", async () => {
  await using api = serve(({ path, search }) =>
    path !== "/films"
      ? film(5)
      : Response.json([film(1)], search ? {} : { headers: { link: '</films?page=2>; rel="next"' } })
  );
  class PagingEndpoint<O extends RestGenerics> extends RestEndpoint<O> {
    override async parseResponse(response: Response) {
      const value = await super.parseResponse(response), link = response.headers.get("link");
      return link || Array.isArray(value) ? { link, results: value } : value;
    }
  }
  const base = createResource({ urlPrefix: api.urlPrefix, path: "/films/:id", schema: Film, Endpoint: PagingEndpoint });
  const R = { ...base, getList: base.getList.extend({ schema: { results: [Film], link: "" } }) };
  using controller = new Controller();
  const { results, link } = await controller.fetch(R.getList);
  assertEquals([results[0]?.id, link], ["1", '</films?page=2>; rel="next"']);
  assertEquals((await controller.fetch(R.getList, { page: 2 })).link as unknown, null);
  assertEquals((await controller.fetch(R.get, { id: "5" })).title, "Film 5");
});
Deno.test("Pagination shapes: a last page without the cursor ends it, and keeps the list that it lacks", async () => {
  await using api = serve(({ search }) => search ? {} : { results: [{ id: "1" }], cursor: "2", constructor: "c" });
  const { urlPrefix } = api;
  for (const results of [[Film], new schema.Collection([Film])]) {
    const getFeed = new RestEndpoint({ urlPrefix, path: "/feed", schema: { results, cursor: "" } });
    using controller = new Controller();
    await controller.fetch(getFeed);
    await controller.fetch(getFeed.paginated("cursor"), { cursor: "2" });
    const { data } = controller.getResponse(getFeed);
    assertEquals([data?.results?.length, data?.cursor, `${data?.constructor}`], [1, "", "c"]);
  }
});
Deno.test("Limits: dataExpiryLength accepts Infinity, and data never expire", async () => {
  await using api = serve(() => [film(1)]);
  const options = { path: "/films", schema: [Film], dataExpiryLength: Infinity };
  const getFilms = new RestEndpoint({ urlPrefix: api.urlPrefix, ...options });
  using controller = new Controller();
  await controller.fetch(getFilms);
  await controller.fetchIfStale(getFilms);
  assertEquals(api.asked.length, 1);
  assert(schema.All);
});
