/** What becomes of a record that a class finds incomplete: on read, and for each of those who write. */
import { assert, assertEquals, assertRejects, assertStrictEquals, assertStringIncludes } from "@std/assert";
import {
  Controller,
  denormalize,
  Endpoint,
  Entity,
  normalize,
  schema,
  stateOf,
  validateRequired,
  ValidationError,
} from "@rejoin/data";
import { Wire } from "../support/wire.ts";

class Director extends Entity {
  id = "";
  name = "";
  static key = "Director";
}

class FilmSummary extends Entity {
  id = "";
  title = "";
  static key = "Film";
}

class Film extends FilmSummary {
  synopsis = "";
  released = new Date(0);
  director: Director | undefined = undefined;
  static schema = { released: Date, director: Director };
  static validate(record: object) {
    return validateRequired(record, { title: "", synopsis: "" });
  }
}

const invalid = new schema.Invalidate(Director);

const summary = { id: "1", title: "Solaris" };
const detail = {
  ...summary,
  synopsis: "A sea that thinks.",
  released: "1972-03-20",
  director: { id: "t", name: "Tati" },
};

Deno.test("validateRequired names the first member of the defaults that the record does not own", () => {
  const defaults = { id: "", title: "", synopsis: "" };
  assertEquals(validateRequired(detail, defaults), undefined);
  assertEquals(validateRequired(summary, defaults), "Missing key synopsis");
  assertEquals(validateRequired({ synopsis: "" }, defaults), "Missing key id");
  assertEquals(validateRequired({ id: undefined, title: null, synopsis: 0 }, defaults), undefined);
  assertEquals(validateRequired({}, {}), undefined);
  // What a record inherits, it does not have.
  assertEquals(validateRequired({}, { toString: 0 }), "Missing key toString");
  assertEquals(validateRequired({}, JSON.parse(`{"__proto__": 1}`)), "Missing key __proto__");
  assertEquals(validateRequired(Object.assign(Object.create(null), { id: 1 }), { id: "" }), undefined);
  assertEquals(validateRequired(summary, new Film()), "Missing key synopsis");
});

Deno.test("on read: the record does not satisfy this class, so the read has no data and fetches", async () => {
  const wire = new Wire();
  const controller = new Controller();
  const getFilm = new Endpoint(wire.fn<[{ id: string }]>("getFilm"), { name: "getFilm", schema: Film });
  controller.set(FilmSummary, "1", summary);
  assertEquals(controller.get(FilmSummary, "1")!.title, "Solaris");
  const args = { id: "1" };
  const before = controller.getResponse(getFilm, args);
  assertEquals([before.data as unknown, before.expiryStatus, wire.calls.length], [undefined, 1, 0]);
  const film = controller.fetch(getFilm, args);
  await wire.last.reply(detail);
  assertEquals((await film).synopsis, detail.synopsis);
  assertStrictEquals(controller.getResponse(getFilm, args).data, await film);
});

Deno.test("validate gets the merged record, also where the answer alone would not do", async () => {
  const seen: unknown[] = [];
  class Watched extends Film {
    static override key = "Watched";
    static override validate(record: object) {
      seen.push({ ...record });
      return super.validate(record);
    }
  }
  const wire = new Wire();
  const controller = new Controller();
  const getFilm = new Endpoint(wire.fn("getFilm"), { name: "getFilm", schema: Watched });
  controller.set(Watched, "1", { id: "1", synopsis: detail.synopsis });
  seen.length = 0;
  const film = controller.fetch(getFilm);
  await wire.last.reply({ ...summary, released: detail.released, director: detail.director });
  assertEquals((await film).director?.name, "Tati");
  assert(seen.length > 0);
  for (const record of seen) assertEquals(record, { ...detail, director: "t" });
});

