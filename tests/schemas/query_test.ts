import { assert, assertEquals, assertNotStrictEquals, assertStrictEquals, assertThrows } from "@std/assert";
import {
  Controller,
  denormalize,
  Endpoint,
  Entity,
  type FieldSchemas,
  normalize,
  Query,
  schema,
  snapshotOf,
  Sorter,
  stateOf,
} from "@rejoin/data";
import { type Reader, readerOf, readerOfResponse } from "../contracts/reader.ts";

class Film extends Entity {
  id = "";
  title = "";
  votes = 0;
  genre = "";
  pk() {
    return this.id;
  }
  static key = "Film";
}
class Other extends Film {
  static override key = "Other";
}

const all = new schema.All(Film);
const getAll = new Endpoint(async () => await Promise.resolve([]), { name: "getAll", schema: all });

function filled(): Controller {
  const controller = new Controller();
  controller.setResponse(getAll, [
    { id: "1", title: "a", votes: 1, genre: "x" },
    { id: "2", title: "b", votes: 3, genre: "y" },
    { id: "3", title: "c", votes: 2, genre: "x" },
  ]);
  return controller;
}

Deno.test("a query gives what process makes of the entries and its arguments", () => {
  const best = new Query(
    all,
    (films, { max = 5, genre }: { max?: number; genre?: string } = {}) =>
      films.filter((film) => genre === undefined || film.genre === genre)
        .toSorted((a, b) => b.votes - a.votes).slice(0, max).map(({ id }) => id),
  );
  const controller = filled();
  assertEquals(controller.get(best), ["2", "3", "1"]);
  assertEquals(controller.get(best, { max: 1 }), ["2"]);
  assertEquals(controller.get(best, { genre: "x" }), ["3", "1"]);
  assertEquals(controller.getResponse(best, { genre: "x", max: 1 }).data, ["3"]);
});

Deno.test("a query without process gives the entries themselves", () => {
  const controller = filled();
  assertStrictEquals(controller.get(new Query(all)), controller.get(all));
});

Deno.test("process runs once for equal inputs and gives the identical result, by schema and as an endpoint", () => {
  let runs = 0;
  const query = new Query(all, (films, options: { a?: number; b?: number } = {}) => {
    runs++;
    return films.map(({ title }) => ({ title, ...options }));
  });
  const controller = filled();
  const first = controller.get(query, { a: 1, b: 2 });
  for (const same of [{ a: 1, b: 2 }, { b: 2, a: 1 }, { b: 2, a: 1, c: undefined } as object]) {
    assertStrictEquals(controller.get(query, same), first);
    assertStrictEquals(controller.getResponse(query, same).data, first);
  }
  assertEquals(runs, 1);
  controller.set(Other, "1", { id: "1" });
  controller.set(Film, "1", { id: "1", title: "a" });
  assertStrictEquals(controller.get(query, { a: 1, b: 2 }), first);
  assertEquals(runs, 1);
  assertNotStrictEquals(controller.get(query, { a: 2, b: 2 }), first);
});

Deno.test("each query has an identity of its own in its key", () => {
  const [one, two] = [new Query(all), new Query(all)];
  assertNotStrictEquals(one.key(), two.key());
  assertEquals([one.testKey(one.key()), one.testKey(two.key())], [true, false]);
  const eleven = Array.from({ length: 11 }, () => new Query(all));
  for (const query of eleven) assertEquals(eleven.filter((other) => other.testKey(query.key())), [query]);
});

Deno.test("an output equal to the last one tells nobody and stays the same object", () => {
  const outputs = [
    new Query(all, (films) => films.length),
    new Query(all, (films) => films.filter(({ genre }) => genre === "x")),
    new Query(all, (films) => films.filter(({ genre }) => genre === "x").map(({ id, genre }) => ({ id, genre }))),
    new Query(
      all,
      (films) => ({ count: films.length, groups: Object.groupBy(films.map((film) => film.id), () => "all") }),
    ),
  ];
  const controller = filled();
  const readers = outputs.map((query) => readerOf<unknown>(controller, query));
  const before = readers.map(({ value }) => value);
  controller.set(Film, "2", { id: "2", title: "new" });
  readers.forEach(({ value, told }, index) => {
    assert(Object.is(value, before[index]), `output ${index}`);
    assertEquals(told, 0);
  });
});

