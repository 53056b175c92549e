import "../support/fixed_names.ts";
import {
  assert,
  assertEquals,
  assertNotStrictEquals,
  assertRejects,
  assertStrictEquals,
  assertThrows,
} from "@std/assert";
import * as fc from "fast-check";
import {
  createResource,
  EndpointError,
  Entity,
  keyOf,
  NormalizeError,
  onCommit,
  Query,
  resource,
  RestEndpoint,
  type RestGenerics,
  schema,
  stateOf,
  temporaryIds,
} from "@rejoin/data";
import { PatientController as Controller } from "../support/patient_controller.ts";
import { readerOf, readerOfResponse } from "../contracts/reader.ts";
import { flush } from "../support/clock.ts";
import { check, runs } from "../support/property.ts";
import { TodoServer } from "../support/todo_server.ts";

class Todo extends Entity {
  id = "";
  userId = "";
  title = "";
  done = false;
  static key = "Todo";
}
class Note extends Entity {
  id = "";
  todo: Todo | undefined = undefined;
  static key = "Note";
  static schema = { todo: Todo };
}
const allTodos = new Query(new schema.All(Todo));

/** A request that waits at the door, and whose answer waits at the other. */
interface Held {
  readonly line: string;
  readonly body: string;
  isSent: boolean;
  send(): Promise<void>;
  answer(): Promise<void>;
}

/** Endpoints whose mutations go out and come back when the test says so. */
function heldResource(origin: string) {
  const held: Held[] = [];
  const fails = new Set<string>();
  class Api<O extends RestGenerics> extends RestEndpoint<O> {
    override urlPrefix = origin;
    override async fetchResponse(url: string, init: RequestInit): Promise<Response> {
      if (init.method === "GET") return await super.fetchResponse(url, init);
      const out = Promise.withResolvers<void>();
      const back = Promise.withResolvers<void>();
      const arrived = Promise.withResolvers<void>();
      const body = String(init.body ?? "");
      const entry: Held = {
        line: `${init.method} ${url.slice(origin.length)}`,
        body,
        isSent: false,
        async send() {
          if (!entry.isSent) out.resolve();
          entry.isSent = true;
          await arrived.promise;
        },
        async answer() {
          await entry.send();
          held.splice(held.indexOf(entry), 1);
          back.resolve();
          await flush();
          await flush();
        },
      };
      held.push(entry);
      await out.promise;
      try {
        if ([...fails].some((mark) => body.includes(mark))) throw new Error("refused");
        const response = await super.fetchResponse(url, init);
        const text = await response.text();
        arrived.resolve();
        await back.promise;
        return new Response(text, { status: response.status, headers: response.headers });
      } catch (error) {
        arrived.resolve();
        await back.promise;
        throw error;
      }
    }
  }
  const todos = resource({ path: "/todos/:id", schema: Todo, Endpoint: Api, optimistic: true });
  return { ...todos, Api, held, fails };
}

const ids = (todos: readonly Todo[] | undefined) => todos?.map(({ id }) => id).join();
const ROWS = [{ id: "1", userId: "a" }, { id: "2", userId: "b" }];
const quiet = (promise: Promise<unknown>) => promise.catch((error: Error) => error);

