import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import {
  Controller,
  Endpoint,
  Entity,
  hydrate,
  memory,
  type MemoryOptions,
  onCommit,
  Query,
  retain,
  schema,
  snapshotOf,
  stateOf,
} from "@rejoin/data";
import { eachParent, type ViewNode } from "../../../src/denormalize/node.ts";
import { hold } from "../../../src/parts/memory/retain.ts";
import { atMost } from "../../../src/parts/memory/bound.ts";
import { Collector } from "../../../src/parts/memory/collector.ts";
import type { Store } from "../../../src/store/store.ts";
import { watch } from "../../../src/store/watch.ts";
import { FakeClock } from "../../support/clock.ts";
import { collectAll, stepOn } from "../../support/collect.ts";

class User extends Entity {
  id = "";
  name = "";
  static key = "User";
}

class Article extends Entity {
  id = "";
  title = "";
  tag = "";
  author: User | undefined = undefined;
  static key = "Article";
  static schema = { author: User };
  static indexes = ["tag"] as const;
}

const MINUTES = 60_000;

const getArticle = new Endpoint(
  ({ id }: { id: string }) =>
    Promise.resolve({ id, title: `title ${id}`, tag: "news", author: { id: `u${id}`, name: "Ann" } }),
  { name: "getArticle", schema: Article },
);
const getList = new Endpoint(() => Promise.resolve([{ id: "1", title: "one" }, { id: "2", title: "two" }]), {
  name: "getList",
  schema: [Article],
});
const getAll = new Endpoint(() => Promise.resolve([{ id: "1", title: "one" }, { id: "2", title: "two" }]), {
  name: "getAll",
  schema: new schema.All(Article),
});
const allArticles = new schema.All(Article);

function setUp(options: MemoryOptions | false = {}) {
  const clock = new FakeClock();
  const restore = clock.install();
  const controller = new Controller({ use: options === false ? [] : [memory(options)] });
  const { store, store: { graph } } = controller;
  const told: string[] = [];
  return {
    clock,
    controller,
    store,
    told,
    view: (endpoint: typeof getArticle | typeof getList | typeof getAll, ...args: { id: string }[]) =>
      store.response(endpoint, args, (endpoint as typeof getArticle).key(...args as [{ id: string }])),
    watch: (name: string, view: ViewNode) => watch(store, view, () => told.push(name)),
    query: graph.query.bind(graph),
    /** What is in the tables, places that wait included. */
    rows: () =>
      [...store.tables.byKey.values()].flatMap(({ key, slots }) => [...slots.keys()].map((pk) => `${key} ${pk}`))
        .sort().join(),
    [Symbol.dispose]() {
      controller.cleanup();
      restore();
    },
  };
}

Deno.test("what nobody has watched or read for its age is gone from everywhere", async () => {
  using app = setUp();
  const { controller, clock, store } = app;
  await controller.fetch(getArticle, { id: "1" });
  const bare = store.tables.byKey.get("Article")!;
  const { version } = bare;
  await clock.tickAsync(4 * MINUTES);
  assertEquals(app.rows(), "Article 1,User u1", "whoever goes back finds it");
  await clock.tickAsync(3 * MINUTES);
  assertEquals(app.rows(), "");
  const { entities, endpoints, meta } = stateOf(controller);
  assertEquals([Object.keys(entities), Object.keys(endpoints), Object.keys(meta)], [[], [], []]);
  assertEquals([store.responsesByKey.size, bare.version > version, bare.known], [0, true, false]);
  assertEquals(controller.get(Article, { id: "1" }), undefined);
  assertEquals(controller.getResponse(getArticle, { id: "1" }).expiryStatus, 1);
  assertEquals((await controller.fetch(getArticle, { id: "1" })).author?.name, "Ann");
});

Deno.test("what was read lately stays, with all that it is made of", async () => {
  using app = setUp();
  const { controller, clock } = app;
  for (const id of ["1", "2"]) await controller.fetch(getArticle, { id });
  for (let at = 0; at < 6; at++) {
    await clock.tickAsync(2 * MINUTES);
    controller.get(Article, { id: "2" });
  }
  assertEquals(app.rows(), "Article 2,User u2");
  assertEquals(controller.get(Article, { id: "2" })?.author?.name, "Ann");
});

