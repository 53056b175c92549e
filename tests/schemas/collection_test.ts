import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import {
  Controller,
  denormalize,
  Endpoint,
  Entity,
  normalize,
  NormalizeError,
  resource,
  schema,
  SchemaError,
  stateOf,
  ValidationError,
} from "@rejoin/data";
import { readerOf, readerOfResponse } from "../contracts/reader.ts";

class Todo extends Entity {
  id = "";
  userId = "";
  title = "";
  status = "open";
  tags: string[] = [];
  static key = "Todo";
}

interface Search {
  userId?: string | number;
  status?: string;
  tag?: string;
  q?: string;
  orderBy?: string;
}

const todos = new schema.Collection([Todo]);
const answer = async (value: unknown) => await Promise.resolve(value);
const getTodos = new Endpoint(async (_params: Search = {}) => await answer([]), { name: "getTodos", schema: todos });
const mutation = <S extends schema.CollectionChange<(typeof Todo)[]>>(name: string, change: S) =>
  new Endpoint(async (params: object, body?: object) => await answer({ ...params, ...body }), {
    name,
    schema: change,
    sideEffect: true,
  });
const push = mutation("push", todos.push);
const unshift = mutation("unshift", todos.unshift);
const remove = mutation("remove", todos.remove);
const move = mutation("move", todos.move);

const read = (controller: Controller, params: Search = {}) =>
  controller.getResponse(getTodos, params).data?.map(({ id }) => id).join("");

const LISTS: readonly Search[] = [
  {},
  { userId: 1 },
  { userId: 2 },
  { status: "done" },
  { userId: "1", status: "done" },
  { q: "milk" },
  { orderBy: "title" },
];

/** A store with the seven lists, each with what a server would have sent. */
function filled(): Controller {
  const controller = new Controller();
  const a = { id: "a", userId: "1", status: "open" };
  const b = { id: "b", userId: "2", status: "done" };
  const rows = [[a, b], [a], [b], [b], [], [], [a, b]];
  LISTS.forEach((params, at) => controller.setResponse(getTodos, params, rows[at]!));
  return controller;
}
const all = (controller: Controller) => LISTS.map((params) => read(controller, params));

Deno.test("a created item joins the lists whose arguments it matches, and only those", async () => {
  const controller = filled();
  await controller.fetch(push, { id: "c", userId: "1", status: "done" });
  assertEquals(all(controller), ["abc", "ac", "b", "bc", "c", "", "abc"]);
});

Deno.test("unshift puts it first", async () => {
  const controller = filled();
  await controller.fetch(unshift, { id: "c", userId: "2" });
  assertEquals(all(controller), ["cab", "a", "cb", "b", "", "", "cab"]);
});

Deno.test("what the server says of the item counts before what was sent, and that before the parameters", async () => {
  const controller = filled();
  const create = new Endpoint(
    async (_params: Search, _body: object) => await answer({ id: "c", userId: 2 }),
    { name: "create", schema: todos.push, sideEffect: true },
  );
  await controller.fetch(create, { userId: 1 }, { userId: 1, status: "done" });
  assertEquals(all(controller), ["abc", "a", "bc", "bc", "", "", "abc"]);
  const bare = create.extend({ fetch: async (_params: Search, _body: object) => await answer({ id: "d" }) });
  await controller.fetch(bare, { userId: 1 }, {});
  assertEquals(all(controller), ["abcd", "ad", "bc", "bc", "", "", "abcd"]);
});

Deno.test("an argument that is a value among several of the item is matched", async () => {
  const tagged = new schema.Collection([Todo]);
  const controller = new Controller();
  const get = new Endpoint(async (_: { tags: string }) => await answer([]), { name: "tagged", schema: tagged });
  controller.setResponse(get, { tags: "deno" }, []);
  controller.setResponse(get, { tags: "node" }, []);
  await controller.fetch(mutation("add", tagged.push), { id: "1", tags: ["deno", "preact"] });
  assertEquals(controller.getResponse(get, { tags: "deno" }).data?.length, 1);
  assertEquals(controller.getResponse(get, { tags: "node" }).data?.length, 0);
});

Deno.test("an item joins a list once, however often it is added", async () => {
  const controller = filled();
  for (const verb of [push, push, unshift]) await controller.fetch(verb, { id: "a", userId: "1" });
  assertEquals(read(controller), "ab");
  controller.setResponse(getTodos, {}, [{ id: "a" }, { id: "a" }, { id: "b" }]);
  assertEquals(read(controller), "ab");
});

