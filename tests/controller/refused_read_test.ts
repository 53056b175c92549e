import { assert, assertEquals, assertRejects } from "@std/assert";
import { Controller, Endpoint, Entity, NetworkError } from "@rejoin/data";
import { Wire } from "../support/wire.ts";

class Article extends Entity {
  id = "";
  title = "";
  static key = "Article";
}

function failed(status: number): NetworkError {
  return new NetworkError({ method: "GET", url: "https://api.test/articles/1", status });
}

async function start() {
  const wire = new Wire();
  const controller = new Controller();
  const get = new Endpoint(wire.fn<[args: { id: string }]>("get"), { name: "get", schema: Article });
  const list = new Endpoint(wire.fn("list"), { name: "list", schema: [Article] });
  const read = async () => {
    const reading = controller.fetch(list);
    await wire.last.reply([{ id: "1", title: "a" }, { id: "2", title: "b" }]);
    await reading;
  };
  const refuse = async (status: number) => {
    const reading = controller.fetch(get, { id: "1" });
    await Promise.all([assertRejects(() => reading), wire.last.fail(failed(status))]);
  };
  await read();
  const isFresh = () => controller.getResponse(list).expiresAt > Date.now();
  return { controller, get, read, refuse, isFresh };
}

for (const status of [404, 410]) {
  Deno.test(`a list that holds a record is stale when a read of that is told ${status}`, async () => {
    const { controller, refuse, isFresh } = await start();
    using _ = controller;
    assert(isFresh());
    await refuse(status);
    assert(!isFresh());
    // It is shown until the server has answered.
    assertEquals(controller.get(Article, { id: "1" })?.title, "a");
  });
}

for (const status of [400, 403, 500]) {
  Deno.test(`a list that holds a record stays fresh when a read of that is told ${status}`, async () => {
    const { controller, refuse, isFresh } = await start();
    using _ = controller;
    await refuse(status);
    assert(isFresh());
  });
}

Deno.test("a list that goes on bringing what a read is told is not there is not asked for without end", async () => {
  const { controller, read, refuse, isFresh } = await start();
  using _ = controller;
  await refuse(404);
  await read();
  assert(isFresh());
  await refuse(404);
  assert(isFresh());
});
