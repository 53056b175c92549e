/**
 * Relations in both directions by `process` and `merge`, for APIs that send one direction only: who is nested learns
 * from its parent. (The form that needs neither is an index: relations_test.ts.)
 */
import { assertEquals, assertStrictEquals } from "@std/assert";
import { Controller, Endpoint, Entity, type FieldSchemas, normalize } from "@rejoin/data";

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
  assertEquals(Object.keys(controller.getState().entities.Director!), ["t"]);
});

Deno.test("fetching again does not grow a relation, tells nobody, and a new film joins it once", () => {
  const controller = filled();
  const before = controller.getState();
  const read = [controller.get(Director, "t"), controller.get(Actor, "d"), controller.get(Film, "1")];
  for (let times = 0; times < 3; times++) controller.setResponse(listFilms, structuredClone(films));
  assertEquals(controller.getState().entities, before.entities);
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
  assertEquals(JSON.stringify(entities), JSON.stringify(filled().getState().entities));
});