Deno.test("remove takes an item out of every list that the call does not exclude, and leaves the record", async () => {
  const controller = filled();
  await controller.fetch(remove, { id: "b" });
  assertEquals(all(controller), ["a", "a", "", "", "", "", "a"]);
  assertEquals(controller.get(Todo, "b")?.userId, "2");
  const other = filled();
  const removeFrom = remove.extend({ fetch: async (_params: object, body?: object) => await answer(body) });
  await other.fetch(removeFrom, { userId: "1" }, { id: "a", userId: "1" });
  assertEquals(all(other), ["b", "", "b", "b", "", "", "b"]);
});

Deno.test("move puts an item where it belongs now and takes it from where it does not", async () => {
  const controller = filled();
  await controller.fetch(move, { id: "a" }, { status: "done", userId: "2" });
  assertEquals(all(controller), ["ab", "", "ba", "ba", "", "", "ab"]);
  await controller.fetch(move, { id: "a" }, { status: "done", userId: "1" });
  assertEquals(all(controller), ["ab", "a", "b", "ba", "a", "", "ab"]);
});

Deno.test("several items at once join, and the answer is an array", async () => {
  const controller = filled();
  const many = new Endpoint(async (body: object[]) => await answer(body), {
    name: "many",
    schema: todos.push,
    sideEffect: true,
  });
  const created: unknown = await controller.fetch(many, [{ id: "c", userId: 1 }, { id: "d", userId: 2 }]);
  assertStrictEquals((created as Todo[])[1], controller.get(Todo, "d"));
  assertEquals(all(controller), ["abcd", "ac", "bd", "b", "", "", "abcd"]);
});

Deno.test("the answer of push is the item that everybody reads", async () => {
  const controller = filled();
  const created = await controller.fetch(push, { id: "c", title: "new" });
  assertStrictEquals(created, controller.get(Todo, "c"));
});

Deno.test("lists with the same arguments are one list: numbers are their texts, undefined is absent, order is none", () => {
  const controller = filled();
  assertStrictEquals(
    controller.getResponse(getTodos, { userId: 1 }).data,
    controller.get(todos, { userId: "1", status: undefined }),
  );
  assertStrictEquals(
    controller.get(todos, { userId: "1", status: "done" }),
    controller.get(todos, { status: "done", userId: 1 }),
  );
  assertEquals(controller.get(todos, { userId: "9" }), undefined);
});

Deno.test("exactly the readers of the lists that grew are told, and the rest keep their arrays", async () => {
  const controller = filled();
  const readers = LISTS.map((params) => readerOfResponse<Todo[]>(controller, getTodos, params));
  const before = readers.map(({ value }) => value);
  await controller.fetch(push, { id: "c", userId: "1", status: "open" });
  // Whether a search has it, nobody knows: its reader is told to ask again.
  assertEquals(readers.map(({ told }) => told), [1, 1, 0, 0, 0, 1, 1]);
  readers.forEach(({ value }, at) => assertEquals(value === before[at], [2, 3, 4, 5].includes(at)));
  assertStrictEquals(readers[0]!.value[0], before[0]![0]);
});

Deno.test("one changed item of 1,000 is one new object, and the list a new array", () => {
  const controller = new Controller();
  controller.setResponse(getTodos, {}, Array.from({ length: 1_000 }, (_, at) => ({ id: `${at}`, title: "t" })));
  const reader = readerOfResponse<Todo[]>(controller, getTodos, {});
  const before = reader.value;
  controller.set(Todo, "500", { title: "new" });
  const after = reader.value;
  assertEquals(reader.told, 1);
  assertEquals(after.filter((todo, at) => todo !== before[at]).map(({ id }) => id), ["500"]);
  controller.set(new schema.Invalidate(Todo), "500");
  assertEquals([reader.value.length, reader.value[500]!.id], [999, "501"]);
  controller.set(Todo, "500", { id: "500", title: "back" });
  assertEquals([reader.value.length, reader.value[500]!.title], [1_000, "back"]);
  controller.setResponse(getTodos, {}, Array.from({ length: 1_000 }, (_, at) => ({ id: `${at}`, title: "t" })));
  assertStrictEquals(reader.value[1], before[1]);
});

Deno.test("an equal answer tells nobody", () => {
  const controller = filled();
  const reader = readerOfResponse<Todo[]>(controller, getTodos, {});
  const before = reader.value;
  controller.setResponse(getTodos, {}, [{ id: "a", userId: "1", status: "open" }, { id: "b", userId: "2" }]);
  assertEquals([reader.told, reader.value === before], [0, true]);
});

