import { mount, settled } from "../support/dom.ts";
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import {
  Controller,
  createResource,
  Endpoint,
  Entity,
  hydrate,
  resource,
  schema,
  snapshotOf,
  stateOf,
} from "@rejoin/data";
import { AsyncBoundary, DataProvider, useSuspense } from "@rejoin/data/preact";

class User extends Entity {
  id = "";
  name = "";
  static key = "User";
}
class Todo extends Entity {
  id = "";
  title = "";
  /** The client-side join: a bare pk, required. */
  userId = User.fromJS({});
  static key = "Todo";
  static schema = { userId: User };
}

const ANN = { id: "1", name: "Ann" };
const BO = { id: "2", name: "Bo" };

/** Todos with bare keys of users, and users; keeps what it was asked. */
function serve({ users = [ANN, BO] as object[] } = {}) {
  const requests: string[] = [];
  const todos = ["1", "2", "9"].map((userId, at) => ({ id: `t${at}`, title: `Todo ${at}`, userId }));
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    requests.push(`${request.method} ${pathname}`);
    const [, kind, id] = pathname.split("/");
    await request.text();
    if (request.method === "DELETE") return Response.json({ id });
    const rows: object[] = kind === "todos" ? todos : users;
    if (id === undefined) return Response.json(rows);
    const row = rows.find((one) => (one as { id: string }).id === id);
    return row === undefined ? new Response(null, { status: 404 }) : Response.json(row);
  });
  const urlPrefix = `http://127.0.0.1:${server.addr.port}`;
  return {
    requests,
    todos,
    TodoResource: createResource({ urlPrefix, path: "/todos/:id", schema: Todo }),
    LiveTodos: resource({ urlPrefix, path: "/todos/:id", schema: Todo }),
    UserResource: createResource({ urlPrefix, path: "/users/:id", schema: User }),
    [Symbol.asyncDispose]: async () => await server.shutdown(),
  };
}

const shape = (todos: readonly Todo[]) => todos.map(({ id, userId }) => [id, userId?.name]);

for (const first of ["todos", "users"]) {
  Deno.test(`13.E2 a client-side join by two fetches side by side shows all todos, ${first} first`, async () => {
    await using api = serve();
    const { TodoResource: { getList }, UserResource } = api;
    const controller = new Controller();
    const fetches = [() => controller.fetch(getList), () => controller.fetch(UserResource.getList)];
    if (first === "users") fetches.reverse();
    const [one, two] = [fetches[0]!(), fetches[1]!()];
    await Promise.all([one, two]);
    const joined = [["t0", "Ann"], ["t1", "Bo"], ["t2", undefined]];
    assertEquals(shape(controller.getResponse(getList).data!), joined);
    // A refetch of what is cached is the same as the first fetch.
    assertEquals(shape(await controller.fetch(getList)), joined);
    assertEquals(shape(await new Controller().fetch(getList)), joined.map(([id]) => [id, undefined]));
  });
}

Deno.test("13.E2 two components join side by side: all todos are there at once, and fill in", async () => {
  await using api = serve();
  const { TodoResource: { getList }, UserResource } = api;
  const controller = new Controller();
  const List = () => <p>{shape(useSuspense(getList)).map(([id, name]) => `${id}:${name ?? "?"}`).join(" ")}</p>;
  const Users = () => <i>{useSuspense(UserResource.getList).length}</i>;
  await using app = mount(
    <DataProvider controller={controller}>
      <AsyncBoundary fallback="…">
        <List />
      </AsyncBoundary>
      <AsyncBoundary fallback="…">
        <Users />
      </AsyncBoundary>
    </DataProvider>,
  );
  for (let turn = 0; turn < 100 && app.text !== "t0:Ann t1:Bo t2:?2"; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    await settled();
  }
  assertEquals(app.text, "t0:Ann t1:Bo t2:?2");
  assertEquals(api.requests.toSorted(), ["GET /todos", "GET /users"]);
  controller.cleanup();
});

