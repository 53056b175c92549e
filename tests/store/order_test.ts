import { assert, assertEquals, assertInstanceOf, assertRejects } from "@std/assert";
import { createResource, Endpoint, Entity, OvertakenError, schema, stateOf } from "@rejoin/data";
import { PatientController as Controller } from "../support/patient_controller.ts";
import { watch } from "../../src/store/watch.ts";
import { FakeClock, flush } from "../support/clock.ts";
import { FaultFetch, type Held } from "../support/fault_fetch.ts";
import { Wire } from "../support/wire.ts";

class Article extends Entity {
  id = "";
  title = "";
  note = "";
  pk() {
    return this.id;
  }
  static key = "Article";
}

/** All orders of the steps of several processes, each of which keeps its own order. */
function interleavings(lengths: readonly number[]): number[][] {
  if (lengths.every((length) => length === 0)) return [[]];
  return lengths.flatMap((length, process) =>
    length === 0 ? [] : interleavings(lengths.with(process, length - 1)).map((rest) => [process, ...rest])
  );
}

const ArticleResource = createResource({ urlPrefix: "https://api.test", path: "/articles/:id", schema: Article });

/** A server in process, with a start, an effect and an answer of each request in the hands of the test. */
function startServer() {
  const articles = new Map([["1", { id: "1", title: "old", note: "" }], ["2", { id: "2", title: "two", note: "" }]]);
  const api = new FaultFetch(async (request) => {
    const id = new URL(request.url).pathname.split("/")[2];
    if (request.method === "DELETE") articles.delete(id!);
    if (request.method === "PATCH") Object.assign(articles.get(id!)!, await request.json());
    if (request.method === "DELETE") return new Response(null, { status: 204 });
    if (id === undefined) return Response.json([...articles.values()]);
    return articles.has(id) ? Response.json(articles.get(id)) : Response.json({ error: "gone" }, { status: 404 });
  });
  api.always(() => true, { hold: "both" });
  return api;
}

/** What waits for the test, of one request. */
function heldOf(api: FaultFetch, match: (request: Request) => boolean): Held {
  const held = api.held.find(({ request }) => match(request));
  assert(held !== undefined, "it does not wait");
  return held;
}

for (const read of ["list", "get"] as const) {
  for (const mutation of ["PATCH", "DELETE"] as const) {
    Deno.test(`a ${read} never hides a confirmed ${mutation}, in all 20 orders of start, effect and answer`, async () => {
      const orders = interleavings([3, 3]);
      assertEquals(orders.length, 20);
      for (const order of orders) {
        const api = startServer();
        using _ = api.install();
        using controller = new Controller();
        controller.set(Article, { id: "1" }, { id: "1", title: "old" });
        let confirmed = false;
        const steps = [
          [
            () => {
              const reading = read === "list"
                ? controller.fetch(ArticleResource.getList)
                : controller.fetch(ArticleResource.get, { id: "1" });
              reading.catch((error) => assert(mutation === "DELETE", String(error)));
            },
            () => heldOf(api, ({ method }) => method === "GET").release(),
            () => heldOf(api, ({ method }) => method === "GET").release(),
          ],
          [
            () => {
              if (mutation === "PATCH") controller.fetch(ArticleResource.partialUpdate, { id: "1" }, { title: "new" });
              else controller.fetch(ArticleResource.delete, { id: "1" });
            },
            () => heldOf(api, ({ method }) => method === mutation).release(),
            () => {
              heldOf(api, ({ method }) => method === mutation).release();
              confirmed = true;
            },
          ],
        ] as const;
        const at = [0, 0];
        for (const process of order) {
          steps[process]![at[process]!++]!();
          await flush();
          if (!confirmed) continue;
          const expected = mutation === "PATCH" ? "new" : undefined;
          assertEquals(controller.get(Article, { id: "1" })?.title, expected, order.join());
          const list = controller.getResponse(ArticleResource.getList).data;
          assertEquals(list?.find(({ id }) => id === "1")?.title, list && expected, order.join());
        }
        assertEquals(controller.store.sequence.size, 0);
        assertEquals(controller.store.logs.size, 0);
      }
    });
  }
}

