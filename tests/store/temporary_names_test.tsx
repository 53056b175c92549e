import { mount, settled } from "../support/dom.ts";
import { assert, assertEquals, assertMatch, assertNotEquals, assertRejects } from "@std/assert";
import { batch, Controller, EndpointError, Entity, keyOf, record, replay, resource, stateOf } from "@rejoin/data";
import { AsyncBoundary, DataProvider, useSuspense } from "@rejoin/data/preact";

class Film extends Entity {
  id = "";
  title = "";
  sequelTo = "";
  pk() {
    return this.id;
  }
  static key = "Film";
}

/** A server that makes records, and tells what it was sent. */
function start() {
  const sent: string[] = [];
  let last = 41;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { pathname, search } = new URL(request.url);
    const text = await request.text();
    sent.push(`${request.method} ${decodeURIComponent(pathname + search)} ${text}`.trim());
    if (request.method === "GET") return pathname === "/films" ? Response.json([]) : Response.json({ id: "9" });
    if (text.includes("refuse")) return new Response("no", { status: 400 });
    const body = text === "" ? {} : JSON.parse(text);
    return Response.json({ ...body, id: request.method === "POST" ? String(++last) : pathname.split("/").at(-1) });
  });
  const films = resource({
    urlPrefix: `http://127.0.0.1:${server.addr.port}`,
    path: "/films/:id",
    schema: Film,
    optimistic: true,
    retry: 0,
  });
  return { server, films, sent };
}

const UNKNOWN = "~0123456789abcdef-1";

Deno.test("13.B7 what a user types is sent as it is typed, also where it looks like the names of old", async () => {
  const { server, films, sent } = start();
  await using _ = server;
  const controller = new Controller({ strict: true });
  await controller.fetch(films.getList);
  const making = controller.fetch(films.create, { title: "~1" });
  const [row] = controller.getResponse(films.getList).data!;
  assertMatch(row!.id, /^~\w{10,}-\d+$/);
  assertEquals((await making).title, "~1");
  await controller.fetch(films.partialUpdate, { id: "42" }, { title: "~1", sequelTo: `see ${row!.id}` });
  await controller.fetch(films.getList, { title: "~2" });
  controller.set(Film, { id: "7" }, { title: "~2" });
  await controller.fetch(films.partialUpdate, { id: "7" }, { title: UNKNOWN });
  await controller.fetch(films.getList, { q: UNKNOWN });
  assertEquals(sent.slice(1), [
    'POST /films {"title":"~1"}',
    `PATCH /films/42 {"title":"~1","sequelTo":"see ${row!.id}"}`,
    "GET /films?title=~2",
    `PATCH /films/7 {"title":"${UNKNOWN}"}`,
    `GET /films?q=${UNKNOWN}`,
  ]);
});

Deno.test("13.B7 a text that is the name of a row is sent as what the server calls it, anywhere", async () => {
  const { server, films, sent } = start();
  await using _ = server;
  const controller = new Controller({ strict: true });
  await controller.fetch(films.getList);
  const making = controller.fetch(films.create, { title: "A" });
  const [{ id }] = controller.getResponse(films.getList).data! as [Film];
  const sequel = controller.fetch(films.create, { title: "B", sequelTo: id });
  const edit = controller.fetch(films.partialUpdate, { id }, { title: "A2" });
  const list = controller.fetch(films.getList, { sequelTo: id });
  await Promise.all([making, sequel, edit, list]);
  await controller.fetch(films.update, { id }, { title: "A3", sequelTo: id });
  assertEquals(sent.slice(1).toSorted(), [
    "GET /films?sequelTo=42",
    'PATCH /films/42 {"title":"A2"}',
    'POST /films {"title":"A"}',
    'POST /films {"title":"B","sequelTo":"42"}',
    'PUT /films/42 {"title":"A3","sequelTo":"42"}',
  ]);
  assert(!JSON.stringify(stateOf(controller)).includes("~"));
});

Deno.test("13.B7 names of two stores are never the same, and one is a stranger to the other", async () => {
  const { server, films, sent } = start();
  await using _ = server;
  const [a, b] = [new Controller({ strict: true }), new Controller({ strict: true })];
  const ids: string[] = [];
  for (const controller of [a, b]) {
    controller.setResponse(films.getList, []);
    const making = controller.fetch(films.create, { title: "A" });
    ids.push(controller.getResponse(films.getList).data![0]!.id);
    await making;
  }
  assertNotEquals(ids[0], ids[1]);
  const before = sent.length;
  for (
    const call of [
      () => b.fetch(films.get, { id: ids[0]! }),
      () => b.fetch(films.partialUpdate, { id: ids[0]! }, { title: "x" }),
      () => b.fetch(films.delete, { id: ids[0]! }),
      () => films.get({ id: ids[0]! }),
      () => a.fetch(films.get.extend({ getMany: batch({ param: "id" }) }), { id: ids[1]! }),
    ]
  ) {
    await assertRejects(call, EndpointError, "temporary id");
  }
  assertEquals(sent.length, before);
});

Deno.test("13.B7 after a reload a bookmark of a row that the server had not named shows an error, without a request", async () => {
  const { server, films, sent } = start();
  await using _ = server;
  const controller = new Controller({ strict: true });
  const Page = () => <p>{useSuspense(films.get, { id: UNKNOWN }).title}</p>;
  const app = mount(
    <DataProvider controller={controller}>
      <AsyncBoundary>
        <Page />
      </AsyncBoundary>
    </DataProvider>,
  );
  for (let tick = 0; tick < 10; tick++) await settled();
  assertEquals([app.text.includes("temporary id"), sent.length], [true, 0]);
  app.unmount();
  controller.cleanup();
});

Deno.test("13.B7 the name of a row whose create failed is never sent, and keyOf is one text over the change", async () => {
  const { server, films, sent } = start();
  await using _ = server;
  const controller = new Controller({ strict: true });
  controller.setResponse(films.getList, []);
  const failing = controller.fetch(films.create, { title: "refuse" });
  const [lost] = controller.getResponse(films.getList).data!;
  await assertRejects(() => failing);
  for (const params of [{ id: lost!.id }, { id: "1", sequelTo: lost!.id }]) {
    await assertRejects(() => controller.fetch(films.partialUpdate, { id: "1" }, params), EndpointError);
  }
  await assertRejects(() => controller.fetch(films.get, { id: lost!.id }), EndpointError);
  assertEquals(sent.length, 1);
  const making = controller.fetch(films.create, { title: "kept" });
  const key = keyOf(controller.getResponse(films.getList).data![0]!);
  const made = await making;
  assertEquals([keyOf(made), keyOf(controller.getResponse(films.getList).data![0]!), made.id], [key, key, "42"]);
});

Deno.test("13.B7 a replay gives the names that were given", async () => {
  const { server, films } = start();
  await using _ = server;
  const controller = new Controller({ strict: true });
  const recorder = record(controller);
  await controller.fetch(films.getList);
  const making = controller.fetch(films.create, { title: "A" });
  const id = controller.getResponse(films.getList).data![0]!.id;
  const edit = controller.fetch(films.partialUpdate, { id }, { title: "B" });
  await Promise.all([making, edit]);
  const again = replay(JSON.parse(JSON.stringify(recorder.stop())), {
    endpoints: [films.getList, films.create, films.partialUpdate],
  });
  await again.run();
  assertEquals(stateOf(again.controller), stateOf(controller));
  assertEquals(again.controller.get(Film, id)?.title, "B");
});