Deno.test("on write by a read whose own result fails its class: nothing is written, and nothing asks again by itself", async () => {
  const wire = new Wire();
  const controller = new Controller();
  const getFilm = new Endpoint(wire.fn("getFilm"), { name: "getFilm", schema: { film: Film, by: Director } });
  controller.set(FilmSummary, "1", summary);
  const before = stateOf(controller);
  const film = controller.fetch(getFilm);
  film.catch(() => {});
  await wire.last.reply({ film: { id: "1", title: "Stalker" }, by: { id: "t" } });
  const error = await assertRejects(() => film, ValidationError, "Missing key synopsis");
  assertEquals([error.path, error.entity, error.pk, error.reason], ["film", "Film", "1", "Missing key synopsis"]);
  assertEquals(stateOf(controller).entities, before.entities);
  assertStrictEquals(controller.getError(getFilm), error);
  controller.getResponse(getFilm);
  assertEquals(wire.calls.length, 1);
});

Deno.test("what a read nests may be incomplete: only its own result must satisfy its class", async () => {
  const wire = new Wire();
  const controller = new Controller();
  class Festival extends Entity {
    id = "";
    opening: Film | undefined = undefined;
    films: Film[] = [];
    static key = "Festival";
    static schema = { opening: Film, films: [Film] };
  }
  const getFestival = new Endpoint(wire.fn("getFestival"), { name: "getFestival", schema: Festival });
  const festival = controller.fetch(getFestival);
  await wire.last.reply({ id: "cannes", opening: summary, films: [summary, { ...detail, id: "2" }] });
  const { opening, films } = await festival;
  assertEquals([opening, films.map(({ id }) => id)], [undefined, ["2"]]);
});

Deno.test("what was deleted while it was asked for is missed by who requires it, whoever else refers to it", async () => {
  class Review extends Entity {
    id = "";
    by: Director = Director.fromJS({ id: "nobody" });
    static key = "Review";
    static schema = { by: Director };
  }
  for (const schema of [{ review: Review, of: Director }, { of: Director, review: Review }]) {
    const wire = new Wire();
    const controller = new Controller();
    const getPage = new Endpoint(wire.fn("getPage"), { name: "getPage", schema });
    controller.set(Director, "t", { id: "t", name: "Tati" });
    const page = controller.fetch(getPage);
    page.catch(() => {});
    controller.set(invalid, "t");
    await wire.last.reply({ review: { id: "1", by: "t" }, of: "t" });
    const error = await assertRejects(() => page, ValidationError, `"by" is required, but Director "t" is not there`);
    assertEquals([error.path, error.field], ["review", "by"]);
  }
});

Deno.test("in a mutation that the server accepted: stored, read as incomplete by that class, and the promise resolves", async () => {
  const wire = new Wire();
  const controller = new Controller();
  const create = new Endpoint(wire.fn("create"), { name: "create", schema: Film, sideEffect: true });
  const created = controller.fetch(create);
  await wire.last.reply(summary);
  assertEquals(await created as unknown, undefined);
  assertEquals(stateOf(controller).entities.Film!["1"], summary);
  assertEquals([controller.get(Film, "1"), controller.get(FilmSummary, "1")!.title], [undefined, "Solaris"]);
});

Deno.test("in an optimistic layer: the layer is dropped, the request goes on", async () => {
  const wire = new Wire();
  const controller = new Controller();
  const create = new Endpoint(wire.fn("create"), {
    name: "create",
    schema: Film,
    sideEffect: true,
    getOptimisticResponse: () => summary,
  });
  const created = controller.fetch(create);
  assertEquals([controller.get(FilmSummary, "1"), controller.store.layers.length], [undefined, 0]);
  await wire.last.reply(detail);
  assertEquals((await created).title, "Solaris");
});

for (const accepted of [undefined, "", false, null, 0]) {
  Deno.test(`validate that returns ${JSON.stringify(accepted)} accepts, and any text or true refuses`, () => {
    class Film extends Entity {
      id = "";
      static key = "Film";
      static validate(record: { refused: unknown }) {
        return (record.refused ?? accepted) as string;
      }
    }
    const { entities } = normalize([Film], [{ id: "1" }, { id: "2", refused: true }, { id: "3", refused: "reason" }]);
    assertEquals(["1", "2", "3"].map((pk) => denormalize(Film, pk, entities)?.id), ["1", undefined, undefined]);
  });
}

