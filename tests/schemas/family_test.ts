/** Several classes of one record: a list of summaries and a detail, as most APIs have them. */
import { assert, assertEquals, assertNotStrictEquals, assertStrictEquals, assertThrows } from "@std/assert";
import {
  Controller,
  Endpoint,
  Entity,
  type FieldSchemas,
  normalize,
  schema,
  SchemaError,
  stateOf,
  validateRequired,
} from "@rejoin/data";
import { readerOf, readerOfResponse } from "../contracts/reader.ts";

class Director extends Entity {
  id = "";
  name = "";
  static key = "Director";
}

class Actor extends Entity {
  id = "";
  name = "";
  static key = "Actor";
}

class FilmSummary extends Entity {
  id = "";
  title = "";
  director: Director | undefined = undefined;
  static key = "Film";
  static schema: FieldSchemas = { director: Director };
}

class Film extends FilmSummary {
  synopsis = "";
  released = new Date(0);
  cast: Actor[] = [];
  static override schema = { ...FilmSummary.schema, released: Date, cast: [Actor] };
  static validate(record: object) {
    return validateRequired(record, { synopsis: "" });
  }
}

const listFilms = new Endpoint(() => Promise.resolve(), { name: "listFilms", schema: [FilmSummary] });
const getFilm = new Endpoint((_: { id: string }) => Promise.resolve(), { name: "getFilm", schema: Film });

const tati = { id: "t", name: "Jacques Tati" };
const rows = [{ id: "1", title: "Playtime", director: tati }, { id: "2", title: "Mon oncle", director: tati }];
const playtime = {
  ...rows[0],
  synopsis: "A day in a city of glass.",
  released: "1967-12-16",
  cast: [{ id: "d", name: "Barbara Dennek" }],
};

Deno.test("a family is one record: each class has its own instance of it, a write by one is seen by all", () => {
  const controller = new Controller();
  controller.setResponse(listFilms, rows);
  assertEquals(controller.getResponse(getFilm, { id: "1" }).data as unknown, undefined);
  controller.setResponse(getFilm, { id: "1" }, playtime);
  const film = controller.getResponse(getFilm, { id: "1" }).data!;
  const [row] = controller.getResponse(listFilms).data!;
  assertEquals([film.constructor, row!.constructor], [Film, FilmSummary]);
  assertEquals([film.released.getUTCFullYear(), film.cast[0]!.name], [1967, "Barbara Dennek"]);
  assertStrictEquals(film.director, row!.director);
  assertEquals(Object.keys(stateOf(controller).entities.Film!), ["1", "2"]);

  controller.setResponse(listFilms, [{ ...rows[0], title: "Play Time" }, rows[1]!]);
  const { data } = controller.getResponse(getFilm, { id: "1" });
  assertEquals([data!.title, data!.synopsis], ["Play Time", playtime.synopsis]);
  assertStrictEquals(data!.released, film.released);
});

Deno.test("a class keeps the schema of its base by spreading it", () => {
  const { entities } = normalize(Film, playtime);
  assertEquals(entities.Film!["1"], { ...playtime, director: "t", cast: ["d"] });
  assertEquals(Object.keys(Film.schema), ["director", "released", "cast"]);
});

Deno.test("a class that forgets the schema of its base is told, with both classes and the field", () => {
  class Forgetful extends FilmSummary {
    static override schema = { released: Date };
  }
  const controller = new Controller();
  controller.setResponse(listFilms, rows);
  const error = assertThrows(() => controller.set(Forgetful, "1", { id: "1" }), SchemaError, '"director"');
  for (const name of ["FilmSummary", "Forgetful"]) assert(error.message.includes(name), error.message);
});