Deno.test("an optimistic create is shown at once, and becomes the server's row in its place, without another key", async () => {
  await using server = new TodoServer(ROWS);
  const { getList, create, get, held } = heldResource(server.origin);
  using controller = new Controller();
  await controller.fetch(getList);
  await controller.fetch(getList, { userId: "a" });
  const reader = readerOfResponse<Todo[]>(controller, getList);
  const creation = controller.fetch(create, { userId: "a", title: "new" });
  assertEquals([ids(reader.value), reader.told], ["1,2,~0000000000000000-1", 1]);
  assertEquals(ids(controller.getResponse(getList, { userId: "a" }).data), "1,~0000000000000000-1");
  assertEquals(ids(controller.get(allTodos)), "1,2,~0000000000000000-1");
  const shown = controller.get(Todo, "~0000000000000000-1")!;
  assertEquals([shown.title, keyOf(shown)], ["new", "Todo ~0000000000000000-1"]);
  assert(!JSON.stringify(stateOf(controller)).includes("~"));
  await flush();
  await held[0]!.answer();
  const made = await creation;
  assertEquals([made.id, keyOf(made)], ["10", "Todo ~0000000000000000-1"]);
  assertEquals([ids(reader.value), reader.told], ["1,2,10", 2]);
  assertEquals(ids(controller.get(allTodos)), "1,2,10");
  assertStrictEquals(reader.value[2], made);
  // The name that it had is another name of it.
  assertStrictEquals(controller.get(Todo, "~0000000000000000-1"), made);
  assertStrictEquals(controller.getResponse(get, { id: "~0000000000000000-1" }).data, made);
  controller.set(Todo, "~0000000000000000-1", { title: "by its old name" });
  assertEquals(controller.get(Todo, "10")?.title, "by its old name");
  assertEquals(keyOf(controller.get(Todo, "10")!), "Todo ~0000000000000000-1");
  assertNotStrictEquals(controller.get(Todo, "10"), made);
  assert(!JSON.stringify(stateOf(controller)).includes("~"));
  assertEquals(keyOf(controller.get(Todo, "1")!), "Todo 1");
});

Deno.test("15.3 a create joins a list of those that have what only the class says of it, and the server is asked", async () => {
  await using server = new TodoServer([{ id: "1" }, { id: "2", done: true }]);
  const { Api, held } = heldResource(server.origin);
  const { getList, create } = resource({
    path: "/todos/:id",
    schema: Todo,
    Endpoint: Api,
    optimistic: true,
    filters: { state: (todo: Todo, state: string) => String(todo.done) === state },
  });
  using controller = new Controller();
  const LISTS = [{ done: false }, { done: true }, { state: "false" }, { state: "true" }];
  for (const args of LISTS) await controller.fetch(getList, args);
  const shown = () => LISTS.map((args) => ids(controller.getResponse(getList, args).data)?.replace(/~.*/, "~"));
  const stale = () =>
    LISTS.filter((args) => controller.getResponse(getList, args).expiresAt === 0).map((args) => JSON.stringify(args));
  const all = "1,2";
  assertEquals(shown(), ["1", "2", all, all]);

  const made = controller.fetch(create, { title: "new" });
  assertEquals([shown(), stale()], [["1,~", "2", `${all},~`, all], []]);
  await flush();
  await held[0]!.answer();
  await made;
  // The server has said what the class assumed.
  assertEquals([shown(), stale()], [["1,10", "2", `${all},10`, all], []]);

  for (const [id, reply] of [["11", {}], ["12", { done: true }]] as const) {
    server.reply = { body: JSON.stringify({ id: "$id", title: "other", ...reply }) };
    const made = controller.fetch(create, { title: "other" });
    assert(shown()[0]!.endsWith(",~"), id);
    await flush();
    await held[0]!.answer();
    await made;
    if (id === "11") {
      assertEquals(shown(), ["1,10,11", "2", `${all},10,11`, all]);
      assertEquals(stale(), ['{"done":false}', '{"done":true}', '{"state":"false"}']);
      server.reply = undefined;
      for (const args of LISTS) await controller.fetch(getList, args);
    } else assertEquals([shown()[0], shown()[1]], ["1,10,11", "2,12"]);
  }
});

Deno.test("rows keep their order, whichever create is answered first", async () => {
  await using server = new TodoServer(ROWS);
  const { getList, create, held } = heldResource(server.origin);
  using controller = new Controller();
  await controller.fetch(getList);
  const both = ["first", "second"].map((title) => controller.fetch(create, { userId: "a", title }));
  const titles = () => controller.getResponse(getList).data!.slice(2).map(({ title }) => title).join();
  const all = () => controller.get(allTodos)!.slice(2).map(({ title }) => title).join();
  await flush();
  assertEquals([titles(), all()], ["first,second", "first,second"]);
  await held[1]!.answer();
  assertEquals([titles(), all()], ["first,second", "first,second"]);
  await held[0]!.answer();
  assertEquals([titles(), all()], ["first,second", "first,second"]);
  const rows = await Promise.all(both);
  assertEquals(rows.map(({ id }) => id), ["11", "10"]);
  assertEquals(rows.map(keyOf), ["Todo ~0000000000000000-1", "Todo ~0000000000000000-2"]);
});