Deno.test("what is watched stays and its readers are told of nothing; its age counts from when it is watched no more", async () => {
  using app = setUp();
  const { controller, clock, told } = app;
  for (const id of ["1", "2", "3"]) await controller.fetch(getArticle, { id });
  const before = controller.getResponse(getArticle, { id: "1" }).data;
  const stop = app.watch("answer 1", app.view(getArticle, { id: "1" }));
  const stopUser = app.watch("user 2", app.query(User, ["u2"]));
  await clock.tickAsync(30 * MINUTES);
  assertEquals(app.rows(), "Article 1,User u1,User u2");
  assertStrictEquals(controller.getResponse(getArticle, { id: "1" }).data, before);
  assertEquals(told, []);
  // Somebody else's commit tells whom it told before.
  controller.set(User, "u1", { id: "u1", name: "Bo" });
  assertEquals(told, ["answer 1"]);
  stop();
  stopUser();
  await clock.tickAsync(4 * MINUTES);
  assertEquals(app.rows(), "Article 1,User u1,User u2");
  await clock.tickAsync(4 * MINUTES);
  assertEquals(app.rows(), "");
  assertEquals(before?.author?.name, "Ann", "what a component still holds is as it was");
});

Deno.test("a watched All keeps every row, a watched bucket its own", async () => {
  using app = setUp();
  const { controller, clock } = app;
  controller.set(Article, "1", { id: "1", tag: "news" });
  controller.set(Article, "2", { id: "2", tag: "sport" });
  const stop = app.watch("all", app.query(allArticles, []));
  await clock.tickAsync(20 * MINUTES);
  assertEquals(app.rows(), "Article 1,Article 2");
  stop();
  const news = new Query(new schema.All(Article), (all) => all.filter(({ tag }) => tag === "news"));
  const byTag = app.watch("tag", app.query(Article, [{ tag: "news" }]));
  assertEquals(controller.get(news)?.length, 1);
  await clock.tickAsync(20 * MINUTES);
  assertEquals(app.rows(), "Article 1");
  byTag();
  await clock.tickAsync(20 * MINUTES);
  assertEquals([app.rows(), controller.get(allArticles)], ["", undefined]);
});

Deno.test("lists that were read by arguments and are let go of hang on none of the records that stay", async () => {
  class Reader extends Entity {
    id = "";
    articles: string[] = [];
    static key = "Reader";
    static schema = { articles: new schema.Lazy([Article]) };
  }
  using app = setUp();
  const { controller, clock } = app;
  controller.set(Article, "1", { id: "1" });
  app.watch("article", app.query(Article, ["1"]));
  const { node } = app.store.tables.byKey.get("Article")!.slots.get("1")!;
  const edges = () => {
    let count = 0;
    eachParent(node!, () => count++);
    return count;
  };
  const readers = 1_200;
  for (let at = 0; at < readers; at++) {
    controller.set(Reader, `${at}`, { id: `${at}`, articles: ["1"] as never });
    assertEquals(controller.get(Reader.schema.articles.query, controller.get(Reader, `${at}`)!)?.length, 1);
  }
  assertEquals(edges(), 1_000, "as many as are kept");
  await clock.tickAsync(20 * MINUTES);
  assertEquals([app.rows(), edges()], ["Article 1", 0]);
});

Deno.test("what a record was shown in is told that it went, also where the first of that went before", () => {
  class Reader extends Entity {
    id = "";
    articles: string[] = [];
    static key = "Reader";
    static schema = { articles: new schema.Lazy([Article]) };
  }
  using app = setUp(false);
  const { controller } = app;
  const collector = new Collector(controller, { maxAge: 0 });
  const titles = new Query(Reader.schema.articles.query, (articles) => articles.map(({ title }) => title));
  const readers = ["1", "2"].map((id) => Reader.fromJS({ id }));
  controller.set(Reader, "1", { id: "1", articles: [{ id: "1", title: "one" }] as never });
  // Of what is made of the article this is the first, and goes first; what the titles are made of goes a pass later.
  controller.get(allArticles);
  controller.get(Reader.schema.articles.query, readers[1]!);
  assertEquals(controller.get(titles, readers[0]!), ["one"]);
  for (let passes = 0; passes < 2; passes++) {
    collectAll(collector);
    controller.get(Reader, "1");
  }
  assertEquals(app.rows(), "Reader 1");
  assertEquals(snapshotOf(controller).get(titles, readers[0]!), []);
  assertEquals(controller.get(titles, readers[0]!), []);
});

