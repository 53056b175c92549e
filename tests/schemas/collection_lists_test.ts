import { assert, assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { Controller, Endpoint, Entity, normalize, NormalizeError, schema, stateOf } from "@rejoin/data";

class Todo extends Entity {
  id = "";
  userId = "";
  title = "";
  static key = "Todo";
}

const answer = async (value: unknown) => await Promise.resolve(value);
const idsOf = (list: readonly (Todo | null)[] | undefined) => list?.map((todo) => todo && todo.id);

Deno.test("lists whose first argument has no members are told apart by it, and others are not", () => {
  const todos = new schema.Collection([Todo]);
  const getTodos = new Endpoint(async (..._args: readonly unknown[]) => await answer([]), {
    name: "getTodos",
    schema: todos,
  });
  const calls: readonly (readonly unknown[])[] = [
    [],
    ["5"],
    ["6"],
    [""],
    [true],
    [7n],
    ["5", "done"],
    ["5", { status: "done" }],
    [["5", "6"]],
    [new Date(5)],
    [new Date(6)],
    [new URLSearchParams("userId=5")],
    [{ userId: "5" }],
  ];
  const controller = new Controller();
  calls.forEach((args, at) => controller.setResponse(getTodos, ...args, [{ id: `${at}` }]));
  calls.forEach((args, at) => assertEquals(idsOf(controller.getResponse(getTodos, ...args).data), [`${at}`]));
  const read = (...args: readonly unknown[]) => idsOf(controller.get(todos, ...args as []));
  assertEquals([read(), read(undefined), read({}), read(5), read("9")], [["0"], ["0"], ["0"], ["1"], undefined]);
});

Deno.test("what is created joins a list without names where the call has the same arguments", async () => {
  const todos = new schema.Collection([Todo]);
  const getTodos = new Endpoint(async (_userId?: string) => await answer([]), { name: "getTodos", schema: todos });
  const add = new Endpoint(async (_userId: string, body: object) => await answer(body), {
    name: "add",
    schema: todos.push,
    sideEffect: true,
  });
  const controller = new Controller();
  const read = () => [undefined, "5", "6"].map((user) => idsOf(controller.getResponse(getTodos, user).data)!.join(""));
  for (const user of [undefined, "5", "6"]) controller.setResponse(getTodos, user, []);
  await controller.fetch(add, "5", { id: "a", userId: "6" });
  assertEquals(read(), ["a", "a", ""]);
  const addByName = new Endpoint(async (body: object) => await answer(body), {
    name: "addByName",
    schema: todos.push,
    sideEffect: true,
  });
  await controller.fetch(addByName, { id: "b", userId: "5" });
  assertEquals(read(), ["ab", "a", ""]);

  // A bare pk is not the name of a list.
  for (const [verb, after] of [["move", ["ab", "a", ""]], ["remove", ["b", "", ""]]] as const) {
    const change = new Endpoint(async (id: string) => await answer({ id }), {
      name: verb,
      schema: todos[verb],
      sideEffect: true,
    });
    controller.setResponse(change, "6", { id: "a" });
    assertEquals(read(), [...after]);
  }
});

Deno.test("what a form has several times belongs to the lists of each, and to that of all of them", () => {
  const todos = new schema.Collection([Todo]);
  const getTodos = new Endpoint(async (_search: object) => await answer([]), { name: "getTodos", schema: todos });
  const add = new Endpoint(async (_params: object, body: object) => await answer(body), {
    name: "add",
    schema: todos.push,
    sideEffect: true,
  });
  const searches = ["a", "b", "c", ["a", "b"], ["b"]].map((tag) => ({ tag }));
  for (const make of [() => new FormData(), () => new URLSearchParams()]) {
    const controller = new Controller();
    for (const search of searches) controller.setResponse(getTodos, search, []);
    const form = make();
    for (const tag of ["a", "b"]) form.append("tag", tag);
    controller.setResponse(add, {}, form, { id: "1" });
    const lists = searches.map((search) => idsOf(controller.getResponse(getTodos, search).data)?.join());
    assertEquals(lists, ["1", "1", "", "1", ""]);
  }
});

Deno.test("a file as an argument names no list", () => {
  const todos = new schema.Collection([Todo]);
  const form = new FormData();
  form.set("file", new File([""], "a.csv"));
  for (const argument of [form, new File([""], "a.csv"), new Map()]) {
    assertEquals(normalize(todos, [{ id: "1" }], [argument]).result, "{}");
    const { entities } = normalize({ list: todos, added: todos.push }, { list: [], added: { id: "1" } }, [
      "5",
      argument,
    ]);
    assertEquals(entities["[Todo]"], { '{"#0":"5"}': { items: ["1"], args: { "#0": "5" } } });
    normalize(todos.push, { id: "1" }, [{ userId: "5", file: argument }]);
  }
});

/** Users with a list whose arguments are those that `options` say. */
function usersWith(options: schema.CollectionOptions<unknown[]>) {
  const todos = new schema.Collection([Todo], options);
  class User extends Entity {
    id: string | undefined = undefined;
    todos: Todo[] = [];
    static key = "User";
    static schema = { todos };
    static process({ _id, ...value }: { _id?: string; id?: string }) {
      return _id === undefined ? value : { ...value, id: _id };
    }
  }
  const getUsers = new Endpoint(async (..._args: unknown[]) => await answer([]), { name: "users", schema: [User] });
  const controller = new Controller();
  return {
    todos,
    getUsers,
    controller,
    set: (...users: readonly object[]) => controller.setResponse(getUsers, users),
    read: () => controller.getResponse(getUsers).data!.map((user) => idsOf(user.todos)!.join("")),
  };
}
const byUser = { nestKey: ({ id }: { id?: string }) => ({ userId: id }) };
const CLASH = "two lists of one response have the arguments";

Deno.test("a nestKey that knows nothing of its entity names no list: each entity has its own", async () => {
  for (const name of ["none", "_id"]) {
    const { todos, controller, set, read } = usersWith(byUser);
    const getTodos = new Endpoint(async () => await answer([]), { name: "todos", schema: todos });
    controller.setResponse(getTodos, [{ id: "9" }]);
    set({ [name]: "5", todos: [{ id: "1" }] }, { [name]: "6", todos: [{ id: "2" }] });
    assertEquals(read(), ["1", "2"]);
    assertEquals(idsOf(controller.getResponse(getTodos).data), ["9"]);
    controller.set(Todo, "2", { title: "new" });
    assertEquals(read(), ["1", "2"]);
    const add = new Endpoint(async (body: object) => await answer(body), {
      name: "add",
      schema: todos.push,
      sideEffect: true,
    });
    await controller.fetch(add, { id: "3" });
    assertEquals([...read(), idsOf(controller.getResponse(getTodos).data)!.join("")], ["1", "2", "93"]);
  }
});

Deno.test("lists of different entities that fall on one name are a typed error, unless they are equal", () => {
  const constant = [{ argsKey: () => ({ all: 1 }) }, { nestKey: () => ({}) }];
  for (const options of constant) {
    const { controller, set, read } = usersWith(options);
    const error = assertThrows(
      () => set({ id: "5", todos: [{ id: "1" }] }, { id: "6", todos: [{ id: "2" }] }),
      NormalizeError,
      CLASH,
    );
    assert(error.message.includes('one in "todos" of "User" 6'), error.message);
    assertEquals(stateOf(controller).entities, {});
    assertThrows(() => set({ todos: [{ id: "1" }] }, { todos: [{ id: "2" }] }), NormalizeError, CLASH);
    set({ id: "5", todos: [{ id: "1" }] }, { id: "6", todos: [{ id: "1" }] });
    assertEquals(read(), ["1", "1"]);
    // The list is that of both by now: neither may say something else of it.
    const both = [{ id: "5", todos: [{ id: "1" }] }, { id: "6", todos: [{ id: "1" }] }];
    assertThrows(() => set(...both, { id: "6", todos: [] }), NormalizeError, CLASH);
  }
});

Deno.test("a list of an entity and one of the response that fall on one name are a typed error, unless they are equal", () => {
  const { todos, controller } = usersWith(byUser);
  class User extends Entity {
    id = "";
    todos: Todo[] = [];
    static key = "Owner";
    static schema = { todos };
  }
  const get = new Endpoint(async (_: { userId: string }) => await answer({}), {
    name: "both",
    schema: { user: User, todos },
  });
  const user = { id: "5", todos: [{ id: "1" }] };
  assertThrows(() => controller.setResponse(get, { userId: "5" }, { user, todos: [] } as never), NormalizeError, CLASH);
  controller.setResponse(get, { userId: "5" }, { user, todos: [{ id: "1" }] } as never);
  const { data } = controller.getResponse(get, { userId: "5" });
  assertStrictEquals(data!.user!.todos, data!.todos);
});

Deno.test("an entity that repeats in a response may bring its list again, and the last counts", () => {
  const { set, read } = usersWith(byUser);
  set({ id: "5", todos: [{ id: "1" }] }, { id: "5", todos: [{ id: "1" }, { id: "2" }] }, { id: "6", todos: [] });
  assertEquals(read(), ["12", "12", ""]);
  set({ id: "5", todos: [{ id: "1" }] }, { id: "5", todos: [{ id: "2" }] });
  assertEquals(read(), ["2", "2"]);
});

Deno.test("what assign and move of Values answer is the items by name", async () => {
  const named = new schema.Collection(new schema.Values(Todo));
  const getNamed = new Endpoint(async (_: { userId?: string } = {}) => await answer({}), {
    name: "named",
    schema: named,
  });
  const endpoint = <S extends schema.CollectionChange<schema.Values<typeof Todo>, unknown>>(name: string, change: S) =>
    new Endpoint(async (body: unknown) => await answer(body), { name, schema: change, sideEffect: true });
  const assign = endpoint("assign", named.assign);
  const move = endpoint("move", named.move);
  const controller = new Controller();
  controller.setResponse(getNamed, { userId: "5" }, {});
  controller.setResponse(getNamed, { userId: "6" }, {});
  const read = () =>
    ["5", "6"].map((userId) =>
      Object.entries(controller.getResponse(getNamed, { userId }).data!).map(([name, { id }]) => name + id)
    );
  const items = await controller.fetch(assign, { b: { id: "2", userId: "5" } });
  const { b }: { [name: string]: Todo } = items;
  assertStrictEquals(b, controller.get(Todo, "2"));
  assertEquals([Object.keys(items), read()], [["b"], [["b2"], []]]);
  const moved = await controller.fetch(move, { b: { id: "2", userId: "6" } });
  assertStrictEquals(moved.b, controller.get(Todo, "2"));
  assertEquals(read(), [[], ["b2"]]);

  // Nobody knows under which name.
  const { entities } = stateOf(controller);
  for (const item of [{ id: "2", userId: "5" }, "2", [{ id: "2" }]]) {
    await assertRejects(() => controller.fetch(move, item), Error, "move expected items by name");
  }
  await assertRejects(() => controller.fetch(assign, "2"), Error, 'assign expected items by name, got "2"');
  assertEquals(stateOf(controller).entities, entities);
  assertEquals(read(), [[], ["b2"]]);
});

Deno.test("addWith that returns no items is a typed error, and what it repeats is there once", async () => {
  const todos = new schema.Collection([Todo]);
  const getTodos = new Endpoint(async () => await answer([]), { name: "getTodos", schema: todos });
  const add = (merge: schema.MergeItems) =>
    new Endpoint(async (body: object) => await answer(body), {
      name: "add",
      schema: todos.addWith(merge),
      sideEffect: true,
    });
  const controller = new Controller();
  controller.setResponse(getTodos, [{ id: "1" }]);
  for (const items of [undefined, null, "1", {}]) {
    await assertRejects(
      () => controller.fetch(add(() => items), { id: "2" }),
      Error,
      "the function of addWith() returned",
    );
  }
  assertEquals(controller.get(Todo, "2"), undefined);
  assertEquals(idsOf(controller.getResponse(getTodos).data), ["1"]);
  const concat = add((existing, incoming) => [...existing as string[], ...incoming as string[]]);
  for (const id of ["2", "1", "2"]) await controller.fetch(concat, { id });
  assertEquals(idsOf(controller.getResponse(getTodos).data), ["1", "2"]);

  const named = new schema.Collection(new schema.Values(Todo));
  const getNamed = new Endpoint(async () => await answer({}), { name: "getNamed", schema: named });
  controller.setResponse(getNamed, {});
  const addNamed = new Endpoint(async (body: object) => await answer(body), {
    name: "addNamed",
    schema: named.addWith(() => []),
    sideEffect: true,
  });
  await assertRejects(
    () => controller.fetch(addNamed, { a: { id: "1" } }),
    Error,
    "it gets an object, and must return one",
  );
});

Deno.test("only what refers to a record is in a list once: null and what is not mapped stay", async () => {
  const todos = new schema.Collection([Todo]);
  const getTodos = new Endpoint(async (_: object = {}) => await answer([]), { name: "getTodos", schema: todos });
  const controller = new Controller();
  controller.setResponse(getTodos, [null, null, { id: "1" }, { id: "1" }, null]);
  assertEquals(idsOf(controller.getResponse(getTodos).data), [null, null, "1", null]);
  const push = new Endpoint(async (body: object) => await answer(body), {
    name: "push",
    schema: todos.push,
    sideEffect: true,
  });
  await controller.fetch(push, [{ id: "1" }, { id: "2" }, { id: "2" }]);
  assertEquals(idsOf(controller.getResponse(getTodos).data), [null, null, "1", null, "2"]);

  const union = new schema.Collection([new schema.Union({ todo: Todo, task: Todo }, "type")], { key: "mixed" });
  const getMixed = new Endpoint(async () => await answer([]), { name: "getMixed", schema: union });
  controller.setResponse(getMixed, [
    "x",
    "x",
    { type: "ad" },
    { type: "todo", id: "1" },
    { type: "todo", id: "1" },
    0,
    0,
  ]);
  const mixed: readonly unknown[] = controller.getResponse(getMixed).data!;
  assertEquals([mixed.length, mixed[0], mixed[1], mixed.slice(4)], [6, "x", "x", [0, 0]]);
});

Deno.test("null in a page stays when another page comes", () => {
  const paged = new schema.Collection([Todo], {
    pageOf: ({ cursor: _, ...params }: { cursor?: string; userId?: string } = {}) => [params],
  });
  const page = new Endpoint(async (_: { cursor?: string } = {}) => await answer([]), { name: "page", schema: paged });
  const controller = new Controller();
  controller.setResponse(page, {}, [null, { id: "1" }, null]);
  controller.setResponse(page, { cursor: "2" }, [{ id: "1" }, null, { id: "2" }]);
  assertEquals(idsOf(controller.get(paged, {})), [null, "1", null, null, "2"]);
});

Deno.test("a wrong shape is named with its place and its value", () => {
  const todos = new schema.Collection([Todo]);
  const named = new schema.Collection(new schema.Values(Todo));
  class User extends Entity {
    id = "";
    todos: Todo[] = [];
    static key = "User";
    static schema = { todos };
  }
  const cases = [
    [{ results: todos }, { results: "no" }, 'Collection at results: expected an array, got "no"'],
    [
      { results: named },
      { results: [1] },
      "Collection at results: expected an object of items by name, got an array of 1",
    ],
    [
      [User],
      [{ id: "1", todos: { error: 1 } }],
      "Collection at [0].todos: expected an array, got an object with error",
    ],
    [{ item: named.assign }, { item: 5 }, "at item: assign expected items by name, got 5"],
  ] as const;
  for (const [declared, value, message] of cases) {
    assertThrows(() => normalize(declared as never, value), NormalizeError, message);
  }
});

Deno.test("a late answer that names a list more than once keeps what was added to it since, and what was taken out", async () => {
  for (const isKnown of [false, true]) {
    const { todos, getUsers, controller, set, read } = usersWith(byUser);
    if (isKnown) set({ id: "5", todos: [{ id: "0", userId: "5" }] });
    const reply = Promise.withResolvers<object[]>();
    const late = controller.fetch(getUsers.extend({ fetch: () => reply.promise }));
    const echo = async (body: object) => await answer(body);
    const add = new Endpoint(echo, { name: "add", schema: todos.push, sideEffect: true });
    const remove = new Endpoint(echo, { name: "remove", schema: todos.remove, sideEffect: true });
    await controller.fetch(add, { id: "2", userId: "5" });
    if (isKnown) await controller.fetch(remove, { id: "0", userId: "5" });
    const user = { id: "5", todos: [{ id: "0", userId: "5" }] };
    reply.resolve([user, structuredClone(user), structuredClone(user)]);
    await late;
    assertEquals(read(), isKnown ? ["2", "2", "2"] : ["02", "02", "02"]);
  }
});