class Owner extends Entity {
  id = "";
  name = "";
  static key = "Owner";
  static tasks = new schema.HasMany(() => Task, "ownerId");
  static firstTask = new schema.HasOne(() => Task, "ownerId");
}
class Task extends Entity {
  id = "";
  ownerId = "";
  title = "";
  static key = "Task";
  static indexes = ["ownerId"] as const;
}

Deno.test("queries, relations and indexes that were asked with a temporary name go on when the server has named it", () => {
  using controller = new Controller({ strict: true, use: [temporaryIds()] });
  const make = (name: string, of: typeof Owner | typeof Task) =>
    new RestEndpoint({
      urlPrefix: "https://api.example.com",
      path: "/all",
      method: "POST",
      name,
      schema: of,
      body: {} as object,
      getOptimisticResponse: (snapshot: { temporaryId(): string }, body: object) => ({
        ...body,
        id: snapshot.temporaryId(),
      }),
    });
  const addOwner = make("addOwner", Owner);
  const addTask = make("addTask", Task);
  const named = new Query(Owner, (owner) => owner.name);
  const ofOwner = new Query(
    new schema.All(Task),
    (tasks, { ownerId }: { ownerId: string }) => tasks.filter((task) => task.ownerId === ownerId).length,
  );
  controller.set(Task, "1", { id: "1", ownerId: "x", title: "of another" });
  const creation = controller.fetch(addOwner, { name: "Ann" });
  const reads = () => [
    controller.get(Owner.tasks, "~0000000000000000-1")?.map(({ title }) => title).join(),
    controller.get(Owner.firstTask, "~0000000000000000-1")?.title,
    controller.get(named, { id: "~0000000000000000-1" }),
    controller.get(ofOwner, { ownerId: "~0000000000000000-1" }),
    controller.get(Task, { ownerId: "~0000000000000000-1" })?.title,
  ];
  // Empty now and right after: its reader has to hear that it asks with an old name nevertheless.
  const reader = readerOf(controller, Owner.tasks, "~0000000000000000-1");
  assertEquals(reads(), ["", undefined, "Ann", 0, undefined]);
  assert(controller.resolve(addOwner, { args: [{ name: "Ann" }], response: { id: "7", name: "Ann" } }));
  assertEquals(reader.told, 1);
  assertEquals(reads(), ["", undefined, "Ann", 0, undefined]);
  controller.setResponse(addTask, { ownerId: "7" }, { id: "2", ownerId: "7", title: "Write" });
  assertEquals(reads(), ["Write", "Write", "Ann", 1, "Write"]);
  return creation.then(() => {});
});

Deno.test("a request that names a pending row waits for it, and is sent with its real pk", async () => {
  await using server = new TodoServer(ROWS);
  const { getList, create, get, partialUpdate, delete: remove, Api, held } = heldResource(server.origin);
  const createNote = new Api({
    path: "/notes",
    method: "POST",
    schema: Note,
    getOptimisticResponse: (snapshot, body: object) => ({ ...body, id: snapshot.temporaryId() }),
  });
  using controller = new Controller();
  await controller.fetch(getList);
  const creation = controller.fetch(create, { userId: "a", title: "new" });
  const update = controller.fetch(partialUpdate, { id: "~0000000000000000-1" }, { title: "changed" });
  const read = controller.fetch(get, { id: "~0000000000000000-1" });
  const list = controller.fetch(getList, { userId: "~0000000000000000-1" });
  const note = quiet(
    controller.fetch(createNote, { todo: "~0000000000000000-1", deep: { in: ["~0000000000000000-1"] } } as never),
  );
  assertEquals(controller.getResponse(getList).data?.[2]?.title, "changed");
  assertEquals(controller.get(Note, "~0000000000000000-2")?.todo?.title, "changed");
  controller.expireAll({ testKey: () => true });
  assert(!JSON.stringify(stateOf(controller)).includes("~"));
  await flush();
  assertEquals([held.length, server.requests.length], [1, 1]);
  await held[0]!.answer();
  await creation;
  assertEquals(controller.getResponse(getList).data?.map(({ id, title }) => `${id} ${title}`)[2], "10 changed");
  assertEquals(controller.get(Note, "~0000000000000000-2")?.todo?.id, "10");
  assertEquals((await read).id, "10");
  assertEquals(await list, []);
  await flush();
  assertEquals(held.map(({ line, body }) => `${line} ${body}`), [
    'PATCH /todos/10 {"title":"changed"}',
    'POST /notes {"todo":"10","deep":{"in":["10"]}}',
  ]);
  await held[0]!.answer();
  assertEquals((await update).title, "changed");
  const removal = controller.fetch(remove, { id: "~0000000000000000-1" });
  assertEquals(ids(controller.getResponse(getList).data), "1,2");
  await flush();
  assertEquals(held.at(-1)!.line, "DELETE /todos/10");
  for (const request of [...held]) await request.answer();
  await removal;
  await note;
  assertEquals(ids(controller.getResponse(getList).data), "1,2");
  assertEquals(server.requests.filter((line) => line.includes("~")), []);
  assert(!JSON.stringify(stateOf(controller)).includes("~"));
});

