import { assert, assertEquals, assertNotStrictEquals, assertStrictEquals } from "@std/assert";
import { Controller, Endpoint, Entity, Query, schema, stateOf } from "@rejoin/data";
import { readerOf, readerOfResponse } from "../contracts/reader.ts";

class Genre extends Entity {
  id = "";
  name = "";
  pk() {
    return this.id;
  }
  static key = "Genre";
}
class Film extends Entity {
  id = "";
  title = "";
  genre: Genre | undefined = undefined;
  tags: string[] = [];
  pk() {
    return this.id;
  }
  static key = "Film";
  static schema = { genre: Genre };
}

const getFilm = new Endpoint(async (id: string) => await Promise.resolve({ id }), { name: "getFilm", schema: Film });
const getFilms = new Endpoint(async () => await Promise.resolve([]), { name: "getFilms", schema: [Film] });
const getPage = new Endpoint(async () => await Promise.resolve({}), {
  name: "getPage",
  schema: { results: [Film], best: Film, facets: { genres: [Genre], total: 0 }, next: "" },
});
const allFilms = new Query(new schema.All(Film));
const sorted = new Query(new schema.All(Film), (films) => films.toSorted((a, b) => a.title < b.title ? -1 : 1));

const row = (id: number, more: object = {}) => ({ id: `${id}`, title: `t${id}`, genre: { id: `g${id % 3}` }, ...more });

Deno.test("the same record is the same object from every endpoint, list, page and query", () => {
  const controller = new Controller();
  controller.setResponse(getFilms, [row(1), row(2)]);
  controller.setResponse(getFilm, "2", row(2));
  controller.setResponse(getPage, { results: [row(2), row(1)], best: row(2) });
  const page = controller.getResponse(getPage).data!;
  const objects = [
    controller.get(Film, "2"),
    controller.get(Film, { id: "2" }),
    controller.getResponse(getFilm, "2").data,
    controller.getResponse(getFilms).data![1],
    page.results[0],
    page.best,
    controller.get(allFilms)![1],
    controller.get(sorted)![1],
    controller.getResponse(allFilms).data![1],
    controller.get({ film: Film } as const, "2" as never)!.film,
  ];
  assertEquals(new Set(objects).size, 1);
  assertEquals(objects[0]!.title, "t2");
});

Deno.test("fetch resolves with the object that readers read", async () => {
  using controller = new Controller();
  const films = await controller.fetch(getFilms.extend({ fetch: async () => await Promise.resolve([row(1)]) }));
  assertStrictEquals(films[0], controller.get(Film, "1"));
  assertStrictEquals(await controller.fetch(getFilm, "1"), controller.get(Film, "1"));
});

Deno.test("when one record changes exactly the objects that contain it are new", () => {
  for (const strict of [false, true]) {
    const controller = new Controller({ strict });
    controller.setResponse(getFilms, [0, 1, 2, 3, 4, 5].map((id) => row(id)));
    controller.setResponse(getPage, { results: [row(0), row(1)], best: row(2), facets: { genres: [{ id: "g1" }] } });
    const before = controller.getResponse(getFilms).data!;
    const page = controller.getResponse(getPage).data!;
    controller.set(Genre, "g0", { id: "g0", name: "Drama" });
    const after = controller.getResponse(getFilms).data!;
    assertEquals(after.map((film, index) => film === before[index]), [false, true, true, false, true, true]);
    const next = controller.getResponse(getPage).data!;
    assertNotStrictEquals(next, page);
    assertEquals(next.results.map((film, index) => film === page.results[index]), [false, true]);
    assertStrictEquals(next.best, page.best);
    // Containers are objects, too: this one holds nothing that changed.
    assertStrictEquals(next.facets, page.facets);
    controller.set(Genre, "g1", { id: "g1", name: "Crime" });
    const last = controller.getResponse(getPage).data!;
    assertNotStrictEquals(last.facets, next.facets);
    assertEquals([Object.isFrozen(last), Object.isFrozen(last.facets), Object.isFrozen(last.results)], [
      ...[strict, strict, strict],
    ]);
  }
});

