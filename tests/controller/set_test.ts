import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { Controller, Endpoint, Entity, NormalizeError, Query, schema, stateOf } from "@rejoin/data";
import { watch } from "../../src/store/watch.ts";
import { FakeClock } from "../support/clock.ts";
import { Wire } from "../support/wire.ts";

class User extends Entity {
  id = "";
  name = "anonymous";
  pk() {
    return this.id;
  }
  static key = "User";
}

class Article extends Entity {
  id = "";
  title = "untitled";
  votes = 0;
  tags: string[] = [];
  createdAt = new Date(0);
  author: User | undefined = undefined;
  pk() {
    return this.id;
  }
  static key = "Article";
  static schema = { author: User, createdAt: Date };
}

const recordOf = (controller: Controller, pk = "1") => stateOf(controller).entities.Article?.[pk];

Deno.test("set writes a value, in which what the arguments name may be left out", () => {
  const controller = new Controller();
  controller.set(Article, { id: "1" }, { title: "one" });
  assertEquals(recordOf(controller), { id: "1", title: "one" });
  controller.set(Article, { id: "1" }, { id: "1", votes: 2 });
  controller.set(Article, "1", { id: "1", votes: 3 });
  assertEquals(recordOf(controller), { id: "1", title: "one", votes: 3 });
  controller.set(Article, { id: "2" }, { id: undefined, title: "two" });
  assertEquals(recordOf(controller, "2"), { id: "2", title: "two" });
});

Deno.test("set of a record that is known needs no member for a pk that the arguments are by themselves", () => {
  const controller = new Controller();
  controller.set(Article, { id: "1" }, { title: "one" });
  controller.set(Article, "1", { title: "new" });
  controller.set(Article, 1, (article) => article && { votes: article.votes + 1 });
  assertEquals(recordOf(controller), { id: "1", title: "new", votes: 1 });
  assertThrows(() => controller.set(Article, "2", { title: "unknown" }), NormalizeError, "needs a pk");
});

Deno.test("set keeps a pk as it is stored when the arguments say it in another form", () => {
  const controller = new Controller();
  controller.set(Article, { id: "1" }, { title: "one" });
  const before = controller.get(Article, "1");
  let told = 0;
  watch(controller.store, controller.store.graph.query(Article, ["1"]), () => told++);
  controller.set(Article, { id: 1 }, { title: "one" });
  controller.set(Article, { id: 1 }, (article) => ({ ...article }));
  assertStrictEquals(controller.get(Article, { id: 1 }), before);
  assertEquals([told, recordOf(controller)], [0, { id: "1", title: "one" }]);
});

Deno.test("set with a function writes only what differs: a spread instance does not turn defaults into data", () => {
  const controller = new Controller();
  controller.set(User, { id: "1" }, {});
  controller.set(Article, { id: "1" }, { author: "1", createdAt: "2020-01-01T00:00:00Z" });
  const before = controller.get(Article, "1")!;
  controller.set(Article, { id: "1" }, (article) => ({ ...article, votes: article!.votes + 1 }));
  assertEquals(recordOf(controller), { id: "1", author: "1", createdAt: "2020-01-01T00:00:00Z", votes: 1 });
  assertEquals(stateOf(controller).entities.User!["1"], { id: "1" });
  const after = controller.get(Article, "1")!;
  assert(after !== before);
  assertStrictEquals(after.author, before.author);
  assertStrictEquals(after.createdAt, before.createdAt);
  controller.set(Article, { id: "1" }, (article) => ({ ...article, createdAt: new Date(5), tags: ["a"] }));
  assertEquals(recordOf(controller)!.createdAt, new Date(5).toISOString());
  assertEquals(controller.get(Article, "1")!.tags, ["a"]);
});

Deno.test("set with a function gives undefined when there is no record, and undefined writes nothing", () => {
  const controller = new Controller();
  const given: unknown[] = [];
  controller.set(Article, { id: "1" }, (article) => {
    given.push(article);
    return undefined;
  });
  assertEquals([given, recordOf(controller), controller.get(new schema.All(Article))], [
    [undefined],
    undefined,
    undefined,
  ]);
  controller.set(Article, { id: "1" }, (article) => ({ title: article === undefined ? "made" : "changed" }));
  assertEquals(recordOf(controller), { id: "1", title: "made" });
  const object = controller.get(Article, "1");
  controller.set(Article, { id: "1" }, (article) => {
    assertStrictEquals(article, object);
    return undefined;
  });
  controller.set(Article, { id: "1" }, (article) => article);
  assertStrictEquals(controller.get(Article, "1"), object);
});

