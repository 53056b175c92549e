/** What is passed in is a value: what its owner does to it afterwards changes nothing, and it comes back as it was. */
import { assert, assertEquals, assertNotStrictEquals, assertStrictEquals } from "@std/assert";
import {
  Controller,
  Endpoint,
  Entity,
  hydrate,
  Query,
  resource,
  RestEndpoint,
  schema,
  serial,
  stateOf,
} from "@rejoin/data";
import { startFaultServer } from "../support/fault_server.ts";

class Todo extends Entity {
  id = "";
  userId = "";
  title = "";
  tags: string[] = [];
  meta: { readonly at: number; readonly by?: { readonly name: string } } = { at: 0 };
  pk() {
    return this.id;
  }
  static key = "Todo";
}

/** Answers a list with one todo that names its page, and a mutation with what was sent. */
async function todoServer() {
  let created = 0;
  return await startFaultServer({
    async fallback(request) {
      const { searchParams, pathname } = new URL(request.url);
      if (request.method === "DELETE") return new Response(null, { status: 204 });
      if (request.method !== "GET") {
        const isForm = request.headers.get("content-type")?.startsWith("multipart");
        return Response.json({ id: `c${++created}`, ...isForm ? {} : await request.json() });
      }
      if (/\/todos\/./.test(pathname)) return Response.json({ id: pathname.split("/").at(-1), title: "one" });
      const page = searchParams.get("page") ?? "0";
      return Response.json([{ id: `p${page}`, title: `page ${page}` }]);
    },
  });
}

Deno.test("13.A9 params that a loop counts up are those of the call, for each of its lists", async () => {
  await using server = await todoServer();
  const { getList } = resource({
    urlPrefix: server.origin,
    path: "/todos/:id",
    schema: Todo,
    nonFilterArgumentKeys: ["page"],
  });
  using controller = new Controller();
  const params = { page: 0, filter: { tags: ["a"] } };
  const calls = [];
  for (params.page = 1; params.page <= 3; params.page++) calls.push(controller.fetch(getList, params));
  params.filter.tags.push("b");
  const lists = await Promise.all(calls);
  assertEquals(lists.map((list) => list.map(({ title }) => title)), [["page 1"], ["page 2"], ["page 3"]]);
  for (const page of [1, 2, 3]) {
    const { data } = controller.getResponse(getList, { page, filter: { tags: ["a"] } });
    assertEquals(data?.map(({ id }) => id), [`p${page}`]);
  }
  assertEquals(controller.getResponse(getList, params).data, undefined);
  // So are they where nothing was fetched: read first, changed, then written.
  const read = { page: 7, filter: { tags: ["a"] } };
  controller.getResponse(getList, read);
  controller.invalidate(getList, read);
  controller.subscribe(getList.extend({ pollFrequency: 60_000 }), read);
  read.page = 8;
  controller.setResponse(getList, { page: 7, filter: { tags: ["a"] } }, [{ id: "s7" }]);
  assertEquals(controller.getResponse(getList, { page: 7, filter: { tags: ["a"] } }).data?.map(({ id }) => id), ["s7"]);
  assertEquals(controller.getResponse(getList, read).data, undefined);
});

Deno.test("13.A9 a form that is cleared after submit is sent as it was submitted, also from a queue", async () => {
  await using server = await todoServer();
  const { create, partialUpdate, getList } = resource({
    urlPrefix: server.origin,
    path: "/todos/:id",
    schema: Todo,
    optimistic: true,
    scope: serial("record"),
    getHeaders: async (headers: Record<string, string>) => await Promise.resolve(headers),
  });
  using controller = new Controller();
  await controller.fetch(getList);
  const body = { title: "Write", tags: ["a"], meta: { at: 1 } };
  const params = { id: "p0" };
  const calls = [
    controller.fetch(create, body),
    controller.fetch(partialUpdate, params, body),
    // Waits in its line.
    controller.fetch(partialUpdate, params, body),
  ];
  body.title = "";
  body.tags.length = 0;
  body.meta.at = 2;
  params.id = "p1";
  // What is shown meanwhile is what was submitted, however often it is made again.
  controller.set(Todo, { id: "other" }, { id: "other" });
  assertEquals({ ...controller.get(Todo, { id: "p0" }) }, {
    id: "p0",
    userId: "",
    title: "Write",
    tags: ["a"],
    meta: { at: 1 },
  });
  await Promise.all(calls);
  const sent = server.requests.filter(({ method }) => method !== "GET");
  assertEquals(sent.map(({ path, body }) => [path, JSON.parse(body)]), [
    ["/todos", { title: "Write", tags: ["a"], meta: { at: 1 } }],
    ["/todos/p0", { title: "Write", tags: ["a"], meta: { at: 1 } }],
    ["/todos/p0", { title: "Write", tags: ["a"], meta: { at: 1 } }],
  ]);
});

