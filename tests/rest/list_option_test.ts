/** Lists that servers send in an envelope, named by one option. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  Collection,
  Controller,
  createResource,
  Endpoint,
  EndpointError,
  Entity,
  NormalizeError,
  resource,
  schema,
} from "@rejoin/data";

class Film extends Entity {
  id = "";
  title = "";
  genre = "";
  static key = "Film";
}

interface Row {
  id: string;
  title?: string;
  genre?: string;
}

/** A server whose lists are `{ meta: { total }, data: { items } }`, two on a page. */
function serve() {
  const rows: Row[] = [
    { id: "1", title: "Alien", genre: "horror" },
    { id: "2", title: "Brazil", genre: "satire" },
    { id: "3", title: "Carrie", genre: "horror" },
  ];
  const requests: string[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { pathname, search, searchParams } = new URL(request.url);
    requests.push(`${request.method} ${pathname}${search}`);
    const id = pathname.split("/")[2];
    if (request.method === "POST") {
      const row = { id: String(rows.length + 1), ...await request.json() };
      rows.push(row);
      return Response.json(row);
    }
    if (request.method === "PATCH") {
      return Response.json(Object.assign(rows.find((row) => row.id === id)!, await request.json()));
    }
    if (request.method === "DELETE") return new Response(null, { status: 204 });
    if (id !== undefined) return Response.json(rows.find((row) => row.id === id));
    const genre = searchParams.get("genre");
    const matching = rows.filter((row) => genre === null || row.genre === genre);
    const page = Number(searchParams.get("page") ?? 1);
    const items = matching.slice(2 * page - 2, 2 * page);
    return Response.json({ meta: { total: matching.length }, data: { items } });
  });
  return {
    rows,
    requests,
    urlPrefix: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

Deno.test("13.D4 a list in an envelope takes one option, and its verbs, pages, filters and deletes work", async () => {
  await using server = serve();
  using controller = new Controller({ strict: true });
  const films = resource({
    urlPrefix: server.urlPrefix,
    path: "/films/:id",
    schema: Film,
    paginationField: "page",
    optimistic: true,
    list: (films) => ({ data: { items: films }, meta: { total: 0 } }),
  });
  const titles = (args?: { genre: string }) =>
    controller.getResponse(films.getList, args as never).data?.data?.items?.map(({ title }) => title).join();
  const all = await controller.fetch(films.getList);
  assertEquals([all.data.items[0] instanceof Film, all.meta.total], [true, 3]);
  const horror = await controller.fetch(films.getList, { genre: "horror" });
  assertEquals(horror.data.items.map(({ title }) => title), ["Alien", "Carrie"]);

  await controller.fetch(films.getList.getPage, { page: 2 });
  assertEquals(titles(), "Alien,Brazil,Carrie");

  const made = await controller.fetch(films.create, { title: "Dune", genre: "sci-fi" });
  assert(made instanceof Film && made.id === "4");
  assertEquals([titles(), titles({ genre: "horror" })], ["Alien,Brazil,Carrie,Dune", "Alien,Carrie"]);

  const pushed = await controller.fetch(films.getList.unshift, { title: "Evil", genre: "horror" });
  assertEquals([pushed.id, titles({ genre: "horror" })], ["5", "Evil,Alien,Carrie"]);

  await controller.fetch(films.getList.move, { id: "1" }, { genre: "satire" });
  assertEquals(titles({ genre: "horror" }), "Evil,Carrie");

  await controller.fetch(films.delete, { id: "3" });
  assertEquals(titles({ genre: "horror" }), "Evil");
});

Deno.test("13.D4 the list of createResource stays as the server sent it, in its envelope", async () => {
  await using server = serve();
  using controller = new Controller();
  const films = createResource({
    urlPrefix: server.urlPrefix,
    path: "/films/:id",
    schema: Film,
    list: (films) => ({ data: { items: films } }),
  });
  const { data, ...others } = await controller.fetch(films.getList);
  assertEquals([data.items.map(({ id }) => id), others as unknown], [["1", "2"], { meta: { total: 3 } }]);
  assert(await controller.fetch(films.get, { id: "1" }) === data.items[0]);
  await controller.fetch(films.create, { title: "Dune" });
  assertEquals(controller.getResponse(films.getList).data?.data?.items?.length, 2);
});

Deno.test("13.D4 lists of one class at two places in envelopes are two lists, also with a Collection of one's own", async () => {
  await using server = serve();
  using controller = new Controller();
  // deno-lint-ignore no-explicit-any -- a collection of any items, found by any arguments
  class Sorted extends Collection<any, any> {}
  const films = resource({
    urlPrefix: server.urlPrefix,
    path: "/films/:id",
    schema: Film,
    Collection: Sorted,
    list: (items) => ({ data: { items } }),
  });
  const others = resource({
    urlPrefix: server.urlPrefix,
    path: "/others/:id",
    schema: Film,
    list: (items) => ({ data: { items } }),
  });
  await controller.fetch(films.getList);
  await controller.fetch(others.getList);
  await controller.fetch(films.create, { title: "Dune" });
  const { data } = controller.getResponse(films.getList);
  const other = controller.getResponse(others.getList);
  assertEquals([data?.data?.items?.length, other.data?.data?.items?.length], [3, 2]);
});

Deno.test("13.D4 an answer without its envelope is an error, and an envelope that has no list says so", async () => {
  await using server = serve();
  using controller = new Controller();
  const films = resource({
    urlPrefix: server.urlPrefix,
    path: "/films/:id",
    schema: Film,
    list: (films) => ({ results: films }),
  });
  await assertRejects(() => controller.fetch(films.getList), NormalizeError, "it has none of these members");
  let thrown: unknown;
  try {
    resource({ path: "/x/:id", schema: Film, list: () => ({ total: 0 }) });
  } catch (error) {
    thrown = error;
  }
  assert(thrown instanceof EndpointError, String(thrown));
});

Deno.test("a list that the server leaves out of its envelope reads as an empty one, as its type says", async () => {
  const answers: object[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () => Response.json(answers.shift()));
  await using _ = { [Symbol.asyncDispose]: () => server.shutdown() };
  const options = { urlPrefix: `http://127.0.0.1:${server.addr.port}`, path: "/films/:id", schema: Film } as const;
  const { getList } = resource({ ...options, list: (films) => ({ results: films, total: 0 }) });
  using controller = new Controller({ strict: true });
  answers.push({ total: 0 }, { results: [{ id: "1" }], total: 1 });
  const empty = await controller.fetch(getList);
  assertEquals({ ...empty }, { results: [], total: 0 });
  assertEquals(controller.getResponse(getList).data?.results.length, 0);
  assertEquals(controller.getResponse(getList, null).data?.results.length, 0);
  assert(controller.getResponse(getList).data === empty);
  assertEquals((await controller.fetch(getList)).results.map(({ id }) => id), ["1"]);

  const named = new Endpoint(async () => await Promise.resolve({}), {
    name: "named",
    schema: { films: new Collection(new schema.Values(Film)), total: 0 },
  });
  controller.setResponse(named, { total: 2 });
  assertEquals<unknown>({ ...controller.getResponse(named).data }, { films: {}, total: 2 });
});