Deno.test("retain holds an answer or a record until it is let go, also one that comes later", async () => {
  using app = setUp();
  const { controller, clock, store } = app;
  const releases = [retain(controller, getList), retain(controller, User, "u3"), retain(controller, allArticles, null)];
  await clock.tickAsync(10 * MINUTES);
  await controller.fetch(getList);
  await controller.fetch(getArticle, { id: "3" });
  await clock.tickAsync(20 * MINUTES);
  assertEquals(app.rows(), "Article 1,Article 2,User u3");
  assertEquals(controller.getResponse(getList).data?.length, 2);
  for (const release of [...releases, ...releases]) release();
  await clock.tickAsync(20 * MINUTES);
  assertEquals([app.rows(), store.responsesByKey.size], ["", 0]);
});

Deno.test("with a bound, what was not read for longest goes first, and what is watched never", async () => {
  using app = setUp({ maxAge: Infinity, bound: atMost(4) });
  const { controller, clock } = app;
  app.watch("record 1", app.query(Article, ["1"]));
  for (const id of ["1", "2", "3", "4", "5", "6"]) controller.set(Article, id, { id, title: id });
  controller.get(Article, "2");
  assertEquals(app.rows().split(",").length, 6, "it is rendered first");
  await clock.tickAsync(2_000);
  assertEquals(app.rows(), "Article 1,Article 2,Article 5,Article 6");
  controller.get(Article, "5");
  controller.get(Article, "6");
  controller.get(Article, "2");
  controller.set(Article, "7", { id: "7", title: "7" });
  controller.set(Article, "8", { id: "8", title: "8" });
  controller.get(Article, "8");
  await clock.tickAsync(2_000);
  assertEquals(app.rows(), "Article 1,Article 2,Article 6,Article 8");
});

Deno.test("a list that stays keeps its rows, also those that came before it by their pk alone", async () => {
  using app = setUp();
  const { controller, clock } = app;
  controller.set(Article, "1", { id: "1", title: "one", author: { id: "u1", name: "Ann" } });
  await clock.tickAsync(4 * MINUTES);
  controller.setResponse(getList, ["1"]);
  await clock.tickAsync(3 * MINUTES);
  assertEquals(app.rows(), "Article 1,User u1");
  assertEquals(controller.getResponse(getList).data?.[0]?.author?.name, "Ann");
});

Deno.test("listeners of commits are told what was collected, and only then", async () => {
  using app = setUp();
  const { controller, clock } = app;
  await controller.fetch(getArticle, { id: "1" });
  const seen: unknown[] = [];
  onCommit(controller, ({ records, endpoints, reset }, { type }) => {
    seen.push([
      type,
      reset,
      records.map(({ key, pk, after }) => [key, pk, after]),
      endpoints.map(({ before, after }) => [before, after]),
    ]);
  });
  const state = stateOf(controller);
  await clock.tickAsync(20 * MINUTES);
  const records = [["Article", "1", undefined], ["User", "u1", undefined]];
  assertEquals(seen, [["collect", false, [], [["1", undefined]]], ["collect", false, records, []]]);
  assert(stateOf(controller) !== state);
});

Deno.test("what a request in flight may be put before stays until that has settled", async () => {
  using app = setUp({ maxAge: 1_000 });
  const { controller, clock, store } = app;
  let answer: (value: unknown) => void;
  const slow = new Endpoint((_: { id: string }) => new Promise((resolve) => answer = resolve), {
    name: "slow",
    schema: Article,
  });
  controller.set(Article, "0", { id: "0", title: "before" });
  await clock.tickAsync(0);
  const asked = controller.fetch(slow, { id: "1" });
  controller.set(Article, "1", { id: "1", title: "later" });
  await clock.tickAsync(20_000);
  assertEquals([app.rows(), store.responsesByKey.size], ["Article 1", 1]);
  answer!({ id: "1", title: "earlier", tag: "news" });
  await asked;
  const { title, tag } = controller.get(Article, "1")!;
  assertEquals([title, tag], ["later", "news"]);
  await clock.tickAsync(20_000);
  assertEquals([app.rows(), store.responsesByKey.size, store.logs.size], ["", 0, 0]);
});