Deno.test("what has not changed tells nobody", () => {
  const controller = new Controller();
  const page = () => ({
    results: [row(0), row(1)],
    best: row(2),
    facets: { genres: [{ id: "g1" }], total: 5 },
    next: "n",
  });
  controller.setResponse(getPage, page());
  controller.setResponse(getFilms, [row(0), row(1)]);
  const readers = [
    readerOfResponse(controller, getPage),
    readerOfResponse(controller, getFilms),
    readerOf(controller, Film, "1"),
    readerOf(controller, Genre, "g1"),
    readerOf(controller, sorted),
    readerOf(controller, allFilms),
  ];
  const before = readers.map(({ value }) => value);
  controller.setResponse(getPage, page());
  controller.setResponse(getFilms, [row(0), row(1)]);
  controller.set(Film, "1", row(1) as never);
  controller.set(Film, "1", (film) => ({ ...film! }));
  controller.set(Genre, "unrelated", { id: "unrelated" });
  assertEquals(readers.map(({ told }) => told), [0, 0, 0, 0, 0, 0]);
  readers.forEach(({ value }, index) => assertStrictEquals(value, before[index]));
});

Deno.test("a list of 10,000 rows: one change gives a new array with exactly one other element", () => {
  for (const strict of [false, true]) {
    const controller = new Controller({ strict });
    const rows = Array.from({ length: 10_000 }, (_, id) => row(id, { genre: undefined }));
    controller.setResponse(getFilms, rows);
    controller.setResponse(getPage, { results: rows, next: "" });
    const [list, all] = [controller.getResponse(getFilms).data!, controller.get(allFilms)!];
    const page = controller.getResponse(getPage).data!;
    controller.set(Film, "5000", { id: "5000", title: "new" });
    for (
      const [before, after] of [
        [list, controller.getResponse(getFilms).data!],
        [all, controller.get(allFilms)!],
        [page.results, controller.getResponse(getPage).data!.results],
      ] as const
    ) {
      assertNotStrictEquals(after, before);
      assertEquals(after.length, 10_000);
      assertEquals(after.flatMap((film, index) => film === before[index] ? [] : [index]), [5_000]);
      assertEquals([before[5_000]!.title, after[5_000]!.title], ["t5000", "new"]);
    }
  }
});

Deno.test("a list that was not read while its rows changed again and again is right when it is read", () => {
  const controller = new Controller();
  controller.setResponse(getFilms, [row(0), row(1), row(2)]);
  const before = controller.getResponse(getFilms).data!;
  for (let turn = 0; turn < 100; turn++) {
    for (const id of ["0", "2"]) {
      controller.set(Film, id, { id, title: `turn ${turn}` });
      controller.get(Film, id);
    }
  }
  const after = controller.getResponse(getFilms).data!;
  assertEquals(after.map(({ title }) => title), ["turn 99", "t1", "turn 99"]);
  assertStrictEquals(after[1], before[1]);
});

Deno.test("a page whose other members change keeps its list, and a list that grows keeps its rows", () => {
  const { graph } = new Controller().store;
  const declared = { results: [Film], facets: { total: 0, by: [Genre] }, next: "" };
  const kept = { results: [{ title: "no pk" }], facets: { total: 1, by: [] }, meta: { a: [1] }, next: "1" };
  const view = graph.view(declared, kept, []);
  const before = view.read(graph) as { results: Film[]; facets: object; meta: object };
  const same = graph.view(declared, { ...structuredClone(kept), next: "2" }, [], view);
  assertStrictEquals(same, view);
  const after = same.read(graph) as typeof before;
  assertNotStrictEquals(after, before);
  for (const name of ["results", "facets", "meta"] as const) assertStrictEquals(after[name], before[name]);
});

