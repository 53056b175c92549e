import { assert, assertEquals } from "@std/assert";
import { Controller, createResource, Endpoint, Entity, explain, history, resource, schema } from "@rejoin/data";
import { flush } from "../support/clock.ts";
import { FaultFetch, type Held } from "../support/fault_fetch.ts";
import { Wire } from "../support/wire.ts";

class Article extends Entity {
  id = "";
  title = "";
  status = "";
  static key = "Article";
}

/** Endpoints that answer when the test says so. */
function setUp() {
  const wire = new Wire();
  const controller = new Controller();
  const get = new Endpoint(wire.fn<[id: string]>("get"), { name: "get", schema: Article });
  const list = new Endpoint(wire.fn("list"), { name: "list", schema: [Article] });
  const patch = new Endpoint(wire.fn<[id: string, title: string]>("patch"), {
    name: "patch",
    schema: Article,
    sideEffect: true,
  });
  const isFresh = (endpoint: typeof get | typeof list, ...args: string[]) =>
    controller.getResponse(endpoint as typeof get, ...args as [string]).expiresAt > Date.now();
  return { wire, controller, get, list, patch, isFresh };
}

for (const read of ["get", "list"] as const) {
  for (const first of [0, 1] as const) {
    Deno.test(`13.A3 a ${read} that lands after two overlapping PATCHes is stale, number ${first} answered first`, async () => {
      const { wire, controller, get, list, patch, isFresh } = setUp();
      // On its way before both, and answered before the server did either.
      const reading: Promise<unknown> = read === "get" ? controller.fetch(get, "1") : controller.fetch(list);
      const patches = [controller.fetch(patch, "1", "x"), controller.fetch(patch, "1", "y")];
      const [call, ...calls] = wire.calls;
      for (const at of [first, 1 - first]) await calls[at]!.reply({ id: "1", title: "xy"[at] });
      await Promise.all(patches);
      const old = { id: "1", title: "old", status: "open" };
      await call!.reply(read === "get" ? old : [old, { id: "2" }]);
      await reading;
      assertEquals([controller.get(Article, "1")?.title, controller.get(Article, "1")?.status], ["y", "open"]);
      assert(read === "get" ? !isFresh(get, "1") : !isFresh(list), "the loser may be shown");
      // A detail that is read from the record, and one that has nothing to do with it.
      assert(!isFresh(get.extend({ name: "other" }), "1"));
      if (read === "list") assert(isFresh(get, "2"));

      // What is asked for from now on is fresh.
      const again = controller.fetch(get, "1");
      await wire.last.reply({ id: "1", title: "x" });
      await again;
      assert(isFresh(get, "1"));
      assertEquals(controller.get(Article, "1")?.title, "x");
    });
  }
}

/** A server in process; start, effect and answer of each request are in the hands of the test. */
function startServer() {
  const articles = new Map([["1", { id: "1", title: "old", status: "open" }]]);
  const api = new FaultFetch(async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const id = pathname.split("/")[2];
    if (request.method === "PATCH") {
      Object.assign(articles.get(id!)!, await request.json());
      return new Response(null, { status: 204 });
    }
    const rows = [...articles.values()].filter(({ status }) => status === (searchParams.get("status") ?? status));
    return Response.json(id === undefined ? rows : articles.get(id));
  });
  api.always(() => true, { hold: "both" });
  const held = (method: string): Held => api.held.find(({ request }) => request.method === method)!;
  return { api, held };
}

const options = { urlPrefix: "https://api.test", path: "/articles/:id", schema: Article } as const;
for (
  const [name, { getList, get, partialUpdate }] of Object.entries({
    resource: resource(options),
    createResource: createResource(options),
  })
) {
  Deno.test(`13.A3 a list of ${name}() that lands after a 204 is stale: what was sent is a guess`, async () => {
    const { api, held } = startServer();
    using _ = api.install();
    using controller = new Controller();
    const reading = controller.fetch(getList);
    await flush();
    held("GET").release(); // answered with "old"
    await flush();
    const patching = controller.fetch(partialUpdate, { id: "1" }, { title: "new" });
    await flush();
    held("PATCH").release();
    await flush();
    held("PATCH").release();
    assertEquals((await patching).title, "new");
    held("GET").release();
    assertEquals((await reading)[0]?.title, "new");
    assertEquals(controller.getResponse(getList).expiresAt, 0);
    assertEquals(controller.getResponse(get, { id: "1" }).expiresAt, 0);
  });
}

Deno.test("13.A3 a list that the record joins or leaves in the commit that marks it is stale", async () => {
  const wire = new Wire();
  using controller = new Controller();
  const rows = new schema.Collection([Article]);
  const list = new Endpoint(wire.fn<[args: { status: string }]>("list"), { name: "list", schema: rows });
  const move = new Endpoint(wire.fn<[args: { id: string }, body: object]>("move"), {
    name: "move",
    schema: rows.move,
    sideEffect: true,
  });
  const edit = new Endpoint(wire.fn<[args: { id: string }]>("edit"), {
    name: "edit",
    schema: Article,
    sideEffect: true,
  });
  for (const [status, ids] of [["open", ["1", "2"]], ["done", ["3"]]] as const) {
    const reading = controller.fetch(list, { status });
    await wire.last.reply(ids.map((id) => ({ id, title: "old", status })));
    await reading;
  }
  const shown = (status: string) => {
    const { data, expiresAt } = controller.getResponse(list, { status });
    return `${data?.map(({ id }) => id)} ${expiresAt > Date.now() ? "fresh" : "stale"}`;
  };
  assertEquals(["open", "done"].map(shown), ["1,2 fresh", "3 fresh"]);
  // Which of the two the server did last, nobody knows: whether 1 is done or open.
  const edits = [controller.fetch(move, { id: "1" }, { status: "done" }), controller.fetch(edit, { id: "1" })];
  const [moved, edited] = wire.calls.slice(-2);
  await edited!.reply({ id: "1", title: "b", status: "open" });
  assertEquals(["open", "done"].map(shown), ["1,2 fresh", "3 fresh"]);
  await moved!.reply({ id: "1", title: "a", status: "done" });
  await Promise.all(edits);
  assertEquals(["open", "done"].map(shown), ["2 stale", "3,1 stale"]);
});

