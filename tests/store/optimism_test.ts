import { assert, assertEquals, assertInstanceOf, assertRejects, assertStrictEquals } from "@std/assert";
import {
  createResource,
  Endpoint,
  Entity,
  OvertakenError,
  Query,
  schema,
  type Snapshot,
  stateOf,
  WriteError,
} from "@rejoin/data";
import { PatientController as Controller } from "../support/patient_controller.ts";
import type { ViewNode } from "../../src/denormalize/node.ts";
import { watch } from "../../src/store/watch.ts";
import { FakeClock, flush } from "../support/clock.ts";
import { FaultFetch } from "../support/fault_fetch.ts";
import { Wire, type WireCall } from "../support/wire.ts";

class User extends Entity {
  id = "";
  name = "";
  born = new Date(0);
  pk() {
    return this.id;
  }
  static key = "User";
  static schema = { born: Date };
}

class Article extends Entity {
  id = "";
  title = "";
  votes = 0;
  author: User | undefined = undefined;
  a = "";
  b = "";
  c = "";
  d = "";
  pk() {
    return this.id;
  }
  static key = "Article";
  static schema = { author: User };
}

const all = new schema.All(Article);
const removal = new schema.Invalidate(Article);

/** Endpoints that answer when the test says so, over a store that has one article. */
function setUp(options: { strict?: boolean } = {}) {
  const wire = new Wire();
  const controller = new Controller(options);
  controller.set(Article, { id: "1" }, { id: "1", title: "base" });
  /** Sends members, and shows what a function makes of the snapshot: the members themselves, if there is none. */
  const mutate = (
    members: object,
    show?: (snapshot: Snapshot) => unknown,
    schema: typeof Article | typeof removal = Article,
  ) => {
    const endpoint = new Endpoint(wire.fn("mutate"), {
      name: "mutate",
      schema,
      sideEffect: true,
      getOptimisticResponse: show ?? (() => ({ id: "1", ...members })),
    });
    const promise = controller.fetch(endpoint);
    promise.catch(() => {});
    return { promise, call: wire.last };
  };
  const seen = () => controller.get(Article, "1");
  const base = () => stateOf(controller).entities.Article?.["1"];
  const watched = (view: ViewNode) => {
    const counter = { told: 0 };
    watch(controller.store, view, () => counter.told++);
    return counter;
  };
  return { wire, controller, mutate, seen, base, watched };
}

/** All orders of so many things. */
function orders(count: number): number[][] {
  if (count === 0) return [[]];
  return orders(count - 1).flatMap((order) =>
    Array.from({ length: count }, (_, at) => order.toSpliced(at, 0, count - 1))
  );
}

/** What must be seen of one member: what the last one in order of start wrote that has not failed. */
function lastOf(values: readonly string[], failed: ReadonlySet<number>, before: string): string {
  return values.findLast((_, index) => !failed.has(index)) ?? before;
}

for (const members of ["the same member", "members of their own"] as const) {
  Deno.test(`of three optimistic updates exactly the one that fails is gone, in any order, of ${members}`, async () => {
    for (const order of orders(3)) {
      for (const failing of [0, 1, 2]) {
        const { controller, mutate, seen } = setUp();
        const names = members === "the same member" ? ["title", "title", "title"] as const : ["a", "b", "c"] as const;
        const mutations = ["x", "y", "z"].map((value, index) => mutate({ [names[index]!]: value }));
        const failed = new Set<number>();
        const verify = () => {
          const article = seen()!;
          const context = `order ${order}, ${failing} fails`;
          if (members === "the same member") {
            assertEquals(article.title, lastOf(["x", "y", "z"], failed, "base"), context);
          } else {
            const expected = ["x", "y", "z"].map((value, index) => failed.has(index) ? "" : value);
            assertEquals([article.a, article.b, article.c], expected, context);
            assertEquals(article.title, "base");
          }
        };
        verify();
        for (const index of order) {
          if (index === failing) {
            failed.add(index);
            await mutations[index]!.call.fail();
          } else await mutations[index]!.call.reply({ id: "1", [names[index]!]: ["x", "y", "z"][index] });
          verify();
        }
        assertEquals([controller.store.layers.length, controller.store.covered.size, controller.store.logs.size], [
          0,
          0,
          0,
        ]);
      }
    }
  });
}

