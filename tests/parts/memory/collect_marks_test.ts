import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  type AnyEndpoint,
  Controller,
  Endpoint,
  Entity,
  hydrate,
  memory,
  onCommit,
  retain,
  schema,
  stateOf,
} from "@rejoin/data";
import { hold } from "../../../src/parts/memory/retain.ts";
import { Collector } from "../../../src/parts/memory/collector.ts";
import { FakeClock } from "../../support/clock.ts";

class Todo extends Entity {
  id = "";
  title = "";
  tag = "";
  static key = "Todo";
  static indexes = ["tag"] as const;
}

class Note extends Entity {
  id = "";
  text = "";
  static key = "Note";
}

const HOUR = 3_600_000;
/** Longer than what nobody needs is kept. */
const LONG = 12 * 60_000;

const todos = new schema.Collection([Todo]);
const server = { id: "1", title: "server", tag: "home" };
const old = { id: "1", title: "old", tag: "home" };
const getTodo = new Endpoint((_: string) => Promise.resolve(server), {
  name: "getTodo",
  schema: Todo,
  dataExpiryLength: HOUR,
});
const getTagged = new Endpoint((_: { tag: string }) => Promise.resolve(server), {
  name: "getTagged",
  schema: Todo,
  dataExpiryLength: HOUR,
});
const getItem = new Endpoint((_: { id: string; type: string }) => Promise.resolve({ ...server, type: "todo" }), {
  name: "getItem",
  schema: new schema.Union({ todo: Todo, note: Note }, "type"),
  dataExpiryLength: HOUR,
});
const getCollection = new Endpoint((_: { tag: string }) => Promise.resolve([server]), {
  name: "getCollection",
  schema: todos,
  dataExpiryLength: HOUR,
});
const getList = new Endpoint(() => Promise.resolve([old]), {
  name: "getList",
  schema: [Todo],
  dataExpiryLength: HOUR,
});

function setUp(options: ConstructorParameters<typeof Controller>[0] = {}) {
  const clock = new FakeClock();
  const restore = clock.install();
  const controller = new Controller({ use: [memory({})], ...options });
  return {
    clock,
    controller,
    /** The keys that are left. */
    keys: () => [...controller.store.entries.keys()].sort(),
    [Symbol.dispose]() {
      controller.cleanup();
      restore();
    },
  };
}

type Method = "invalidate" | "expire";

/** Each is read from the record of the list, or the list of the collection, that is retained. */
const INFERRED: readonly (readonly [what: string, endpoint: AnyEndpoint, arg: unknown])[] = [
  ["by pk", getTodo, "1"],
  ["by an index", getTagged, { tag: "home" }],
  ["of a union", getItem, { id: "1", type: "todo" }],
  ["as a collection", getCollection, { tag: "home" }],
];

for (const [what, endpoint, arg] of INFERRED) {
  for (const method of ["invalidate", "expire"] as Method[]) {
    Deno.test(`${method} of a read ${what} holds as long as what would be shown in its place`, async () => {
      using app = setUp();
      const { clock, controller } = app;
      await controller.fetch(getList);
      controller.set(todos, { tag: "home" }, [old]);
      controller.setResponse(endpoint, arg, endpoint === getCollection ? [old] : { ...old, type: "todo" });
      const releases = [retain(controller, getList), retain(controller, todos, { tag: "home" })];
      controller[method](endpoint, arg);
      await clock.tickAsync(LONG);
      const { data, expiryStatus, expiresAt } = controller.getResponse(endpoint, arg);
      assertEquals([data === undefined, expiryStatus, expiresAt], [method === "invalidate", data ? 3 : 1, 0]);
      assertEquals(await controller.fetchIfStale(endpoint, arg) === undefined, false, "it is fetched");
      assert(controller.getResponse(endpoint, arg).expiresAt > 0);
      for (const release of releases) release();
      await clock.tickAsync(LONG);
      assertEquals([app.keys(), stateOf(controller).entities], [[], Object.create(null)]);
    });
  }
}

Deno.test("a mark is all that is left of an answer that was hidden, and costs no more than itself", async () => {
  using app = setUp();
  const { clock, controller } = app;
  await controller.fetch(getList);
  for (const id of ["1", "2", "3"]) await controller.fetch(getTodo, id);
  retain(controller, getList);
  for (const id of ["1", "2", "3"]) controller.setResponse(getTodo, id, { id, title: `title ${id}` });
  controller.invalidateAll(getTodo);
  const gone: string[] = [];
  onCommit(controller, ({ endpoints }) => gone.push(...endpoints.map(({ key }) => key)));
  await clock.tickAsync(LONG);
  const keys = ["1", "2", "3"].map((id) => getTodo.key(id));
  assertEquals(app.keys(), [getList.key(), ...keys].sort());
  for (const key of keys) {
    const { hasResult, result, isInvalid } = controller.store.entries.of(key)[0]!;
    assertEquals([hasResult, result, isInvalid], [false, undefined, true]);
    assertEquals(controller.store.responsesByKey.has(key), false);
    const { endpoints, meta } = stateOf(controller);
    assertEquals([key in endpoints, meta[key]?.invalid], [false, true], "what is described has it, too");
  }
  const told = gone.length;
  await clock.tickAsync(LONG);
  assertEquals(gone.length, told, "it is told of once");
});