for (
  const [hook, statics] of Object.entries({
    validate: { validate: (record: { ok?: boolean }) => !record.ok && "not ok" },
    createIfValid: {
      createIfValid: (record: { ok?: boolean }) => record.ok ? Film.fromJS(record as object) : undefined,
    },
  })
) {
  Deno.test(`${hook} decides in each situation alike: read, answer of a read, mutation, layer`, async () => {
    class Checked extends FilmSummary {
      static override key = "Checked";
    }
    Object.assign(Checked, statics);
    const wire = new Wire();
    const controller = new Controller();
    const read = new Endpoint(wire.fn("read"), { name: "read", schema: [Checked] });
    const refused = controller.fetch(read);
    refused.catch(() => {});
    await wire.last.reply([{ id: "1", ok: true }, { id: "2" }]);
    const error = await assertRejects(() => refused, ValidationError);
    assertEquals([error.path, error.pk], ["[1]", "2"]);
    assertEquals(error.reason, hook === "validate" ? "not ok" : "createIfValid() returned undefined");
    assertEquals(stateOf(controller).entities.Checked, undefined);

    const update = new Endpoint(wire.fn("update"), {
      name: "update",
      schema: Checked,
      sideEffect: true,
      getOptimisticResponse: () => ({ id: "1" }),
    });
    const updated = controller.fetch(update);
    assertEquals(controller.store.layers.length, 0);
    await wire.last.reply({ id: "1" });
    assertEquals([await updated as unknown, controller.get(Checked, "1")], [undefined, undefined]);
    assertEquals(stateOf(controller).entities.Checked, { 1: { id: "1" } } as never);

    const again = controller.fetch(read);
    await wire.last.reply([{ id: "1", ok: true }]);
    assertStrictEquals((await again)[0], controller.get(Checked, "1"));
    assertEquals((await again)[0]!.id, "1");
  });
}

for (const isUnderOlder of [false, true]) {
  const where = isUnderOlder ? "under an older request" : "at rest";
  Deno.test(`13.A12 a refetch that names a required record which was deleted before shows the rest, ${where}`, async () => {
    class Poster extends Entity {
      id = "";
      film = Film.fromJS();
      static key = "Poster";
      static schema = { film: Film };
    }
    const wire = new Wire();
    using controller = new Controller();
    const getPoster = new Endpoint(wire.fn("getPoster"), { name: "getPoster", schema: Poster });
    const film = { id: "5", title: "Alien", synopsis: "…", released: 0 };
    controller.setResponse(getPoster, { id: "1", film });
    const late = controller.fetch(getPoster);
    late.catch(() => {});
    controller.set(new schema.Invalidate(Film), { id: "5" });
    assertEquals(controller.getResponse(getPoster).data, undefined);
    // Asked for before the delete: it is as the server had it then.
    await wire.last.reply({ id: "1", film: "5" });
    const error = await assertRejects(() => late, ValidationError);
    assertEquals([error.path, error.pk], ["", "1"]);
    assertStringIncludes(error.message, "film");
    if (isUnderOlder) controller.fetch(new Endpoint(wire.fn("other"), { name: "other", schema: Director }));
    const fetched = controller.fetch(getPoster);
    // The very text that is stored: taken as it is, it would show nothing, and who reads it would ask for ever.
    await wire.last.reply({ id: "1", film: "5" });
    assertEquals([(await fetched).id, (await fetched).film as unknown], ["1", undefined]);
    assertStrictEquals(controller.getResponse(getPoster).data, await fetched);
    controller.set(Film, "5", { ...film, released: new Date(0) });
    assertEquals(controller.getResponse(getPoster).data?.film.title, "Alien");
  });
}
