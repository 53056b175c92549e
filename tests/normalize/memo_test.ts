import { assert, assertEquals, assertNotStrictEquals, assertStrictEquals } from "@std/assert";
import { Entity, Memo, normalize, schema } from "@rejoin/data";

class Director extends Entity {
  id = "";
  name = "";
  static key = "Director";
  static films = new schema.HasMany(() => Film, "director");
}
class Film extends Entity {
  id = "";
  title = "";
  director: Director | undefined = undefined;
  static key = "Film";
  static schema = { director: Director };
  static indexes = ["title"];
}

const films = [Film];
const page = { films: [Film], next: "" };
const all = new schema.All(Film);

const filled = () =>
  normalize(films, [
    { id: "1", title: "Playtime", director: { id: "t", name: "Tati" } },
    { id: "2", title: "Alien", director: { id: "s", name: "Scott" } },
    { id: "3", title: "Trafic", director: "t" },
  ]);

Deno.test("a Memo gives the same instances for the same records, whatever the schema", () => {
  const memo = new Memo();
  const { result, entities } = filled();
  const list = memo.denormalize(films, result, entities)!;
  assertStrictEquals(memo.denormalize(films, result, { ...entities }), list);
  const other = memo.denormalize(page, { films: ["2", "1"], next: "n" }, entities)!;
  assertStrictEquals(other.films[1], list[0]);
  assertStrictEquals(memo.query(Film, entities, "2"), list[1]);
  assertStrictEquals(list[0]!.director, list[2]!.director);
  assertStrictEquals(memo.query(Director, entities, { id: "t" }), list[0]!.director);
});

Deno.test("a Memo lists what refers to a record in order of arrival, whatever was read before", () => {
  const memo = new Memo(), { entities } = filled();
  assertEquals(memo.denormalize(Film, "3", entities)?.title, "Trafic");
  assertEquals(memo.query(Director.films, entities, "t")?.map(({ id }) => id), ["1", "3"]);
});

Deno.test("a Memo makes new objects for a replaced record and the objects that embed it, and for no others", () => {
  const memo = new Memo();
  const { result, entities } = filled();
  const before = memo.denormalize(films, result, entities)!;
  const tables = { ...entities, Director: { ...entities.Director, t: { id: "t", name: "Jacques Tati" } } };
  const after = memo.denormalize(films, result, tables)!;
  assertEquals(after.map((film, at) => film === before[at]), [false, true, false]);
  assertEquals(after[2]!.director!.name, "Jacques Tati");
  assertStrictEquals(memo.denormalize(films, result, tables), after);
  assertEquals(memo.denormalize(films, result, entities)!.map(({ director }) => director!.name), [
    "Tati",
    "Scott",
    "Tati",
  ]);
});

Deno.test("a Memo reads tables with fewer or more records than before", () => {
  const memo = new Memo();
  const { result, entities } = filled();
  assertEquals(memo.denormalize(films, result, {}), []);
  assertEquals(memo.query(all, {}), undefined);
  assertEquals(memo.query(all, entities)?.length, 3);
  const { 2: _, ...others } = entities.Film!;
  const filmsOf = (tables: typeof entities) => memo.query(Director.films, tables, "t")?.map(({ id }) => id);
  assertEquals(filmsOf(entities), ["1", "3"]);
  assertEquals(memo.query(all, { ...entities, Film: others })?.map(({ id }) => id), ["1", "3"]);
  assertEquals(filmsOf({ ...entities, Film: { ...others, 4: { id: "4", director: "t" } } }), ["1", "3", "4"]);
  assertEquals(memo.denormalize(films, result, { ...entities, Film: others })?.length, 2);
  assertEquals(memo.denormalize(films, result, entities)?.length, 3);
});

Deno.test("a Memo forgets the oldest of 1,500 lists and makes it anew, of the same instances", () => {
  const memo = new Memo();
  const { entities } = filled();
  const results = Array.from({ length: 1_500 }, (_, at) => [`${at % 3 + 1}`]);
  const first = memo.denormalize(films, results[0]!, entities)!;
  const answers = results.map((result) => memo.denormalize(films, result, entities)!);
  assertStrictEquals(answers[0], first);
  assertStrictEquals(memo.denormalize(films, results[1_499]!, entities), answers[1_499]);
  const again = memo.denormalize(films, results[0]!, entities)!;
  assertNotStrictEquals(again, first);
  assertStrictEquals(again[0], first[0]);
});

Deno.test("a Memo takes names such as __proto__ for ordinary ones", () => {
  class Odd extends Entity {
    id = "";
    static key = "constructor";
  }
  const memo = new Memo();
  const { result, entities } = normalize([Odd], [{ id: "__proto__" }, { id: "toString" }]);
  assertEquals(memo.denormalize([Odd], result, entities)?.map(({ id }) => id), ["__proto__", "toString"]);
  assertEquals(memo.query(Odd, {}, "toString"), undefined);
  assert(Object.keys(Object.prototype).length === 0);
});
