/**
 * Relations in both directions by `process` and `merge`, for APIs that send one direction only: who is nested learns
 * from its parent. (The form that needs neither is an index: relations_test.ts.)
 */
import { assertEquals, assertStrictEquals } from "@std/assert";
import { Controller, Endpoint, Entity, type FieldSchemas, normalize, type Schema, schema, stateOf } from "@rejoin/data";
import { readerOf } from "../contracts/reader.ts";

type Raw = { readonly id: string; readonly [member: string]: unknown };
type Refs = { readonly films?: readonly string[] | undefined };

/** Joins two lists of pks; a list of entities inside an entity holds each once. */
const join = (a: readonly string[] = [], b: readonly string[] = []) => [...a, ...b];

class Film extends Entity {
  id = "";
  title = "";
  director: Director | undefined = undefined;
  actors: Actor[] = [];
  poster: Poster | undefined = undefined;
  static key = "Film";
  static schema: FieldSchemas = {};
  /** In a director or an actor a film learns who it is of. */
  static process(value: Raw, parent: Raw, key?: string) {
    if (key === "films" && parent.kind === "director") return { ...value, director: parent.id };
    if (key === "films" && parent.kind === "actor") return { ...value, actors: [parent.id] };
    return value;
  }
  static merge(existing: { actors?: string[] }, incoming: { actors?: string[] }) {
    return { ...existing, ...incoming, actors: join(existing.actors, incoming.actors) };
  }
}

/** Who has made films: in a film, as its director or one of its actors, it learns of the film. */
abstract class Maker extends Entity {
  id = "";
  name = "";
  films: Film[] = [];
  static schema: FieldSchemas = {};
  static process(value: Raw, parent: Raw, key?: string) {
    return key === "director" || key === "actors" ? { ...value, films: [parent.id] } : value;
  }
  static merge(existing: Refs, incoming: Refs) {
    return { ...existing, ...incoming, films: join(existing.films, incoming.films) };
  }
}
class Director extends Maker {
  static key = "Director";
}
class Actor extends Maker {
  static key = "Actor";
}

class Poster extends Entity {
  id = "";
  url = "";
  film: Film | undefined = undefined;
  static key = "Poster";
  static schema: FieldSchemas = {};
  static process(value: Raw, parent: Raw, key?: string) {
    return key === "poster" ? { ...value, film: parent.id } : value;
  }
}
Film.schema = { director: Director, actors: [Actor], poster: Poster };
Maker.schema = { films: [Film] };
Poster.schema = { film: Film };

const tati = { id: "t", name: "Jacques Tati" };
const dennek = { id: "d", name: "Barbara Dennek" };
const films = [
  { id: "1", title: "Playtime", director: tati, actors: [tati, dennek], poster: { id: "p1", url: "/playtime.png" } },
  { id: "2", title: "Mon oncle", director: tati, actors: [tati], poster: { id: "p2", url: "/mon-oncle.png" } },
];
const listFilms = new Endpoint(() => Promise.resolve(), { name: "listFilms", schema: [Film] });
const getDirector = new Endpoint((_: string) => Promise.resolve(), { name: "getDirector", schema: Director });
const getActor = new Endpoint((_: string) => Promise.resolve(), { name: "getActor", schema: Actor });

const titles = (made: { films: Film[] } | undefined) => made?.films.map(({ title }) => title);

function filled(): Controller {
  const controller = new Controller();
  controller.setResponse(listFilms, films);
  return controller;
}

Deno.test("one-to-one, both directions: film and poster are one graph", () => {
  const controller = filled();
  const poster = controller.get(Poster, "p1")!;
  assertEquals(poster.film!.title, "Playtime");
  assertStrictEquals(poster.film!.poster, poster);
});

Deno.test("many-to-one, both directions: a director learns of the films that name it", () => {
  const controller = filled();
  const director = controller.get(Director, "t")!;
  assertEquals(titles(director), ["Playtime", "Mon oncle"]);
  assertStrictEquals(director.films[0]!.director, director);
  assertStrictEquals(director.films[0], controller.get(Film, "1"));
});

Deno.test("one-to-many from the other side: films in a director learn of the director", () => {
  const controller = filled();
  const trafic = { id: "3", title: "Trafic" };
  controller.setResponse(getDirector, "t", { ...tati, kind: "director", films: [{ id: "1" }, trafic] });
  assertEquals(titles(controller.get(Director, "t")), ["Playtime", "Mon oncle", "Trafic"]);
  assertStrictEquals(controller.get(Film, "3")!.director, controller.get(Director, "t"));
});

Deno.test("many-to-many, both directions: actors learn of films, and films of actors", () => {
  const controller = filled();
  assertEquals(titles(controller.get(Actor, "t")), ["Playtime", "Mon oncle"]);
  assertEquals(titles(controller.get(Actor, "d")), ["Playtime"]);
  controller.setResponse(getActor, "d", { ...dennek, kind: "actor", films: [{ id: "2" }] });
  assertEquals(titles(controller.get(Actor, "d")), ["Playtime", "Mon oncle"]);
  assertEquals(controller.get(Film, "2")!.actors.map(({ name }) => name), ["Jacques Tati", "Barbara Dennek"]);
  // The table of directors has a Jacques Tati of its own.
  assertEquals(Object.keys(stateOf(controller).entities.Director!), ["t"]);
});

