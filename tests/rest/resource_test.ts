import { assert, assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import {
  Controller,
  createResource,
  EndpointError,
  Entity,
  resource,
  RestEndpoint,
  type RestGenerics,
  schema,
  stateOf,
} from "@rejoin/data";
import { readerOfResponse } from "../contracts/reader.ts";
import { TodoServer } from "../support/todo_server.ts";

class Todo extends Entity {
  id = "";
  userId = "";
  title = "";
  done = false;
  static key = "Todo";
}

const at = (urlPrefix: string) => resource({ urlPrefix, path: "/todos/:id", schema: Todo });
const ids = (todos: readonly Todo[] | undefined) => todos?.map(({ id }) => id).join();
const ROWS = [{ id: "1", userId: "a" }, { id: "2", userId: "b" }];

Deno.test("the members of a resource: requests, and schemas of lists that grow", () => {
  const { get, getList, create, update, partialUpdate, delete: remove, ...others } = at("https://api.example.com");
  assertEquals(Object.keys(others), ["extend"]);
  const list = [get, getList, create, update, partialUpdate, remove, getList.push, getList.unshift, getList.remove]
    .concat(getList.move as never)
    .map(({ name, method, path, sideEffect }) => [name, method, path, sideEffect].join(" ").trim());
  assertEquals(list, [
    "Todo.get GET /todos/:id",
    "Todo.getList GET /todos",
    "Todo.create POST /todos true",
    "Todo.update PUT /todos/:id true",
    "Todo.partialUpdate PATCH /todos/:id true",
    "Todo.delete DELETE /todos/:id true",
    "Todo.getList.push POST /todos true",
    "Todo.getList.unshift POST /todos true",
    "Todo.getList.remove PATCH /todos true",
    "Todo.getList.move PATCH /todos/:id true",
  ]);
  assert(getList.schema instanceof schema.Collection);
  assertStrictEquals(create.schema, getList.schema.push);
  assertStrictEquals(getList.push, getList.push);
});

Deno.test("what is created joins the lists that it belongs to, in each order of mounting", async () => {
  await using server = new TodoServer(ROWS);
  const { getList, create } = at(server.origin);
  using controller = new Controller();
  for (const params of [{}, { userId: "a" }, { userId: "b" }]) await controller.fetch(getList, params);
  const made = await controller.fetch(create, { userId: "a", title: "new" });
  assertEquals(made.id, "10");
  const shown = [{}, { userId: "a" }, { userId: "b" }].map((params) =>
    ids(controller.getResponse(getList, params).data)
  );
  assertEquals(shown, ["1,2,10", "1,10", "2"]);
  // The parameters say to which list it belongs where neither reply nor body does.
  await controller.fetch(getList, { done: "true" });
  await controller.fetch(getList.unshift, { userId: "b" }, { title: "first" });
  assertEquals(ids(controller.getResponse(getList, { userId: "b" }).data), "2");
  assertEquals(ids(controller.getResponse(getList, {}).data), "11,1,2,10");
});

Deno.test("remove and move are PATCHes that keep the record, and move it between lists", async () => {
  await using server = new TodoServer(ROWS);
  const { getList } = at(server.origin);
  using controller = new Controller();
  for (const params of [{}, { userId: "a" }, { userId: "b" }]) await controller.fetch(getList, params);
  const shown = () => [{}, { userId: "a" }, { userId: "b" }].map((p) => ids(controller.getResponse(getList, p).data));
  await controller.fetch(getList.move, { id: "1" }, { userId: "b" });
  assertEquals(shown(), ["1,2", "", "2,1"]);
  await controller.fetch(getList.remove, { id: "2" });
  assertEquals(shown(), ["1", "", "1"]);
  assertEquals(controller.get(Todo, "2")?.userId, "b");
  assertEquals(server.requests.slice(3), ["PATCH /todos/1", "PATCH /todos"]);
});

Deno.test("extend: the verbs are at the new path, with the new search, for the new schema", () => {
  const { getList } = at("https://api.example.com");
  const byUser = getList.extend({ path: "/users/:userId/todos" });
  assertEquals(byUser.push.url({ userId: "a" }), "https://api.example.com/users/a/todos");
  assertEquals(byUser.move.url({ id: "5" }), "https://api.example.com/todos/5");
  const searched = getList.extend({ searchParams: {} as { q: string } });
  assertEquals(searched.push.url({ q: "x" }), "https://api.example.com/todos?q=x");
  assertStrictEquals(searched.push.schema, getList.push.schema);
  const own = new schema.Collection([Todo], { key: "own" });
  const wrapped = getList.extend({ schema: { results: own, total: 0 } });
  assertStrictEquals(wrapped.push.schema, own.push);
  const polled = getList.extend({ dataExpiryLength: 5, requestInit: { credentials: "omit" } });
  assertEquals([polled.push.dataExpiryLength, polled.push.getRequestInit({}).credentials], [5, "omit"]);
  assertEquals(
    getList.extend({ key: () => "list" }).push.key({}, { title: "x" }),
    "POST https://api.example.com/todos",
  );
});

Deno.test("extend of a resource: one member, several, or what a function makes; the original stays", async () => {
  const base = at("https://api.example.com");
  const one = base.extend("getList", { path: "/users/:userId/todos" });
  assertEquals(one.getList.push.url({ userId: "a" }), "https://api.example.com/users/a/todos");
  assertStrictEquals(one.get, base.get);
  const added = one.extend("preview", { path: "/previews/:id" });
  assertEquals([added.preview.name, added.preview.method], ["Todo.preview", "GET"]);
  assertStrictEquals(added.getList, one.getList);
  const several = base.extend({ get: { dataExpiryLength: 5 }, create: { path: "/new" } });
  assertEquals([several.get.dataExpiryLength, several.create.path, base.create.path], [5, "/new", "/todos"]);
  const made = { ...several }.extend((own) => ({ publish: own.update.extend({ path: "/publish/:id" }) }));
  assertEquals([made.publish.method, made.get.dataExpiryLength], ["PUT", 5]);
  for (const name of ["getLists", "__proto__", "constructor", "extend"]) {
    const options = JSON.parse(`{ "${name}": {} }`);
    assertThrows(() => base.extend(options as never), EndpointError, `Cannot extend "${name}"`);
  }
  await using server = new TodoServer(ROWS);
  const created = at(server.origin).extend("create", { requestInit: { headers: { "x-test": "1" } } });
  using controller = new Controller();
  await controller.fetch(created.getList);
  await controller.fetch(created.create, { title: "x" });
  assertEquals(ids(controller.getResponse(created.getList).data), "1,2,10");
});

Deno.test("lists of one class at different places are different lists; the same schema makes them one", async () => {
  await using server = new TodoServer(ROWS);
  const todos = at(server.origin);
  const admins = resource({ urlPrefix: server.origin, path: "/admins/:id", schema: Todo });
  using controller = new Controller();
  controller.setResponse(todos.getList, {}, [{ id: "1" }]);
  controller.setResponse(admins.getList, {}, [{ id: "2" }]);
  const elsewhere = todos.getList.extend({ path: "/users/:userId/todos" });
  const prefixed = todos.getList.extend({ urlPrefix: "https://other.example" });
  const shared = todos.getList.extend({ path: "/mine", schema: todos.getList.schema });
  const lists = () =>
    [todos.getList, admins.getList, prefixed, shared].map((list) => ids(controller.getResponse(list).data as Todo[]));
  assertEquals(lists(), ["1", "2", undefined, "1"]);
  controller.setResponse(prefixed, {}, []);
  controller.setResponse(elsewhere, { userId: "a" }, []);
  const made = await controller.fetch(todos.create, { title: "new", userId: "a" });
  assertEquals(lists(), ["1,10", "2", "", "1,10"]);
  assertEquals(ids(controller.getResponse(elsewhere, { userId: "a" }).data), "");
  assertEquals(controller.get(Todo, { id: made.id })?.title, "new");
});

Deno.test("the list of a resource inside an entity grows with it", async () => {
  await using server = new TodoServer(ROWS);
  const { getList, create } = at(server.origin);
  class User extends Entity {
    id = "";
    todos: Todo[] = [];
    static key = "User";
    static schema = { todos: getList.schema.extend({ nestKey: ({ id }: { id: string }) => ({ userId: id }) }) };
  }
  using controller = new Controller();
  controller.set(User, "a", { id: "a", todos: [{ id: "1", userId: "a" }] as never });
  await controller.fetch(create, { userId: "a", title: "new" });
  assertEquals(ids(controller.get(User, "a")?.todos), "1,10");
  assertStrictEquals(controller.get(User, "a")?.todos, controller.get(getList.schema, { userId: "a" }));
});

Deno.test("exactly the readers of lists that grew are told", async () => {
  await using server = new TodoServer(ROWS);
  const { getList, create } = at(server.origin);
  using controller = new Controller();
  for (const userId of ["a", "b"]) await controller.fetch(getList, { userId });
  const readers = ["a", "b"].map((userId) => readerOfResponse(controller, getList, { userId }));
  await controller.fetch(create, { userId: "a" });
  assertEquals(readers.map(({ told }) => told), [1, 0]);
});

for (
  const [said, body, status] of [
    ["204", null, 204],
    ['""', '""', 200],
    ["null", "null", 200],
    ["{}", "{}", 200],
    ['{ "success": true }', '{"success":true}', 200],
    ['"OK"', '"OK"', 200],
    ["1", "1", 200],
  ] as const
) {
  Deno.test(`create through a list, answered with ${said}, writes nothing and lets the lists be fetched again`, async () => {
    await using server = new TodoServer(ROWS);
    server.reply = { body, status };
    const { getList, create } = at(server.origin);
    using controller = new Controller();
    for (const endpoint of [create, getList.push, getList.unshift]) {
      await controller.fetch(getList);
      const before = stateOf(controller).entities;
      const made: unknown = await controller.fetch(endpoint, { title: "new" });
      assertEquals(made, undefined);
      assertEquals(stateOf(controller).entities, before);
      assert(controller.getResponse(getList).expiresAt <= Date.now(), "the list is to be asked for again");
    }
  });

  Deno.test(`remove and move, answered with ${said}, take the record from what was sent`, async () => {
    await using server = new TodoServer(ROWS);
    server.reply = { body, status };
    const { getList } = at(server.origin);
    using controller = new Controller();
    for (const params of [{}, { userId: "a" }, { userId: "b" }]) await controller.fetch(getList, params);
    const shown = () => [{}, { userId: "a" }, { userId: "b" }].map((p) => ids(controller.getResponse(getList, p).data));
    await controller.fetch(getList.move, { id: "1" }, { userId: "b" });
    assertEquals(shown(), ["1,2", "", "2,1"]);
    assertEquals(controller.get(Todo, "1")?.userId, "b");
    await controller.fetch(getList.remove, { id: "2" });
    assertEquals(shown(), ["1", "", "1"]);
  });
}

Deno.test("a reply that only names the new record is completed by what was sent", async () => {
  await using server = new TodoServer(ROWS);
  server.reply = { body: '{"id":"$id"}' };
  const { getList, create } = at(server.origin);
  using controller = new Controller();
  await controller.fetch(getList, { userId: "a" });
  const made = await controller.fetch(create, { userId: "a", title: "new" });
  assertEquals([made.id, made.title], ["10", "new"]);
  assertEquals(ids(controller.getResponse(getList, { userId: "a" }).data), "1,10");
});

Deno.test("several at once join the lists, each where it belongs", async () => {
  await using server = new TodoServer(ROWS);
  server.reply = { body: '[{"id":"8","userId":"a"},{"id":"9","userId":"b"}]' };
  const { getList } = at(server.origin);
  using controller = new Controller();
  for (const userId of ["a", "b"]) await controller.fetch(getList, { userId });
  await controller.fetch(getList.push.extend({ body: [] as Partial<Todo>[] }), [{ title: "x" }, { title: "y" }]);
  assertEquals(["a", "b"].map((userId) => ids(controller.getResponse(getList, { userId }).data)), ["1,8", "2,9"]);
});

Deno.test("a refused create changes no list", async () => {
  await using server = new TodoServer(ROWS);
  server.reply = { status: 403 };
  const { getList, create } = at(server.origin);
  using controller = new Controller();
  await controller.fetch(getList);
  await assertRejects(() => controller.fetch(create, { title: "x" }), Error, "403");
  assertEquals(ids(controller.getResponse(getList).data), "1,2");
});

Deno.test("delete takes the record out of all lists", async () => {
  await using server = new TodoServer(ROWS);
  const todos = at(server.origin);
  using controller = new Controller();
  await controller.fetch(todos.getList);
  await controller.fetch(todos.delete, { id: "1" });
  assertEquals(ids(controller.getResponse(todos.getList).data), "2");
});

Deno.test("options: arguments that are no filter, a Collection class, a class of endpoints with its own prefix", async () => {
  await using server = new TodoServer(ROWS);
  class Sorted extends schema.Collection<(typeof Todo)[]> {}
  class Api<O extends RestGenerics> extends RestEndpoint<O> {
    override urlPrefix = server.origin;
  }
  const { getList, create, update } = resource({
    path: "/todos/:id",
    schema: Todo,
    Endpoint: Api,
    Collection: Sorted,
    nonFilterArgumentKeys: ["view"],
    dataExpiryLength: 7,
    searchParams: {} as { view?: string; userId?: string } | undefined,
  });
  assert(getList.schema instanceof Sorted);
  assertEquals(getList.schema.key, `[Todo] ${server.origin}/todos`);
  assertEquals([create.dataExpiryLength, update.dataExpiryLength, getList.push instanceof Api], [7, 7, true]);
  using controller = new Controller();
  await controller.fetch(getList, { view: "grid", userId: "a" });
  await controller.fetch(create, { userId: "a", title: "x" });
  assertEquals(ids(controller.getResponse(getList, { view: "grid", userId: "a" }).data), "1,10");
  assert(getList.extend({ path: "/x" }).schema instanceof Sorted);
});

Deno.test("what the app gives for all members wins over what the verbs have of their own", () => {
  const own = {
    readReply: () => ({ value: { id: "own" } }),
    getOptimisticResponse: () => ({ id: "shown" }),
  };
  const { getList, create } = resource({ path: "/todos/:id", schema: Todo, optimistic: true, ...own });
  for (const verb of [create, getList.push, getList.remove]) {
    assertStrictEquals(verb.readReply, own.readReply);
    assertStrictEquals(verb.getOptimisticResponse, own.getOptimisticResponse);
  }
});

Deno.test("what a class of endpoints says of replies is for the members of a resource, too: as a method, as a field", () => {
  const readReply = () => ({ value: { id: "own" } });
  class ByMethod<O extends RestGenerics> extends RestEndpoint<O> {
    override readReply() {
      return readReply();
    }
  }
  class ByField<O extends RestGenerics> extends RestEndpoint<O> {
    override readReply = readReply;
  }
  for (const make of [resource, createResource as unknown as typeof resource]) {
    for (const Endpoint of [ByMethod, ByField]) {
      const Todos = make({ path: "/todos/:id", schema: Todo, Endpoint });
      const verbs = make === resource ? [Todos.getList.push, Todos.getList.remove] : [];
      for (const member of [Todos.create, Todos.update, Todos.partialUpdate, Todos.delete, ...verbs]) {
        const said = (member as RestEndpoint).readReply?.({ id: "1" }, [{ id: "1" }], {} as never);
        assertEquals(said, readReply());
      }
      // What is said for all members comes first.
      const other = () => ({ value: "other" });
      const { update } = make({ path: "/todos/:id", schema: Todo, Endpoint, readReply: other });
      assertStrictEquals(update.readReply, other);
    }
  }
});

Deno.test("a list that does not grow by itself has no verbs, and says what to write", () => {
  const { getList } = createResource({ path: "/todos/:id", schema: Todo });
  for (const verb of ["push", "unshift", "assign", "remove", "move"] as const) {
    assertThrows(() => getList[verb], EndpointError, `Cannot use "Todo.getList.${verb}"`);
  }
  const { getList: grown } = at("");
  assertThrows(() => grown.assign, Error, '"push" or "unshift"');
  const settings = resource({ path: "/users/:id/settings", schema: Todo }) as object as { getList: unknown };
  assertThrows(() => settings.getList, EndpointError, "text follows the last parameter");
});

Deno.test("any RestEndpoint with a Collection has the verbs", async () => {
  await using server = new TodoServer(ROWS);
  const getTodos = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/users/:userId/todos",
    schema: new schema.Collection([Todo]),
  });
  using controller = new Controller();
  await controller.fetch(getTodos, { userId: "a" });
  await controller.fetch(getTodos.push, { userId: "a" }, { title: "x" });
  assertEquals(ids(controller.getResponse(getTodos, { userId: "a" }).data), "1,10");
});

Deno.test("strict: a create whose list on the page does not grow says why, once, and only then", async () => {
  await using server = new TodoServer(ROWS);
  const plain = createResource({ urlPrefix: server.origin, path: "/todos/:id", schema: Todo });
  const said: string[] = [];
  const { warn } = console;
  console.warn = (text: string) => said.push(text);
  try {
    using quiet = new Controller({ strict: true });
    await quiet.fetch(plain.getList);
    await quiet.fetch(plain.create, { title: "nobody is looking" });
    using growing = new Controller({ strict: true });
    const { getList, create } = at(server.origin);
    await growing.fetch(getList);
    readerOfResponse(growing, getList);
    await growing.fetch(create, { title: "it grew" });
    assertEquals(said, []);
    using controller = new Controller({ strict: true });
    await controller.fetch(plain.getList);
    readerOfResponse(controller, plain.getList);
    for (let i = 0; i < 2; i++) await controller.fetch(plain.create, { title: "it did not" });
    assertEquals([said.length, said[0]?.includes("resource()")], [1, true]);
  } finally {
    console.warn = warn;
  }
});