Deno.test("a list never hides two confirmed edits of two records, in all 1,680 orders", async () => {
  const orders = interleavings([3, 3, 3]);
  assertEquals(orders.length, 1_680);
  for (const order of orders) {
    const wire = new Wire();
    const list = new Endpoint(wire.fn("list"), { name: "list", schema: [Article] });
    const patch = new Endpoint(wire.fn<[id: string]>("patch"), {
      name: "patch",
      schema: Article,
      sideEffect: true,
    });
    using controller = new Controller();
    const server = new Map(["1", "2"].map((id) => [id, { id, title: "old" }]));
    const answers: unknown[] = [];
    const calls: number[] = [];
    const confirmed = new Set<string>();
    const start = (process: number) => {
      calls[process] = wire.calls.length;
      if (process === 0) controller.fetch(list);
      else controller.fetch(patch, String(process));
    };
    const apply = (process: number) => {
      if (process > 0) server.get(String(process))!.title = "new";
      answers[process] = structuredClone(process === 0 ? [...server.values()] : server.get(String(process)));
    };
    const answer = async (process: number) => {
      await wire.calls[calls[process]!]!.reply(answers[process]);
      if (process > 0) confirmed.add(String(process));
    };
    const at = [0, 0, 0];
    for (const process of order) {
      await [start, apply, answer][at[process]!++]!(process);
      for (const id of confirmed) assertEquals(controller.get(Article, id)?.title, "new", order.join());
    }
    assertEquals(controller.getResponse(list).data?.map(({ id }) => id), ["1", "2"]);
    assertEquals(controller.store.logs.size, 0, order.join());
  }
});

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
  const remove = new Endpoint(wire.fn<[id: string]>("remove"), {
    name: "remove",
    schema: new schema.Invalidate(Article),
    sideEffect: true,
  });
  const markOf = (view: Parameters<typeof watch>[1]) => (view.read(controller.store.graph) as { mark: number }).mark;
  const viewOf = (id: string) => controller.store.response(get, [id], get.key(id));
  const listView = controller.store.response(list, [], list.key());
  return { wire, controller, get, list, patch, remove, markOf, viewOf, listView };
}

for (const first of [0, 1] as const) {
  Deno.test(`two PATCHes of one record that overlap leave it stale when number ${first} is answered first`, async () => {
    const { wire, controller, get, list, patch, markOf, viewOf, listView } = setUp();
    const fetched = controller.fetch(list);
    await wire.last.reply([{ id: "1", title: "a" }, { id: "2", title: "b" }]);
    await fetched;
    // One reader has an entry of its own, one is inferred from the list, one shows another record.
    const own = controller.fetch(get, "1");
    await wire.last.reply({ id: "1", title: "a" });
    await own;
    let told = 0;
    const inferred = get.extend({ name: "inferred" });
    const inferredView = controller.store.response(inferred, ["1"], inferred.key("1"));
    for (const view of [viewOf("1"), listView, inferredView]) watch(controller.store, view, () => told++);
    assert(controller.getResponse(inferred, "1").expiresAt > 0);
    assertEquals(controller.getResponse(inferred, "2").data?.title, "b");

    controller.fetch(patch, "1", "x");
    controller.fetch(patch, "1", "y");
    const [x, y] = wire.calls.slice(-2);
    const replies = [() => x!.reply({ id: "1", title: "x" }), () => y!.reply({ id: "1", title: "y" })];
    await replies[first]!();
    assertEquals([viewOf("1"), listView, inferredView].map(markOf), [0, 0, 0]);
    await replies[1 - first]!();

    assertEquals(controller.get(Article, "1")?.title, "y");
    assertEquals([viewOf("1"), listView, inferredView].map(markOf), [1, 1, 1]);
    assertEquals(controller.getResponse(get, "1").expiresAt, 0);
    assertEquals(controller.getResponse(inferred, "1").expiresAt, 0);
    assertEquals(markOf(controller.store.response(inferred, ["2"], inferred.key("2"))), 0);
    assert(told >= 3);
    assertEquals(controller.store.overlaps.size, 0);
  });
}

