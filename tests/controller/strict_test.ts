import { assert, assertEquals, assertNotStrictEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { Controller, Endpoint, Entity, Query, schema, SchemaError, stateOf } from "@rejoin/data";

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
  tags: string[] = [];
  author: User | undefined = undefined;
  readers: User[] = [];
  pk() {
    return this.id;
  }
  static key = "Article";
  static schema = { author: User, readers: [User] };
}

const page = new Endpoint(() => Promise.resolve({}), { name: "page", schema: { results: [Article], next: "" } });
const all = new schema.All(Article);
const output = new Query(all, (articles) => ({ articles }));

/** What is written in strict mode, and what it is: response, tags and meta are the caller's own. */
function fill(strict: boolean) {
  const controller = new Controller({ strict });
  const tags = ["a"];
  const response = {
    results: [{ id: "1", title: "one", tags, author: { id: "1" }, readers: [{ id: "1" }] }],
    next: "/2",
    meta: { total: 1 },
  };
  controller.setResponse(page, response);
  return { controller, response, tags };
}

Deno.test("strict freezes what the library made, and nothing that it was given", () => {
  const { controller, response, tags } = fill(true);
  const data = controller.getResponse(page).data!;
  const article = data.results[0]!;
  for (const made of [data, data.results, article, article.author, article.readers, controller.get(all)]) {
    assert(Object.isFrozen(made), String(made));
  }
  assertThrows(() => article.title = "changed", TypeError);
  assertThrows(() => data.results.push(article), TypeError);
  for (const given of [response, response.results, response.results[0], response.meta, tags]) {
    assert(!Object.isFrozen(given), JSON.stringify(given));
  }
  assertEquals(article.tags, tags);
  assertNotStrictEquals(article.tags, tags);
  assert(!Object.isFrozen(controller.get(output)), "what process() made is the app's");
  const plain = new Endpoint(() => Promise.resolve({}), { name: "plain" });
  const value = { own: [1] };
  controller.setResponse(plain, value);
  assert(!Object.isFrozen(controller.getResponse(plain).data));
  tags.push("b");
  response.results.length = 0;
  controller.set(Article, { id: "1" }, { title: "two" });
  assertEquals(controller.getResponse(page).data?.results[0]?.title, "two");
  assert(Object.isFrozen(controller.getResponse(page).data?.results[0]));
});

Deno.test("without strict nothing is frozen, and nothing is said", () => {
  const warn = console.warn;
  let said = 0;
  console.warn = () => said++;
  try {
    const { controller } = fill(false);
    const data = controller.getResponse(page).data!;
    for (const made of [data, data.results, data.results[0], data.results[0]!.readers, controller.get(all)]) {
      assert(!Object.isFrozen(made));
    }
    controller.setResponse(page, { results: [{ title: "unsaved" }] });
    assertEquals(said, 0);
  } finally {
    console.warn = warn;
  }
});

Deno.test("an entity without a pk is kept in place, and strict says so once for each class and store", () => {
  const warn = console.warn;
  const warnings: string[] = [];
  console.warn = (message) => void warnings.push(message);
  try {
    for (const _ of ["a store", "another store"]) {
      const controller = new Controller({ strict: true });
      for (let time = 0; time < 2; time++) {
        controller.setResponse(page, {
          results: [{ _id: 1, title: "draft" }, { id: "1", author: { name: "new" } }, { id: "" }, { id: null }],
        });
      }
      const { results } = controller.getResponse(page).data!;
      assertEquals(results.map(({ title }) => title), ["draft", "", "", ""]);
      assertEquals(results[1]!.author?.name, "new");
      assertEquals(Object.keys(stateOf(controller).entities.Article!), ["1"]);
      assertEquals(stateOf(controller).entities.User, undefined);
    }
    assertEquals(warnings, [
      "Article at results[0] has no pk; it has _id, title. If _id is its key, write pk() { return this._id }",
      "User at results[1].author has no pk; it has name",
      "Article at results[0] has no pk; it has _id, title. If _id is its key, write pk() { return this._id }",
      "User at results[1].author has no pk; it has name",
    ]);
  } finally {
    console.warn = warn;
  }
});

Deno.test("13.D6 where the record stands in a member of the answer, the warning says how to say so", async () => {
  const warn = console.warn;
  const warnings: string[] = [];
  console.warn = (message) => void warnings.push(message);
  try {
    for (const answer of [{ ok: true, data: { id: "1" } }, { from: {}, to: {} }, { id: "", tags: [{}] }]) {
      using controller = new Controller({ strict: true });
      const get = new Endpoint(async () => await Promise.resolve(answer), { name: "get", schema: Article });
      await controller.fetch(get);
    }
    assertEquals(warnings, [
      "Article has no pk; it has ok, data. Say where the record is: schema: { data: … }",
      "Article has no pk; it has from, to",
      "Article has no pk; it has id, tags",
    ]);
  } finally {
    console.warn = warn;
  }
});