Deno.test("optimistic = base + what is pending in order, in all 768 cases of 4 mutations, 24 orders, 16 outcomes and 2 clocks", async () => {
  let cases = 0;
  for (const order of orders(4)) {
    for (let outcome = 0; outcome < 16; outcome++) {
      for (const sameMoment of [true, false]) {
        cases++;
        const clock = new FakeClock();
        using _ = clock.install();
        const { controller, mutate, seen, base } = setUp();
        const pass = () => {
          if (!sameMoment) clock.tick(1);
        };
        // All write the title; each has a member of its own, too.
        const values = ["t0", "t1", "t2", "t3"];
        const membersOf = (index: number) => ({ title: values[index]!, ["abcd"[index]!]: values[index]! });
        const failed = new Set<number>();
        const confirmed = new Set<number>();
        const mutations: { call: WireCall }[] = [];
        const verify = (context: string) => {
          const article = seen()!;
          const started = values.slice(0, mutations.length);
          assertEquals(article.title, lastOf(started, failed, "base"), context);
          const own = values.map((value, index) => index < mutations.length && !failed.has(index) ? value : "");
          assertEquals([article.a, article.b, article.c, article.d], own, context);
          const record = base()!;
          const known = values.map((value, index) => confirmed.has(index) ? value : undefined);
          assertEquals([record.a, record.b, record.c, record.d], known, context);
          assertEquals(record.title, values.findLast((_, index) => confirmed.has(index)) ?? "base", context);
        };
        for (let index = 0; index < 4; index++) {
          mutations.push(mutate(membersOf(index)));
          pass();
          verify(`start of ${index}`);
        }
        for (const index of order) {
          if (outcome & (1 << index)) {
            confirmed.add(index);
            await mutations[index]!.call.reply({ id: "1", ...membersOf(index) });
          } else {
            failed.add(index);
            await mutations[index]!.call.fail();
          }
          pass();
          verify(`order ${order}, outcome ${outcome.toString(2)}, after ${index}`);
        }
        assertEquals([controller.store.layers.length, controller.store.logs.size], [0, 0]);
      }
    }
  }
  assertEquals(cases, 768);
});

Deno.test("what was confirmed later is seen over a layer that started before, as it will be in the end", async () => {
  const { mutate, seen, controller } = setUp();
  const first = mutate({ title: "first", a: "first" });
  const second = mutate({ title: "second" });
  await second.call.reply({ id: "1", title: "second" });
  assertEquals([seen()!.title, seen()!.a], ["second", "first"]);
  controller.set(Article, { id: "1" }, { a: "by hand" });
  assertEquals(seen()!.a, "by hand");
  const object = seen();
  await first.call.reply({ id: "1", title: "first", a: "first" });
  assertStrictEquals(seen(), object);
});

Deno.test("a snapshot shows earlier layers, in entities, lists, queries, All and the answers of endpoints", async () => {
  const { mutate, seen, controller } = setUp();
  const list = new Endpoint(() => Promise.resolve([]), { name: "list", schema: [Article] });
  const titles = new Query(all, (articles) => articles.map(({ title }) => title));
  controller.setResponse(list, [{ id: "1", title: "base" }]);
  mutate({}, () => ({ id: "2", title: "created" }));
  mutate({}, (snapshot) => ({ id: "1", votes: (snapshot.get(Article, "1") as Article).votes + 1 }));
  mutate({}, (snapshot) => ({ id: "1", votes: (snapshot.get(Article, { id: "1" }) as Article).votes + 1 }));
  const looks: unknown[] = [];
  const last = mutate({}, (snapshot) => {
    looks.push(
      (snapshot.get(all) as Article[]).map(({ id }) => id),
      snapshot.get(titles),
      snapshot.getResponse(titles).data,
      (snapshot.get({ all }) as { all: Article[] }).all.map(({ id }) => id),
      (snapshot.getResponse(list).data as Article[]).map(({ votes }) => votes),
      snapshot.get(User, "1"),
      snapshot.get(new schema.All(User)),
    );
    return { id: "1", title: `${(snapshot.get(Article, "1") as Article).votes} votes` };
  });
  assertEquals(looks, [["1", "2"], ["base", "created"], ["base", "created"], ["1", "2"], [2], undefined, undefined]);
  assertEquals(seen()!.title, "2 votes");
  await last.call.fail();
  assertEquals(controller.get(new schema.All(User)), undefined, "to ask for a table does not make it known");
});