Deno.test("when the create fails, what names it is rejected, and nothing is left of either", async () => {
  await using server = new TodoServer(ROWS);
  const { getList, create, get, update, delete: remove, held, fails } = heldResource(server.origin);
  fails.add("bad");
  using controller = new Controller();
  await controller.fetch(getList);
  const before = controller.getResponse(getList).data;
  const seen: unknown[] = [];
  const reader = readerOfResponse<Todo[]>(controller, getList);
  onCommit(controller, () => seen.push(ids(controller.get(allTodos))));
  const creation = controller.fetch(create, { title: "bad" });
  const waiting = [
    controller.fetch(update, { id: "~0000000000000000-1" }, { title: "x" }),
    controller.fetch(remove, { id: "~0000000000000000-1" }),
    controller.fetch(get, { id: "~0000000000000000-1" }),
  ];
  const reasons = Promise.all(waiting.map(quiet));
  await flush();
  await held[0]!.answer();
  await assertRejects(() => creation, Error, "refused");
  for (const reason of await reasons) {
    assert(reason instanceof EndpointError);
    assertEquals((reason.cause as Error).message, "refused");
  }
  // A name that means nothing any more is never sent.
  await assertRejects(
    () => controller.fetch(update, { id: "~0000000000000000-1" }, { title: "x" }),
    EndpointError,
    '"~0000000000000000-1"',
  );
  await assertRejects(
    () => controller.fetch(get, { id: "~0000000000000000-1" }),
    EndpointError,
    '"~0000000000000000-1"',
  );
  assertEquals(reader.value, before);
  assertEquals(ids(controller.get(allTodos)), "1,2");
  assertEquals(seen.filter((shown) => String(shown).includes("~")).length, 2, "the create, its update, and no more");
  assertEquals([controller.store.layers.length, controller.store.logs.size], [0, 0]);
  assert(!JSON.stringify(stateOf(controller)).includes("~"));
  assertEquals(server.requests, ["GET /todos"]);
});

Deno.test("a create that is answered with nothing leaves its lists to be fetched, and what waited is rejected", async () => {
  await using server = new TodoServer(ROWS);
  server.reply = { status: 204 };
  const { getList, create, update, held } = heldResource(server.origin);
  using controller = new Controller();
  await controller.fetch(getList);
  const creation = controller.fetch(create, { title: "new" });
  const waiting = quiet(controller.fetch(update, { id: "~0000000000000000-1" }, { title: "x" }));
  await flush();
  await held[0]!.answer().catch(() => {});
  await quiet(creation);
  assert(await waiting instanceof EndpointError);
  assertEquals(ids(controller.getResponse(getList).data), "1,2");
});

