/** What `getState()` described, read by another store or by the same one again. */
import { assertEquals, assertStrictEquals } from "@std/assert";
import { Controller, Endpoint, Entity, hydrate, Query, schema, type State, stateOf } from "@rejoin/data";

class Article extends Entity {
  id = "";
  title = "";
  static key = "Article";
}
const rows = [{ id: "10" }, { id: "2" }, { id: "b" }, { id: "1" }];
const getAll = new Endpoint(async () => await Promise.resolve(rows), {
  name: "getAll",
  schema: new schema.All(Article),
});
const getNone = new Endpoint(async () => await Promise.resolve([]), {
  name: "getNone",
  schema: new schema.All(Article),
});
const getQuery = new Endpoint(async () => await Promise.resolve(rows), {
  name: "getQuery",
  schema: new Query(new schema.All(Article), (all) => all.length),
});
const getNothing = new Endpoint(async () => await Promise.resolve(undefined), { name: "getNothing" });

/** A store that another one's state was given to, and the same store after it was given its own. */
async function* again(fetched: (controller: Controller) => Promise<unknown>): AsyncGenerator<Controller> {
  const first = new Controller({ strict: true });
  await fetched(first);
  const state: State = JSON.parse(JSON.stringify(stateOf(first)));
  yield new Controller({ strict: true, use: [hydrate(state)] });
  hydrate(first, state);
  yield first;
}

Deno.test("answers of which nothing remained are read again, in the order in which the records arrived", async () => {
  for await (const controller of again((first) => first.fetch(getAll))) {
    assertEquals(controller.getResponse(getAll).data?.map(({ id }) => id), ["10", "2", "b", "1"]);
    assertEquals(controller.get(new schema.All(Article))?.map(({ id }) => id), ["10", "2", "b", "1"]);
    assertStrictEquals(controller.fetchIfStale(getAll), controller.getResponse(getAll).data);
  }
  for await (const controller of again((first) => first.fetch(getNone))) {
    assertEquals(controller.getResponse(getNone).data, []);
  }
  for await (const controller of again((first) => first.fetch(getQuery))) {
    assertEquals(controller.getResponse(getQuery).data, 4);
  }
  for await (const controller of again((first) => first.fetch(getNothing))) {
    const { data, expiryStatus } = controller.getResponse(getNothing);
    assertEquals([data, expiryStatus], [undefined, 3]);
    assertEquals(controller.fetchIfStale(getNothing), undefined);
  }
});

Deno.test("a state says in which order records arrived only where its tables cannot", () => {
  const controller = new Controller();
  controller.set(Article, { id: "1" }, {});
  controller.set(Article, { id: "2" }, {});
  assertEquals("order" in stateOf(controller), false);
  controller.set(Article, { id: "0" }, {});
  assertEquals({ ...stateOf(controller).order }, { Article: ["1", "2", "0"] });
  // Whatever somebody has put there.
  for (const order of [null, "x", { Article: 5 }, { Article: ["2", "2", null, "__proto__", "9"] }]) {
    const state = { ...stateOf(controller), order } as unknown as State;
    const pks = new Controller({ use: [hydrate(state)] }).get(new schema.All(Article))?.map(({ id }) => id);
    assertEquals(pks?.toSorted(), ["0", "1", "2"]);
  }
});

Deno.test("an answer that came hydrated belongs to the first shape that reads it", async () => {
  const get = new Endpoint(async (id: string) => await Promise.resolve({ id, title: "t" }), {
    name: "get",
    schema: Article,
  });
  const raw = get.extend({ schema: undefined });
  for await (const controller of again((first) => first.fetch(get, "5"))) {
    assertEquals(controller.getResponse(get, "5").data?.title, "t");
    const { data, expiryStatus } = controller.getResponse(raw, "5");
    assertEquals([data, expiryStatus], [undefined, 1], "pks are no answer of another shape");
    assertEquals(await controller.fetch(raw, "5"), { id: "5", title: "t" });
    assertEquals(controller.getResponse(get, "5").data?.title, "t");
  }
});
