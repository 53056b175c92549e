import "../support/fixed_names.ts";
import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertNotStrictEquals,
  assertRejects,
  assertStrictEquals,
} from "@std/assert";
import {
  Controller,
  type ControllerOptions,
  Endpoint,
  Entity,
  OvertakenError,
  Query,
  schema,
  stateOf,
  temporaryIds,
} from "@rejoin/data";
import { watch } from "../../src/store/watch.ts";
import { FakeClock, flush } from "../support/clock.ts";
import { countListeners } from "../support/listeners.ts";
import { Wire } from "../support/wire.ts";

class User extends Entity {
  id = "";
  name = "";
  pk() {
    return this.id;
  }
  static key = "User";
}

class Article extends Entity {
  id = "";
  title = "";
  author: User | undefined = undefined;
  pk() {
    return this.id;
  }
  static key = "Article";
  static schema = { author: User };
}

function setUp(options: ControllerOptions = {}) {
  const wire = new Wire();
  const controller = new Controller(options);
  const get = new Endpoint(wire.fn<[args: { id: string }]>("get"), { name: "get", schema: Article });
  const list = new Endpoint(wire.fn("list"), { name: "list", schema: [Article] });
  const page = new Endpoint(wire.fn("page"), { name: "page", schema: { results: [Article], next: "" } });
  const remove = new Endpoint(wire.fn<[args: { id: string }]>("remove"), {
    name: "remove",
    schema: new schema.Invalidate(Article),
    sideEffect: true,
  });
  return { wire, controller, get, list, page, remove };
}

Deno.test("fetch resolves with the objects that every read gives", async () => {
  const { wire, controller, get, list, page } = setUp();
  const promises = [controller.fetch(get, { id: "1" }), controller.fetch(list), controller.fetch(page)] as const;
  const rows = [{ id: "1", title: "one", author: { id: "1", name: "ann" } }, { id: "2", author: "1" }];
  await wire.calls[0]!.reply(structuredClone(rows[0]));
  await wire.calls[1]!.reply(structuredClone(rows));
  await wire.calls[2]!.reply({ results: structuredClone(rows), next: "/2" });
  const [article, articles, paged] = await Promise.all(promises);
  assertInstanceOf(article, Article);
  assertStrictEquals(article, controller.get(Article, { id: "1" }));
  assertStrictEquals(article, controller.get(Article, "1"));
  assertStrictEquals(article, controller.getResponse(get, { id: "1" }).data);
  assertStrictEquals(articles, controller.getResponse(list).data);
  assertStrictEquals(paged, controller.getResponse(page).data);
  assertStrictEquals(articles[0], article);
  assertStrictEquals(paged.results[1], articles[1]);
  assertEquals(paged.next, "/2");
  assertStrictEquals(article.author, controller.get(User, "1"));
  const users = new Query(new schema.All(User));
  assertStrictEquals(controller.get(users)?.[0], article.author);
  assertStrictEquals(controller.getResponse(users).data, controller.get(users));
});

Deno.test("an answer that equals the last one gives the same objects, and tells nobody", async () => {
  const { wire, controller, list } = setUp();
  const rows = [{ id: "1", title: "one", author: { id: "1", name: "ann" } }];
  const first = controller.fetch(list);
  await wire.last.reply(structuredClone(rows));
  const before = await first;
  let told = 0;
  watch(controller.store, controller.store.response(list, [], list.key()), () => told++);
  const second = controller.fetch(list);
  await wire.last.reply(structuredClone(rows));
  assertStrictEquals(await second, before);
  assertEquals(told, 0);
});

Deno.test("reads of one key share a call, in whatever order of members; other keys and mutations do not", async () => {
  const { wire, controller, get, list, remove } = setUp();
  const first = controller.fetch(get, { id: "1" });
  const second = controller.fetch(get.extend({ dataExpiryLength: 5 }), { id: "1" });
  assertEquals(wire.calls.length, 1);
  controller.fetch(get, { id: "2" }).catch(() => {});
  controller.fetch(list).catch(() => {});
  assertEquals(wire.calls.length, 3);
  controller.fetch(remove, { id: "9" }).catch(() => {});
  controller.fetch(remove, { id: "9" }).catch(() => {});
  assertEquals(wire.calls.length, 5);
  await wire.calls[0]!.reply({ id: "1", title: "x" });
  assertStrictEquals(await first, await second);
  controller.fetch(get, { id: "1" }).catch(() => {});
  assertEquals(wire.calls.length, 6, "what has settled is not joined");
});