Deno.test("a snapshot knows a table of which only an earlier layer shows a record", () => {
  const { mutate, controller } = setUp();
  const looks: unknown[] = [];
  const users = new schema.All(User);
  mutate({}, () => ({ id: "1", author: { id: "7", name: "ann" } }));
  mutate({}, (snapshot) => {
    looks.push((snapshot.get(users) as User[] | undefined)?.map(({ name }) => name));
    throw snapshot.abort;
  });
  assertEquals(looks, [["ann"]]);
  assertEquals(controller.get(users)?.length, 1);
  controller.cleanup();
  assertEquals(controller.get(users), undefined);
});

Deno.test("a snapshot that is asked for unknown records leaves nothing behind in their table", () => {
  const { mutate, controller } = setUp();
  mutate({}, (snapshot) => {
    snapshot.get(User, "unknown");
    throw snapshot.abort;
  });
  assertEquals(controller.store.tables.byKey.get("User")?.slots.size, 0);
});

Deno.test("snapshot.abort shows nothing, says nothing, and the request goes on", async () => {
  const { mutate, seen, controller } = setUp({ strict: true });
  const before = seen();
  const warned = console.warn;
  const warnings: unknown[] = [];
  console.warn = (message) => void warnings.push(message);
  try {
    const { call, promise } = mutate({}, (snapshot) => {
      throw snapshot.abort;
    });
    assertStrictEquals(seen(), before);
    await call.reply({ id: "1", title: "confirmed" });
    assertStrictEquals(await promise as unknown, seen());
    assertEquals(seen()!.title, "confirmed");
    assertEquals([warnings.length, controller.store.layers.length], [0, 0]);
  } finally {
    console.warn = warned;
  }
});

Deno.test("an optimistic function that throws drops its layer, warns once, and the request goes on", async () => {
  for (const thrown of [new Error("broken"), undefined, null, "text", Object.create(null)]) {
    const { mutate, seen, controller } = setUp({ strict: true });
    const before = seen();
    const warned = console.warn;
    const warnings: string[] = [];
    console.warn = (message) => void warnings.push(message);
    try {
      const other = mutate({ a: "other" });
      const calls = [1, 2].map(() =>
        mutate({}, () => {
          throw thrown;
        })
      );
      assertEquals(seen()!.a, "other");
      assertEquals(controller.store.layers.length, 1);
      for (const { call } of calls) await call.reply({ id: "1", title: "confirmed" });
      assertEquals([seen()!.title, seen()!.a], ["confirmed", "other"]);
      await other.call.fail();
      assertEquals(seen()!.a, "");
      assert(before !== seen());
      assertEquals(warnings.length, 1);
      assert(warnings[0]!.includes('"mutate" shows nothing'), warnings[0]);
    } finally {
      console.warn = warned;
    }
  }
});

Deno.test("a layer is dropped when what is below it changes so that its function throws", async () => {
  const { mutate, seen, controller } = setUp();
  mutate({}, (snapshot) => {
    const { votes } = snapshot.get(Article, "1") as Article;
    if (votes > 5) throw new Error("too many");
    return { id: "1", votes: votes + 1 };
  });
  assertEquals(seen()!.votes, 1);
  controller.set(User, { id: "1" }, { name: "ann" });
  assertEquals(seen()!.votes, 1);
  const other = mutate({}, () => ({ id: "1", title: "other" }));
  // Written behind the pending ones, so below them.
  const { store } = controller;
  assertEquals(store.layers.length, 2);
  const reading = controller.fetch(
    new Endpoint(() => Promise.resolve({ id: "1", votes: 9 }), { name: "get", schema: Article }),
  );
  await reading;
  assertEquals([seen()!.votes, store.layers.length], [9, 1]);
  await other.call.reply({ id: "1" });
  assertEquals([seen()!.votes, seen()!.title, store.layers.length], [9, "base", 0]);
});

Deno.test("a layer is dropped when its own class refuses what it shows", async () => {
  class Strict extends Entity {
    id = "";
    body = "";
    pk() {
      return this.id;
    }
    static key = "Strict";
    static validate(record: { body?: string }) {
      return record.body === undefined ? "no body" : undefined;
    }
  }
  const wire = new Wire();
  const controller = new Controller();
  const create = new Endpoint(wire.fn("create"), {
    name: "create",
    schema: Strict,
    sideEffect: true,
    getOptimisticResponse: () => ({ id: "1" }),
  });
  const created = controller.fetch(create);
  assertEquals([controller.get(Strict, "1"), controller.store.layers.length], [undefined, 0]);
  await wire.last.reply({ id: "1", body: "text" });
  assertEquals((await created).body, "text");
});

