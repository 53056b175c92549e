/** What a key was marked with, where others brought what it shows: the state of a store takes it along. */
import { assert, assertEquals } from "@std/assert";
import {
  Controller,
  Entity,
  hydrate,
  LogManager,
  record,
  replay,
  resource,
  schema,
  snapshotOf,
  stateOf,
} from "@rejoin/data";
import { FakeClock } from "../../support/clock.ts";

class Film extends Entity {
  id = "";
  title = "";
  static key = "Film";
}
const films = resource({ path: "/films/:id", schema: Film });
const id = "1";

/** A store to which the state of another one came. */
function taken(from: Controller): Controller {
  return new Controller({ use: [hydrate(JSON.parse(JSON.stringify(stateOf(from))))] });
}

Deno.test("a read that was expired, and shows what a list has brought, is stale also where its state was taken to", () => {
  using _ = new FakeClock().install();
  using server = new Controller();
  server.setResponse(films.getList, [{ id, title: "one" }]);
  server.expire(films.get, { id });
  using client = taken(server);
  assertEquals(client.getResponse(films.get, { id }).data?.title, "one");
  assertEquals(client.getResponse(films.get, { id }).expiresAt, 0);
  client.set(Film, { id }, { title: "two" });
  assert(client.getResponse(films.get, { id }).expiresAt > 0);
});

Deno.test("a replay knows of what the lists are that it starts with, and when the store was reset", async () => {
  using _ = new FakeClock().install();
  using controller = new Controller();
  controller.resetEntireStore();
  controller.setResponse(films.getList, [{ id, title: "one" }]);
  const recorder = record(controller);
  controller.set(Film, { id }, { title: "two" });
  const played = replay(JSON.parse(JSON.stringify(recorder.stop())), { endpoints: [films], schemas: [Film] });
  await played.run();
  using again = played.controller;
  assert(stateOf(controller).lastReset > 0);
  assertEquals(stateOf(again), stateOf(controller));
});

Deno.test("of two states the later one stays, in whatever order they are given", () => {
  const clock = new FakeClock();
  using _ = clock.install();
  const stateWith = (write: (store: Controller) => void): string => {
    using store = new Controller();
    write(store);
    return JSON.stringify(stateOf(store));
  };
  const two = { id: "2", title: "two" };
  const older = stateWith((store) => {
    store.setResponse(films.getList, [{ id, title: "old" }, two]);
    store.setResponse(films.get, { id }, { id, title: "old" });
    store.setResponse(films.get, { id: "4" }, { id: "4", title: "four" });
  });
  clock.tick(30_000);
  const newer = stateWith((store) => {
    hydrate(store, JSON.parse(older));
    store.expire(films.get, { id: "4" });
    store.setResponse(films.getList, [{ id, title: "new" }]);
    store.setResponse(films.get, { id }, { id, title: "new" });
    store.setResponse(films.get, { id: "3" }, { id: "3", title: "three" });
    store.set(new schema.Invalidate(Film), two);
  });
  for (const states of [[older, newer], [newer, older]]) {
    using controller = new Controller({ use: states.map((text) => hydrate(JSON.parse(text))) });
    const { data, expiresAt } = controller.getResponse(films.get, { id });
    assertEquals([data?.title, expiresAt], ["new", clock.now() + 60_000]);
    assertEquals(controller.getResponse(films.getList).data?.map(({ title }) => title), ["new"]);
    assertEquals(controller.get(Film, { id: "3" })?.title, "three");
    assertEquals(controller.get(Film, two), undefined);
    assertEquals(controller.getResponse(films.get, { id: "4" }).expiresAt, 0);
    hydrate(controller, JSON.parse(older));
    assertEquals(controller.get(Film, { id })?.title, "old");
  }
});

Deno.test("who has looked at the store before a state is put in sees what it has brought", () => {
  const there = new Controller();
  there.set(Film, { id }, { id, title: "one" });
  const looking = {
    init(controller: Controller) {
      stateOf(controller);
      assertEquals(snapshotOf(controller).get(Film, { id }), undefined);
    },
  };
  const lines: string[] = [];
  const log = new LogManager({ log: (line) => lines.push(line) });
  using controller = new Controller({ use: [log, looking, hydrate(stateOf(there))] });
  assertEquals(stateOf(controller).entities.Film?.[id]?.title, "one");
  assertEquals(snapshotOf(controller).get(Film, { id })?.title, "one");
  controller.set(Film, { id: "2" }, { id: "2" });
  assert(lines.join().endsWith("+Film 2"), lines.join());
});
