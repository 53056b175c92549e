/** `denormalize` of plain tables gives the same data as a `Memo`, for every schema. */
import { assert, assertEquals } from "@std/assert";
import { denormalize, Entity, Memo, normalize, Query, type Schema, schema, Sorter } from "@rejoin/data";

class Director extends Entity {
  id = "";
  name = "";
  static key = "Director";
  static films = new schema.HasMany(() => Film, "director");
  static film = new schema.HasOne(() => Film, "director");
}
class Film extends Entity {
  id = "";
  title = "";
  director: Director | undefined = undefined;
  static key = "Film";
  static schema = { director: Director };
}
class Series extends Entity {
  id = "";
  title = "";
  static key = "Series";
}

const FILM = { id: "1", title: "Playtime", director: { id: "7", name: "Tati" } };
const OTHER = { id: "2", title: "Mon oncle", director: { id: "7", name: "Tati" } };
const films = new schema.All(Film);
const kinds = new schema.All({ film: Film, series: Series }, "kind");
const titles = new Query(
  films,
  (all, { max = 9 }: { max?: number } = {}) => all.slice(0, max).map((film) => film.title),
);
const list = new schema.Collection([Film]);

const CASES: readonly [what: string, schema: Schema, response: unknown, args?: readonly unknown[]][] = [
  ["an entity", Film, FILM],
  ["an array", [Film], [FILM, null, OTHER]],
  ["an object", { results: [Film], first: Film, next: "", absent: [Film] }, { results: [FILM], first: FILM }],
  ["an All", films, [FILM, OTHER]],
  ["an All of several entities, with an item of none", kinds, [
    { ...FILM, kind: "film" },
    { id: "5", kind: "poster" },
    { id: "3", kind: "series", title: "Twin Peaks" },
  ]],
  ["an All beside a list", { list: [Film], all: films }, { list: [OTHER], all: [FILM] }],
  ["an All that the response lacks", { list: [Film], all: films }, { list: [OTHER, FILM] }],
  ["a Query of a response", titles, [FILM, OTHER], [{ max: 1 }]],
  ["a Query beside a list", { list: [Film], titles }, { list: [OTHER] }],
  ["a declared order", new Query(films, { Sorter, sort: (a, b) => a.title < b.title ? -1 : 1, limit: 1 }), [
    FILM,
    OTHER,
  ]],
  ["a HasMany", Director.films, [FILM, OTHER], ["7"]],
  ["a HasMany of nobody", Director.films, [FILM, OTHER], ["8"]],
  ["a HasMany of no argument", Director.films, [FILM, OTHER]],
  ["a HasOne", Director.film, [FILM, OTHER].at(0), [{ id: "7" }]],
  ["a Collection", list, [FILM, OTHER], [{ director: "7" }]],
  ["a Collection in an object, twice", { one: list, two: list }, { one: [FILM, OTHER], two: [FILM, OTHER] }],
  ["a Collection of values", new schema.Collection(new schema.Values(Film)), { a: FILM, b: OTHER }],
  ["a Lazy", { films: new schema.Lazy([Film]) }, { films: [FILM] }],
  ["nothing", [Film], undefined],
  ["null", [Film], null],
];

for (const [what, schema, response, args = []] of CASES) {
  Deno.test(`denormalize gives the same data as a Memo: ${what}`, () => {
    const { result, entities } = normalize(schema, response, args);
    const read: unknown = denormalize(schema, result, entities, args);
    assertEquals(read, new Memo().denormalize(schema, result, entities, args) as unknown);
    assert(response === undefined || response === null || args[0] === undefined || read !== undefined);
  });
}

Deno.test("denormalize gives one instance for a record in lists, All and HasMany", () => {
  const shape = { list, all: films, again: [Film], by: Director.films };
  const args = [{ id: "7" }];
  const { result, entities } = normalize(shape, { list: [FILM], all: [FILM], again: [FILM], by: [FILM] }, args);
  const read = denormalize(shape, result, entities, args);
  const [film] = read!.list!;
  assert(film instanceof Film && film.director instanceof Director);
  assert(read!.all![0] === film && read!.again[0] === film && read!.by![0] === film);
});

Deno.test("denormalize gives undefined for a Query that the reply lacks", () => {
  const inners: Schema[] = [[Film], Film, { film: Film }, new schema.Values(Film), new Query({ films } as const)];
  for (const inner of inners) {
    const shape = { list: [Film], query: new Query(inner, () => "made of nothing") };
    const { result, entities } = normalize(shape, { list: [FILM] });
    assertEquals(denormalize(shape, result, entities)?.query, undefined);
    assertEquals(new Memo().denormalize(shape, result, entities)?.query, undefined);
  }
});

Deno.test("a Query gets undefined for a member whose record is not in the tables", () => {
  const one = new Query({ film: Film } as const, ({ film }) => film?.title ?? "nobody knows");
  const shape = { ones: [one], next: "" };
  const gone = { ones: [{ film: "1" }, { film: "9" }], next: "2" };
  const { entities } = normalize(Film, FILM);
  assertEquals(denormalize(shape, gone, entities) as unknown, { ones: ["Playtime", "nobody knows"], next: "2" });
  assertEquals(new Memo().denormalize(shape, gone, entities) as unknown, {
    ones: ["Playtime", "nobody knows"],
    next: "2",
  });
});

Deno.test("denormalize gives undefined for a record that is not in the tables, and leaves it out of arrays", () => {
  assertEquals(denormalize({ film: Film }, { film: "9" }, { Film: {} }) as unknown, { film: undefined });
  assertEquals(denormalize({ films: [Film] }, { films: ["9"] }, { Film: {} }), { films: [] });
});