Deno.test("13.A12 a list with one dangling foreign key is shown whatever is cached", async () => {
  await using api = serve();
  for (const getList of [api.TodoResource.getList, api.LiveTodos.getList]) {
    for (const cached of [[], [ANN], [ANN, BO]]) {
      const controller = new Controller();
      for (const user of cached) controller.set(User, user.id, user);
      assertEquals((await controller.fetch(getList)).map(({ id }) => id), ["t0", "t1", "t2"]);
      assertEquals(controller.getResponse(getList).data!.length, 3);
    }
  }
});

Deno.test("13.A12 a deleted user takes its todos out of lists, and a later answer that names it brings them back", async () => {
  await using api = serve();
  const { TodoResource: { get, getList }, LiveTodos, UserResource } = api;
  const controller = new Controller();
  await Promise.all([getList, LiveTodos.getList, UserResource.getList].map((endpoint) => controller.fetch(endpoint)));
  await controller.fetch(get, { id: "t1" });
  await controller.fetch(UserResource.delete, { id: "2" });
  for (const list of [getList, LiveTodos.getList]) {
    assertEquals(shape(controller.getResponse(list).data!), [["t0", "Ann"], ["t2", undefined]]);
  }
  assertEquals(controller.getResponse(get, { id: "t1" }).data, undefined);
  assertEquals(controller.get(Todo, "t1"), undefined);
  // The server keeps the key: whoever asks now does not know that there was a user.
  assertEquals((await controller.fetch(get, { id: "t1" })).userId as unknown, undefined);
  for (const list of [getList, LiveTodos.getList]) {
    assertEquals(shape(controller.getResponse(list).data!), [["t0", "Ann"], ["t1", undefined], ["t2", undefined]]);
  }
});

Deno.test("13.A12 a list that was asked for before a delete and comes later leaves the item out, and is not refused", async () => {
  let reply: (rows: object[]) => void = () => {};
  const getTodos = new Endpoint(async () => await new Promise<object[]>((resolve) => reply = resolve), {
    name: "getTodos",
    schema: [Todo],
  });
  const controller = new Controller();
  controller.set(User, "1", ANN);
  controller.set(User, "2", BO);
  const fetched = controller.fetch(getTodos);
  controller.set(new schema.Invalidate(User), { id: "2" });
  reply([{ id: "a", userId: "1" }, { id: "b", userId: "2" }]);
  assertEquals(shape(await fetched), [["a", "Ann"]]);
});

/** Lists whose items are objects of members. */
const SCORES = {
  "an array": [[{ user: User, score: 0 }], [{ user: ANN, score: 1 }, { user: BO, score: 2 }]],
  "Values": [new schema.Values({ user: User, score: 0 }), { a: { user: ANN, score: 1 }, b: { user: BO, score: 2 } }],
  "a member": [{ rows: [{ user: User, score: 0 }], total: 0 }, {
    rows: [{ user: ANN, score: 1 }, { user: BO, score: 2 }],
    total: 2,
  }],
  "objects in objects": [[{ entry: { user: User }, score: 0 }], [
    { entry: { user: ANN }, score: 1 },
    { entry: { user: BO }, score: 2 },
  ]],
  "schema.Object": [new schema.Array(new schema.Object({ user: User, score: 0 })), [
    { user: ANN, score: 1 },
    { user: BO, score: 2 },
  ]],
} as const;

for (const [name, [declared, body]] of Object.entries(SCORES)) {
  Deno.test(`13.A12 an object in ${name} whose user was deleted is left out, and the others stay`, () => {
    const getScores = new Endpoint(async () => await Promise.resolve(), {
      name: "getScores",
      schema: declared as never,
    });
    const controller = new Controller();
    const scores = () =>
      JSON.stringify(controller.getResponse(getScores).data ?? "no data").match(/"score":\d/g)?.map((text) =>
        text.at(-1)
      );
    controller.setResponse(getScores, structuredClone(body));
    assertEquals(scores(), ["1", "2"]);
    controller.set(new schema.Invalidate(User), { id: "2" });
    assertEquals(scores(), ["1"]);
    controller.set(User, "2", BO);
    assertEquals(scores(), ["1", "2"]);
  });

  Deno.test(`13.A12 an object in ${name} whose user was never here stays`, () => {
    const bare = JSON.parse(JSON.stringify(body).replace(JSON.stringify(BO), '"2"'));
    const getScores = new Endpoint(async () => await Promise.resolve(), {
      name: "getScores",
      schema: declared as never,
    });
    const controller = new Controller();
    controller.setResponse(getScores, bare);
    const read = () => JSON.stringify(controller.getResponse(getScores).data);
    assert(read().includes('"score":2') && !read().includes("Bo"), read());
    controller.set(User, "2", BO);
    assert(read().includes("Bo"), read());
  });
}