Deno.test("13.A9 a direct call holds its arguments, too, and nothing but plain data is copied", async () => {
  await using server = await todoServer();
  const seen: unknown[] = [];
  const send = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/todos",
    method: "POST",
    async getRequestInit(body?: unknown) {
      await Promise.resolve();
      return RestEndpoint.prototype.getRequestInit.call(this, body);
    },
    process(_: unknown, ...args: readonly unknown[]) {
      seen.push(...args);
      return args[0];
    },
  });
  const when = new Date(0);
  const todo = Todo.fromJS({ id: "1" });
  const body = { title: "Write", when, todo, bare: Object.assign(Object.create(null), { deep: [1] }) };
  const call = send(body);
  body.title = "";
  body.bare.deep.push(2);
  // Whoever called gets back what was passed.
  assertStrictEquals(await call, body);
  assertEquals(JSON.parse(server.requests[0]!.body).title, "Write");
  const [copy] = seen as [typeof body];
  assertNotStrictEquals(copy, body);
  assertEquals([copy.title, copy.bare.deep], ["Write", [1]]);
  assertStrictEquals(copy.when, when);
  assertStrictEquals(copy.todo, todo);

  const form = new FormData();
  form.set("title", "x");
  using controller = new Controller();
  await controller.fetch(send, form);
  assertStrictEquals(seen[1], form);
  const blob = new Blob(["x"], { type: "text/plain" });
  const keep = new Endpoint(async (...args: unknown[]) => await Promise.resolve(void seen.push(...args)), {
    name: "keep",
    key: () => "keep",
    sideEffect: true,
  });
  await controller.fetch(keep, blob, when, todo, "text");
  assertEquals(seen.slice(2).map((each, at) => each === [blob, when, todo, "text"][at]), [true, true, true, true]);
});

Deno.test("13.A9 what is shared, or contains itself, is so in the copy; no name is special, no depth too much", async () => {
  using controller = new Controller();
  const seen: unknown[] = [];
  const keep = new Endpoint(async (arg: object) => await Promise.resolve(void seen.push(arg)), {
    name: "keep",
    key: () => "keep",
    sideEffect: true,
  });
  const shared = { n: 1 };
  const cyclic: Record<string, unknown> = { a: shared, b: [shared] };
  cyclic.self = cyclic;
  Object.defineProperty(cyclic, "__proto__", { value: { evil: [true] }, enumerable: true, configurable: true });
  await controller.fetch(keep, cyclic);
  const copy = seen[0] as typeof cyclic & { b: unknown[] };
  assertNotStrictEquals(copy, cyclic);
  assertNotStrictEquals(copy.a, shared);
  assertStrictEquals(copy.b[0], copy.a);
  assertStrictEquals(copy.self, copy);
  assertEquals(Object.getPrototypeOf(copy), Object.prototype);
  assertEquals(Object.getOwnPropertyDescriptor(copy, "__proto__")?.value, { evil: [true] });
  assert(!("evil" in copy));
  let deep: unknown = "end";
  for (let depth = 0; depth < 100_000; depth++) deep = depth % 2 === 0 ? [deep] : { deep };
  await controller.fetch(keep, deep as object);
  // 2 to the power of 60, if each place had a copy of its own.
  let wide: unknown = [];
  for (let depth = 0; depth < 60; depth++) wide = [wide, wide];
  await controller.fetch(keep, wide as object);
});

Deno.test("13.A9 what a call answers with its own argument is the argument that was passed", async () => {
  await using server = await todoServer();
  using controller = new Controller();
  const echo = new Endpoint(async (body: { title: string }) => await Promise.resolve(body), {
    name: "echo",
    sideEffect: true,
  });
  const body = { title: "x" };
  assertStrictEquals(await controller.fetch(echo, body), body);
  const { delete: remove } = resource({ urlPrefix: server.origin, path: "/todos/:id", schema: Todo });
  const params = { id: "5" };
  assertStrictEquals(await controller.fetch(remove, params), params);
});

Deno.test("13.A9 what a function of the app answers with is a value", async () => {
  using controller = new Controller();
  const settings = { theme: "dark", columns: ["a"] };
  const todo = { id: "1", title: "x", tags: ["a"] };
  const getSettings = new Endpoint(async () => await Promise.resolve(settings), { name: "settings" });
  const getTodo = new Endpoint(async (_: { id: string }) => await Promise.resolve(todo), {
    schema: Todo,
    name: "todo",
  });
  const rename = new Endpoint(async (_: { id: string }) => await Promise.resolve(todo), {
    schema: Todo,
    sideEffect: true,
    name: "rename",
  });
  await controller.fetch(getSettings);
  await controller.fetch(getTodo, { id: "1" });
  settings.theme = "light";
  settings.columns.push("b");
  todo.tags.push("b");
  assertEquals(controller.getResponse(getSettings).data, { theme: "dark", columns: ["a"] });
  assertEquals({ ...controller.get(Todo, "1")! }.tags, ["a"]);

  await controller.fetch(rename, { id: "1" });
  todo.tags.push("c");
  assertEquals({ ...controller.get(Todo, "1")! }.tags, ["a", "b"]);
});