Deno.test("what is only shown cannot be written by hand", async () => {
  await using server = new TodoServer(ROWS);
  const { getList, create, held } = heldResource(server.origin);
  using controller = new Controller();
  await controller.fetch(getList);
  const creation = controller.fetch(create, { title: "new" });
  assertThrows(
    () => controller.set(Todo, "~0000000000000000-1", { title: "x" }),
    NormalizeError,
    '"~0000000000000000-1" names a record',
  );
  assertThrows(
    () => controller.set(Note, { id: "5" }, { todo: "~0000000000000000-1" } as never),
    NormalizeError,
    '"~0000000000000000-1"',
  );
  assertThrows(
    () => controller.setResponse(getList, {}, [{ id: "~0000000000000000-1" }]),
    NormalizeError,
    '"~0000000000000000-1"',
  );
  await flush();
  await held[0]!.answer();
  await creation;
  controller.set(Note, { id: "5" }, { todo: "~0000000000000000-1" } as never);
  assertEquals(stateOf(controller).entities.Note?.["5"]?.todo, "10");
});

Deno.test("a reset forgets the names, and what waits is rejected", async () => {
  await using server = new TodoServer(ROWS);
  const { getList, create, update, held } = heldResource(server.origin);
  using controller = new Controller();
  await controller.fetch(getList);
  const creation = quiet(controller.fetch(create, { title: "new" }));
  const waiting = quiet(controller.fetch(update, { id: "~0000000000000000-1" }, { title: "x" }));
  await flush();
  controller.resetEntireStore();
  assertEquals([(await creation as Error).name, (await waiting as Error).name], ["OvertakenError", "OvertakenError"]);
  await held[0]!.answer();
  assertEquals(controller.get(Todo, "~0000000000000000-1"), undefined);
  const again = quiet(controller.fetch(create, { title: "again" }));
  assertEquals(controller.get(Todo, "~0000000000000000-2")?.title, "again");
  await flush();
  await held[0]!.answer();
  await again;
});

Deno.test("pks of other names, several records at once, and pks that the app makes itself", () => {
  class Film extends Entity {
    slug = "";
    title = "";
    pk() {
      return this.slug;
    }
    static key = "Film";
  }
  class Seat extends Entity {
    row = "";
    number = "";
    pk() {
      return this.row && `${this.row}-${this.number}`;
    }
    static key = "Seat";
  }
  const films = createResource({ path: "/films/:slug", schema: Film, optimistic: true });
  const seats = createResource({ path: "/seats/:id", schema: Seat, optimistic: true });
  const bulk = resource({ path: "/todos/:id", schema: Todo, optimistic: true });
  using controller = new Controller({ use: [temporaryIds()] });
  const pending = { fetch: () => new Promise<never>(() => {}) };
  const shown = new Query(new schema.All(Film));
  quiet(controller.fetch(films.create.extend(pending), { title: "Alien" }));
  quiet(controller.fetch(films.create.extend(pending), { slug: "own", title: "Aliens" }));
  assertEquals(controller.get(shown)?.map(({ slug, title }) => `${slug} ${title}`), [
    "~0000000000000000-1 Alien",
    "own Aliens",
  ]);
  // What the server will make of several members cannot be guessed.
  quiet(controller.fetch(seats.create.extend(pending), { number: "5" }));
  assertEquals(controller.get(new Query(new schema.All(Seat))), undefined);
  controller.setResponse(bulk.getList, {}, []);
  const many = bulk.getList.push.extend({ ...pending, body: [] as Partial<Todo>[] });
  quiet(controller.fetch(many, [{ title: "a" }, { title: "b" }]));
  assertEquals(controller.getResponse(bulk.getList, {}).data?.map(({ title }) => title), ["a", "b"]);
  quiet(controller.fetch(bulk.create.extend(pending), new Blob(["bytes"]) as never));
  assertEquals(controller.getResponse(bulk.getList, {}).data?.length, 2);
});