Deno.test("two PATCHes leave nothing stale when they do not overlap, or are of two records", async () => {
  const { wire, controller, list, patch, markOf, listView } = setUp();
  const fetched = controller.fetch(list);
  await wire.last.reply([{ id: "1" }, { id: "2" }]);
  await fetched;
  for (const title of ["x", "y"]) {
    controller.fetch(patch, "1", title);
    await wire.last.reply({ id: "1", title });
  }
  controller.fetch(patch, "1", "z");
  controller.fetch(patch, "2", "z");
  const [one, two] = wire.calls.slice(-2);
  await one!.reply({ id: "1", title: "z" });
  await two!.reply({ id: "2", title: "z" });
  assertEquals(markOf(listView), 0);
  assert(controller.getResponse(list).expiresAt > 0);
});

Deno.test("a read behind a mutation is stale, and is marked when the mutation has settled", async () => {
  for (const ending of ["reply", "fail"] as const) {
    const { wire, controller, get, list, patch, markOf, listView } = setUp();
    controller.fetch(patch, "1", "x");
    const mutation = wire.last;
    const reading = controller.fetch(list);
    await wire.last.reply([{ id: "1", title: "a" }, { id: "2", title: "b" }]);
    assertEquals((await reading).length, 2);
    assertEquals(controller.getResponse(list).expiresAt, 0);
    assertEquals(controller.getResponse(get, "2").expiresAt, 0, "a record of such a list is no fresher than the list");
    assertEquals(markOf(listView), 0, "to ask again now would be answered too early again");
    await (ending === "reply" ? mutation.reply({ id: "1", title: "x" }) : mutation.fail());
    assertEquals(markOf(listView), 1);
    assertEquals(controller.getResponse(list).expiresAt, 0);
    assertEquals(controller.store.behind.size, 0);

    const again = controller.fetch(list);
    await wire.last.reply([{ id: "1", title: "a" }]);
    await again;
    assert(controller.getResponse(list).expiresAt > 0);
  }
});

Deno.test("a read behind a mutation is marked at once when it is answered after the mutation", async () => {
  const { wire, controller, list, patch, markOf, listView } = setUp();
  controller.fetch(patch, "1", "x");
  const mutation = wire.last;
  const reading = controller.fetch(list);
  const read = wire.last;
  await mutation.reply({ id: "1", title: "x" });
  await read.reply([{ id: "1", title: "a" }]);
  assertEquals((await reading)[0]?.title, "x");
  assertEquals([markOf(listView), controller.getResponse(list).expiresAt], [1, 0]);
});

Deno.test("a read behind a mutation brings an answer when its key was invalidated, expired or written meanwhile", async () => {
  for (const meanwhile of ["invalidate", "expire", "set and invalidate", "nothing"] as const) {
    const { wire, controller, list, patch } = setUp();
    controller.fetch(patch, "1", "x");
    if (meanwhile === "set and invalidate") controller.setResponse(list, [{ id: "2" }]);
    if (meanwhile !== "nothing") controller.invalidate(list);
    const reading = controller.fetch(list);
    if (meanwhile === "expire") controller.expireAll(list);
    await wire.last.reply([{ id: "1", title: "a" }]);
    await reading;
    const { data, expiresAt } = controller.getResponse(list);
    assertEquals(data?.map(({ id }) => id), ["1"], meanwhile);
    assertEquals(expiresAt, 0, meanwhile);
  }
});

