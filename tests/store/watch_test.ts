import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { Controller, Endpoint, Entity, onCommit, Query, schema } from "@rejoin/data";
import type { ViewNode } from "../../src/denormalize/node.ts";
import { watch } from "../../src/store/watch.ts";
import { flush } from "../support/clock.ts";

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

const list = new Endpoint(() => Promise.resolve([]), { name: "list", schema: [Article] });
const all = new schema.All(Article);

function setUp() {
  const controller = new Controller();
  const { store, store: { graph } } = controller;
  controller.setResponse(list, [
    { id: "1", title: "one", author: { id: "1", name: "ann" } },
    { id: "2", title: "two", author: { id: "2", name: "bo" } },
    { id: "3", title: "three", author: "1" },
  ]);
  const log: string[] = [];
  const on = (name: string, view: ViewNode, also?: () => void) =>
    watch(store, view, () => {
      log.push(name);
      also?.();
    });
  const told = () => log.splice(0).sort().join();
  return { controller, graph, log, on, told, listView: store.response(list, [], list.key()) };
}

/** Runs something that is to cause uncaught errors, and gives their messages. */
async function uncaught(run: () => unknown): Promise<string[]> {
  const messages: string[] = [];
  const listen = (event: ErrorEvent) => {
    event.preventDefault();
    messages.push(event.error.message);
  };
  addEventListener("error", listen);
  try {
    await run();
    await flush();
  } finally {
    removeEventListener("error", listen);
  }
  return messages;
}

Deno.test("exactly the watchers of what changed are told, each once a commit", () => {
  const { controller, graph, on, told, listView } = setUp();
  for (const pk of ["1", "2", "3"]) on(`article ${pk}`, graph.query(Article, [pk]));
  on("user 1", graph.query(User, ["1"]));
  on("user 2", graph.query(User, ["2"]));
  on("list", listView);
  on("all", graph.query(all, []));
  controller.set(Article, { id: "2" }, { title: "new" });
  assertEquals(told(), "all,article 2,list");
  controller.set(User, { id: "1" }, { name: "anna" });
  assertEquals(told(), "all,article 1,article 3,list,user 1");
  controller.set(User, { id: "1" }, { name: "anna" });
  assertEquals(told(), "");
  controller.set(User, { id: "9" }, { name: "nobody's" });
  assertEquals(told(), "");
  // All of it at once: whichever is read first reads others, which have changed no less.
  controller.setResponse(
    list,
    ["1", "2", "3"].map((id) => ({ id, title: `all ${id}`, author: { id: "1", name: "x" } })),
  );
  assertEquals(told(), "all,article 1,article 2,article 3,list,user 1");
});

Deno.test("a list and its rows are all told when both are watched, in whatever order they were watched", () => {
  for (const listFirst of [true, false]) {
    const { controller, graph, on, told, listView } = setUp();
    if (listFirst) on("list", listView);
    for (const pk of ["1", "2", "3"]) on(pk, graph.query(Article, [pk]));
    if (!listFirst) on("list", listView);
    controller.setResponse(list, [{ id: "1", title: "x" }, { id: "2", title: "y" }, { id: "3", title: "z" }]);
    assertEquals(told(), "1,2,3,list");
  }
});

Deno.test("one function that watches several views is called once a commit", () => {
  const { controller, graph } = setUp();
  let calls = 0;
  const callback = () => calls++;
  for (const pk of ["1", "2"]) watch(controller.store, graph.query(Article, [pk]), callback);
  controller.setResponse(list, [{ id: "1", title: "x" }, { id: "2", title: "y" }]);
  assertEquals(calls, 1);
});

Deno.test("who has stopped watching is told nothing more", () => {
  const { controller, graph, on, told } = setUp();
  const view = graph.query(Article, ["1"]);
  const stop = on("first", view);
  on("second", view);
  stop();
  stop();
  controller.set(Article, { id: "1" }, { title: "x" });
  assertEquals(told(), "second");
});

Deno.test("a watcher that throws does not keep the others from being told, and is reported", async () => {
  const { controller, graph, on, told } = setUp();
  const view = graph.query(Article, ["1"]);
  on("before", view);
  on("broken", view, () => {
    throw new Error("watcher");
  });
  on("after", view);
  const messages = await uncaught(() => controller.set(Article, { id: "1" }, { title: "x" }));
  assertEquals([told(), messages], ["after,before,broken", ["watcher"]]);
});

Deno.test("what tells all readers at once may throw, and the commit stands", async () => {
  const { controller, graph, on, told } = setUp();
  on("one", graph.query(Article, ["1"]));
  controller.store.telling = () => {
    controller.store.tell();
    throw new Error("an effect at the end of a batch");
  };
  const messages = await uncaught(() => controller.set(Article, { id: "1" }, { title: "x" }));
  assertEquals([told(), messages], ["one", ["an effect at the end of a batch"]]);
  assertEquals(controller.get(Article, "1")?.title, "x");
});

