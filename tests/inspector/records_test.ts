import { assert, assertEquals, assertMatch } from "@std/assert";
import { Controller, Endpoint, Entity, history, resource } from "@rejoin/data";
import { neighboursOf, type Thing, titleOf } from "../../src/inspector/_neighbours.ts";
import { answerLines, recordInWords, recordLines, slotOf, tablesOf } from "../../src/inspector/_records.ts";
import { textOf } from "../../src/inspector/_text.ts";
import { watch } from "../../src/store/watch.ts";
import { RESERVED, STRANGE } from "../support/hostile.ts";
import { type Cinema, Film, film, Genre, open, sorted } from "./_cinema.ts";

function states(cinema: Cinema): string[] {
  return recordLines(cinema.controller, "Film", "", 100).lines.map(({ id, freshness }) => `${id} ${freshness}`);
}

Deno.test("records are listed with how fresh they are", async () => {
  using cinema = open();
  const { controller, list, rate, clock, wire } = cinema;
  controller.setResponse(list, { films: ["1", "2", "3"].map((id) => film(id)) });
  await clock.tickAsync(12_000);
  controller.invalidate(list);
  controller.set(Film, "4", { id: "4", title: "New" } as never);
  const answer = controller.fetch(rate, "2", 5);
  assertEquals(states(cinema), ["1 fresh", "2 pending", "3 fresh", "4 fresh"]);
  const [one] = recordLines(controller, "Film", "", 1).lines;
  assertEquals([one!.age, one!.expires, one!.about], [
    "12 s",
    "in 48 s",
    '{id: "1", title: "Film 1", rating: 1, genre: "drama"}',
  ]);
  await wire.last.reply(film("2", { rating: 5 }));
  await answer;
  await clock.tickAsync(50_000);
  assertEquals(states(cinema), ["1 stale", "2 fresh", "3 stale", "4 fresh"]);
  assertEquals(recordLines(controller, "Film", "", 1).lines[0]!.expires, "2 s ago");
  assertEquals(
    new Map(tablesOf(controller).map(({ key, count }) => [key, count])),
    new Map([["Film", 4], ["Genre", 1]]),
  );
});

Deno.test("of many records some are made into lines, and a filter finds the others", () => {
  using cinema = open();
  const { controller, list } = cinema;
  controller.setResponse(list, { films: Array.from({ length: 10_000 }, (_, at) => film(`f${at}`)) });
  const { lines, count } = recordLines(controller, "Film", "", 100);
  assertEquals([lines.length, count], [100, 10_000]);
  assertEquals(recordLines(controller, "Film", "FILM F999", 100).lines.map(({ id }) => id), [
    "f999",
    ...Array.from({ length: 10 }, (_, at) => `f999${at}`),
  ]);
  assertEquals(recordLines(controller, "Nothing", "", 100), { lines: [], count: 0 });
});

Deno.test("answers are listed with their state, also those that nobody has read", async () => {
  using cinema = open();
  const { controller, list, get, wire } = cinema;
  controller.setResponse(list, { films: [film("1")] });
  controller.fetch(get, "2").catch(() => {});
  controller.setError(get, "3", new Error("refused"));
  controller.setResponse(get, "4", film("4"));
  controller.invalidate(get, "4");
  const { lines } = answerLines(controller, "", 100);
  assertEquals(Object.fromEntries(lines.map(({ id, freshness }) => [id, freshness])), {
    "GET /films": "fresh",
    "GET /films/2": "pending",
    "GET /films/3": "failed",
    "GET /films/4": "invalid",
  });
  watch(controller.store, controller.store.response(list, [], "GET /films"), () => {});
  assertEquals(answerLines(controller, "films", 1).lines[0]!.about, "read by 1");
  await wire.last.fail();
});

Deno.test("two shapes of one key are two answers", () => {
  using cinema = open();
  const { controller, get } = cinema;
  const bare = get.extend({ schema: undefined });
  controller.setResponse(get, "1", film("1"));
  controller.setResponse(bare, "1", film("1") as never);
  for (const endpoint of [get, bare]) controller.getResponse(endpoint, "1");
  const { lines, count } = answerLines(controller, "", 100);
  assertEquals([count, ...lines.map(({ id }) => id)], [2, "GET /films/1", "GET /films/1 · shape 2"]);
});