Deno.test("13.A9 what is written by hand is a value", async () => {
  using controller = new Controller();
  const value = { id: "1", title: "x", tags: ["a"], meta: { at: 1, by: { name: "Ann" } } };
  const args = { id: "1" };
  controller.set(Todo, args, value);
  value.tags.push("b");
  value.meta.by.name = "Bob";
  value.title = "y";
  const expected = { id: "1", userId: "", title: "x", tags: ["a"], meta: { at: 1, by: { name: "Ann" } } };
  assertEquals({ ...controller.get(Todo, "1") }, expected);

  // By a function, too: what it puts there; what it leaves as it was stays the same object.
  const before = controller.get(Todo, "1")!;
  const tags = ["c"];
  controller.set(Todo, args, (todo) => ({ ...todo!, tags }));
  tags.push("d");
  assertEquals(controller.get(Todo, "1")?.tags, ["c"]);
  assertStrictEquals(controller.get(Todo, "1")?.meta, before.meta);

  const getTodo = new Endpoint(async (_: { id: string }): Promise<unknown> => await Promise.resolve(), {
    name: "getTodo",
    schema: { todo: Todo, total: 0, notes: [] as never },
  });
  const response = { todo: { id: "2", tags: ["a"], meta: { at: 1 } }, total: 1, extra: { list: [1] } };
  controller.setResponse(getTodo, args, response as never);
  response.todo.tags.push("b");
  response.todo.meta.at = 2;
  response.extra.list.push(2);
  const { data } = controller.getResponse(getTodo, { id: "1" }) as unknown as { data: typeof response };
  assertEquals([data.todo.tags, data.todo.meta, data.extra.list], [["a"], { at: 1 }, [1]]);

  const getRaw = new Endpoint(async (_: { id: string }): Promise<unknown> => await Promise.resolve(), {
    name: "getRaw",
  });
  const raw = { list: [1] };
  controller.setResponse(getRaw, args, raw);
  raw.list.push(2);
  args.id = "9";
  assertEquals(controller.getResponse(getRaw, { id: "1" }).data, { list: [1] });
  assertEquals(controller.getResponse(getRaw, { id: "9" }).data, undefined);

  // A reply that came another way.
  const late = new Endpoint((_: { id: string }) => new Promise<unknown>(() => {}), { name: "late" });
  const asked = controller.fetch(late, { id: "1" });
  const came = { list: [1] };
  controller.resolve(late, { args: [{ id: "1" }], response: came });
  came.list.push(2);
  assertEquals(await asked, { list: [1] });
});

Deno.test("13.A9 the arguments of a query and of a list are values", () => {
  using controller = new Controller();
  for (const userId of ["a", "b"]) controller.set(Todo, { id: userId }, { id: userId, userId });
  const all = new schema.All(Todo);
  controller.setResponse(new Endpoint(async () => await Promise.resolve([]), { name: "all", schema: all }), [
    { id: "a", userId: "a" },
    { id: "b", userId: "b" },
  ]);
  const of = new Query(
    all,
    (todos, { userIds }: { userIds: string[] }) =>
      todos.filter((todo) => userIds.includes(todo.userId)).map(({ id }) => id),
  );
  const args = { userIds: ["a"] };
  assertEquals(controller.get(of, args), ["a"]);
  args.userIds[0] = "b";
  controller.set(Todo, { id: "a" }, { id: "a", title: "new" });
  assertEquals(controller.get(of, { userIds: ["a"] }), ["a"]);
  assertEquals(controller.get(of, args), ["b"]);
});

Deno.test("13.A9 a state that is hydrated is a value, for each of those who begin with it", async () => {
  const row = { id: "a", title: "as it was", tags: ["1"] };
  const list = new Endpoint(async () => await Promise.resolve([row]), { name: "list", schema: [Todo] });
  const plain = new Endpoint(async () => await Promise.resolve({ list: [1] }), { name: "plain" });
  using there = new Controller();
  await Promise.all([there.fetch(list), there.fetch(plain)]);
  const state = JSON.parse(JSON.stringify(stateOf(there)));
  using first = new Controller({ use: [hydrate(state)] });
  using second = new Controller();
  hydrate(second, state);
  Object.assign(state.entities.Todo.a, { title: "changed" });
  state.entities.Todo.a.tags.push("2");
  state.endpoints["list []"].push("b");
  state.endpoints["plain []"].list.push(2);
  for (const controller of [first, second]) {
    const todo = controller.get(Todo, "a")!;
    assertEquals([todo.title, todo.tags], ["as it was", ["1"]]);
    assertEquals(controller.getResponse(list).data, [todo]);
    assertEquals(controller.getResponse(plain).data, { list: [1] });
  }
});