Deno.test("fetching again does not grow a relation, tells nobody, and a new film joins it once", () => {
  const controller = filled();
  const before = stateOf(controller);
  const read = [controller.get(Director, "t"), controller.get(Actor, "d"), controller.get(Film, "1")];
  for (let times = 0; times < 3; times++) controller.setResponse(listFilms, structuredClone(films));
  assertEquals(stateOf(controller).entities, before.entities);
  [Director, Actor, Film].forEach((entity, index) =>
    assertStrictEquals(
      controller.get<typeof Entity>(entity as never, ["t", "d", "1"][index] as never) as unknown,
      read[index],
    )
  );
  controller.setResponse(listFilms, [...films, { id: "3", title: "Trafic", director: tati, actors: [tati] }]);
  assertEquals(titles(controller.get(Director, "t")), ["Playtime", "Mon oncle", "Trafic"]);
  assertEquals(titles(controller.get(Actor, "t")), ["Playtime", "Mon oncle", "Trafic"]);
});

Deno.test("the plain tables of a response have the same relations as those of a store", () => {
  const { entities } = normalize([Film], [...films, ...films]);
  assertEquals(entities.Director, { t: { ...tati, films: ["1", "2"] } } as never);
  assertEquals(entities.Actor!.d!.films, ["1"]);
  assertEquals(JSON.stringify(entities), JSON.stringify(stateOf(filled()).entities));
});

class Song extends Entity {
  id = "";
  static key = "Song";
}
class Talk extends Entity {
  id = "";
  static key = "Talk";
}
const work = new schema.Union({ song: Song, single: Song, talk: Talk }, "type");
const song = (id: string) => ({ type: "song", id });
const talk = (id: string) => ({ type: "talk", id });
const loose = [null, null, { type: "song", name: "unsaved" }, { type: "song", name: "unsaved" }, "bare", "bare"];

/** Lists of records by another name than `[Song]`: a body with repeats, what is kept of it, and more of the same. */
const LISTS: Record<string, readonly [declared: Schema, body: unknown[], kept: unknown[], more: unknown[]]> = {
  "Lazy of an array": [new schema.Lazy([Song]), [song("1"), "1", song("2"), null, null], ["1", "2", null, null], ["2"]],
  "Lazy of a schema.Array": [new schema.Lazy(new schema.Array(Song)), ["1", song("1")], ["1"], [song("1")]],
  ...Object.fromEntries(
    [
      ["an array of a Union", [work]],
      ["schema.Array of a mapping", new schema.Array({ song: Song, single: Song, talk: Talk }, "type")],
      ["Lazy of an array of a Union", new schema.Lazy([work])],
    ].map(([name, declared]) => [name, [
      declared as Schema,
      [song("1"), talk("1"), song("1"), { type: "single", id: "1" }, ...loose],
      [
        { id: "1", schema: "song" },
        { id: "1", schema: "talk" },
        null,
        null,
        { id: { type: "song", name: "unsaved" }, schema: "song" },
        { id: { type: "song", name: "unsaved" }, schema: "song" },
        "bare",
        "bare",
      ],
      [talk("1"), song("1")],
    ]]),
  ),
};
for (const [name, [declared, body, kept, more]] of Object.entries(LISTS)) {
  class Artist extends Entity {
    id = "";
    works: unknown[] = [];
    static key = "Artist";
    static schema: FieldSchemas = { works: declared };
    static merge(existing: { works?: unknown[] }, incoming: { works?: unknown[] }) {
      return { ...existing, ...incoming, works: [...existing.works ?? [], ...incoming.works ?? []] };
    }
  }
  const worksOf = (controller: Controller) => stateOf(controller).entities.Artist!.a!.works;

  Deno.test(`${name} in an entity holds each record once, in a response and where merge joins`, () => {
    assertEquals(normalize(Artist, { id: "a", works: body }).entities.Artist!.a!.works, kept);
    const controller = new Controller();
    controller.set(Artist, "a", { id: "a", works: body });
    assertEquals(worksOf(controller), kept);
    for (let times = 0; times < 2; times++) controller.set(Artist, "a", { id: "a", works: more });
    assertEquals(worksOf(controller), kept);
    controller.set(Artist, "a", { id: "a", works: [song("9")] });
    assertEquals((worksOf(controller) as unknown[]).length, kept.length + 1);
  });

  Deno.test(`${name} that is fetched again is the same, and tells nobody`, () => {
    const controller = new Controller();
    const works = body.filter((item) => item !== null && item !== "bare" && !(item as Raw).name);
    controller.set(Artist, "a", { id: "a", works });
    const artist = readerOf<Artist>(controller, Artist, "a");
    const before = artist.value;
    controller.set(Artist, "a", { id: "a", works: structuredClone(works) });
    assertStrictEquals(artist.value, before);
    assertEquals(artist.told, 0);
  });
}