Deno.test("13.A12 an object in an array of an entity whose user was deleted is left out of it", () => {
  class Game extends Entity {
    id = "";
    scores: { user?: User | undefined; score: number }[] = [];
    best: { user?: User | undefined } = {};
    static key = "Game";
    static schema = { scores: [{ user: User, score: 0 }], best: { user: User } };
  }
  const controller = new Controller();
  const best = { user: BO };
  controller.set(Game, "1", { id: "1", scores: [{ user: ANN, score: 1 }, { user: BO, score: 2 }], best } as never);
  assertEquals(controller.get(Game, "1")!.scores.length, 2);
  controller.set(new schema.Invalidate(User), { id: "2" });
  const game = controller.get(Game, "1")!;
  assertEquals([game.scores.map(({ score }) => score), game.best.user], [[1], undefined]);
});

Deno.test("13.A12 an optimistic delete hides what requires the record, and a rollback shows it again", async () => {
  const controller = new Controller();
  const list = new Endpoint(async () => await Promise.resolve([]), { name: "list", schema: [Todo] });
  controller.setResponse(list, [{ id: "a", userId: ANN }, { id: "b", userId: BO }]);
  let refuse: (reason: Error) => void = () => {};
  const remove = new Endpoint(async (_: { id: string }) => await new Promise((_, reject) => refuse = reject), {
    name: "remove",
    schema: new schema.Invalidate(User),
    sideEffect: true,
    getOptimisticResponse: (_snapshot, params: { id: string }) => params,
  });
  const removed = controller.fetch(remove, { id: "2" });
  assertEquals(shape(controller.getResponse(list).data!), [["a", "Ann"]]);
  refuse(new Error("no"));
  await removed.catch(() => {});
  assertEquals(shape(controller.getResponse(list).data!), [["a", "Ann"], ["b", "Bo"]]);
});

Deno.test("13.E2 a detail that a list would serve, with a required reference missing, is fetched once", async () => {
  await using api = serve();
  const { TodoResource: { get, getList } } = api;
  const controller = new Controller();
  await controller.fetch(getList);
  assertEquals(controller.getResponse(get, { id: "t2" }).data, undefined);
  // By schema it is read as it is.
  assertEquals(controller.get(Todo, "t2")?.title, "Todo 2");
  const Detail = () => {
    const { title, userId } = useSuspense(get, { id: "t2" });
    return <p>{`${title} ${userId?.name ?? "nobody"}`}</p>;
  };
  await using app = mount(
    <DataProvider controller={controller}>
      <AsyncBoundary fallback="…">
        <Detail />
      </AsyncBoundary>
    </DataProvider>,
  );
  for (let turn = 0; turn < 100 && !app.text.startsWith("Todo"); turn++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    await settled();
  }
  assertEquals(app.text, "Todo 2 nobody");
  await new Promise((resolve) => setTimeout(resolve, 30));
  await settled();
  assertEquals(api.requests, ["GET /todos", "GET /todos/t2"]);
  // It is filled in when it comes.
  controller.set(User, "9", { id: "9", name: "Cy" });
  await settled();
  assertEquals(app.text, "Todo 2 Cy");
  controller.cleanup();
});