Deno.test("one key with two shapes has two calls and two answers", async () => {
  const { wire, controller, get } = setUp();
  const raw = get.extend({ schema: undefined });
  const article = controller.fetch(get, { id: "1" });
  const plain = controller.fetch(raw, { id: "1" });
  assertEquals(wire.calls.length, 2);
  await wire.calls[0]!.reply({ id: "1", title: "x" });
  await wire.calls[1]!.reply({ id: "1", title: "x" });
  assertInstanceOf(await article, Article);
  assertEquals(await plain, { id: "1", title: "x" });
  assertStrictEquals(controller.getResponse(raw, { id: "1" }).data, await plain);
  assertStrictEquals(controller.getResponse(get, { id: "1" }).data, await article);
  controller.invalidateAll(get);
  assertEquals([controller.getResponse(raw, { id: "1" }).data, controller.getResponse(get, { id: "1" }).data], [
    undefined,
    undefined,
  ]);
});

Deno.test("fetchIfStale gives fresh data at once, and asks for what is stale, invalid or missing", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  const { wire, controller, get } = setUp();
  const missing = controller.fetchIfStale(get, { id: "1" });
  assertInstanceOf(missing, Promise);
  await wire.last.reply({ id: "1", title: "x" });
  const article = await missing;
  assertStrictEquals(controller.fetchIfStale(get, { id: "1" }), article);
  assertEquals(wire.calls.length, 1);
  clock.tick(60_000);
  const stale = controller.fetchIfStale(get, { id: "1" });
  assertInstanceOf(stale, Promise);
  assertEquals(wire.calls.length, 2);
  await wire.last.reply({ id: "1", title: "x" });
  assertStrictEquals(await stale, article);
  controller.invalidate(get, { id: "1" });
  assertInstanceOf(controller.fetchIfStale(get, { id: "1" }), Promise);
  assertEquals(wire.calls.length, 3);
  const broken = get.extend({
    key: () => {
      throw new Error("no key");
    },
  });
  await assertRejects(async () => await controller.fetchIfStale(broken, { id: "1" }), Error, "no key");
  await assertRejects(() => controller.fetch(broken, { id: "1" }), Error, "no key");
});

Deno.test("fetchIfStale is served from a list, with the freshness of the record", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  const { wire, controller, get, list } = setUp();
  const listed = controller.fetch(list);
  await wire.last.reply([{ id: "1", title: "x" }]);
  const [article] = await listed;
  assertStrictEquals(controller.fetchIfStale(get, { id: "1" }), article);
  assertEquals(controller.getResponse(get, { id: "1" }).expiresAt, clock.now() + 60_000);
  clock.tick(60_001);
  assertInstanceOf(controller.fetchIfStale(get, { id: "1" }), Promise);
});

Deno.test("invalidate in flight starts anew, and everybody who waits gets the new answer", async () => {
  const { wire, controller, get } = setUp();
  const first = controller.fetch(get, { id: "1" });
  const second = controller.fetch(get, { id: "1" });
  controller.invalidate(get, { id: "1" });
  const third = controller.fetch(get, { id: "1" });
  assertEquals(wire.calls.length, 2);
  assertEquals([wire.calls[0]!.signal!.aborted, wire.calls[1]!.signal!.aborted], [true, false]);
  await wire.calls[0]!.reply({ id: "1", title: "old" });
  assertEquals(controller.get(Article, "1"), undefined, "what the first attempt brings is dropped");
  await wire.calls[1]!.reply({ id: "1", title: "new" });
  for (const promise of [first, second, third]) assertEquals((await promise).title, "new");
  assertEquals(controller.getResponse(get, { id: "1" }).expiryStatus, 3);
  assertEquals(controller.store.sequence.size, 0);
});

Deno.test("a watcher that refetches what was invalidated causes one call, and none that is thrown away", async () => {
  const { wire, controller, get } = setUp();
  const loaded = controller.fetch(get, { id: "1" });
  await wire.last.reply({ id: "1" });
  await loaded;
  const again: Promise<unknown>[] = [];
  watch(controller.store, controller.store.response(get, [{ id: "1" }], get.key({ id: "1" })), () => {
    if (controller.getResponse(get, { id: "1" }).expiryStatus === 1) again.push(controller.fetch(get, { id: "1" }));
  });
  controller.invalidate(get, { id: "1" });
  assertEquals(wire.calls.length, 2);
  assertEquals(wire.last.signal!.aborted, false);
  await wire.last.reply({ id: "1", title: "new" });
  assertEquals((await again[0] as Article).title, "new");

  watch(controller.store, controller.store.graph.query(Article, ["1"]), () => {
    if (controller.get(Article, "1") === undefined) again.push(controller.fetch(get, { id: "1" }));
  });
  const calls = wire.calls.length;
  controller.resetEntireStore();
  await wire.last.reply({ id: "1", title: "after the reset" });
  assertEquals(wire.calls.length, calls + 1);
  assertEquals((await again.at(-1) as Article).title, "after the reset");
});