Deno.test("of an output that changed, the parts that are equal stay the same objects", () => {
  const grouped = new Query(all, (films) => Object.groupBy(films, ({ genre }) => genre));
  const controller = filled();
  const before = controller.get(grouped)!;
  controller.set(Film, "2", { id: "2", title: "new" });
  const after = controller.get(grouped)!;
  assertNotStrictEquals(after, before);
  assertStrictEquals(after.x, before.x);
  assertEquals(after.y!.map(({ title }) => title), ["new"]);
  assertStrictEquals(Object.getPrototypeOf(after), null);
});

Deno.test("an entity that changed is a change, also where its copy would be equal", () => {
  const first = new Query(all, (films) => films.slice(0, 1));
  const controller = filled();
  const reader = readerOf<Film[]>(controller, first);
  const before = reader.value;
  controller.set(Film, "1", { id: "1", title: "new" });
  assertEquals([reader.told, reader.value[0]!.title, before[0]!.title], [1, "new", "a"]);
});

Deno.test("a query is undefined while there is nothing to read, and process does not run", () => {
  let runs = 0;
  const byId = new Query(Film, (film: Film, _args: { id: string }) => {
    runs++;
    return film.title.toUpperCase();
  });
  const counted = new Query(all, (films) => (runs++, films.length));
  const controller = new Controller();
  assertEquals([controller.get(counted), controller.get(byId, { id: "1" }), runs], [undefined, undefined, 0]);
  const reader = readerOf<string | undefined>(controller, byId, { id: "1" });
  controller.set(Film, "1", { id: "1", title: "a" });
  assertEquals([reader.value, reader.told, controller.get(counted)], ["A", 1, 1]);
});

Deno.test("null as first argument is inactive", () => {
  const query = new Query(all, (films, _options: { max: number }, _more?: string) => films.length);
  const controller = filled();
  assertEquals(controller.get(query, null), undefined);
  assertEquals(controller.get(query, null, "x"), undefined);
  assertEquals(controller.getResponse(query, null, "x").data, undefined);
});

Deno.test("queries build on queries, on objects of schemas, and on entities by argument", () => {
  const sorted = new Query(all, (films) => films.toSorted((a, b) => b.votes - a.votes));
  const top = new Query(sorted, (films, { max = 1 }: { max?: number } = {}) => films.slice(0, max));
  const both = new Query(
    { film: Film, all },
    ({ film, all }, _args: { id: string }) => `${film?.title ?? "none"} of ${all?.length}`,
  );
  const controller = filled();
  assertEquals(controller.get(top)!.map(({ id }) => id), ["2"]);
  assertEquals(controller.get(both, { id: "3" }), "c of 3");
  assertEquals(controller.get(both, { id: "9" }), "none of 3");
  assertEquals(new Controller().get(both, { id: "9" }), undefined);
  assertStrictEquals(controller.get(top)![0], controller.get(Film, "2"));
  controller.set(Film, "3", { id: "3", votes: 9 });
  assertEquals([controller.get(top)![0]!.id, controller.get(both, { id: "3" })], ["3", "c of 3"]);
  controller.set(Film, "9", { id: "9", title: "z" });
  assertEquals(controller.get(both, { id: "9" }), "z of 4");
});

Deno.test("an error of process reaches the reader as it is, also one who watches; the next change reads again", () => {
  const strict = new Query(all, (films) => {
    if (films.some(({ votes }) => votes < 0)) throw new RangeError("negative");
    return films.length;
  });
  const controller = filled();
  const reader = readerOf<number>(controller, strict);
  const bystander = readerOf<Film>(controller, Film, "1");
  assertEquals(reader.value, 3);
  controller.set(Film, "1", { id: "1", votes: -1 });
  for (let turn = 0; turn < 2; turn++) assertThrows(() => reader.value, RangeError, "negative");
  assertEquals([bystander.value.votes, bystander.told], [-1, 1]);
  controller.set(Film, "1", { id: "1", votes: 1 });
  assertEquals(reader.value, 3);
  controller.set(Film, "4", { id: "4" });
  assertEquals(reader.value, 4);
});