Deno.test("set refuses with a typed error, and writes nothing, when pk or value cannot be", () => {
  const controller = new Controller();
  controller.set(Article, { id: "1" }, { title: "one" });
  const state = stateOf(controller);
  const refused: [() => void, string][] = [
    [
      () => controller.set(Article, { id: "1" }, { id: "2", title: "x" }),
      'arguments name the pk "1", and the value has the pk "2"',
    ],
    [() => controller.set(Article, { id: "1" }, (article) => ({ ...article, id: "2" })), 'arguments name the pk "1"'],
    [() => controller.set(Article, {}, { title: "x" }), "needs a pk"],
    [() => controller.set(Article, { id: "" }, { title: "x" }), "needs a pk"],
    [() => controller.set(Article, { id: "1" }, null as never), "takes an object"],
    [() => controller.set(Article, { id: "1" }, "text" as never), "takes an object"],
    [() => controller.set(Article, { id: "1" }, [] as never), "takes an object"],
    [() => controller.set(Article, { id: "1" }, { author: true as never }), "expected an object or a pk"],
    [() => controller.set(new schema.All(Article), [{ title: "x" }]), "needs a pk"],
    [() => controller.set(new schema.All(Article), { title: "x" }), "expected an array"],
  ];
  for (const [set, problem] of refused) assertThrows(set, NormalizeError, problem);
  assertThrows(
    () =>
      controller.set(Article, { id: "1" }, () => {
        throw new RangeError("from the function");
      }),
    RangeError,
  );
  assertStrictEquals(stateOf(controller), state);
});

Deno.test("set of an All writes its rows, of which those that were read are references", () => {
  const controller = new Controller();
  const all = new schema.All(Article);
  controller.set(all, []);
  assertEquals(controller.get(all), []);
  controller.set(all, [{ id: "1", title: "one" }]);
  const [one] = controller.get(all)!;
  controller.set(all, (articles) => [...articles!, { id: "2" }]);
  assertEquals(controller.get(all)!.map(({ id }) => id), ["1", "2"]);
  assertStrictEquals(controller.get(all)![0], one);
  assertEquals(recordOf(controller), { id: "1", title: "one" });
});

Deno.test("set hands an instance back as a reference, and writes nested entities of other kinds", () => {
  const controller = new Controller();
  controller.set(Article, { id: "1" }, { title: "one", author: { id: "7", name: "ann" } });
  const author = controller.get(User, "7")!;
  assertStrictEquals(controller.get(Article, "1")!.author, author);
  controller.set(Article, { id: "2" }, { author });
  assertStrictEquals(controller.get(Article, "2")!.author, author);
  controller.set(Article, { id: "2" }, { author: { id: "7", name: "anna" } });
  assertEquals(controller.get(Article, "1")!.author!.name, "anna");
  controller.set(Article, { id: "1" }, controller.get(Article, "1")!);
  assertEquals(recordOf(controller), { id: "1", title: "one", author: "7" });
});

Deno.test("set takes an instance for a reference where a proxy or a decorator stands before the class", () => {
  class Plain extends Entity {
    id = "";
    title = "";
    views = 0;
    static key = "Plain";
  }
  for (const wrap of [(made: typeof Plain) => new Proxy(made, {}), (made: typeof Plain) => class extends made {}]) {
    const Wrapped = wrap(Plain);
    const controller = new Controller();
    controller.set(Wrapped, { id: "1" }, { title: "x" });
    controller.set(Wrapped, { id: "1" }, controller.get(Wrapped, "1")!);
    assertEquals(stateOf(controller).entities.Plain!["1"] as unknown, { title: "x", id: "1" });
  }
});

Deno.test("set counts as later than all that was asked for before, and is fresh like data", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  const wire = new Wire();
  const controller = new Controller();
  const get = new Endpoint(wire.fn<[id: string]>("get"), { name: "get", schema: Article });
  const reading = controller.fetch(get, "1");
  controller.set(Article, { id: "1" }, { title: "by hand" });
  assertEquals(controller.getResponse(get, "1").expiresAt, clock.now() + 60_000);
  await wire.last.reply({ id: "1", title: "from the server", votes: 5 });
  const article = await reading;
  assertEquals([article.title, article.votes], ["by hand", 5]);
});

Deno.test("a set of equal data changes nothing and tells nobody", () => {
  const controller = new Controller();
  const best = new Query(new schema.All(Article), (all) => all.map(({ id }) => id));
  controller.set(Article, { id: "1" }, { tags: ["a", "b"] });
  const article = controller.get(Article, "1");
  const ids = controller.get(best);
  let told = 0;
  for (const view of [controller.store.graph.query(Article, ["1"]), controller.store.graph.query(best, [])]) {
    watch(controller.store, view, () => told++);
  }
  controller.set(Article, { id: "1" }, { tags: ["a", "b"] });
  assertStrictEquals(controller.get(Article, "1"), article);
  controller.set(Article, { id: "1" }, { votes: 1 });
  assertStrictEquals(controller.get(best), ids);
  assertEquals(told, 1, "the article changed, the output of the query did not");
});
