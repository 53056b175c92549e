import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { Controller, Endpoint, Entity, Query, schema } from "@rejoin/data";
import { readerOf } from "./_reader.ts";

class Film extends Entity {
  id = "";
  title = "";
  votes = 0;
  genre = "";
  static key = "Film";
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

Deno.test("a query gives the result of process, called with the entries and the arguments", () => {
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

Deno.test("an output that equals the last one tells no reader and stays the same object", () => {
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
  const readers = outputs.map((query) => readerOf(controller, query));
  const before = readers.map(({ value }) => value);
  controller.set(Film, "2", { id: "2", title: "new" });
  readers.forEach(({ value, told }, index) => {
    assert(Object.is(value, before[index]), `output ${index}`);
    assertEquals(told, 0);
  });
});

Deno.test("an output with a changed entity tells the reader, and the old output keeps the old instance", () => {
  const first = new Query(all, (films) => films.slice(0, 1));
  const controller = filled();
  const reader = readerOf(controller, first);
  const before = reader.value;
  controller.set(Film, "1", { id: "1", title: "new" });
  assertEquals([reader.told, reader.value[0]!.title, before[0]!.title], [1, "new", "a"]);
});

Deno.test("a query is undefined until its schema has data, and process does not run before", () => {
  let runs = 0;
  const byId = new Query(Film, (film: Film, _args: { id: string }) => {
    runs++;
    return film.title.toUpperCase();
  });
  const counted = new Query(all, (films) => (runs++, films.length));
  const controller = new Controller();
  assertEquals([controller.get(counted), controller.get(byId, { id: "1" }), runs], [undefined, undefined, 0]);
  const reader = readerOf(controller, byId, { id: "1" });
  controller.set(Film, "1", { id: "1", title: "a" });
  assertEquals([reader.value, reader.told, controller.get(counted)], ["A", 1, 1]);
});

Deno.test("a query with null as first argument is undefined", () => {
  const query = new Query(all, (films, _options: { max: number }, _more?: string) => films.length);
  const controller = filled();
  assertEquals(controller.get(query, null), undefined);
  assertEquals(controller.get(query, null, "x"), undefined);
  assertEquals(controller.getResponse(query, null, "x").data, undefined);
});