class User extends Entity {
  id = "";
  name = "";
  todos: Todo[] = [];
  notes: Todo[] = [];
  static key = "User";
  static schema = {
    todos: new schema.Collection([Todo], { nestKey: ({ id }: { id: string }) => ({ userId: id }) }),
    notes: new schema.Collection([Todo]),
  };
}

Deno.test("a list inside an entity is that of the list endpoint, by nestKey, and grows with it", async () => {
  const controller = new Controller();
  controller.set(User, "1", { id: "1", name: "Ann", todos: [{ id: "a", userId: "1" }] as never });
  const reader = readerOf<User>(controller, User, "1");
  assertStrictEquals(controller.getResponse(getTodos, { userId: "1" }).data, reader.value.todos);
  const before = reader.value;
  await controller.fetch(push, { id: "b", userId: "1" });
  assertEquals(reader.value.todos.map(({ id }) => id), ["a", "b"]);
  assertEquals([reader.told, reader.value === before], [1, false]);
});

Deno.test("a list inside an entity without nestKey belongs to the entity alone", async () => {
  const controller = new Controller();
  const notes = (id: string) => controller.get(User, id)!.notes.map((note) => note.id).join("");
  controller.set(User, "1", { id: "1", notes: [{ id: "x" }] as never });
  controller.set(User, "2", { id: "2", notes: [{ id: "y" }] as never });
  await controller.fetch(push, { id: "z", userId: "1" });
  assertEquals([notes("1"), notes("2")], ["x", "y"]);
  controller.set(User, "1", { notes: [{ id: "x" }, { id: "w" }] as never });
  assertEquals([notes("1"), notes("2")], ["xw", "y"]);
});

Deno.test("lists that nothing names stay in place: in entities without a pk, and repeated in one member", () => {
  class Shelf extends Entity {
    id: string | undefined = undefined;
    name = "";
    notes: Todo[] = [];
    rows: { more: Todo[] }[] = [];
    static key = "Shelf";
    static schema = {
      notes: new schema.Collection([Todo]),
      rows: [{ more: new schema.Collection([Todo]) }],
    };
  }
  const controller = new Controller();
  const shelves = new Endpoint(async (_: { room: string }) => await answer([]), { name: "shelves", schema: [Shelf] });
  controller.setResponse(getTodos, { room: "1" } as Search, []);
  controller.setResponse(shelves, { room: "1" }, [
    { name: "a", notes: [{ id: "1" }], rows: [{ more: [{ id: "1" }] }, { more: [{ id: "2" }] }] },
    { name: "b", notes: [{ id: "2" }] },
    { id: "s", name: "c", notes: [{ id: "3" }], rows: [{ more: [{ id: "3" }] }, { more: [{ id: "4" }] }] },
  ]);
  const read = controller.getResponse(shelves, { room: "1" }).data!;
  assertEquals(read.map(({ notes }) => notes.map(({ id }) => id)), [["1"], ["2"], ["3"]]);
  assertEquals(read.map(({ rows }) => rows.map(({ more }) => more[0]!.id)), [["1", "2"], [], ["3", "4"]]);
  assertEquals(controller.getResponse(getTodos, { room: "1" } as Search).data, []);
  controller.set(Todo, "2", { title: "new" });
  assertEquals(controller.getResponse(shelves, { room: "1" }).data![0]!.rows[1]!.more[0]!.title, "new");
});

Deno.test("two lists of one response with the same arguments are a typed error, unless they are equal", () => {
  const controller = new Controller();
  const both = new Endpoint(async (_: { userId: string }) => await answer({}), {
    name: "both",
    schema: { open: todos, done: todos },
  });
  assertThrows(
    () => controller.setResponse(both, { userId: "1" }, { open: [{ id: "1" }], done: [] }),
    NormalizeError,
    'two lists of one response have the arguments {"userId":"1"}',
  );
  assertEquals(stateOf(controller).entities, {});
  controller.setResponse(both, { userId: "1" }, { open: [{ id: "1" }], done: [{ id: "1" }] });
  assertEquals(controller.getResponse(both, { userId: "1" }).data?.done?.length, 1);
});

