import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { Controller, denormalize, Entity, normalize, type Schema, schema, SchemaError } from "@rejoin/data";
import { readerOf } from "../contracts/reader.ts";

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
  const tati = readerOf<Director>(controller, Director, "1");
  const films = readerOf<Film[]>(controller, query, tati.value);
  const before = tati.value;
  controller.set(Film, "7", { title: "Play Time" });
  assertStrictEquals(tati.value, before);
  assertEquals([tati.told, films.told, titles(films.value)], [0, 1, ["Play Time", "Trafic"]]);
});

Deno.test("the query follows the member as it is stored, whichever object of the entity it was asked with", () => {
  const controller = filled();
  const old = controller.get(Director, "1")!;
  const films = readerOf<Film[]>(controller, query, old);
  controller.set(Director, "1", { films: ["8"] });
  assertEquals([films.told, titles(films.value)], [1, ["Trafic"]]);
  controller.set(Director, "1", { name: "Jacques Tati" });
  assertEquals(films.told, 1);
  assertStrictEquals(controller.get(query, controller.get(Director, "1")!), films.value);
});

Deno.test("missing items are left out, an unsaved entity has its keys itself, an absent one none", () => {
  const controller = filled();
  controller.set(new schema.Invalidate(Film), "8");
  assertEquals(titles(controller.get(query, controller.get(Director, "1")!)), ["Playtime"]);
  assertEquals(titles(controller.get(query, Director.fromJS({ films: ["7"] }))), ["Playtime"]);
  assertEquals(controller.get(query, Director.fromJS({ id: "9" })), undefined);
});

Deno.test("asked with an object of another class, it says so", () => {
  assertThrows(() => filled().get(query, new Film()), SchemaError, '"Film" has no member with this Lazy schema');
});

Deno.test("asked with what is neither an object of the entity nor its keys, it says what to ask with", () => {
  const controller = filled();
  const asked: readonly (readonly [Schema, unknown])[] = [
    [[Film], { id: "7" }],
    [[Film], {}],
    [new schema.Array(Film), { 0: "7", length: 1 }],
    [Film, ["7"]],
    [{ left: [Film] }, ["7"]],
    [new schema.Values(Film), ["7"]],
  ];
  for (const [below, owner] of asked) {
    const lazy = new schema.Lazy(below) as unknown as typeof Director.schema.films;
    assertThrows(() => controller.get(lazy.query, owner as string[]), SchemaError, "give it the instance");
  }
});

Deno.test("the type checker takes an object of an entity and keys, and no members", () => {
  const keys: readonly string[] = ["7"];
  assertEquals(titles(filled().get(query, keys)), ["Playtime"]);
  // @ts-expect-error -- of which class it is, nobody says
  assertThrows(() => filled().get(query, { id: "1" }), SchemaError);
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
