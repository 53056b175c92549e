import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { Controller, denormalize, Entity, normalize, schema } from "@rejoin/data";
import { readerOf } from "./_reader.ts";

class Film extends Entity {
  id = "";
  title = "";
  static key = "Film";
}

class Director extends Entity {
  id = "";
  name = "";
  films: string[] = [];
  static key = "Director";
  static schema = { films: new schema.Lazy([Film]) };
}

const { query } = Director.schema.films;
const titles = (films: readonly Film[] | undefined) => films?.map(({ title }) => title);

function filled(): Controller {
  const controller = new Controller();
  const films = [{ id: "7", title: "Playtime" }, { id: "8", title: "Trafic" }];
  controller.set(Director, "1", { id: "1", name: "Tati", films: films as never });
  return controller;
}

Deno.test("a Lazy member keeps keys, and its query reads them, asked with the object or with the keys", () => {
  const controller = filled();
  const tati = controller.get(Director, "1")!;
  assertEquals(tati.films, ["7", "8"]);
  const films = controller.get(query, tati);
  assertEquals(titles(films), ["Playtime", "Trafic"]);
  assertStrictEquals(films![0], controller.get(Film, "7"));
  assertEquals(titles(controller.get(query, tati.films)), ["Playtime", "Trafic"]);
});

Deno.test("a changed item is no change of the entity, and one of the query", () => {
  const controller = filled();
  const tati = readerOf(controller, Director, "1");
  const films = readerOf(controller, query, tati.value);
  const before = tati.value;
  controller.set(Film, "7", { title: "Play Time" });
  assertStrictEquals(tati.value, before);
  assertEquals([tati.told, films.told, titles(films.value)], [0, 1, ["Play Time", "Trafic"]]);
});

Deno.test("missing items are left out, an unsaved entity has its keys itself, an absent one none", () => {
  const controller = filled();
  controller.set(new schema.Invalidate(Film), "8");
  assertEquals(titles(controller.get(query, controller.get(Director, "1")!)), ["Playtime"]);
  assertEquals(titles(controller.get(query, Director.fromJS({ films: ["7"] }))), ["Playtime"]);
  assertEquals(controller.get(query, Director.fromJS({ id: "9" })), undefined);
});

Deno.test("asked with what a member keeps in place, it reads that", () => {
  const controller = filled();
  const unsaved = controller.get(new schema.Lazy(Film).query, { title: "Unsaved" } as never);
  assert(unsaved instanceof Film && unsaved.title === "Unsaved");
  assertEquals(titles(controller.get(new schema.Lazy({ left: [Film] }).query, { left: ["7"] })?.left), ["Playtime"]);
  assertEquals(controller.get(new schema.Lazy(new schema.Values(Film)).query, { a: "7" })?.a?.title, "Playtime");
  const either = new schema.Lazy(new schema.Union({ film: Film }, "type"));
  assertEquals(controller.get(either.query, { id: "7", schema: "film" })?.title, "Playtime");
  assertEquals(controller.get(query, undefined as never), undefined);
});

Deno.test("a single reference and an object of them may be lazy, too", () => {
  class Shelf extends Entity {
    id = "";
    best: string | undefined = undefined;
    static key = "Shelf";
    static schema = { best: new schema.Lazy(Film), rows: new schema.Lazy({ left: [Film] }) };
    rows: { left: string[] } | undefined = undefined;
  }
  const controller = filled();
  controller.set(Shelf, "s", { id: "s", best: { id: "7" } as never, rows: { left: [{ id: "8" }] } as never });
  const shelf = controller.get(Shelf, "s")!;
  assertEquals([shelf.best, shelf.rows], ["7", { left: ["8"] }]);
  assertEquals(controller.get(Shelf.schema.best.query, shelf)?.title, "Playtime");
  assertEquals(titles(controller.get(Shelf.schema.rows.query, shelf)?.left), ["Trafic"]);
});

Deno.test("normalize hoists what is lazy, and denormalize leaves the keys", () => {
  const { result, entities } = normalize(Director, { id: "1", films: [{ id: "7", title: "Playtime" }] });
  assertEquals(Object.keys(entities.Film!), ["7"]);
  assertEquals(denormalize(Director, result, entities)?.films, ["7"]);
});