Deno.test("invalidate hides, expire marks: own answers, inferred ones and failed ones", async () => {
  const { wire, controller, get, list } = setUp();
  const listed = controller.fetch(list);
  await wire.last.reply([{ id: "1", title: "x" }]);
  await listed;
  const inferred = () => controller.getResponse(get, { id: "1" });
  const article = inferred().data;
  assert(article !== undefined && inferred().expiresAt > 0);
  const failing = controller.fetch(get, { id: "3" });
  await wire.last.fail();
  await assertRejects(() => failing);
  assert(controller.getError(get, { id: "3" }) !== undefined);

  controller.expireAll(get);
  assertEquals([inferred().data, inferred().expiresAt], [article, 0]);
  assert(controller.getError(get, { id: "3" }) !== undefined);
  assertEquals(controller.getResponse(get, { id: "3" }).expiresAt, 0);

  controller.invalidate(get, { id: "1" });
  assertEquals([inferred().data, inferred().expiryStatus], [undefined, 1]);
  assertStrictEquals(controller.get(Article, "1"), article, "the record is there for others");
  controller.invalidateAll(get);
  assertEquals(controller.getError(get, { id: "3" }), undefined);

  const anew = controller.fetch(get, { id: "1" });
  await wire.last.reply({ id: "1", title: "x" });
  assertStrictEquals(await anew, article);
  assertStrictEquals(inferred().data, article);
});

Deno.test("invalidate of what nobody has read yet is obeyed by the first who does", () => {
  const { controller, get, list } = setUp();
  controller.setResponse(list, [{ id: "1" }]);
  controller.invalidate(get, { id: "1" });
  assertEquals(controller.getResponse(get, { id: "1" }).data, undefined);
  controller.invalidate(get, null);
  assertEquals(controller.getResponse(get, null), { data: undefined, expiryStatus: 3, expiresAt: Infinity });
});

Deno.test("an invalidated answer stays hidden when the refetch fails, and its error is kept", async () => {
  const { wire, controller, list } = setUp();
  controller.setResponse(list, [{ id: "1" }]);
  controller.invalidate(list);
  const refetch = controller.fetch(list);
  await wire.last.fail(new Error("down"));
  await assertRejects(() => refetch, Error, "down");
  assertEquals(controller.getResponse(list).data, undefined);
  assertEquals((controller.getError(list) as Error).message, "down");
  const again = controller.fetch(list);
  await wire.last.reply([{ id: "1" }]);
  await again;
  assertEquals([controller.getResponse(list).data?.length, controller.getError(list)], [1, undefined]);
});

Deno.test("a soft error keeps the data, a hard one is shown; a policy that throws counts as hard", async () => {
  const policies = {
    soft: () => "soft" as const,
    hard: () => "hard" as const,
    none: () => undefined,
    broken: () => {
      throw new Error("policy");
    },
  };
  for (const [name, errorPolicy] of Object.entries(policies)) {
    const { wire, controller, list } = setUp();
    const read = list.extend({ errorPolicy });
    const first = controller.fetch(read);
    await wire.last.reply([{ id: "1" }]);
    const before = await first;
    const second = controller.fetch(read);
    await wire.last.fail(new Error("down"));
    await assertRejects(() => second, Error, "down");
    assertStrictEquals(controller.getResponse(read).data, before);
    assertEquals((controller.getError(read) as Error | undefined)?.message, name === "soft" ? undefined : "down", name);
  }
});

Deno.test("an error of an older request does not displace a later answer", async () => {
  const { wire, controller, list } = setUp();
  const reading = controller.fetch(list);
  controller.setResponse(list, [{ id: "1" }]);
  await wire.last.fail();
  await assertRejects(() => reading);
  assertEquals([controller.getResponse(list).data?.length, controller.getError(list)], [1, undefined]);
});

