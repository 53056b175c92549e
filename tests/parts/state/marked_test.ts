/** What a key was marked with, where others brought what it shows: the state of a store takes it along. */
import { assert, assertEquals } from "@std/assert";
import { Controller, Entity, hydrate, record, replay, resource, stateOf } from "@rejoin/data";
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
