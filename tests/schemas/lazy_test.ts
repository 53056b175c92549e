import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { Controller, Entity, schema } from "@rejoin/data";
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

Deno.test("a Lazy member reads as pks, and its query reads the records, by the instance or by the pks", () => {
  const controller = filled();
  const tati = controller.get(Director, "1")!;
  assertEquals(tati.films, ["7", "8"]);
  const films = controller.get(query, tati);
  assertEquals(titles(films), ["Playtime", "Trafic"]);
  assertStrictEquals(films![0], controller.get(Film, "7"));
  assertEquals(titles(controller.get(query, tati.films)), ["Playtime", "Trafic"]);
});

Deno.test("a changed record replaces the data of a Lazy's query, and not the entity that has the pks", () => {
  const controller = filled();
  const tati = readerOf(controller, Director, "1");
  const films = readerOf(controller, query, tati.value);
  const before = tati.value;
  controller.set(Film, "7", { title: "Play Time" });
  assertStrictEquals(tati.value, before);
  assertEquals([tati.told, films.told, titles(films.value)], [0, 1, ["Play Time", "Trafic"]]);
});

Deno.test("the query of a Lazy leaves deleted records out, reads an unsaved instance's pks, and is undefined for an unknown one", () => {
  const controller = filled();
  controller.set(new schema.Invalidate(Film), "8");
  assertEquals(titles(controller.get(query, controller.get(Director, "1")!)), ["Playtime"]);
  assertEquals(titles(controller.get(query, Director.fromJS({ films: ["7"] }))), ["Playtime"]);
  assertEquals(controller.get(query, Director.fromJS({ id: "9" })), undefined);
});

Deno.test("the query of a Lazy takes any normalized value: a record without pk, objects, Values, a union", () => {
  const controller = filled();
  const unsaved = controller.get(new schema.Lazy(Film).query, { title: "Unsaved" } as never);
  assert(unsaved instanceof Film && unsaved.title === "Unsaved");
  assertEquals(titles(controller.get(new schema.Lazy({ left: [Film] }).query, { left: ["7"] })?.left), ["Playtime"]);
  assertEquals(controller.get(new schema.Lazy(new schema.Values(Film)).query, { a: "7" })?.a?.title, "Playtime");
  const either = new schema.Lazy(new schema.Union({ film: Film }, "type"));
  assertEquals(controller.get(either.query, { id: "7", schema: "film" })?.title, "Playtime");
  assertEquals(controller.get(query, undefined as never), undefined);
});

Deno.test("a Lazy may hold a single entity or an object of arrays", () => {
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
