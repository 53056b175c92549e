import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { Controller, Endpoint, Entity, explain, resource, retain, snapshotOf } from "@rejoin/data";
import { startFaultServer } from "../support/fault_server.ts";

class Todo extends Entity {
  id = "";
  userId = "";
  title = "";
  pk() {
    return this.id;
  }
  static key = "Todo";
}

const ROWS = [{ id: "1", userId: "a", title: "x" }, { id: "2", userId: "b", title: "y" }];

async function todos() {
  const server = await startFaultServer({
    async fallback(request) {
      const { pathname, searchParams } = new URL(request.url);
      if (request.method !== "GET") return Response.json({ id: "9", ...await request.json() });
      if (pathname !== "/todos") return Response.json(ROWS.find(({ id }) => pathname.endsWith(id)));
      const userId = searchParams.get("userId");
      return Response.json(ROWS.filter((row) => userId === null || row.userId === userId));
    },
  });
  return { server, ...resource({ urlPrefix: server.origin, path: "/todos/:id", schema: Todo, optimistic: true }) };
}

const ids = (list: readonly Todo[] | undefined) => list?.map(({ id }) => id);

Deno.test("13.A8 a list whose arguments are bound is the list of those arguments, and no other", async () => {
  const { server, getList, create } = await todos();
  await using _ = server;
  using controller = new Controller({ strict: true });
  const ofAnn = getList.bind(undefined, { userId: "a" });
  assertEquals(ids(await controller.fetch(ofAnn)), ["1"]);
  assertEquals(controller.getResponse(getList).data, undefined);
  assertStrictEquals(
    controller.getResponse(ofAnn).data,
    controller.getResponse(getList, { userId: "a" }).data,
  );
  assertEquals(ids(await controller.fetch(getList)), ["1", "2"]);
  assertEquals(ids(controller.getResponse(ofAnn).data), ["1"]);
  // What is made joins by the arguments that the list has.
  await controller.fetch(create, { userId: "a", title: "new" });
  assertEquals(ids(controller.getResponse(ofAnn).data), ["1", "9"]);
  assertEquals(ids(controller.getResponse(getList).data), ["1", "2", "9"]);
  const made = controller.fetch(create, { userId: "b", title: "other" });
  assertEquals(controller.getResponse(ofAnn).data?.length, 2);
  await made;
});

Deno.test("13.A8 every way to a call knows what was bound", async () => {
  const { server, get, getList, partialUpdate } = await todos();
  await using _ = server;
  using controller = new Controller({ strict: true });
  const ofAnn = getList.bind(undefined, { userId: "a" });
  controller.setResponse(ofAnn, [{ id: "1", userId: "a" }] as never);
  assertEquals(ids(controller.getResponse(getList, { userId: "a" }).data), ["1"]);
  assertEquals(controller.getResponse(getList).data, undefined);
  assertEquals(ids(snapshotOf(controller).getResponse(ofAnn).data), ["1"]);
  assertEquals(controller.getResponseMeta(ofAnn).isInFlight, false);
  assertEquals(explain(controller, ofAnn).key, getList.key({ userId: "a" }));
  assertEquals(ids(await controller.fetchIfStale(ofAnn)), ["1"]);
  controller.expire(ofAnn);
  assertEquals(controller.getResponse(getList, { userId: "a" }).expiresAt, 0);
  controller.invalidate(ofAnn);
  assertEquals(controller.getResponse(getList, { userId: "a" }).data, undefined);
  const failure = new Error("no");
  controller.setError(ofAnn, failure);
  assertStrictEquals(controller.getError(getList, { userId: "a" }), failure);
  retain(controller, ofAnn)();
  const asked = controller.fetch(ofAnn);
  controller.abort(getList, { userId: "a" });
  await assertRejects(() => asked, DOMException);
  controller.abort(ofAnn);
  const again = controller.fetch(getList, { userId: "a" });
  assert(controller.resolve(ofAnn, { args: [], response: [ROWS[0]] as never }));
  assertEquals(ids(await again), ["1"]);

  // A mutation whose params are bound, and a record.
  const rename = partialUpdate.bind(undefined, { id: "1" });
  await controller.fetch(get.bind(undefined, { id: "1" }));
  const renamed = controller.fetch(rename, { title: "new" });
  assertEquals(controller.get(Todo, "1")?.title, "new");
  await renamed;
  assertEquals(server.requests.at(-1)!.path, "/todos/1");
});

Deno.test("13.A8 what is bound stays bound when it is extended, and may be bound further", async () => {
  const { server, getList } = await todos();
  await using _ = server;
  using controller = new Controller();
  const ofAnn = getList.bind(undefined, { userId: "a" }).extend({ dataExpiryLength: Infinity });
  assertEquals(ids(await controller.fetch(ofAnn)), ["1"]);
  assertEquals(controller.getResponse(getList, { userId: "a" }).expiresAt, Infinity);
  assertEquals(controller.getResponse(getList).data, undefined);
  assertEquals(await ofAnn(), [ROWS[0]]);

  const add = new Endpoint(async (a: number, b: number, c: number) => await Promise.resolve([a, b, c]), {
    name: "add",
  });
  const bound = add.bind(undefined, 1).bind(undefined, 2);
  assertEquals(await bound(3), [1, 2, 3]);
  assertEquals(await controller.fetch(bound, 3), [1, 2, 3]);
  assertEquals(controller.getResponse(add, 1, 2, 3).data, [1, 2, 3]);
  // Another function is an endpoint of its own, of the arguments that remained.
  const other = add.bind(undefined, 1, 2).extend({
    fetch: async (c: number) => await Promise.resolve([c]),
    name: "other",
  });
  assertEquals(await controller.fetch(other, 4), [4]);
  const self = { n: 5 };
  const withThis = new Endpoint(
    async function (this: typeof self, n: number) {
      return await Promise.resolve(this.n + n);
    },
    { name: "withThis" },
  ).bind(self, 1);
  assertEquals([await withThis(), await controller.fetch(withThis)], [6, 6]);
  // What was bound is a value.
  const params = { userId: "b" };
  const ofBob = getList.bind(undefined, params);
  params.userId = "a";
  assertEquals(ids(await controller.fetch(ofBob)), ["2"]);
});