Deno.test("a page that is fetched again keeps what it shares with the last one: lists, objects, rows without a pk", () => {
  for (const strict of [false, true]) {
    const controller = new Controller({ strict });
    const body = (next: string, more: object[] = []) => ({
      results: [row(0), { title: "no pk" }, ...more],
      best: row(2),
      facets: { genres: [{ id: "g1" }], total: 5 },
      meta: { shards: [1, 2] },
      next,
    });
    const { warn } = console;
    console.warn = () => {};
    try {
      controller.setResponse(getPage, body("1"));
    } finally {
      console.warn = warn;
    }
    const before = controller.getResponse(getPage).data! as Record<string, unknown> & { results: Film[] };
    controller.setResponse(getPage, body("2"));
    const after = controller.getResponse(getPage).data! as typeof before;
    assertEquals([before.next, after.next], ["1", "2"]);
    for (const name of ["results", "best", "facets", "meta"]) assertStrictEquals(after[name], before[name]);
    controller.setResponse(getPage, body("3", [row(3)]));
    const grown = controller.getResponse(getPage).data! as typeof before;
    assertEquals(grown.results.length, 3);
    before.results.forEach((film, index) => assertStrictEquals(grown.results[index], film));
    assertStrictEquals(grown.facets, before.facets);
    assertEquals(Object.isFrozen(grown), strict);
  }
});

Deno.test("a view that takes the place of another one leaves no live edge of the old behind", () => {
  const { graph } = new Controller().store;
  const pks = ["1", "2", "3"];
  const first = graph.view([Film], pks, []);
  first.read(graph);
  const second = graph.view({ results: [Film] }, { results: pks }, [], first);
  second.read(graph);
  const third = graph.view(Film, "1", [], second);
  third.read(graph);
  const node = graph.reference(graph.planOf(Film), "1")!;
  const edges = [node.parent, ...(node.more ?? []).filter((part) => typeof part === "object")];
  for (const parent of edges) assert(parent === undefined || parent.kids.length === 0);
  // Whoever still holds it can read it.
  assertEquals(first.read(graph), []);
});

Deno.test("a child that is taken out and put back again and again leaves one edge", () => {
  const controller = new Controller();
  controller.set(Genre, "g", { id: "g", name: "0" });
  controller.set(Film, "0", { id: "0", genre: "g" });
  controller.get(Film, "0");
  controller.set(Film, "1", { id: "1", genre: "g" });
  controller.get(Film, "1");
  for (let turn = 0; turn < 5_000; turn++) {
    controller.set(Film, "1", { id: "1", genre: turn % 2 ? "g" : null as never });
    controller.get(Film, "1");
  }
  const { graph } = controller.store;
  const { more } = graph.reference(graph.planOf(Genre), "g")!;
  assert(more!.length <= 1_024, `${more!.length / 2} edges`);
  controller.set(Genre, "g", { id: "g", name: "1" });
  assertEquals([controller.get(Film, "1")!.genre!.name, controller.get(Film, "0")!.genre!.name], ["1", "1"]);
});

Deno.test("mutations that answer with a list leave no edges behind", async () => {
  using controller = new Controller();
  controller.setResponse(getFilms, [row(1), row(2)]);
  controller.getResponse(getFilms);
  const touch = new Endpoint(async () => await Promise.resolve({ touched: [row(1), row(2)] }), {
    name: "touch",
    schema: { touched: [Film] },
    sideEffect: true,
  });
  for (let turn = 0; turn < 100; turn++) {
    const { touched } = await controller.fetch(touch);
    assertStrictEquals(touched[0], controller.get(Film, "1"));
  }
  const { graph } = controller.store;
  const { more } = graph.reference(graph.planOf(Film), "1")!;
  assert((more ?? []).length <= 16, `${more?.length} parts of edges`);
});