Deno.test("a query in a response processes what the response brought", () => {
  const titles = new Query([Film], (films, prefix?: string) => films.map(({ title }) => `${prefix ?? ""}${title}`));
  const endpoint = new Endpoint(async (_prefix: string) => await Promise.resolve({}), {
    name: "page",
    schema: { titles, next: "" },
  });
  const direct = new Endpoint(async () => await Promise.resolve([]), { name: "direct", schema: titles });
  const controller = filled();
  controller.setResponse(endpoint, "#", { titles: [{ id: "1" }, { id: "3" }], next: "n" });
  controller.setResponse(direct, [{ id: "3" }, { id: "1" }]);
  const page = readerOfResponse<{ titles: string[]; next: string }>(controller, endpoint, "#");
  const list = readerOfResponse<string[]>(controller, direct);
  assertEquals([page.value, list.value], [{ titles: ["#a", "#c"], next: "n" }, ["c", "a"]]);
  controller.set(Film, "3", { id: "3", votes: 100 });
  assertEquals([page.told, list.told], [0, 0]);
  controller.set(Film, "3", { id: "3", title: "new" });
  assertEquals([page.value.titles, list.value], [["#a", "#new"], ["new", "a"]]);
  assertEquals([page.told, list.told], [1, 1]);
  controller.setResponse(endpoint, "#", { titles: [{ id: "2" }] });
  assertEquals(page.value as unknown, { titles: ["#b"], next: "" });
});

Deno.test("a query that keeps more answers than it remembers is right for each", () => {
  const votes = new Query(all, (films, min: number) => films.filter((film) => film.votes >= min).map(({ id }) => id));
  const controller = filled();
  const held = readerOf<string[]>(controller, votes, 2);
  const { store } = controller;
  const loose = store.graph.query(votes, [3]);
  assertEquals(loose.read(store.graph), ["2"]);
  for (let min = 10; min < 2_500; min++) assertEquals(controller.get(votes, min), []);
  controller.set(Film, "1", { id: "1", votes: 5 });
  assertEquals(held.value, ["1", "2", "3"]);
  assertEquals(loose.read(store.graph), ["1", "2"]);
  assertEquals(controller.get(votes, 10), []);
});

/** A thread of messages: each member that is computed looks at objects that stand in those that it is given. */
class Author extends Entity {
  id = "";
  name = "";
  friends: Author[] = [];
  names = "";
  static override key = "Author";
  static schema: FieldSchemas;
}
Author.schema = {
  friends: [Author],
  names: new Query(
    [Author],
    (friends) => (friends as unknown as Author[]).map(({ names, name }) => names || name).join(),
  ),
};
class Message extends Entity {
  id = "";
  author: Author = undefined as never;
  static override key = "Message";
  static override schema = { author: Author };
}
class Thread extends Entity {
  id = "";
  messages: Message[] = [];
  first: Message | undefined = undefined;
  byAuthor: readonly string[] = [];
  boxed: { text?: string } = {};
  static override key = "Thread";
  static override schema = {
    // Declared before what it is made of.
    byAuthor: new Query([Message], (all) => all.map(({ id, author }) => `${id} ${author.name} ${author.names}`)),
    messages: [Message],
    first: Message,
    boxed: { text: new Query([Message], { Sorter, sort: (a, b) => a.author.name < b.author.name ? -1 : 1 }) },
  } as never;
}