Deno.test("a reply is stale when its key was expired after the request had started", async () => {
  const { wire, controller, list, markOf, listView } = setUp();
  const reading = controller.fetch(list);
  controller.expireAll(list);
  const before = markOf(listView);
  await wire.last.reply([{ id: "1", title: "a" }]);
  await reading;
  assertEquals(controller.getResponse(list).data?.length, 1);
  assertEquals([markOf(listView), controller.getResponse(list).expiresAt], [before + 1, 0]);
});

Deno.test("a delete stays when a read that started before it is answered, of a record that was never seen", async () => {
  const { wire, controller, get, list, remove } = setUp();
  const reading = controller.fetch(list);
  const detail = controller.fetch(get, "1");
  const [listCall, getCall] = wire.calls;
  const removing = controller.fetch(remove, "1");
  await wire.last.reply({ id: "1" });
  assertEquals(await removing, { id: "1" } as unknown as Article);
  assertEquals(controller.get(new schema.All(Article)), undefined, "a delete does not make a table known");
  await listCall!.reply([{ id: "1" }, { id: "2" }]);
  assertEquals((await reading).map(({ id }) => id), ["2"]);
  const overtaken = assertRejects(() => detail, OvertakenError, "get");
  await getCall!.reply({ id: "1" });
  assertEquals((await overtaken).reason, "delete");
  assertEquals(controller.get(Article, "1"), undefined);
  assertEquals(stateOf(controller).entities.Article!["1"], undefined);
  assertEquals(controller.store.logs.size, 0);
});

Deno.test("one response that names a record twice is merged twice, also in a log", async () => {
  class Log extends Entity {
    id = "";
    lines: string[] = [];
    pk() {
      return this.id;
    }
    static key = "Log";
    static merge(existing: Log, incoming: Log) {
      return { ...existing, ...incoming, lines: [...existing.lines, ...incoming.lines] };
    }
  }
  const wire = new Wire();
  const controller = new Controller();
  const older = new Endpoint(wire.fn("older"), { name: "older", schema: [Log] });
  const newer = new Endpoint(wire.fn("newer"), { name: "newer", schema: [Log] });
  controller.fetch(older);
  controller.fetch(newer);
  const [first, second] = wire.calls;
  const rows = (...lines: string[]) => lines.map((line) => ({ id: "1", lines: [line] }));
  await second!.reply(rows("c", "d"));
  assertEquals(controller.get(Log, "1")?.lines, ["c", "d"]);
  controller.set(Log, { id: "1" }, { lines: ["e"] });
  await first!.reply(rows("a", "b"));
  assertEquals(controller.get(Log, "1")?.lines, ["a", "b", "c", "d", "e"]);
  assertEquals(controller.store.logs.size, 0);
});

Deno.test("a log folds as soon as nothing older is in flight, whatever ends it", async () => {
  for (const ending of ["reply", "fail", "release", "invalidate", "signal", "cleanup", "reset"] as const) {
    const { wire, controller, list } = setUp();
    const abort = new AbortController();
    const older = new Endpoint(wire.fn("older"), { name: "older", schema: [Article], signal: abort.signal });
    const flight = controller.startRead(older, [], older.key())!;
    const release = controller.hold(flight);
    const call = wire.last;
    controller.set(Article, { id: "1" }, { title: "x" });
    const newer = controller.fetch(list).catch(() => {});
    await wire.last.reply([{ id: "1", note: "y" }]);
    await newer;
    const [log] = controller.store.logs.values();
    // The two writes are one: no reply can come between them any more.
    assertEquals(log?.writes.length, 1, ending);
    if (ending === "reply") await call.reply([{ id: "1", title: "a", note: "b" }]);
    else if (ending === "fail") await call.fail();
    else if (ending === "release") release();
    else if (ending === "signal") abort.abort();
    else if (ending === "cleanup") controller.cleanup();
    else if (ending === "reset") controller.resetEntireStore();
    else {
      controller.invalidate(older);
      await wire.last.reply([]);
    }
    await flush();
    assertEquals(controller.store.logs.size, 0, ending);
    const article = controller.get(Article, "1");
    assertEquals(article && [article.title, article.note], ending === "reset" ? undefined : ["x", "y"], ending);
  }
});