Deno.test("nothing is collected while a mutation shows what it expects", async () => {
  using app = setUp({ maxAge: 1_000 });
  const { controller, clock } = app;
  let answer: (value: unknown) => void;
  const rename = new Endpoint((_: { id: string }) => new Promise((resolve) => answer = resolve), {
    name: "rename",
    schema: Article,
    sideEffect: true,
    getOptimisticResponse: (snapshot, { id }) => ({
      id,
      title: `one of ${(snapshot.get(allArticles) as readonly unknown[]).length}`,
    }),
  });
  for (const id of ["1", "2", "3"]) controller.set(Article, id, { id, title: "old" });
  const view = app.query(Article, ["1"]);
  app.watch("1", view);
  const renamed = controller.fetch(rename, { id: "1" });
  await clock.tickAsync(20_000);
  // The layer runs again.
  controller.set(User, "1", { id: "1", name: "Ann" });
  assertEquals([controller.get(Article, "1")?.title, app.told], ["one of 3", ["1"]]);
  answer!({ id: "1", title: "new" });
  await renamed;
  await clock.tickAsync(20_000);
  assertEquals([app.rows(), controller.get(Article, "1")?.title], ["Article 1", "new"]);
});

Deno.test("the wall clock may jump: age is the time that has passed", async () => {
  using app = setUp();
  const { controller, clock } = app;
  await controller.fetch(getArticle, { id: "1" });
  for (const jump of [1e9, -2e9]) {
    clock.jump(jump);
    await clock.tickAsync(2 * MINUTES);
    assertEquals(app.rows(), "Article 1,User u1");
  }
  await clock.tickAsync(4 * MINUTES);
  assertEquals(app.rows(), "");
});

Deno.test("a snapshot that is held reads what was collected since", async () => {
  using app = setUp({ maxAge: 1_000 });
  const { controller, clock } = app;
  await controller.fetch(getArticle, { id: "1" });
  const snapshot = snapshotOf(controller);
  await clock.tickAsync(20_000);
  assertEquals([app.rows(), controller.get(Article, "1")], ["", undefined]);
  assertEquals(snapshot.get(Article, "1")?.author?.name, "Ann");
  assertEquals(snapshot.getResponse(getArticle, { id: "1" }).data?.title, "title 1");
});

Deno.test("what comes between any two steps of a collection keeps all that it is made of", () => {
  interface Stage {
    readonly controller: Controller;
    readonly store: Store;
    readonly steps: number;
  }
  const events: { readonly [name: string]: (stage: Stage) => () => unknown } = {
    "a watched record refers to an old one": ({ controller }) => {
      controller.set(Article, "1", { id: "1", author: "u2" as never });
      return () => controller.get(Article, "1")?.author?.name;
    },
    "a new record refers to an old one": ({ controller }) => {
      controller.set(Article, "3", { id: "3", author: "u2" as never });
      return () => controller.get(Article, "3")?.author?.name;
    },
    "an old record is read": ({ controller }) => {
      controller.get(Article, "2");
      return () => controller.get(Article, "2")?.author?.name;
    },
    "an old record is watched that was looked up before": ({ controller, store }) => {
      const view = store.graph.query(Article, ["2"]);
      watch(store, view, () => {});
      return () => controller.get(Article, "2")?.author?.name;
    },
    "an old answer is read": ({ controller }) => {
      controller.getResponse(getList);
      return () => controller.getResponse(getList).data?.at(-1)?.author?.name;
    },
    "an answer names an old record": ({ controller }) => {
      controller.setResponse(getList, ["2"]);
      return () => controller.getResponse(getList).data?.[0]?.author?.name;
    },
    "a watched answer names an old record": ({ controller }) => {
      controller.setResponse(getArticle, { id: "9" }, { id: "9", author: "u2" });
      return () => controller.getResponse(getArticle, { id: "9" }).data?.author?.name;
    },
    "an old record is held by hand": ({ controller, store }) => {
      hold(store, () => store.graph.query(Article, ["2"]));
      return () => controller.get(Article, "2")?.author?.name;
    },
    "an old query is watched": ({ controller, store }) => {
      watch(store, store.graph.query(byAuthor, []), () => assert(false, "told"));
      return () => controller.get(byAuthor)?.join();
    },
    "an index is told of an old record": ({ controller }) => {
      controller.set(Article, "2", { id: "2", tag: "9" });
      return () => controller.get(Article, { tag: "9" })?.author?.name;
    },
  };
  const byAuthor = new Query(allArticles, (all) => all.map(({ author }) => author?.name));
  for (const [name, happen] of Object.entries(events)) {
    let isMore = true;
    for (let steps = 0; isMore; steps++) {
      const controller = new Controller();
      const { store } = controller;
      const collector = new Collector({ store, isReading: () => false }, { maxAge: 0 }, 1);
      store.join(collector);
      controller.set(User, "u2", { id: "u2", name: "Ann" });
      controller.set(Article, "1", { id: "1" });
      controller.setResponse(getList, [{ id: "2", author: "u2" }]);
      controller.getResponse(getList);
      controller.get(byAuthor);
      watch(store, store.graph.query(Article, ["1"]), () => {});
      watch(store, store.response(getArticle, [{ id: "9" }], getArticle.key({ id: "9" })), () => {});
      watch(store, store.graph.query(Article, [{ tag: "9" }]), () => {});
      collectAll(collector);
      collector.begin();
      isMore = steps === 0 || stepOn(collector, steps);
      const wasThere = store.tables.byKey.get("User")!.slots.has("u2");
      const result = happen({ controller, store, steps });
      const before = result();
      while (collector.step());
      assertEquals(result(), before, `${name}, after ${steps} steps`);
      if (wasThere && store.tables.byKey.get("Article")!.slots.get("2")?.rec !== undefined) {
        const isRead = controller.get(Article, "2")?.author?.name;
        assertEquals(isRead, "Ann", `${name}, after ${steps} steps: torn`);
      }
      assert(steps < 500, "it comes to an end");
      // Else its timers go on, and on the clocks of other tests.
      collector.cleanup();
    }
  }
});