Deno.test("static schema may be assigned later, where classes refer to each other, and each family member inherits it", () => {
  class Person extends Entity {
    id = "";
    name = "";
    directed: Work[] = [];
    static key = "Person";
    static schema: FieldSchemas = {};
  }
  class Work extends Entity {
    id = "";
    title = "";
    director: Person | undefined = undefined;
    sequel: Work | undefined = undefined;
    static key = "Work";
    static schema: FieldSchemas = {};
  }
  class WorkDetail extends Work {
    notes = "";
  }
  Work.schema = { director: Person, sequel: Work };
  Person.schema = { directed: [Work] };
  const controller = new Controller();
  controller.set(Person, "t", {
    id: "t",
    directed: [{ id: "1", director: "t", sequel: { id: "2", director: { id: "t", name: "Tati" } } }],
  } as never);
  const [work] = controller.get(Person, "t")!.directed;
  assertStrictEquals(work!.director, controller.get(Person, "t"));
  assertEquals([work!.sequel!.id, work!.sequel!.director!.name], ["2", "Tati"]);
  assertStrictEquals(controller.get(WorkDetail, "1")!.sequel, work!.sequel);
});

/** The heavy members of a film, in a record of their own. */
class FilmMeta extends Entity {
  id = "";
  script = "";
  trivia: string[] = [];
  static key = "FilmMeta";
}

/** A detail whose record stays as small as that of the summary. */
class HeavyFilm extends FilmSummary {
  meta: FilmMeta | undefined = undefined;
  static override schema = { ...FilmSummary.schema, meta: FilmMeta };
  static process(value: { id: string; script?: string; trivia?: string[] }) {
    const { script, trivia, ...film } = value;
    return script === undefined ? film : { ...film, meta: { id: value.id, script, trivia } };
  }
  static validate(record: object) {
    return validateRequired(record, { meta: undefined });
  }
  get script(): string {
    return this.meta?.script ?? "";
  }
}
const getHeavy = new Endpoint((_: { id: string }) => Promise.resolve(), { name: "getHeavy", schema: HeavyFilm });

Deno.test("a detail may keep heavy fields in a nested meta entity: rows of the list do not hear of them", () => {
  const controller = new Controller();
  controller.setResponse(listFilms, rows);
  controller.setResponse(getHeavy, { id: "1" }, { ...rows[0], script: "Act 1 …", trivia: ["The set was a town."] });
  const list = readerOfResponse<FilmSummary[]>(controller, listFilms);
  const row = readerOf<FilmSummary>(controller, FilmSummary, "1");
  const film = readerOfResponse<HeavyFilm>(controller, getHeavy, { id: "1" });
  const before = [list.value, row.value, film.value];
  assertEquals([film.value.script, film.value.meta!.trivia.length], ["Act 1 …", 1]);
  assertEquals(stateOf(controller).entities.Film!["1"], { ...rows[0], director: "t", meta: "1" });

  controller.setResponse(getHeavy, { id: "1" }, { ...rows[0], script: "Act 1, revised …", trivia: [] });
  assertEquals([list.told, row.told, film.told], [0, 0, 1]);
  assertStrictEquals(list.value, before[0]);
  assertStrictEquals(row.value, before[1]);
  assertNotStrictEquals(film.value, before[2]);
  assertEquals(film.value.script, "Act 1, revised …");

  // A list that is fetched again knows nothing of it, and takes nothing away.
  controller.setResponse(listFilms, [{ ...rows[0], title: "Play Time" }, rows[1]!]);
  assertEquals([film.value.title, film.value.script, list.value[0]!.title], [
    "Play Time",
    "Act 1, revised …",
    "Play Time",
  ]);
  assertEquals(controller.get(HeavyFilm, "2"), undefined);
  for (const reader of [list, row, film]) reader.stop();
});

Deno.test("an object that another class of the family gave is a reference: its defaults do not become data", () => {
  class Person extends Entity {
    id = "";
    name = "";
    static key = "Person";
  }
  class Profile extends Person {
    bio = "nothing yet";
  }
  class Story extends Entity {
    id = "";
    author: Person | undefined = undefined;
    static key = "Story";
    static schema = { author: Person };
  }
  const controller = new Controller();
  controller.set(Story, "1", { id: "1" });
  controller.set(Person, "2", { id: "2", name: "Ann" });
  const profile = controller.get(Profile, "2")!;
  assertEquals(profile.bio, "nothing yet");
  controller.set(Story, "1", (story) => ({ ...story, author: profile }) as never);
  assertStrictEquals(controller.get(Story, "1")!.author, controller.get(Person, "2"));
  assertEquals(stateOf(controller).entities.Person, { "2": { id: "2", name: "Ann" } });
});