Deno.test("rollback: records are the identical ones again, and who has not looked meanwhile has not been told", async () => {
  using controller = new Controller();
  controller.setResponse(getFilms, [row(1), row(2)]);
  const film = readerOf<Film>(controller, Film, "1");
  const other = readerOf<Film>(controller, Film, "2");
  const [before, untouched] = [film.value, other.value];
  const { entities } = stateOf(controller);
  const failing = Promise.withResolvers<never>();
  const rename = new Endpoint(async (_id: string) => await failing.promise, {
    name: "rename",
    schema: Film,
    sideEffect: true,
    getOptimisticResponse: (_snapshot: unknown, id: string) => ({ id, title: "optimistic" }),
  });
  const call = controller.fetch(rename, "1").catch((reason: unknown) => reason);
  assertEquals([film.value.title, film.told], ["optimistic", 1]);
  failing.reject(new Error("no"));
  await call;
  assertEquals({ ...film.value }, { ...before });
  assertEquals([film.told, other.told], [2, 0]);
  assertStrictEquals(other.value, untouched);
  assertStrictEquals(film.value.genre, before.genre);
  for (const key of ["Film", "Genre"]) {
    for (const [pk, record] of Object.entries(stateOf(controller).entities[key]!)) {
      assertStrictEquals(record, entities[key]![pk]);
    }
  }
});

Deno.test("two classes of one key are independent objects of one record, wherever they are read", () => {
  class Poster extends Entity {
    id = "";
    title = "";
    pk() {
      return this.id;
    }
    static key = "Film";
  }
  const posters = new Endpoint(async () => await Promise.resolve([]), { name: "posters", schema: [Poster] });
  const controller = new Controller();
  controller.setResponse(posters, [{ id: "1", title: "a" }]);
  controller.setResponse(getFilms, [{ id: "1", genre: { id: "g" } }]);
  const poster = controller.getResponse(posters).data![0]!;
  const film = controller.getResponse(getFilms).data![0]!;
  assert(poster instanceof Poster && film instanceof Film);
  assertEquals([film.title, film.genre!.id, poster.title], ["a", "g", "a"]);
  assertEquals((poster as unknown as { genre: unknown }).genre, "g");
  controller.set(Genre, "g", { id: "g", name: "new" });
  assertStrictEquals(controller.get(Poster, "1"), poster);
  assertNotStrictEquals(controller.get(Film, "1"), film);
});

Deno.test("records that contain each other change as one, and those beside them do not", () => {
  class Person extends Entity {
    id = "";
    name = "";
    friends: Person[] = [];
    pk() {
      return this.id;
    }
    static key = "Person";
    static schema: { friends: (typeof Person)[] };
  }
  Person.schema = { friends: [Person] };
  const controller = new Controller();
  const people = new Endpoint(async () => await Promise.resolve([]), { name: "people", schema: [Person] });
  controller.setResponse(people, [
    { id: "a", friends: ["b"] },
    { id: "b", friends: ["c", "b"] },
    { id: "c", friends: ["a"] },
    { id: "d", friends: ["e"] },
    { id: "e", friends: [] },
  ]);
  const before = controller.getResponse(people).data!;
  assertStrictEquals(before[0]!.friends[0]!.friends[0]!.friends[0], before[0]);
  controller.set(Person, "c", { id: "c", name: "new" });
  const after = controller.getResponse(people).data!;
  assertEquals(after.map((person, index) => person === before[index]), [false, false, false, true, true]);
  assertStrictEquals(after[0]!.friends[0]!.friends[0]!.friends[0], after[0]);
  controller.set(Person, "e", { id: "e", name: "new" });
  const last = controller.getResponse(people).data!;
  assertEquals(last.map((person, index) => person === after[index]), [true, true, true, false, false]);
});