Deno.test("hydrated data goes by age like other data that nobody reads", async () => {
  using source = setUp();
  await source.controller.fetch(getArticle, { id: "1" });
  const clock = new FakeClock();
  using _ = clock.install();
  const controller = new Controller({ use: [hydrate(stateOf(source.controller)), memory({})] });
  await clock.tickAsync(4 * MINUTES);
  assertEquals(controller.get(Article, "1")?.author?.name, "Ann");
  await clock.tickAsync(8 * MINUTES);
  assertEquals(stateOf(controller).entities, Object.create(null));
  controller.cleanup();
});

Deno.test("without an option it sleeps until something is watched; without it all is kept; a stop leaves no timer", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  const controller = new Controller({ use: [memory()] });
  await controller.fetch(getArticle, { id: "1" });
  assertEquals([clock.pending, clock.idle], [0, 0]);
  await clock.tickAsync(60 * MINUTES);
  const stop = watch(controller.store, controller.store.graph.query(User, ["u1"]), () => {});
  assertEquals([clock.pending, clock.idle], [0, 1]);
  await clock.tickAsync(60 * MINUTES);
  assertEquals(Object.keys(stateOf(controller).entities), ["User"]);
  stop();
  controller.cleanup();
  assertEquals(clock.idle, 0);
  await clock.tickAsync(60 * MINUTES);
  assertEquals(Object.keys(stateOf(controller).entities), ["User"]);

  const keeper = new Controller();
  await keeper.fetch(getArticle, { id: "1" });
  watch(keeper.store, keeper.store.graph.query(User, ["u1"]), () => {})();
  retain(keeper, User, "u1")();
  assertEquals(clock.idle, 0);
  await clock.tickAsync(60 * MINUTES);
  assertEquals(Object.keys(stateOf(keeper).entities), ["Article", "User"]);
});

Deno.test("a cycle that nobody watches goes, names such as __proto__ and 100,000 levels do no harm", async () => {
  class Person extends Entity {
    id = "";
    friend: Person | undefined = undefined;
    static key = "__proto__";
    static schema: { friend: typeof Person } = {} as never;
  }
  Person.schema = { friend: Person };
  using app = setUp();
  const { controller, clock } = app;
  controller.set(Person, "__proto__", { id: "__proto__", friend: { id: "constructor", friend: "__proto__" } as never });
  controller.set(Person, "toString", { id: "toString", friend: "toString" as never });
  for (let level = 0; level < 100_000; level += 1) {
    controller.set(Person, `${level}`, { id: `${level}`, friend: `${level + 1}` as never });
  }
  const stop = app.watch("chain", app.query(Person, ["0"]));
  const stopOther = app.watch("cycle", app.query(Person, ["constructor"]));
  await clock.tickAsync(20 * MINUTES);
  // The last one waits for its friend.
  assertEquals(app.store.tables.byKey.get("__proto__")!.slots.size, 100_001 + 2);
  stop();
  await clock.tickAsync(20 * MINUTES);
  assertEquals(app.rows(), "__proto__ __proto__,__proto__ constructor");
  stopOther();
  await clock.tickAsync(20 * MINUTES);
  assertEquals([app.rows(), app.told], ["", []]);
});