Deno.test("who watches is told of a layer once, and not again when the server confirms what it showed", async () => {
  const { controller, mutate, watched } = setUp();
  const list = new Endpoint(() => Promise.resolve([]), { name: "list", schema: [Article] });
  const titles = new Query(all, (articles) => articles.map(({ title }) => title));
  controller.setResponse(list, [{ id: "1", title: "base" }, { id: "2" }]);
  const { graph } = controller.store;
  const counters = [
    watched(graph.query(Article, ["1"])),
    watched(controller.store.response(list, [], list.key())),
    watched(graph.query(all, [])),
    watched(graph.query(titles, [])),
  ];
  const bystander = watched(graph.query(Article, ["2"]));
  const { call, promise } = mutate({ title: "new" });
  assertEquals(counters.map(({ told }) => told), [1, 1, 1, 1]);
  const shown = controller.get(Article, "1");
  await call.reply({ id: "1", title: "new" });
  assertEquals(counters.map(({ told }) => told), [1, 1, 1, 1]);
  assertStrictEquals(await promise as unknown, shown);
  assertEquals(bystander.told, 0);
});

Deno.test("a failing layer restores the very data, and each reader is told once", async () => {
  const { controller, mutate, seen, watched } = setUp();
  const counter = watched(controller.store.graph.query(Article, ["1"]));
  const record = stateOf(controller).entities.Article!["1"];
  const { call, promise } = mutate({ title: "new" });
  assertStrictEquals(stateOf(controller).entities.Article!["1"], record);
  await call.fail();
  await assertRejects(() => promise, Error, "failed");
  assertEquals([seen()!.title, counter.told], ["base", 2]);
  assertStrictEquals(stateOf(controller).entities.Article!["1"], record);
});

Deno.test("a layer of a record that nobody knows appears everywhere, and goes without a trace", async () => {
  const wire = new Wire();
  const controller = new Controller();
  const create = new Endpoint(wire.fn("create"), {
    name: "create",
    schema: Article,
    sideEffect: true,
    getOptimisticResponse: () => ({ id: "9", title: "draft", author: { id: "1", name: "ann" } }),
  });
  assertEquals(controller.get(all), undefined);
  const created = controller.fetch(create);
  assertEquals(controller.get(all)?.map(({ author }) => author?.name), ["ann"]);
  assertEquals(stateOf(controller).entities, {}, "the base knows nothing of it");
  await wire.last.fail();
  await assertRejects(() => created);
  assertEquals([controller.get(all), controller.get(Article, "9"), controller.get(User, "1")], [
    undefined,
    undefined,
    undefined,
  ]);

  const again = controller.fetch(create);
  await wire.last.reply({ id: "9", title: "saved" });
  assertEquals((await again).title, "saved");
  assertEquals(controller.get(all)?.map(({ title }) => title), ["saved"]);
  assertEquals(Object.keys(stateOf(controller).entities.Article!), ["9"]);
});

Deno.test("All keeps the order of arrival through layers that create, delete and fail", async () => {
  const { controller, mutate } = setUp();
  const ids = () => controller.get(all)?.map(({ id }) => id).join();
  controller.get(Article, "9"); // waited for by a reader, long before it comes
  controller.get(Article, "8");
  controller.set(Article, { id: "2" }, {});
  const created = mutate({}, () => ({ id: "9" }));
  assertEquals(ids(), "1,2,9");
  controller.set(Article, { id: "3" }, {});
  await created.call.reply({ id: "9" });
  assertEquals(ids(), "1,2,9,3", "the row keeps its place when it is confirmed");

  const removed = mutate({}, () => ({ id: "1" }), removal);
  assertEquals(ids(), "2,9,3");
  const list = new Endpoint(() => Promise.resolve([{ id: "1", title: "changed below" }, { id: "8" }]), {
    name: "list",
    schema: [Article],
  });
  await controller.fetch(list);
  assertEquals(ids(), "2,9,3,8");
  await removed.call.fail();
  assertEquals(ids(), "1,2,9,3,8", "it was there all the time");
});