for (const isMet of [true, false]) {
  Deno.test(`what a summary's reply says of a member that only the detail declares is ${isMet ? "a reference" : "asked for"}`, () => {
    class Review extends Entity {
      id = "";
      text = "";
      static key = "Review";
    }
    class Book extends Entity {
      id = "";
      title = "";
      static key = "Book";
    }
    class BookDetail extends Book {
      best: Review | undefined = undefined;
      latest: Review[] = [];
      reviews: Review[] = [];
      static schema = {
        best: Review,
        latest: [Review],
        reviews: new schema.Collection([Review], { nestKey: ({ id }: { id: string }) => ({ bookId: id }) }),
      };
    }
    const get = new Endpoint((_: { id: string }) => Promise.resolve(), { name: "get", schema: BookDetail });
    const rename = new Endpoint((_: object) => Promise.resolve(), { name: "rename", schema: Book, sideEffect: true });
    const review = { id: "r", text: "old" };
    const controller = new Controller({ strict: true });
    for (const member of [{ best: review }, { latest: [review] }, { reviews: [review] }]) {
      const [name] = Object.keys(member) as [keyof typeof member];
      if (isMet) controller.setResponse(get, { id: name }, { id: name, ...member });
      controller.setResponse(rename, { id: name }, { id: name, title: "new", ...member });
    }
    controller.set(Review, "r", { id: "r", text: "new" });
    for (const id of ["best", "latest", "reviews"] as const) {
      const { data } = controller.getResponse(get, { id });
      const shown = data?.[id];
      assertEquals((Array.isArray(shown) ? shown[0] : shown)?.text, isMet ? "new" : undefined, id);
    }
  });
}

Deno.test("a summary shows nothing of a list that only the detail declares, and sends nothing of it", () => {
  class Song extends Entity {
    id = "";
    albumId = "";
    static key = "Song";
  }
  class Album extends Entity {
    id = "";
    title = "";
    static key = "Album";
  }
  class AlbumDetail extends Album {
    songs: Song[] = [];
    static schema = {
      songs: new schema.Collection([Song], { nestKey: ({ id }: { id: string }) => ({ albumId: id }) }),
    };
  }
  const controller = new Controller();
  controller.set(AlbumDetail, "1", { id: "1", title: "Kid A", songs: [{ id: "7", albumId: "1" }] } as never);
  const shown = () => JSON.stringify({ ...controller.get(Album, "1") });
  assertEquals(shown(), '{"id":"1","title":"Kid A"}');
  controller.set(Album, "1", { title: "Amnesiac" });
  assertEquals(shown(), '{"id":"1","title":"Amnesiac"}');
  assertEquals(controller.get(AlbumDetail, "1")!.songs.length, 1);
});

Deno.test("what one store has met of a family is nothing to another store, nor to normalize()", () => {
  class Actor extends Entity {
    id = "";
    name = "";
    static key = "Actor";
  }
  class Film extends Entity {
    id = "";
    title = "";
    static key = "Film";
  }
  class FilmDetail extends Film {
    lead: Actor | undefined = undefined;
    cast: Actor[] = [];
    static schema = { lead: Actor, cast: new schema.Collection([Actor]) };
  }
  const sent = () => ({ id: "1", title: "Heat", lead: { id: "7", name: "Al" }, cast: [{ id: "8", name: "Val" }] });
  const other = new Controller();
  other.set(FilmDetail, "1", sent() as never);
  other.set(Film, "1", sent() as never);
  assertEquals(other.get(FilmDetail, "1")!.lead, other.get(Actor, "7"));
  assertEquals(normalize(Film, sent()).entities, { Film: { "1": sent() } });
  const mine = new Controller();
  mine.set(Film, "1", sent() as never);
  assertEquals({ ...mine.get(Film, "1") }, sent() as never);
});