Deno.test("items that hold the entity whose list they are in make one graph", () => {
  class Task extends Entity {
    id = "";
    owner: Owner | undefined = undefined;
    static key = "Task";
    static schema: { owner: typeof Owner };
  }
  class Owner extends Entity {
    id = "";
    tasks: Task[] = [];
    static key = "Owner";
    static schema = { tasks: new schema.Collection([Task]) };
  }
  Task.schema = { owner: Owner };
  const controller = new Controller();
  controller.set(Owner, "1", { id: "1", tasks: [{ id: "a", owner: "1" }, { id: "b", owner: "1" }] as never });
  const owner = controller.get(Owner, "1")!;
  assertEquals(owner.tasks.length, 2);
  assertStrictEquals(owner.tasks[0]!.owner, owner);
  assertStrictEquals(controller.get(Task, "b")!.owner!.tasks, owner.tasks);
  controller.set(Task, "a", { id: "a", extra: 1 } as never);
  const after = controller.get(Owner, "1")!;
  assert(after !== owner && after.tasks[1]!.owner === after && after.tasks[0] === controller.get(Task, "a"));
});

Deno.test("argsKey, nonFilterArgumentKeys, createCollectionFilter and key decide which lists are one, and which are meant", async () => {
  const paged = new schema.Collection([Todo], { argsKey: ({ userId }: Search = {}) => ({ userId }) });
  const getPaged = new Endpoint(async (_: Search = {}) => await answer([]), { name: "paged", schema: paged });
  const controller = new Controller();
  controller.setResponse(getPaged, { userId: "1", q: "x" }, [{ id: "a" }]);
  assertEquals(controller.get(paged, { userId: "1", q: "y" })?.length, 1);

  for (const nonFilterArgumentKeys of [["view"], /^view$/g, (name: string) => name === "view"]) {
    const viewed = new schema.Collection([Todo], { nonFilterArgumentKeys, key: "viewed" });
    const get = new Endpoint(async (_: object) => await answer([]), { name: "viewed", schema: viewed });
    const own = new Controller();
    own.setResponse(get, { view: "grid", userId: "1" }, []);
    own.setResponse(get, { orderBy: "title", userId: "1" }, []);
    await own.fetch(mutation("add", viewed.push), { id: "c", userId: "1" });
    assertEquals(own.get(viewed, { view: "grid", userId: "1" })?.length, 1);
    assertEquals(own.get(viewed, { orderBy: "title", userId: "1" })?.length, 0);
  }

  const urgent = new schema.Collection([Todo], {
    createCollectionFilter: (params?: Search) => (list) => list.q === params?.q,
    key: "urgent",
  });
  const get = new Endpoint(async (_: Search) => await answer([]), { name: "urgent", schema: urgent });
  controller.setResponse(get, { q: "a" }, []);
  controller.setResponse(get, { q: "b" }, []);
  await controller.fetch(mutation("add", urgent.push), { q: "b", id: "z" });
  assertEquals([controller.get(urgent, { q: "a" })?.length, controller.get(urgent, { q: "b" })?.length], [0, 1]);
  assertEquals(controller.get(todos, { q: "b" }), undefined);
});

Deno.test("addWith changes lists as one says", async () => {
  const controller = filled();
  const insert = new Endpoint(async (item: object) => await answer(item), {
    name: "insert",
    schema: todos.addWith((existing, incoming) => {
      const [first, ...others] = existing as string[];
      return [first, ...incoming as string[], ...others];
    }),
    sideEffect: true,
  });
  await controller.fetch(insert, { id: "c", userId: "3", status: "x" });
  assertEquals(read(controller), "acb");
});

Deno.test("a list that was asked for before an item was created, and comes after it, has it", async () => {
  for (const isSeen of [false, true]) {
    const controller = new Controller();
    if (isSeen) controller.setResponse(getTodos, { userId: "1" }, []);
    const { promise, resolve } = deferred<object[]>();
    const slow = getTodos.extend({ fetch: async (_params: Search = {}) => await promise });
    const list = controller.fetch(slow, { userId: "1" });
    await controller.fetch(push, { id: "c", userId: "1" });
    await controller.fetch(push, { id: "d", userId: "2" });
    await controller.fetch(remove, { id: "a" });
    resolve([{ id: "a", userId: "1" }, { id: "b", userId: "1" }]);
    assertEquals((await list).map(({ id }) => id), ["b", "c"]);
    assertEquals(read(controller, { userId: "1" }), "bc");
    await controller.fetch(getTodos.extend({ fetch: async (_?: Search) => await answer([{ id: "a" }]) }), {
      userId: "1",
    });
    assertEquals(read(controller, { userId: "1" }), "a");
  }
});