Deno.test("a late answer resolves with its own rows, of the objects that everybody reads", async () => {
  const { wire, controller, list } = setUp();
  const reading = controller.fetch(list);
  controller.setResponse(list, [{ id: "2", title: "by hand" }]);
  await wire.last.reply([{ id: "1", title: "own" }, { id: "2", title: "old" }]);
  const own = await reading;
  assertEquals(own.map(({ title }) => title), ["own", "by hand"]);
  assertEquals(controller.getResponse(list).data?.map(({ id }) => id), ["2"]);
  assertStrictEquals(own[1], controller.get(Article, "2"));
});

Deno.test("fetch resolves with its own rows when whoever is told of them invalidates them at once", async () => {
  const { wire, controller, list } = setUp();
  const stop = watch(controller.store, controller.store.response(list, [], list.key()), () => {
    stop();
    controller.invalidate(list);
  });
  const reading = controller.fetch(list);
  await wire.last.reply([{ id: "1", title: "own" }]);
  assertEquals((await reading).map(({ title }) => title), ["own"]);
  assertEquals(controller.getResponse(list).data, undefined);
});

Deno.test("fetch rejects with OvertakenError when the store is reset or the controller stops, and nothing is written", async () => {
  for (const end of ["reset", "cleanup"] as const) {
    const { wire, controller, get, remove } = setUp();
    controller.set(Article, { id: "1" }, { title: "x" });
    const read = controller.fetch(get, { id: "1" });
    const mutation = controller.fetch(remove, { id: "1" });
    if (end === "reset") controller.resetEntireStore();
    else controller.cleanup();
    for (const promise of [read, mutation]) {
      const error = await assertRejects(() => promise, OvertakenError);
      assertEquals(error.reason, end);
    }
    assertEquals(
      wire.calls.map(({ signal }) => signal!.aborted),
      [true, end === "cleanup"],
      "a mutation may be finished",
    );
    await wire.calls[0]!.reply({ id: "1", title: "late" });
    await wire.calls[1]!.reply({ id: "1" });
    assertEquals(controller.get(Article, "1")?.title, end === "reset" ? undefined : "x");
    assertEquals(controller.store.sequence.size, 0);
    const after = controller.fetch(get, { id: "1" });
    if (end === "reset") {
      await wire.last.reply({ id: "1", title: "anew" });
      assertEquals((await after).title, "anew");
    } else await assertRejects(() => after, OvertakenError, "stopped");
  }
});

Deno.test("a read that nobody holds any more is aborted, unless somebody awaits it", async () => {
  const { wire, controller, get } = setUp();
  const key = get.key({ id: "1" });
  const flight = controller.startRead(get, [{ id: "1" }], key)!;
  const [one, two] = [controller.hold(flight), controller.hold(flight)];
  one();
  one();
  assertEquals(wire.last.signal!.aborted, false);
  two();
  assertEquals(wire.last.signal!.aborted, true);
  assertEquals(controller.findRead(get, key), undefined);
  await assertRejects(() => flight.promise, DOMException, "Nobody needs");

  const awaited = controller.fetch(get, { id: "1" });
  controller.hold(controller.findRead(get, key)!)();
  assertEquals(wire.last.signal!.aborted, false);
  await wire.last.reply({ id: "1" });
  assertInstanceOf(await awaited, Article);
});

Deno.test("the signal of an endpoint ends the wait, and keeps no listener when the call is over", async () => {
  const { wire, controller } = setUp();
  const abort = new AbortController();
  const listeners = countListeners(abort.signal);
  const get = new Endpoint(wire.fn("get"), { name: "get", schema: Article, signal: abort.signal });
  for (const ending of ["reply", "fail"] as const) {
    const promise = controller.fetch(get).catch(() => {});
    await (ending === "reply" ? wire.last.reply({ id: "1" }) : wire.last.fail());
    await promise;
    assertEquals(listeners.count, 0, ending);
  }
  const promise = controller.fetch(get);
  controller.invalidate(get);
  abort.abort();
  const error = await assertRejects(() => promise, DOMException);
  assertEquals(error.name, "AbortError");
  assertEquals([listeners.count, controller.store.sequence.size], [0, 0]);
  assertEquals(controller.getError(get), undefined, "whoever aborts knows why");
});

Deno.test("mutations resolve with the record that reads give, and store no entry", async () => {
  const { wire, controller } = setUp();
  const create = new Endpoint(wire.fn("create"), { name: "create", schema: Article, sideEffect: true });
  const promise = controller.fetch(create);
  await wire.last.reply({ id: "1", title: "x" });
  assertStrictEquals(await promise, controller.get(Article, "1")!);
  assertEquals(stateOf(controller).endpoints, {});
  const several = new Endpoint(wire.fn("several"), { name: "several", schema: { made: [Article] }, sideEffect: true });
  const made = controller.fetch(several);
  await wire.last.reply({ made: [{ id: "1", title: "x" }, { id: "2" }] });
  assertStrictEquals((await made).made[0], controller.get(Article, "1"));
});