Deno.test("a record that changes keeps the lists and containers in it, as long as nothing in them changes", () => {
  class Song extends Entity {
    id = "";
    title = "";
    genres: Genre[] = [];
    facts: { first: Partial<Genre> | undefined; year: number } = { first: undefined, year: 0 };
    cover: Song | undefined = undefined;
    static key = "Song";
    static schema: { genres: (typeof Genre)[]; facts: { first: typeof Genre }; cover: typeof Song };
  }
  Song.schema = { genres: [Genre], facts: { first: Genre }, cover: Song };
  for (const strict of [false, true]) {
    const controller = new Controller({ strict });
    const genres = [{ id: "g1" }, { id: "g2" }];
    controller.set(Song, { id: "2" }, { id: "2", title: "cover", cover: { id: "1" } });
    controller.set(Song, { id: "1" }, { id: "1", genres, facts: { first: { id: "g2" }, year: 1977 } });
    const read = () => controller.get(Song, "1")!;
    const first = read();
    controller.set(Song, { id: "1" }, { title: "new" });
    const renamed = read();
    assertNotStrictEquals(renamed, first);
    assertEquals([renamed.title, renamed.genres.length, renamed.facts.year], ["new", 2, 1977]);
    assertStrictEquals(renamed.genres, first.genres);
    assertStrictEquals(renamed.facts, first.facts);
    // Of both: the record and what is in it.
    controller.set(Genre, "g1", { id: "g1", name: "Rock" });
    controller.set(Song, { id: "1" }, { title: "newer" });
    const both = read();
    assertEquals([both.title, both.genres[0]!.name], ["newer", "Rock"]);
    assertNotStrictEquals(both.genres, first.genres);
    // What it refers to is another one, and then goes, and comes back.
    controller.set(Song, { id: "1" }, { genres: [{ id: "g2" }] });
    assertEquals(read().genres, [both.genres[1]!]);
    controller.set(new schema.Invalidate(Genre), { id: "g2" });
    controller.set(Song, { id: "1" }, { title: "last" });
    assertEquals([read().title, read().genres, read().facts.first], ["last", [], undefined]);
    controller.set(Genre, "g2", { id: "g2", name: "Folk" });
    controller.set(Song, { id: "1" }, { title: "very last" });
    assertEquals([read().genres[0]!.name, read().facts.first!.name], ["Folk", "Folk"]);
    // In a circle, whatever of it changes.
    controller.set(Song, { id: "1" }, { cover: { id: "2" } });
    assertStrictEquals(read().cover!.cover, read());
    controller.set(Song, { id: "1" }, { title: "round" });
    assertStrictEquals(read().cover!.cover, read());
    assertEquals(read().cover!.cover!.title, "round");
  }
});

Deno.test("entities without a pk that come again as they were are the same objects, wherever they stand in an answer", () => {
  class Draft extends Entity {
    id = "";
    title = "";
    static key = "Draft";
  }
  const getDesk = new Endpoint(async () => await Promise.resolve(), {
    name: "getDesk",
    schema: { draft: Draft, byName: new schema.Values(Draft), rows: [Draft], nested: [[Draft]], total: 0 },
  });
  const answer = (total: number) => ({
    draft: { title: "a" },
    byName: { b: { title: "b" } },
    rows: [{ title: "c" }],
    nested: [[{ title: "d" }]],
    total,
  });
  const controller = new Controller();
  controller.setResponse(getDesk, answer(1) as never);
  const before = controller.getResponse(getDesk).data!;
  controller.setResponse(getDesk, answer(2) as never);
  const after = controller.getResponse(getDesk).data!;
  assertEquals([before.total, after.total], [1, 2]);
  for (const name of ["draft", "byName", "rows", "nested"] as const) {
    assertStrictEquals(after[name], before[name], name);
  }
});

Deno.test("a date in an answer is the same object while its time is, and alone makes nothing another", () => {
  const getReport = new Endpoint(async () => await Promise.resolve(), {
    name: "getReport",
    schema: { count: new Query([Film], (films) => films.length), film: Film, at: Date, days: [Date] },
  });
  const times = new Query(new schema.All(Film), (films) => ({ last: new Date(films.length), of: films.length }));
  const controller = new Controller();
  const days = ["2026-01-01T00:00:00Z", "never"];
  controller.setResponse(getReport, { count: [row(1)], film: row(2), at: "2026-01-01T00:00:00Z", days } as never);
  const report = readerOfResponse<{ film: Film; at: Date; days: Date[] }>(controller, getReport);
  const last = readerOf<{ last: Date }>(controller, times);
  const [before, lastBefore] = [report.value, last.value];
  controller.set(Film, "1", { id: "1", title: "other" });
  assertStrictEquals(report.value, before);
  assertStrictEquals(last.value, lastBefore);
  assertEquals([report.told, last.told], [0, 0]);
  controller.set(Film, "2", { id: "2", title: "other" });
  assertNotStrictEquals(report.value, before);
  assertStrictEquals(report.value.at, before.at);
  assertStrictEquals(report.value.days, before.days);
});