Deno.test("an optimistic create is in its lists at once, and goes without a trace when it is refused", async () => {
  const controller = filled();
  const { promise, reject } = deferred<object>();
  const hopeful = new Endpoint(async (_body: object) => await promise, {
    name: "hopeful",
    schema: todos.push,
    sideEffect: true,
    getOptimisticResponse: (_snapshot, body: object) => ({ ...body, id: "tmp" }),
  });
  const before = controller.getResponse(getTodos, {}).data;
  const pending = controller.fetch(hopeful, { userId: "1", title: "soon" });
  assertEquals(all(controller), ["abtmp", "atmp", "b", "b", "", "", "abtmp"]);
  await controller.fetch(getTodos.extend({ fetch: async (_?: Search) => await answer([{ id: "b" }]) }), {
    userId: "1",
  });
  assertEquals(read(controller, { userId: "1" }), "btmp");
  reject(new Error("no"));
  await pending.catch(() => {});
  assertEquals(all(controller), ["ab", "b", "b", "b", "", "", "ab"]);
  controller.getResponse(getTodos, {}).data!.forEach((todo, at) => assertStrictEquals(todo, before![at]));
});

Deno.test("an optimistic delete leaves its lists at once, and comes back to its place when it is refused", async () => {
  const controller = filled();
  const { promise, reject } = deferred<object>();
  const destroy = new Endpoint(async (_params: { id: string }) => await promise, {
    name: "destroy",
    schema: new schema.Invalidate(Todo),
    sideEffect: true,
    getOptimisticResponse: (_snapshot, params: { id: string }) => params,
  });
  const pending = controller.fetch(destroy, { id: "a" });
  assertEquals(read(controller), "b");
  reject(new Error("no"));
  await pending.catch(() => {});
  assertEquals(read(controller), "ab");
});

Deno.test("wrong shapes are typed errors, and nothing is written", () => {
  const controller = filled();
  const before = stateOf(controller);
  for (const value of [{}, "x", 1, { error: "no" }]) {
    assertThrows(() => controller.setResponse(getTodos, {}, value), NormalizeError, "expected an array");
  }
  assertStrictEquals(stateOf(controller), before);
  assertThrows(() => todos.assign, SchemaError, '"push" or "unshift"');
  assertThrows(() => new schema.Collection([{ a: Todo }]), SchemaError, "A Collection holds entities");
  assertThrows(
    () => new schema.Collection(new schema.Collection([Todo])),
    SchemaError,
    "A Collection holds entities",
  );
  // What a cycle of imports leaves of a class.
  assertThrows(() => resource({ path: "/todos/:id", schema: undefined! }), SchemaError, "The schema of a resource");
});

Deno.test("an item that its own class refuses rejects the answer, as in a plain array", async () => {
  class Detail extends Entity {
    id = "";
    text = "";
    static key = "Detail";
    static validate({ text }: { text?: string }) {
      return text === undefined ? "no text" : undefined;
    }
  }
  const controller = new Controller();
  for (const declared of [[Detail], new schema.Collection([Detail]), { rows: new schema.Collection([Detail]) }]) {
    const rows = [{ id: "1", text: "t" }, { id: "2" }];
    const get = new Endpoint(
      async () => await answer(Array.isArray(declared) || "push" in declared ? rows : { rows }),
      {
        name: "getDetails",
        schema: declared as (typeof Detail)[],
      },
    );
    const error = await controller.fetch(get).catch((reason) => reason);
    assert(error instanceof ValidationError);
    assertEquals([error.reason, error.path.endsWith("[1]")], ["no text", true]);
    assertEquals(stateOf(controller).entities, {});
  }
});

Deno.test("normalize and denormalize know collections without a store", () => {
  const { result, entities } = normalize(todos, [{ id: "a" }, { id: "b" }], [{ userId: 1 }]);
  assertEquals(result, '{"userId":"1"}');
  assertEquals(entities["[Todo]"]?.[result], { items: ["a", "b"], args: { userId: "1" } });
  assertEquals(denormalize(todos, result, entities)?.map(({ id }) => id), ["a", "b"]);
  assertEquals(denormalize({ list: todos, next: "" }, { list: result, next: "n" }, entities)?.list?.length, 2);
});

Deno.test("null is data, and a list of hostile names and ids is a list", () => {
  const controller = new Controller();
  controller.setResponse(getTodos, {}, null);
  assertEquals(controller.getResponse(getTodos, {}).data as unknown, null);
  const hostile = ["__proto__", "constructor", "toString", "[object Object]"];
  const params = Object.fromEntries(hostile.map((name) => [name, name]));
  controller.setResponse(getTodos, params as Search, hostile.map((id) => ({ id })));
  assertEquals(controller.getResponse(getTodos, params as Search).data?.map(({ id }) => id), hostile);
});

function deferred<T>(): { promise: Promise<T>; resolve(value: T): void; reject(reason: unknown): void } {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return { promise, resolve, reject };
}