Deno.test("a record that is written often while an old request hangs keeps one write, and the reply goes below it", async () => {
  const { wire, controller, get } = setUp();
  const hanging = controller.fetch(get, "1");
  for (let count = 1; count <= 1_000; count++) controller.set(Article, { id: "1" }, { title: `${count}` });
  const [log] = controller.store.logs.values();
  assertEquals(log?.writes.length, 1);
  await wire.calls[0]!.reply({ id: "1", title: "old", note: "kept" });
  const article = await hanging;
  assertEquals([article.title, article.note, controller.store.logs.size], ["1000", "kept", 0]);
});

Deno.test("a log keeps no more than what is later than the oldest request in flight", async () => {
  const { wire, controller, get, list } = setUp();
  const reads = [controller.fetch(get, "8"), controller.fetch(get, "9")];
  controller.set(Article, { id: "1" }, { title: "a" });
  const late = controller.fetch(list);
  controller.set(Article, { id: "1" }, { title: "b" });
  const writes = () => [...controller.store.logs.values()].map((log) => log.writes.length);
  assertEquals(writes(), [2]);
  await wire.calls[0]!.reply({ id: "8" });
  assertEquals(writes(), [2]);
  await wire.calls[1]!.reply({ id: "9" });
  assertEquals(writes(), [1]);
  await wire.calls[2]!.reply([{ id: "1", title: "late", note: "late" }]);
  const [article] = await late;
  await Promise.all(reads);
  assertEquals([article!.title, article!.note, controller.store.logs.size], ["b", "late", 0]);
});

Deno.test("a read behind a mutation marks nothing while the mutation flies, also of a key that was expired", async () => {
  const { wire, controller, list, patch, markOf, listView } = setUp();
  controller.fetch(patch, "1", "x");
  const mutation = wire.last;
  controller.setResponse(list, []);
  controller.expireAll(list);
  controller.invalidate(list);
  const before = markOf(listView);
  // Whoever is mounted would ask again at every mark, and be answered too early again.
  for (let time = 0; time < 3; time++) {
    const reading = controller.fetch(list);
    await wire.last.reply([{ id: "1", title: `a ${time}` }]);
    await reading;
    assertEquals(markOf(listView), before);
  }
  await mutation.reply({ id: "1", title: "x" });
  assertEquals(markOf(listView), before + 1);
});

Deno.test("a read behind a mutation is not marked when a fresher answer has come since", async () => {
  const { wire, controller, list, patch, markOf, listView } = setUp();
  controller.fetch(patch, "1", "x");
  const mutation = wire.last;
  const reading = controller.fetch(list);
  await wire.last.reply([{ id: "1" }]);
  await reading;
  controller.setResponse(list, [{ id: "2" }]);
  const { expiresAt } = controller.getResponse(list);
  await mutation.reply({ id: "1", title: "x" });
  assertEquals([markOf(listView), controller.getResponse(list).expiresAt], [0, expiresAt]);
});

Deno.test("a read behind a mutation that fails leaves its error, also of a key that was written and invalidated", async () => {
  const { wire, controller, list, patch } = setUp();
  controller.fetch(patch, "1", "x");
  controller.setResponse(list, []);
  controller.invalidate(list);
  const reading = controller.fetch(list);
  await wire.last.fail(new Error("down"));
  await assertRejects(() => reading, Error, "down");
  assertEquals((controller.getError(list) as Error).message, "down");
  assertEquals(controller.getResponse(list).data, undefined);
});

Deno.test("a late reply makes a record neither older nor younger", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  const { wire, controller, get, list } = setUp();
  const reading = controller.fetch(list);
  controller.set(Article, { id: "1" }, { title: "x" });
  const { expiresAt } = controller.getResponse(get, "1");
  await clock.tickAsync(10_000);
  await wire.last.reply([{ id: "1" }, { id: "2" }]);
  await reading;
  assertEquals(controller.getResponse(get, "1").expiresAt, expiresAt);
  assertEquals(controller.getResponse(get, "2").expiresAt, expiresAt + 10_000);
});