Deno.test("an optimistic delete hides the record from lists, queries, All and answers until it fails", async () => {
  const { controller, mutate, seen } = setUp();
  const list = new Endpoint(() => Promise.resolve([]), { name: "list", schema: [Article] });
  const get = new Endpoint((_: string) => Promise.resolve({}), { name: "get", schema: Article });
  const count = new Query(all, (articles) => articles.length);
  controller.setResponse(list, [{ id: "1" }, { id: "2" }]);
  controller.setResponse(get, "1", { id: "1" });
  const looks = () => [
    controller.getResponse(list).data?.length,
    controller.getResponse(get, "1").data?.title,
    controller.get(count),
    controller.get(all)?.length,
    seen()?.title,
  ];
  const shown = [2, "base", 2, 2, "base"];
  assertEquals(looks(), shown);
  const { call } = mutate({}, () => "1", removal);
  assertEquals(looks(), [1, undefined, 1, 1, undefined]);
  await call.fail();
  assertEquals(looks(), shown);
  const { call: again, promise } = mutate({}, () => ({ id: "1" }), removal);
  await again.reply({ id: "1" });
  assertEquals(await promise as unknown, { id: "1" });
  assertEquals(looks(), [1, undefined, 1, 1, undefined]);
});

Deno.test("a layer over a record that is deleted below it shows what it wrote, and goes with its own reply", async () => {
  const { controller, mutate, seen, base } = setUp();
  const edit = mutate({ title: "edited" });
  const remove = mutate({}, () => ({ id: "1" }), removal);
  assertEquals(seen(), undefined);
  await remove.call.reply({ id: "1" });
  assertEquals([seen(), base()], [undefined, undefined], "the delete stands behind the edit");
  await edit.call.reply({ id: "1", title: "edited" });
  assertEquals([seen(), base()], [undefined, undefined]);

  const late = mutate({ title: "too late" });
  assertEquals(seen()?.title, "too late");
  await late.call.fail();
  assertEquals(seen(), undefined);
  assertEquals(controller.get(all), []);
});

Deno.test("an object that an optimistic function was given and hands back is a reference, not data", async () => {
  const { controller, mutate, seen } = setUp();
  controller.set(User, { id: "1" }, { name: "ann", born: "2020-01-01" });
  controller.set(Article, { id: "1" }, { author: "1" });
  const user = controller.get(User, "1")!;
  const { call } = mutate({}, (snapshot) => ({ ...snapshot.get(Article, "1") as Article, votes: 1 }));
  assertEquals(seen()!.votes, 1);
  assertStrictEquals(seen()!.author, user);
  await call.fail();
  const given = mutate({}, () => ({ id: "1", author: user, votes: 2 }));
  assertEquals(seen()!.votes, 2);
  assertStrictEquals(seen()!.author, user);
  await given.call.fail();
  assertStrictEquals(controller.get(User, "1"), user);
});

Deno.test("an aborted mutation takes its layer away and leaves no error", async () => {
  const { controller, wire, seen } = setUp();
  const abort = new AbortController();
  const update = new Endpoint(wire.fn("update"), {
    name: "update",
    schema: Article,
    sideEffect: true,
    signal: abort.signal,
    getOptimisticResponse: () => ({ id: "1", title: "new" }),
  });
  const before = seen();
  const promise = controller.fetch(update);
  assertEquals(seen()!.title, "new");
  abort.abort(new Error("not any more"));
  await assertRejects(() => promise, Error, "not any more");
  assertEquals(seen()!.title, before!.title);
  assertEquals([controller.store.layers.length, controller.store.sequence.size], [0, 0]);
  await wire.last.reply({ id: "1", title: "late" });
  assertEquals(seen()!.title, "base");
  await assertRejects(() => controller.fetch(update), Error, "not any more");
  assertEquals([controller.store.layers.length, seen()!.title], [0, "base"]);
});

Deno.test("a layer goes when the reply cannot be stored, when the store is reset, and when the controller stops", async () => {
  const { controller, mutate, seen } = setUp();
  const refused = mutate({ title: "new" });
  await refused.call.reply(["no article"]);
  assertInstanceOf(await refused.promise.catch((error) => error), WriteError);
  assertEquals([seen()!.title, controller.store.layers.length], ["base", 0]);

  mutate({ title: "new" });
  controller.resetEntireStore();
  assertEquals([seen(), controller.store.layers.length, controller.store.covered.size], [undefined, 0, 0]);

  controller.set(Article, { id: "1" }, { title: "again" });
  mutate({ title: "new" });
  controller.cleanup();
  await flush();
  assertEquals([seen()!.title, controller.store.layers.length], ["again", 0]);
});