Deno.test("a watcher may commit again: everybody sees the last state, and nobody half of one", () => {
  const { controller, graph, on, told, listView } = setUp();
  const seen: string[] = [];
  on("first", graph.query(Article, ["1"]), () => {
    const { title } = controller.get(Article, "1")!;
    if (title.length < 5) controller.set(Article, { id: "1" }, { title: `${title}x` });
  });
  on("list", listView, () => {
    const row = controller.getResponse(list).data![0]!;
    assertStrictEquals(row, controller.get(Article, "1"));
    seen.push(row.title);
  });
  controller.set(Article, { id: "1" }, { title: "x" });
  assertEquals(controller.get(Article, "1")!.title, "xxxxx");
  assertEquals(seen.at(-1), "xxxxx");
  assertEquals(told().split(",").filter((name) => name === "first").length, 5);
});

Deno.test("a view whose reading throws is told again when it can be read again", () => {
  const { controller, graph, on, told } = setUp();
  let broken = false;
  const titles = new Query(all, (articles) => {
    if (broken) throw new Error("process");
    return articles.map(({ title }) => title).join();
  });
  const view = graph.query(titles, []);
  on("titles", view);
  on("all", graph.query(all, []));
  broken = true;
  controller.set(Article, { id: "1" }, { title: "x" });
  assertEquals(told(), "all,titles");
  assertThrows(() => controller.get(titles), Error, "process");
  controller.set(Article, { id: "1" }, { title: "y" });
  assertEquals(told(), "all", "it is as broken as before");
  broken = false;
  controller.set(Article, { id: "1" }, { title: "one" });
  assertEquals([told(), controller.get(titles)], ["all,titles", "one,two,three"]);
  controller.set(Article, { id: "1" }, { title: "z" });
  assertEquals([told(), controller.get(titles)], ["all,titles", "z,two,three"]);
  assertEquals(controller.store.broken.size, 0);
});

Deno.test("a view that could not be read when it was first watched is told when it can", () => {
  const { controller, graph, on, told } = setUp();
  class Picky extends Entity {
    id = "";
    size = 0;
    pk() {
      return this.id;
    }
    static key = "Picky";
    static validate(record: { size?: number }) {
      if (record.size === 0) throw new Error("validate");
      return undefined;
    }
  }
  controller.set(Picky, { id: "1" }, { size: 0 });
  on("picky", graph.query(Picky, ["1"]));
  assertThrows(() => controller.get(Picky, "1"), Error, "validate");
  controller.set(Article, { id: "1" }, { title: "x" });
  assertEquals(told(), "");
  controller.set(Picky, { id: "1" }, { size: 2 });
  assertEquals([told(), controller.get(Picky, "1")?.size], ["picky", 2]);
  const stop = on("again", graph.query(Picky, ["1"]));
  controller.set(Picky, { id: "1" }, { size: 0 });
  assertEquals([told(), controller.store.broken.size], ["again,picky", 1]);
  stop();
  controller.set(Picky, { id: "1" }, { size: 3 });
  assertEquals([told(), controller.store.broken.size], ["picky", 0]);
});

Deno.test("a view that was dropped because nobody watched it tells the truth to who still holds it", () => {
  const { controller } = setUp();
  const get = new Endpoint((_: string) => Promise.resolve({}), { name: "get", schema: Article });
  const { store, store: { graph } } = controller;
  const held = store.response(get, ["1"], get.key("1"));
  const heldList = store.response(list, [], list.key());
  assertEquals((held.read(graph).data as Article).title, "one");
  heldList.read(graph);
  for (let pk = 0; pk < 10_000; pk++) store.response(get, [`other ${pk}`], get.key(`other ${pk}`));
  assertEquals(store.response(get, ["1"], get.key("1")) === held, false);
  controller.set(Article, { id: "1" }, { title: "new" });
  assertEquals((held.read(graph).data as Article).title, "new");
  assertEquals((heldList.read(graph).data as Article[])[0]!.title, "new");
});

Deno.test("a record that is waited for is found by who waits, whoever brings it", () => {
  const { controller, graph, on, told } = setUp();
  on("9", graph.query(Article, ["9"]));
  on("author", graph.query(User, ["9"]));
  controller.setResponse(list, [{ id: "9", author: { id: "9" } }]);
  assertEquals(told(), "9,author");
  assertStrictEquals(controller.getResponse(list).data![0], controller.get(Article, "9"));
  controller.resetEntireStore();
  assertEquals(told(), "9,author");
  controller.set(User, { id: "9" }, {});
  assertEquals(told(), "author");
});

Deno.test("readers are told also when a listener of commits has read what they read", () => {
  const { controller, graph, on, told } = setUp();
  const article = graph.query(Article, ["1"]);
  on("article", article);
  const seen: unknown[] = [];
  onCommit(controller, () => seen.push(article.read(graph)));
  controller.set(Article, "1", { id: "1", title: "new" });
  assertEquals(told(), "article");
  assertStrictEquals(seen[0], article.read(graph));
  controller.set(Article, "1", { id: "1", title: "new" });
  assertEquals(told(), "");
});
