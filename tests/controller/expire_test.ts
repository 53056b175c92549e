import { assertEquals, assertStrictEquals } from "@std/assert";
import { Controller, Endpoint, Entity } from "@rejoin/data";
import { FakeClock } from "../support/clock.ts";
import { Wire } from "../support/wire.ts";

class Article extends Entity {
  id = "";
  title = "";
  pk() {
    return this.id;
  }
  static key = "Article";
}

function start() {
  const clock = new FakeClock();
  const restore = clock.install();
  const wire = new Wire();
  const controller = new Controller();
  const get = new Endpoint(wire.fn<[args: { id: string }]>("get"), { name: "get", schema: Article });
  const list = new Endpoint(wire.fn("list"), { name: "list", schema: [Article] });
  const read = (id: string) => {
    const { data, expiresAt } = controller.getResponse(get, { id });
    return [data?.title, expiresAt > clock.now()];
  };
  return { clock, wire, controller, get, list, read, [Symbol.dispose]: restore };
}

Deno.test("expire marks one answer stale and leaves the others, and the records, as they are", () => {
  using it = start();
  for (const id of ["1", "2"]) it.controller.setResponse(it.get, { id }, { id, title: "Hello" });
  const before = it.controller.getResponse(it.get, { id: "1" }).data;
  it.controller.expire(it.get, { id: "1" });
  assertEquals([it.read("1"), it.read("2")], [["Hello", false], ["Hello", true]]);
  assertStrictEquals(it.controller.getResponse(it.get, { id: "1" }).data, before);
  assertEquals(it.controller.fetchIfStale(it.get, { id: "1" }) instanceof Promise, true);
});

Deno.test("expire marks a detail that is read from a list, also when nobody has read it yet", () => {
  using it = start();
  it.controller.setResponse(it.list, [{ id: "1", title: "One" }, { id: "2", title: "Two" }]);
  it.controller.expire(it.get, { id: "1" });
  assertEquals([it.read("1"), it.read("2")], [["One", false], ["Two", true]]);
  // What the list brings later is fresh.
  it.controller.setResponse(it.list, [{ id: "1", title: "New" }]);
  assertEquals(it.read("1"), ["New", true]);
});

Deno.test("expire does nothing for null, and shows nothing for what nobody knows", () => {
  using it = start();
  const { commits } = it.controller.store;
  it.controller.expire(it.get, null);
  assertEquals(it.controller.store.commits, commits);
  for (const id of ["9", "__proto__", "constructor"]) {
    it.controller.expire(it.get, { id });
    assertEquals(it.read(id), [undefined, false]);
  }
});

Deno.test("an answer whose request started before expire is stale, one that started after it is fresh", async () => {
  using it = start();
  const early = it.controller.fetch(it.get, { id: "1" });
  it.controller.expire(it.get, { id: "1" });
  await it.wire.last.reply({ id: "1", title: "Early" });
  await early;
  assertEquals(it.read("1"), ["Early", false]);
  const late = it.controller.fetch(it.get, { id: "1" });
  await it.wire.last.reply({ id: "1", title: "Late" });
  await late;
  assertEquals(it.read("1"), ["Late", true]);
});