Deno.test("a mutation is not sent when whoever is told of its layer resets the store or stops the controller", async () => {
  for (const end of ["resetEntireStore", "cleanup"] as const) {
    const { controller, mutate, wire, watched } = setUp();
    watched(controller.store.graph.query(Article, ["1"]));
    const stop = watch(controller.store, controller.store.graph.query(Article, ["1"]), () => {
      stop();
      controller[end]();
    });
    const { promise } = mutate({ title: "new" });
    await assertRejects(() => promise, OvertakenError);
    assertEquals([wire.calls.length, controller.store.layers.length, controller.store.sequence.size], [0, 0, 0]);
  }
});

Deno.test("set by hand with a function over a record that only a layer shows writes what differs, and what names it", async () => {
  const { controller, mutate } = setUp();
  const { call } = mutate({}, () => ({ id: "9", title: "draft", votes: 3 }));
  controller.set(Article, { id: "9" }, (article) => article && { ...article, a: "by hand" });
  assertEquals(stateOf(controller).entities.Article!["9"], { a: "by hand", id: "9" });
  assertEquals([controller.get(Article, "9")!.title, controller.get(Article, "9")!.a], ["draft", "by hand"]);
  await call.fail();
  assertEquals([controller.get(Article, "9")!.title, controller.get(Article, "9")!.a], ["", "by hand"]);
});

Deno.test("merge() makes layers, too, and one that cannot bear what a layer shows does not stop the store", async () => {
  class Counter extends Entity {
    id = "";
    steps: number[] = [];
    pk() {
      return this.id;
    }
    static key = "Counter";
    static merge(existing: { steps: number[] }, incoming: { steps: number[] }) {
      if (existing.steps.includes(-1)) throw new Error("cannot bear -1");
      return { ...existing, ...incoming, steps: [...existing.steps, ...incoming.steps] };
    }
  }
  const wire = new Wire();
  const controller = new Controller();
  controller.set(Counter, { id: "1" }, { steps: [0] });
  const add = (step: number) => {
    const promise = controller.fetch(
      new Endpoint(wire.fn("add"), {
        name: "add",
        schema: Counter,
        sideEffect: true,
        getOptimisticResponse: () => ({ id: "1", steps: [step] }),
      }),
    );
    promise.catch(() => {});
    return wire.last;
  };
  const first = add(1);
  const second = add(2);
  assertEquals(controller.get(Counter, "1")!.steps, [0, 1, 2]);
  await second.reply({ id: "1", steps: [2] });
  assertEquals(controller.get(Counter, "1")!.steps, [0, 1, 2]);
  await first.fail();
  assertEquals(controller.get(Counter, "1")!.steps, [0, 2]);

  const bad = add(-1);
  assertEquals(controller.get(Counter, "1")!.steps, [0, 2, -1]);
  const good = add(3);
  assertEquals(controller.get(Counter, "1")!.steps, [0, 2, -1], "its layer is dropped");
  await good.reply({ id: "1", steps: [3] });
  assertEquals(controller.get(Counter, "1")!.steps, [0, 2, 3], "what was confirmed counts more than what is hoped for");
  await bad.fail();
  assertEquals(controller.get(Counter, "1")!.steps, [0, 2, 3]);
});

Deno.test("optimistic members of createResource show what is sent, and only that, until the server answers", async () => {
  const api = new FaultFetch(async (request) =>
    request.method === "DELETE"
      ? new Response(null, { status: 204 })
      : Response.json({ id: "1", votes: 7, ...await request.json() })
  );
  api.always(() => true, { hold: "reply" });
  using _ = api.install();
  using controller = new Controller();
  const Resource = createResource({
    urlPrefix: "https://api.test",
    path: "/articles/:id",
    schema: Article,
    optimistic: true,
  });
  controller.set(Article, { id: "1" }, { id: "1", title: "base", a: "kept" });
  const release = async () => {
    await flush();
    api.releaseAll();
    await flush();
  };
  const article = () => controller.get(Article, "1");

  const patched = controller.fetch(Resource.partialUpdate, { id: "1" }, { title: "new" });
  assertEquals([article()!.title, article()!.a, article()!.votes], ["new", "kept", 0]);
  await release();
  assertStrictEquals(await patched, article()!);
  assertEquals(article()!.votes, 7);

  const removed = controller.fetch(Resource.delete, { id: "1" });
  assertEquals(article(), undefined);
  await flush();
  api.held[0]!.fail();
  await assertRejects(() => removed);
  assertEquals(article()!.title, "new");
});