Deno.test("13.E2 a detail whose required reference is here is served from the list", async () => {
  await using api = serve();
  const { TodoResource: { get, getList }, UserResource } = api;
  const controller = new Controller();
  await Promise.all([controller.fetch(getList), controller.fetch(UserResource.getList)]);
  assertEquals(controller.getResponse(get, { id: "t0" }).data?.userId.name, "Ann");
  const getWrapped = get.extend({ schema: { data: Todo } });
  assertEquals(controller.getResponse(getWrapped, { id: "t0" }).data?.data?.id, "t0");
  assertEquals(controller.getResponse(getWrapped, { id: "t2" }).data, undefined);
});

Deno.test("13.E2 in strict mode a warning names holder, member and pk, once", () => {
  const list = new Endpoint(async () => await Promise.resolve([]), { name: "list", schema: [Todo] });
  const warnings: string[] = [];
  const { warn } = console;
  console.warn = (text: string) => void warnings.push(text);
  try {
    for (const strict of [true, false]) {
      const controller = new Controller({ strict });
      for (let turn = 0; turn < 2; turn++) {
        controller.setResponse(list, [{ id: "a", userId: "1" }, { id: "b", userId: "2" }, { id: "c", userId: ANN }]);
        controller.getResponse(list);
      }
    }
  } finally {
    console.warn = warn;
  }
  assertEquals(warnings.length, 1);
  for (const part of [`"userId" of Todo "b"`, `User "2"`, "userId: User | undefined = undefined"]) {
    assert(warnings[0]!.includes(part), warnings[0]);
  }
});

Deno.test("13.A12 a state carries what was deleted, and what was never here is not in it", () => {
  const list = new Endpoint(async () => await Promise.resolve([]), { name: "list", schema: [Todo] });
  const before = new Controller();
  before.setResponse(list, [{ id: "a", userId: ANN }, { id: "b", userId: BO }, { id: "c", userId: "9" }]);
  before.set(new schema.Invalidate(User), { id: "2" });
  const shown = [["a", "Ann"], ["c", undefined]];
  assertEquals(shape(before.getResponse(list).data!), shown);
  const initialState = JSON.parse(JSON.stringify(stateOf(before)));
  assertEquals(Object.keys(initialState.entities.User), ["1"]);
  const after = new Controller({ use: [hydrate(initialState)] });
  assertEquals(shape(after.getResponse(list).data!), shown);
  const replaced = new Controller();
  hydrate(replaced, initialState);
  assertEquals(shape(replaced.getResponse(list).data!), shown);
  assertEquals(stateOf(after), stateOf(before));
  // What is said now is later than all of it.
  after.set(Todo, "b", { userId: "2" } as never);
  assertEquals(shape(after.getResponse(list).data!), [["a", "Ann"], ["b", undefined], ["c", undefined]]);
});

Deno.test("13.A12 a snapshot keeps apart what was deleted and what was never here", () => {
  const list = new Endpoint(async () => await Promise.resolve([]), { name: "list", schema: [Todo] });
  const controller = new Controller();
  controller.setResponse(list, [{ id: "b", userId: BO }, { id: "c", userId: "9" }]);
  controller.set(new schema.Invalidate(User), { id: "2" });
  const snapshot = snapshotOf(controller);
  controller.set(User, "2", BO);
  controller.set(User, "9", { id: "9", name: "Cy" });
  assertEquals(shape(snapshot.getResponse(list).data!), [["c", undefined]]);
  assertEquals(shape(controller.getResponse(list).data!), [["b", "Bo"], ["c", "Cy"]]);
});

Deno.test("13.A12 a delete of what nobody knew is a delete, for those who refer to it already", () => {
  const list = new Endpoint(async () => await Promise.resolve([]), { name: "list", schema: [Todo] });
  const controller = new Controller();
  controller.setResponse(list, [{ id: "a", userId: ANN }, { id: "b", userId: "2" }]);
  assertEquals(shape(controller.getResponse(list).data!), [["a", "Ann"], ["b", undefined]]);
  const before = controller.getResponse(list).data!;
  controller.set(new schema.Invalidate(User), { id: "2" });
  assertEquals(shape(controller.getResponse(list).data!), [["a", "Ann"]]);
  assertStrictEquals(controller.getResponse(list).data![0], before[0]);
});