Deno.test("a pk that is a number for the server is sent as one", async () => {
  class Reel extends Entity {
    id = 0;
    title = "";
    sequel: Reel | null = null;
    static key = "Reel";
    static schema: { sequel: typeof Reel };
  }
  Reel.schema = { sequel: Reel };
  const sent: unknown[] = [];
  const first = Promise.withResolvers<object>();
  const reels = createResource({ path: "/reels/:id", schema: Reel, optimistic: true });
  const create = reels.create.extend({ fetch: () => first.promise });
  const update = reels.partialUpdate.extend({
    fetch: async (...args: unknown[]) => (sent.push(args), await Promise.resolve({ id: 5, title: "later" })),
  });
  using controller = new Controller({ use: [temporaryIds()] });
  const creation = controller.fetch(create, { title: "new" });
  const change = controller.fetch(
    update,
    { id: "~0000000000000000-1" },
    { sequel: "~0000000000000000-1", title: "changed" } as never,
  );
  const form = new FormData();
  form.append("sequel", "~0000000000000000-1");
  form.append("file", new Blob(["bytes"]));
  const upload = controller.fetch(update.extend({ body: undefined as FormData | undefined }), { id: 4 }, form);
  assertEquals(controller.get(Reel, "~0000000000000000-1")?.title, "changed");
  first.resolve({ id: 57, title: "new" });
  await creation;
  const reel = controller.get(Reel, "57")!;
  assertEquals([reel.id, reel.title, keyOf(reel)], [57, "changed", "Reel ~0000000000000000-1"]);
  assertStrictEquals(reel.sequel, reel);
  await Promise.all([change, upload]);
  assertEquals(sent[0], [{ id: 57 }, { sequel: 57, title: "changed" }]);
  const [, sentForm] = sent[1] as [object, FormData];
  assertEquals([sentForm.get("sequel"), form.get("sequel")], ["57", "~0000000000000000-1"]);
  assertEquals((sentForm.get("file") as File).size, 5);
});

Deno.test("without a Collection a create is shown under an id that is of no use, and becomes the server's row", async () => {
  class Film extends Entity {
    slug = "";
    title = "";
    pk() {
      return this.slug;
    }
    static key = "Film";
  }
  let sent = 0;
  const reply = Promise.withResolvers<object>();
  const films = createResource({
    path: "/films/:slug",
    schema: Film,
    optimistic: true,
  });
  const create = films.create.extend({ fetch: async () => (sent++, await reply.promise) });
  using controller = new Controller();
  const all = new Query(new schema.All(Film), (all) => all.map(({ slug, title }) => [slug, title]));
  controller.set(Film, { slug: "a" }, { slug: "a", title: "A" });
  const creation = controller.fetch(create, { title: "new" });
  const slug = controller.getResponse(all).data![1]![0]!;
  assert(slug.startsWith("~"));
  for (
    const call of [
      () => controller.fetch(films.partialUpdate, { slug }, { title: "newer" }),
      () => controller.fetch(create, { title: slug }),
      () => controller.fetch(films.get, { slug }),
    ]
  ) await assertRejects(call, EndpointError, "temporary id");
  assertEquals(sent, 1);
  assertEquals(controller.getResponse(all).data, [["a", "A"], [slug, "new"]]);
  reply.resolve({ slug: "b", title: "new" });
  await creation;
  assertEquals(controller.getResponse(all).data, [["a", "A"], ["b", "new"]]);
  assert(!JSON.stringify(stateOf(controller)).includes("~"));
});

Deno.test("the verbs of a list show what they will do", async () => {
  await using server = new TodoServer(ROWS);
  const { getList, held } = heldResource(server.origin);
  using controller = new Controller();
  for (const params of [{}, { userId: "a" }, { userId: "b" }]) await controller.fetch(getList, params);
  const shown = () => [{}, { userId: "a" }, { userId: "b" }].map((p) => ids(controller.getResponse(getList, p).data));
  const before = shown();
  const calls = [
    controller.fetch(getList.unshift, { userId: "a", title: "first" }),
    controller.fetch(getList.move, { id: "2" }, { userId: "a" }),
    controller.fetch(getList.remove, { id: "1" }),
  ];
  assertEquals(shown(), ["~0000000000000000-1,2", "~0000000000000000-1,2", ""]);
  await flush();
  server.reply = { status: 403 };
  for (const request of [...held]) await request.answer();
  for (const call of calls) await quiet(call);
  assertEquals(shown(), before);
});