Deno.test("what is computed inside an entity is made of whole objects: what stands in them is there", () => {
  const author = (id: string, friends: readonly string[] = []) => ({ id, name: `n${id}`, friends, names: friends });
  const messages = [{ id: "1", author: author("a", ["b", "c"]) }, { id: "2", author: author("b", ["c"]) }, {
    id: "3",
    author: author("c"),
  }];
  const thread = { id: "t", byAuthor: messages, messages, first: messages[0], boxed: { text: messages.toReversed() } };
  const expected = ["1 na nc,nc", "2 nb nc", "3 nc "];
  const { result, entities } = normalize(Thread, thread);
  const plain = denormalize(Thread, result, entities)!;
  for (const strict of [false, true]) {
    const controller = new Controller({ strict });
    controller.set(Thread, "t", thread as never);
    const reader = readerOf(controller, Thread, "t") as Reader<Thread>;
    const check = ({ boxed, byAuthor, messages }: Thread, lines: readonly string[]) => {
      assertEquals(byAuthor, lines);
      assertEquals(boxed.text as unknown, messages);
    };
    for (const read of [plain, reader.value]) check(read, expected);
    const before = reader.value;
    // Far below.
    controller.set(Author, "c", { name: "nx" });
    assertEquals(reader.told, 1);
    check(reader.value, ["1 na nx,nx", "2 nb nx", "3 nx "]);
    assertStrictEquals(before.byAuthor[2], "3 nc ");
    controller.set(Thread, "t", { first: { id: "2" } } as never);
    check(reader.value, ["1 na nx,nx", "2 nb nx", "3 nx "]);
    assertStrictEquals(reader.value.first, reader.value.messages[1]);
    reader.stop();
  }
});

Deno.test("what is computed is made of what is computed below it, also where that was met before what is between", () => {
  const author = (id: string, friends: readonly string[]) => ({ id, name: `n${id}`, friends, names: friends });
  const authors = [author("a", ["c", "b"]), author("b", ["c"]), author("c", ["d"]), author("d", [])];
  const { entities } = normalize([Author], authors);
  const controller = new Controller();
  for (const one of authors) controller.set(Author, one.id, one as never);
  for (const read of [denormalize(Author, "a", entities)!, controller.get(Author, "a")!]) {
    assertEquals([read.names, read.friends[1]!.names], ["nd,nd", "nd"]);
  }
});

Deno.test("what is computed inside an entity that it contains sees that without what is computed", () => {
  class Node extends Entity {
    id = "";
    next: Node | undefined = undefined;
    path = "";
    static override key = "Node";
    static schema: FieldSchemas;
  }
  Node.schema = {
    next: Node,
    path: new Query({ to: Node } as never, ({ to }: { to: Node }) => `${to.id}>${to.next?.id}${to.path && "!"}`),
  };
  const two = { id: "2", next: "1", path: { to: "1" } };
  const controller = new Controller();
  controller.set(Node, "1", { id: "1", next: two, path: { to: two } } as never);
  const one = controller.get(Node, "1")!;
  const check = ({ next, path }: Node) => {
    assertEquals([path.slice(0, 3), next!.path.slice(0, 3)], ["2>1", "1>2"]);
    assertEquals([path, next!.path].filter((each) => each.endsWith("!")).length, 1);
  };
  check(one);
  const { entities } = stateOf(controller);
  check(denormalize(Node, "1", entities)!);
});

Deno.test("a query in an answer follows its records, whatever stood before it in the answer until then", () => {
  const titles = new Query([Film], (films) => films.map(({ title }) => title));
  const getMixed = new Endpoint(async () => await Promise.resolve(), {
    name: "getMixed",
    schema: { rows: [[Film]], titles, best: Film, last: new Query(titles, (all) => all.at(-1)) },
  });
  const film = (id: string) => ({ id, title: `t${id}` });
  const answers = [
    { rows: [[film("1")], [film("2")]], titles: [film("3")], best: film("1"), last: [film("2")] },
    { rows: [], titles: [film("1"), film("2")], best: null, last: [film("3")] },
    { rows: [[film("3")]], titles: [film("2")], best: null, last: [film("1")] },
    { rows: [[], []], titles: [film("1")], best: film("3"), last: [film("3"), film("2")] },
  ];
  for (const first of answers) {
    for (const second of answers) {
      const controller = new Controller();
      const reader = readerOfResponse<{ titles: string[]; last: string }>(controller, getMixed);
      for (const answer of [first, second, first]) {
        controller.setResponse(getMixed, answer as never);
        for (const { id } of [...answer.titles, ...answer.last]) {
          const { told } = reader;
          const title = `other ${id} ${told}`;
          controller.set(Film, { id }, { title });
          assertEquals(reader.value, snapshotOf(controller).getResponse(getMixed).data as never);
          assertEquals(reader.told, told + 1);
        }
      }
      reader.stop();
    }
  }
});