Deno.test("fetch resolves with what the call brought, also while a pending mutation hides it", async () => {
  const { wire, controller, get } = setUp({ use: [temporaryIds()] });
  const create = new Endpoint(wire.fn<[body: { title: string }]>("create"), {
    name: "create",
    schema: Article,
    sideEffect: true,
    getOptimisticResponse: (snapshot, body: { title: string }) => ({ id: snapshot.temporaryId(), ...body }),
  });
  const remove = new Endpoint(wire.fn<[params: { id: string }]>("remove"), {
    name: "remove",
    schema: new schema.Invalidate(Article),
    sideEffect: true,
    getOptimisticResponse: (_, params: { id: string }) => params,
  });
  const made = controller.fetch(create, { title: "one" });
  const removed = controller.fetch(remove, { id: "~0000000000000000-1" });
  await wire.last.reply({ id: "5", title: "One", author: { id: "7", name: "Ann" } });
  const article = await made;
  assertInstanceOf(article, Article);
  assertEquals([article.title, article.author?.name], ["One", "Ann"]);
  const read = controller.fetch(get, { id: "5" });
  await wire.last.reply({ id: "5", title: "Two" });
  assertEquals((await read).title, "Two");
  assertEquals(controller.get(Article, { id: "5" }), undefined);
  await wire.calls.find(({ name }) => name === "remove")!.reply({ id: "5" });
  assertEquals((await removed).id, "5");
});

Deno.test("what is no signal rejects everybody who joins the call, and leaves nothing behind", async () => {
  const { controller, get } = setUp();
  const broken = get.extend({ signal: {} as AbortSignal });
  for (let time = 0; time < 2; time++) await assertRejects(() => controller.fetch(broken, { id: "5" }), TypeError);
  assertEquals(controller.store.sequence.size, 0);
});

Deno.test("without a schema fetch resolves with the processed value, which reads give, too", async () => {
  const { wire, controller } = setUp();
  const count = new Endpoint(wire.fn("count") as () => Promise<number | undefined>, { name: "count" });
  for (const value of [5, 0, "", null, undefined, false]) {
    const promise = controller.fetch(count);
    await wire.last.reply(value);
    assertEquals(await promise as unknown, value);
    assertEquals(controller.getResponse(count).data as unknown, value);
    assertEquals(controller.getResponse(count).expiryStatus, 3, "an answer that is empty by right");
  }
});

Deno.test("a fetch from inside an endpoint joins what flies", async () => {
  const { controller } = setUp();
  let calls = 0;
  const inner = new Endpoint(async (id: string) => {
    calls++;
    return await Promise.resolve({ id, title: "inner" });
  }, { name: "inner", schema: Article });
  const outer = new Endpoint(async () => {
    const [one, two] = await Promise.all([controller.fetch(inner, "1"), controller.fetch(inner, "1")]);
    assertStrictEquals(one, two);
    return { id: "2", title: one.title };
  }, { name: "outer", schema: Article });
  const [article] = await Promise.all([controller.fetch(outer), controller.fetch(inner, "1")]);
  assertEquals([article.title, calls], ["inner", 1]);
  assertNotStrictEquals(article, controller.get(Article, "1"));
});

Deno.test("an entity answered with null is empty by right; one answered with undefined is a typed error", async () => {
  const { wire, controller, get } = setUp();
  const nothing = controller.fetch(get, { id: "1" });
  await wire.last.reply(null);
  assertEquals(await nothing as unknown, null);
  assertEquals(controller.getResponse(get, { id: "1" }).expiryStatus, 3);
  const absent = controller.fetch(get, { id: "2" });
  await wire.last.reply(undefined);
  const error = await assertRejects(() => absent, Error, "got undefined");
  assertEquals(error.name, "NormalizeError");
  assertStrictEquals(controller.getError(get, { id: "2" }), error);
});

Deno.test("using stops a controller at the end of the block", async () => {
  const { wire, get } = setUp();
  let promise: Promise<unknown>;
  {
    using controller = new Controller();
    promise = controller.fetch(get, { id: "1" });
  }
  await assertRejects(() => promise, OvertakenError);
  assert(wire.last.signal!.aborted);
  await flush();
});