Deno.test("13.A3 All of a table is stale when a guessed record joins it", async () => {
  const wire = new Wire();
  using controller = new Controller();
  const getAll = new Endpoint(wire.fn("all"), { name: "all", schema: new schema.All(Article) });
  const patch = new Endpoint(wire.fn<[args: { id: string }, body: object]>("patch"), {
    name: "patch",
    schema: Article,
    sideEffect: true,
    readReply: (_reply, [params, body]) => ({ value: { ...params as object, ...body as object }, stale: true }),
  });
  const reading = controller.fetch(getAll);
  await wire.last.reply([{ id: "2" }]);
  await reading;
  assert(controller.getResponse(getAll).expiresAt > Date.now());
  const patching = controller.fetch(patch, { id: "1" }, { title: "new" });
  await wire.last.reply(undefined);
  await patching;
  assertEquals(controller.getResponse(getAll).data?.length, 2);
  assertEquals(controller.getResponse(getAll).expiresAt, 0);
});

/** A list in pages of one row, whose second page waits for the test; PATCHes wait, too. */
function startPages() {
  const rows = [{ id: "1", title: "old" }, { id: "2", title: "old" }];
  const api = new FaultFetch(async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const row = rows.find(({ id }) => id === pathname.split("/")[2]);
    if (row !== undefined) return Response.json(Object.assign(row, await request.json()));
    return Response.json([rows[Number(searchParams.get("page") ?? 1) - 1]]);
  });
  api.always(({ method, url }) => method === "PATCH" || url.includes("page=2"), { hold: "both" });
  const held = (method: string): Held => api.held.find(({ request }) => request.method === method)!;
  const { getList: plain, partialUpdate } = createResource(options);
  const getList = plain.extend({ paginationField: "page" });
  return { api, held, getList, partialUpdate };
}

Deno.test("13.A3 a page that lands after overlapping PATCHes leaves its list stale", async () => {
  const { api, held, getList, partialUpdate } = startPages();
  using _ = api.install();
  using controller = new Controller();
  await controller.fetch(getList);
  const more = controller.fetch(getList.getPage, { page: 2 });
  await flush();
  held("GET").release();
  const patches = ["a", "b"].map((title) => controller.fetch(partialUpdate, { id: "2" }, { title }));
  for (let times = 0; times < 4; times++) {
    await flush();
    held("PATCH").release();
  }
  await Promise.all(patches);
  held("GET").release();
  await more;
  assertEquals(controller.getResponse(getList).data?.map(({ title }) => title), ["old", "b"]);
  assertEquals(controller.getResponse(getList).expiresAt, 0);
});

Deno.test("13.A3 a page that lands while a PATCH is in flight leaves its list stale when that has settled", async () => {
  const { api, held, getList, partialUpdate } = startPages();
  using _ = api.install();
  using controller = new Controller();
  await controller.fetch(getList);
  const patching = controller.fetch(partialUpdate, { id: "1" }, { title: "new" });
  const more = controller.fetch(getList.getPage, { page: 2 });
  for (const method of ["GET", "GET"]) {
    await flush();
    held(method).release();
  }
  await more;
  for (const method of ["PATCH", "PATCH"]) {
    await flush();
    held(method).release();
  }
  await patching;
  assertEquals(controller.getResponse(getList).expiresAt, 0);
});

Deno.test("13.A3 explain names the mutation that has left an answer stale", async () => {
  const wire = new Wire();
  using controller = new Controller({ use: [history()] });
  const get = new Endpoint(wire.fn<[id: string]>("get"), { name: "get", schema: Article });
  const patch = new Endpoint(wire.fn<[id: string]>("patch"), { name: "patch", schema: Article, sideEffect: true });
  const reading = controller.fetch(get, "1");
  await wire.last.reply({ id: "1" });
  await reading;
  const patches = [controller.fetch(patch, "1"), controller.fetch(patch, "1")];
  for (const call of wire.calls.slice(-2)) await call.reply({ id: "1", title: "x" });
  await Promise.all(patches);
  const { state, because } = explain(controller, get, "1");
  assertEquals([state, because?.type, because?.name], ["stale", "setResponse", "patch"]);
});

Deno.test("13.A3 nothing is remembered of a mark when nothing older is in flight", async () => {
  const { wire, controller, get, patch, isFresh } = setUp();
  const patches = ["x", "y"].map((title) => controller.fetch(patch, "1", title));
  for (const [at, call] of wire.calls.entries()) await call.reply({ id: "1", title: `${at}` });
  await Promise.all(patches);
  assert(!isFresh(get, "1"));
  controller.set(Article, "1", { title: "z" });
  assert(isFresh(get, "1"));
});