Deno.test("where there are very many marks, the oldest go, and what they were about is stale from then on", async () => {
  using app = setUp();
  const { clock, controller } = app;
  await controller.fetch(getList);
  retain(controller, getList);
  controller.expire(getTodo, "1");
  for (let id = 2; id < 1_200; id++) controller.invalidate(getTodo, String(id));
  controller.set(Note, "1", { id: "1", text: "later" });
  retain(controller, Note, "1");
  await clock.tickAsync(LONG);
  assert(app.keys().length <= 1_001, `${app.keys().length} keys are left`);
  assertEquals(controller.store.entries.of(getTodo.key("1")), []);
  const { data, expiresAt } = controller.getResponse(getTodo, "1");
  assertEquals([data?.title, expiresAt], ["old", 0]);
  const getNote = new Endpoint((_: string) => Promise.resolve({ id: "1" }), { name: "getNote", schema: Note });
  assert(controller.getResponse(getNote, "1").expiresAt > 0, "what was written later is as fresh as it was");
});

Deno.test("an error is forgotten: it tells of one attempt, and not of the record that is shown in its place", async () => {
  using app = setUp();
  const { clock, controller } = app;
  await controller.fetch(getList);
  retain(controller, getList);
  controller.setError(getTodo, "1", new Error("down"));
  controller.invalidate(getItem, { id: "1", type: "todo" });
  controller.setError(getItem, { id: "1", type: "todo" }, new Error("down"));
  await clock.tickAsync(LONG);
  const plain = controller.getResponse(getTodo, "1");
  assertEquals([plain.expiryStatus, plain.data?.title], [3, "old"]);
  const marked = controller.getResponse(getItem, { id: "1", type: "todo" });
  assertEquals([marked.expiryStatus, marked.data], [1, undefined], "but for what was said before");
});

Deno.test("what came hydrated as invalid stays so", async () => {
  const before = new Controller();
  before.set(Todo, "1", old);
  before.invalidate(getTodo, "1");
  using app = setUp({ use: [memory({}), hydrate(stateOf(before))] });
  before.cleanup();
  const { clock, controller } = app;
  const release = retain(controller, Todo, "1");
  await clock.tickAsync(LONG);
  assertEquals(controller.getResponse(getTodo, "1").data, undefined);
  release();
});

Deno.test("whoever reads between any two steps, and invalidates then, finds what was marked marked", () => {
  for (let steps = 0, isMore = true; isMore; steps++) {
    using app = setUp({ use: [] });
    const { controller, controller: { store } } = app;
    const collector = new Collector({ store, isReading: () => false }, { maxAge: 0 }, 1);
    store.join(collector);
    for (const id of ["1", "2"]) controller.setResponse(getTodo, id, { id, title: "old" });
    controller.invalidate(getTodo, "1");
    hold(store, () => store.query(Todo, ["1"]));
    collector.begin();
    collector.begin();
    for (let done = 0; done < steps && isMore; done++) isMore = collector.step();
    assertEquals(controller.getResponse(getTodo, "1").data, undefined, `after ${steps} steps`);
    controller.invalidate(getTodo, "2");
    assert(steps < 500, "it comes to an end");
    while (collector.step());
    assertEquals(controller.getResponse(getTodo, "1").data, undefined, `after ${steps} steps, in the end`);
    assertEquals(controller.getResponse(getTodo, "2").data, undefined, `2, after ${steps} steps`);
    collector.cleanup();
  }
});

Deno.test("a mark stays while a mutation hides the record, which comes back when that fails", async () => {
  const remove = new Endpoint((_: string) => Promise.reject(new Error("no")), {
    name: "remove",
    schema: new schema.Invalidate(Todo),
    sideEffect: true,
    getOptimisticResponse: (_, id: string) => ({ id }),
  });
  for (let steps = 0, isMore = true; isMore; steps++) {
    using app = setUp({ use: [] });
    const { controller, controller: { store } } = app;
    const collector = new Collector({ store, isReading: () => false }, { maxAge: 0 }, 1);
    store.join(collector);
    controller.setResponse(getTodo, "1", old);
    controller.invalidate(getTodo, "1");
    hold(store, () => store.query(Todo, ["1"]));
    collector.begin();
    collector.begin();
    for (let done = 0; done < steps && isMore; done++) isMore = collector.step();
    const removal = assertRejects(() => controller.fetch(remove, "1"));
    assertEquals(controller.get(Todo, "1"), undefined);
    while (collector.step());
    await removal;
    assertEquals(controller.get(Todo, "1")?.title, "old");
    assertEquals(controller.getResponse(getTodo, "1").data, undefined, `after ${steps} steps`);
    assert(steps < 500, "it comes to an end");
    collector.cleanup();
  }
});

Deno.test("of one key with two shapes, each is invalidated by itself", async () => {
  using app = setUp();
  const { controller } = app;
  const other = getTodo.extend({ schema: new schema.Union({ todo: Todo }, () => "todo") });
  await controller.fetch(getTodo, "1");
  controller.invalidate(other, "1");
  assertEquals(controller.getResponse(other, "1").data, undefined);
});