Deno.test("the clock decides nothing but freshness when it jumps by a day between any two steps", async () => {
  for (const jump of [86_400_000, -86_400_000]) {
    const clock = new FakeClock();
    using _ = clock.install();
    const { wire, controller, list, patch } = setUp();
    const reading = controller.fetch(list);
    clock.jump(jump);
    controller.fetch(patch, "1", "x");
    const [listCall, patchCall] = wire.calls;
    clock.jump(jump);
    await patchCall!.reply({ id: "1", title: "x" });
    clock.jump(-3 * jump);
    await listCall!.reply([{ id: "1", title: "a" }]);
    const [article] = await reading;
    assertInstanceOf(article, Article);
    assertEquals(article.title, "x");
  }
});

Deno.test("a late reply gives what a write after it has not brought: left out, undefined, or dropped by process()", async () => {
  class Writer extends Entity {
    id = "";
    pk() {
      return this.id;
    }
    static key = "Writer";
    static override process(input: { id: string; isHidden?: boolean }) {
      return input.isHidden ? undefined : { ...input };
    }
  }
  class Post extends Entity {
    id = "";
    title = "";
    note: string | undefined = undefined;
    size = 0;
    writer: Writer | null = null;
    pk() {
      return this.id;
    }
    static key = "Post";
    static schema = { writer: Writer };
  }
  const reply = Promise.withResolvers<object>();
  const getPost = new Endpoint(() => reply.promise, { name: "getPost", schema: Post });
  using controller = new Controller();
  controller.set(Post, { id: "1" }, { title: "first", note: "first", size: 1, writer: { id: "a" } });
  const fetched = controller.fetch(getPost);
  const hidden = { id: "b", isHidden: true };
  controller.set(Post, { id: "1" }, { title: "later", note: undefined, writer: hidden });
  const before = controller.get(Post, { id: "1" })!;
  assertEquals([before.title, before.note, before.size, before.writer?.id], ["later", "first", 1, "a"]);
  reply.resolve({ id: "1", title: "late", note: "late", size: 2, writer: { id: "c" } });
  await fetched;
  const after = controller.get(Post, { id: "1" })!;
  assertEquals([after.title, after.note, after.size, after.writer?.id], ["later", "late", 2, "c"]);
});

Deno.test("a late reply changes nothing of what a write after it has brought whole", async () => {
  const reply = Promise.withResolvers<object[]>();
  const getArticles = new Endpoint(() => reply.promise, { name: "getArticles", schema: [Article] });
  using controller = new Controller();
  controller.set(Article, { id: "1" }, { id: "1", title: "first", note: "first" });
  const fetched = controller.fetch(getArticles);
  controller.set(Article, { id: "1" }, { id: "1", title: "later", note: "first" });
  const later = controller.get(Article, { id: "1" });
  reply.resolve([{ id: "1", title: "late", note: "late" }, { id: "2", title: "other", note: "" }]);
  await fetched;
  assert(controller.get(Article, { id: "1" }) === later);
  assertEquals(controller.get(Article, { id: "2" })?.title, "other");
});

Deno.test("a late reply gives what a write after it had only inherited", async () => {
  const reply = Promise.withResolvers<object>();
  const getArticle = new Endpoint(() => reply.promise, { name: "getArticle", schema: Article });
  using controller = new Controller();
  controller.set(Article, { id: "1" }, { title: "first", note: "n" });
  const fetched = controller.fetch(getArticle);
  controller.set(Article, { id: "1" }, Object.assign(Object.create({ note: "n" }), { id: "1", title: "later" }));
  reply.resolve({ id: "1", title: "late", note: "late" });
  await fetched;
  const { title, note } = controller.get(Article, { id: "1" })!;
  assertEquals([title, note], ["later", "late"]);
});