Deno.test("17. requests and lists that were asked for with what a class redacts are named without", () => {
  class User extends Entity {
    id = "";
    token = "";
    static override key = "User";
    static override redact = ["token"];
  }
  const users = resource({ urlPrefix: "http://films.test", path: "/users/:id", schema: User });
  const login = new Endpoint(async (_: { token: string }) => await Promise.resolve({ id: "1" }), {
    name: "login",
    key: ({ token }) => `GET /login/${token}`,
    schema: User,
  });
  const controller = new Controller();
  controller.setResponse(users.getList, { token: "s3cret" }, [{ id: "1", token: "s3cret" }]);
  controller.setResponse(login, { token: "s3cret" }, { id: "1", token: "s3cret" });
  const lists = tablesOf(controller).find(({ isList }) => isList)!.key;
  assertEquals(answerLines(controller, "", 100).lines.map(({ name }) => name), [
    "GET http://films.test/users?token=(redacted)",
    "GET /login/(redacted)",
  ]);
  const [line] = recordLines(controller, lists, "", 100).lines;
  const words = recordInWords(controller, controller.store.tables.byKey.get(lists)!, line!.id);
  const result = textOf(line!.id, 100, new Set(User.redact));
  assertEquals(line!.name, '{"token":"(redacted)"}');
  assertEquals([words, result].filter((text) => text.includes("s3cret")), []);
  const { above } = neighboursOf(
    controller,
    controller.store.tables.byKey.get("User")!,
    slotOf(controller, "User", "1")!,
  );
  assertEquals(namesOf(controller, above.things).filter((name) => name.includes("s3cret")), []);
});

Deno.test("a record says why it is as it is", async () => {
  using cinema = open({ use: [history()] });
  const { controller, list, rate, clock } = cinema;
  const table = () => controller.store.tables.byKey.get("Film")!;
  controller.setResponse(list, { films: [film("1")] });
  assertMatch(
    recordInWords(controller, table(), "1"),
    /^Film "1" came at [\d:.]+ \(setResponse of "list"\)\. It is fresh: it expires in 1 min\.$/,
  );
  controller.fetch(rate, "1", 5).catch(() => {});
  assertMatch(recordInWords(controller, table(), "1"), /A pending mutation lies over it/);
  controller.fetch(rate, "9", 5).catch(() => {});
  assertMatch(recordInWords(controller, table(), "9"), /shown by a pending mutation only/);
  controller.set(Film, "1", { id: "1", title: "Later" } as never);
  assertMatch(recordInWords(controller, table(), "1"), /It keeps \d writes?, for an older request is still in flight/);
  await clock.tickAsync(1);
  assertMatch(recordInWords(controller, table(), "none"), /is not here/);
  controller.resetEntireStore();
});

function namesOf(controller: Controller, things: readonly Thing[]): string[] {
  return things.map((thing) => `${thing.by} ${titleOf(controller, thing)}`.trim()).sort();
}

Deno.test("the graph of a record has what it refers to, and the lists, queries and answers that hold it", async () => {
  using cinema = open();
  const { controller, list, get } = cinema;
  const Films = resource({ urlPrefix: "http://films.test", path: "/all/:id", schema: Film });
  controller.setResponse(list, { films: [film("1"), film("2")] });
  controller.setResponse(get, "1", film("1"));
  controller.setResponse(Films.getList, {}, [film("1")] as never);
  controller.getResponse(list);
  controller.getResponse(Films.getList, {});
  controller.getResponse(sorted);
  const neighbours = (key: string, pk: string) =>
    neighboursOf(controller, controller.store.tables.byKey.get(key)!, slotOf(controller, key, pk)!);
  const one = neighbours("Film", "1");
  assertEquals(namesOf(controller, one.below.things), ["genre Genre drama"]);
  const above = namesOf(controller, one.above.things);
  // Nobody has read the answer of `get` yet.
  for (const name of ["GET /films", "GET /films/1", "GET http://films.test/all"]) {
    assert(above.includes(name), `${above}`);
  }
  const kinds = one.above.things.map(({ kind }) => kind);
  assert(kinds.includes("list"), "the list that mutations keep");
  assert(one.above.things.some(({ kind, key }) => kind === "answer" && !key.startsWith("GET")), "the query");
  assertEquals(
    namesOf(controller, neighbours("Genre", "drama").above.things).filter((name) => name.startsWith("genre")),
    [
      "genre Film 1",
      "genre Film 2",
    ],
  );
  const list1 = one.above.things.find(({ kind }) => kind === "list")!;
  assertEquals(namesOf(controller, neighbours(list1.key, list1.pk).below.things), ["Film 1"]);
  controller.setResponse(list, { films: Array.from({ length: 500 }, (_, at) => film(`f${at}`)) });
  controller.getResponse(list);
  const shared = neighbours("Genre", "drama").above;
  assert(shared.things.length === 24 && shared.more > 400, `${shared.things.length} and ${shared.more}`);
  await Promise.resolve();
});

Deno.test("records with any name are looked at like others", () => {
  using cinema = open();
  const { controller } = cinema;
  for (const pk of [...RESERVED, ...STRANGE]) {
    controller.set(Film, pk, { id: pk, title: pk, genre: { id: pk, name: pk } } as never);
    const { lines } = recordLines(controller, "Film", "", 1_000);
    assertEquals(lines.at(-1)!.id, pk);
    const table = controller.store.tables.byKey.get("Film")!;
    assertMatch(recordInWords(controller, table, pk), /came at/);
    const { below } = neighboursOf(controller, table, slotOf(controller, "Film", pk)!);
    assertEquals(below.things, [{ kind: "record", key: Genre.key, pk, by: "genre" }]);
  }
});