Deno.test("remove shows that an item leaves, which a bare pk names, a number, too", async () => {
  await using server = new TodoServer(ROWS);
  const { getList, held } = heldResource(server.origin);
  using controller = new Controller();
  await controller.fetch(getList, {});
  const shown = () => ids(controller.getResponse(getList, {}).data);
  const before = shown();
  assert(before!.includes("1"));
  for (const pk of ["1", 1]) {
    const removal = controller.fetch(getList.remove, pk as never);
    assert(!shown()!.includes("1"));
    await flush();
    server.reply = { status: 403 };
    await held.at(-1)!.answer();
    await quiet(removal);
    assertEquals(shown(), before);
  }
});

type Command =
  | { readonly do: "create"; readonly fails: boolean; readonly list: number }
  | { readonly do: "update" | "delete"; readonly target: number }
  | { readonly do: "send" | "answer"; readonly request: number }
  | { readonly do: "read" };

const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ do: fc.constant("create" as const), fails: fc.boolean(), list: fc.nat(1) }),
  fc.record({ do: fc.constantFrom("update" as const, "delete" as const), target: fc.nat(5) }),
  fc.record({ do: fc.constantFrom("send" as const, "answer" as const), request: fc.nat(5) }),
  fc.record({ do: fc.constantFrom("send" as const, "answer" as const), request: fc.nat(5) }),
  fc.record({ do: fc.constant("read" as const) }),
);

Deno.test("any interleaving of creates, changes of what they show, and failures", async () => {
  await using server = new TodoServer([]);
  const { getList, create, partialUpdate, delete: remove, held, fails } = heldResource(server.origin);
  fails.add('"refused');
  const property = fc.asyncProperty(fc.array(command, { minLength: 3, maxLength: 14 }), async (commands) => {
    server.rows.clear();
    server.requests.length = 0;
    held.length = 0;
    using controller = new Controller();
    await controller.fetch(getList, {});
    await controller.fetch(getList, { userId: "u0" });
    const made: { readonly name: string; readonly key: string }[] = [];
    const calls: Promise<unknown>[] = [];
    let titles = 0;
    const verify = () => {
      for (const params of [{}, { userId: "u0" }]) {
        const rows = controller.getResponse(getList, params).data!;
        const names = rows.map(({ id }) => id);
        assertEquals(new Set(names).size, names.length, `twice: ${names}`);
        assertEquals(new Set(rows.map(keyOf)).size, rows.length, `keys twice: ${rows.map(keyOf)}`);
        for (const { name, key } of made) {
          const row = controller.get(Todo, name);
          if (row !== undefined) assertEquals(keyOf(row), key);
          // Once it is named, no row has the temporary name.
          if (row !== undefined && row.id !== name) assert(!names.includes(name));
        }
      }
      const state = JSON.stringify(stateOf(controller));
      assert(!/~[0-9a-f]{16}-/.test(state), state);
    };
    for (const step of commands) {
      if (step.do === "create") {
        const title = `${step.fails ? "refused" : "ok"} ${++titles}`;
        calls.push(quiet(controller.fetch(create, { title, userId: `u${step.list}` })));
        const row = controller.getResponse(getList, {}).data!.find((todo) => todo.title === title)!;
        made.push({ name: row.id, key: keyOf(row) });
      } else if (step.do === "read") {
        await controller.fetch(getList, {});
      } else if ("request" in step) {
        const request = held[step.request % (held.length || 1)];
        if (request !== undefined) await request[step.do]();
      } else if ("target" in step && made.length > 0) {
        const { name: id } = made[step.target % made.length]!;
        const call = step.do === "update"
          ? controller.fetch(partialUpdate, { id }, { title: `changed ${++titles}` })
          : controller.fetch(remove, { id });
        calls.push(quiet(call));
      }
      await flush();
      verify();
    }
    for (let request = held[0]; request !== undefined; request = held[0]) await request.answer();
    await Promise.all(calls);
    verify();
    assertEquals([controller.store.layers.length, controller.store.logs.size], [0, 0]);
    const rest = await controller.fetch(getList, {});
    assertEquals(
      rest.map(({ id, title }) => [id, title]),
      [...server.rows.values()].map(({ id, title }) => [id, title]),
    );
    assertEquals(server.requests.filter((line) => line.includes("~")), []);
    for (const call of calls) assert(!/failed: 418/.test(String(await call)), String(await call));
  });
  await check(property, { name: "optimistic_create", runs: runs(1_000, 20_000) });
});
