// deno-lint-ignore-file no-explicit-any -- answers of any form
/** What makes a record fresh that serves a detail. */
import { assert, assertEquals } from "@std/assert";
import { Controller, Endpoint, Entity, resource } from "@rejoin/data";

class Film extends Entity {
  id = "";
  title = "";
  static override key = "Film";
}
const { get, partialUpdate } = resource({
  urlPrefix: "https://api.test",
  path: "/films/:id",
  schema: Film,
  fetchResponse: () => new Promise<Response>(() => {}),
});
const list = new Endpoint(async () => await Promise.resolve([] as any), { name: "list", schema: [Film] });
const film = { id: "1", title: "a" };

// Rule 15: data is fresh for 60 s after the server sent it; an edit of some members is no answer of the server.
Deno.test("an edit of some members makes a stale record no fresher", () => {
  const controller = new Controller();
  controller.setResponse(list.extend({ dataExpiryLength: 0 }), [film]);
  controller.set(Film, "1", { title: "b" });
  assert(controller.getResponse(get, { id: "1" }).expiresAt <= performance.timeOrigin + performance.now());
});

// Rule 12: "an answer … that comes while one is pending, is stale".
Deno.test("a record that comes while a mutation of its table is pending is stale", () => {
  const controller = new Controller();
  controller.set(Film, "2", { title: "b" });
  controller.fetch(partialUpdate, { id: "2" }, { title: "c" }).catch(() => {});
  controller.setResponse(list, [film]);
  assertEquals(controller.getResponse(get, { id: "1" }).expiresAt, 0);
  controller.cleanup();
});

// Rule 19: "A reply that is empty … writes { ...params, ...shown }, and the record is stale".
Deno.test("a record that an empty reply left stale is not made fresh by a list with some of its members", async () => {
  const controller = new Controller();
  controller.setResponse(list, [film]);
  controller.setResponse(partialUpdate, { id: "1" }, { title: "b" }, null);
  controller.setResponse(list.extend({ name: "titles" }), [{ id: "1" }]);
  assertEquals(controller.getResponse(get, { id: "1" }).expiresAt, 0);
  await controller.allSettled();
});