/** A class without a key of its own, as bundlers leave it. */
function minified(members: () => object): typeof Article {
  const e = class e extends Entity {
    id = "";
    constructor() {
      super();
      Object.assign(this, members());
    }
    pk() {
      return this.id;
    }
  };
  return e as unknown as typeof Article;
}

Deno.test("two classes that reach one table by their names are a SchemaError that names the cure, and nothing is written", () => {
  const controller = new Controller();
  const one = minified(() => ({ title: "" }));
  const other = minified(() => ({ name: "" }));
  controller.set(one, { id: "1" }, { title: "x" });
  const state = stateOf(controller);
  for (
    const use of [
      () => controller.set(other, { id: "1" }, { title: "y" }),
      () => controller.get(other, "1"),
      () =>
        controller.setResponse(new Endpoint(() => Promise.resolve([]), { name: "o", schema: [other] }), [{ id: "2" }]),
    ]
  ) {
    const error = assertThrows(use, SchemaError, 'reach the table "e"');
    assert(error.message.includes("Write `static key"), error.message);
  }
  assertStrictEquals(stateOf(controller), state);
  new Controller().set(other, { id: "1" }, {});
});

Deno.test("a class that is evaluated again, as hot reload does, takes the place of the old one", () => {
  const controller = new Controller();
  const make = () =>
    class Reloaded extends Entity {
      id = "";
      title = "";
      pk() {
        return this.id;
      }
    };
  const before = make();
  const after = make();
  controller.set(before, { id: "1" }, { title: "x" });
  assertEquals(controller.get(after, "1")?.title, "x");
  assert(controller.get(after, "1") instanceof after);
});

class Summary extends Entity {
  id = "";
  title = "";
  pk() {
    return this.id;
  }
  static key = "Film";
}

class Detail extends Summary {
  plot = "";
  director: User | undefined = undefined;
  static override schema = { director: User };
  static override validate(record: { plot?: string }) {
    return record.plot === undefined ? "no plot" : undefined;
  }
}

Deno.test("a family shares one record, of which each class has its own instance and its own opinion", () => {
  const controller = new Controller();
  controller.set(Summary, { id: "1" }, { title: "short" });
  assertEquals([controller.get(Summary, "1")?.title, controller.get(Detail, "1")], ["short", undefined]);
  controller.set(Detail, { id: "1" }, { plot: "long", director: { id: "7", name: "ann" } });
  const summary = controller.get(Summary, "1")!;
  const detail = controller.get(Detail, "1")!;
  assert(summary.constructor === Summary && detail.constructor === Detail);
  assertEquals([detail.title, detail.plot, detail.director?.name], ["short", "long", "ann"]);
  controller.set(Summary, { id: "1" }, { title: "shorter" });
  assertEquals([controller.get(Summary, "1")!.title, controller.get(Detail, "1")!.title], ["shorter", "shorter"]);
  assertEquals(controller.get(new schema.All(Detail))?.length, 1);
  controller.set(Summary, { id: "2" }, {});
  assertEquals([controller.get(new schema.All(Summary))?.length, controller.get(new schema.All(Detail))?.length], [
    2,
    1,
  ]);
  assertEquals(Object.keys(stateOf(controller).entities.Film!), ["1", "2"]);
});

Deno.test("a family member reads what another one wrote under the name of one of its methods", () => {
  class Raw extends Entity {
    id = "";
    label = "";
    pk() {
      return this.id;
    }
    static key = "Labelled";
  }
  class Computed extends Entity {
    id = "";
    get label() {
      return `#${this.id}`;
    }
    pk() {
      return this.id;
    }
    static key = "Labelled";
  }
  for (const readBefore of [true, false]) {
    const controller = new Controller();
    if (readBefore) controller.get(Computed, "1");
    controller.set(Raw, { id: "1" }, { label: "written" });
    assertEquals([controller.get(Raw, "1")!.label, controller.get(Computed, "1")!.label], ["written", "#1"]);
  }
});

Deno.test("a family that does not agree where entities are is a SchemaError with both classes and the member", () => {
  class Plain extends Summary {
    director = "";
  }
  class Listed extends Summary {
    director: User[] = [];
    static override schema = { director: [User] };
  }
  for (const odd of [Plain, Listed]) {
    for (const pair of [[Detail, odd], [odd, Detail]] as const) {
      const controller = new Controller();
      controller.get(pair[0], "1");
      const error = assertThrows(() => controller.get(pair[1], "1"), SchemaError, '"director"');
      for (const { name } of pair) assert(error.message.includes(`"${name}"`), error.message);
    }
  }
});