Deno.test("a controller that was dropped without cleanup is not kept by its collector", async () => {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--no-check",
      "--quiet",
      "--v8-flags=--expose-gc",
      new URL("./_dropped.ts", import.meta.url).href,
    ],
  });
  const { code, stdout, stderr } = await child.output();
  const text = new TextDecoder();
  assertEquals([code, text.decode(stdout)], [0, "all 50 are gone\n"], text.decode(stderr));
});

Deno.test("a record that leaves a reference, and has it again after that was collected, shows what it refers to", async () => {
  using app = setUp(false);
  const { controller, store } = app;
  const collector = new Collector({ store, isReading: () => false }, { maxAge: 0 });
  store.join(collector);
  await controller.fetch(getArticle, { id: "1" });
  assertEquals(controller.get(Article, "1")!.author!.name, "Ann");
  const collect = () => {
    collector.begin();
    while (collector.step());
  };
  collect();
  // Kept, for it is young, and not read: what was made of it refers to the first author.
  controller.set(Article, { id: "1" }, { author: { id: "u2", name: "Bo" } });
  collect();
  assertEquals(app.rows(), "Article 1,User u2");
  controller.set(Article, { id: "1" }, { author: { id: "u1", name: "Cy" } });
  assertEquals(controller.get(Article, "1")!.author!.name, "Cy");
  collector.cleanup();
});

Deno.test("after a burst the bound is kept within seconds, however long data may stay", async () => {
  using app = setUp({ maxAge: 24 * 60 * MINUTES, bound: atMost(100) });
  const { controller, clock, store } = app;
  const size = () => store.tables.byKey.get("Article")!.slots.size;
  const burst = (from: number) => {
    for (let id = from; id < from + 5_000; id++) controller.set(Article, `${id}`, { id: `${id}` });
  };
  burst(0);
  await clock.tickAsync(3_000);
  assertEquals(size(), 100);
  burst(5_000);
  await clock.tickAsync(1_500);
  // Before what is left of the first one had its turn.
  burst(10_000);
  await clock.tickAsync(4_000);
  assertEquals(size(), 100);
  assert(controller.get(Article, "14999") !== undefined);
});

/** Which waits a collector asks for from now on. */
function waitsOf(clock: FakeClock): number[] {
  const waits: number[] = [];
  const setIdle = clock.setIdle.bind(clock);
  clock.setIdle = (fn, ms) => (waits.push(ms), setIdle(fn, ms));
  return waits;
}

Deno.test("where all that is beyond the bound is in use, it is not looked at every second", async () => {
  using app = setUp({ maxAge: 24 * 60 * MINUTES, bound: atMost(100) });
  const { controller, clock } = app;
  controller.set(allArticles, Array.from({ length: 300 }, (_, id) => ({ id: `${id}` })));
  for (let id = 300; id < 400; id++) retain(controller, User, `${id}`);
  for (let id = 300; id < 400; id++) controller.set(User, `${id}`, { id: `${id}` });
  const stop = app.watch("all", app.query(allArticles, []));
  await clock.tickAsync(3_000);
  const waits = waitsOf(clock);
  await clock.tickAsync(60 * MINUTES);
  assertEquals(app.rows().split(",").length, 400);
  assert(waits.length < 60, `${waits.length} waits in an hour`);
  stop();
  await clock.tickAsync(2 * MINUTES);
  assertEquals(app.rows().split(",").length, 100, "what is watched no more goes soon, too");
});

Deno.test("an answer that is larger than the bound stays whole until something newer fills it", async () => {
  using app = setUp({ maxAge: 24 * 60 * MINUTES, bound: atMost(100) });
  const { controller, clock } = app;
  controller.set(User, "old", { id: "old" });
  controller.setResponse(getList, Array.from({ length: 500 }, (_, id) => ({ id: `${id}` })));
  await clock.tickAsync(60 * MINUTES);
  assertEquals(controller.getResponse(getList).data?.length, 500);
  assertEquals(controller.get(User, "old"), undefined);
  await clock.tickAsync(2_000);
  for (let id = 0; id < 100; id++) controller.set(User, `${id}`, { id: `${id}` });
  await clock.tickAsync(2 * MINUTES);
  assertEquals(app.rows().split(",").length, 100);
  assertEquals(controller.getResponse(getList).data, undefined);
});
