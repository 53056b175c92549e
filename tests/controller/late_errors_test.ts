/** Errors in the order of writes, and how long they keep a key from being fetched. */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Controller, Endpoint, Entity, NormalizeError } from "@rejoin/data";
import { FakeClock, flush } from "../support/clock.ts";
import { Wire } from "../support/wire.ts";

class Article extends Entity {
  id = "";
  title = "";
  static key = "Article";
}

Deno.test("an error that was set by hand outlasts the reply, and the failure, of what was asked before", async () => {
  const wire = new Wire();
  const get = new Endpoint(wire.fn("get"), { name: "get", schema: Article });
  const controller = new Controller();
  controller.setResponse(get, { id: "1", title: "zero" });
  const older = controller.fetch(get);
  controller.setError(get, new Error("later"));
  await wire.last.reply({ id: "1", title: "old" });
  assertEquals((await older)?.title, "old");
  assertEquals((controller.getError(get) as Error).message, "later");

  const failing = controller.fetch(get).catch(() => {});
  controller.setError(get, new Error("newest"));
  await wire.last.fail(new Error("older"));
  await failing;
  assertEquals((controller.getError(get) as Error).message, "newest");

  // What is asked for after it is later.
  const newer = controller.fetch(get);
  await wire.last.reply({ id: "1", title: "new" });
  await newer;
  assertEquals([controller.getError(get), controller.getResponse(get).data?.title], [undefined, "new"]);
});

Deno.test("an error keeps an invalidated read from being fetched, as it keeps one that was never answered", async () => {
  let asked = 0;
  const get = new Endpoint(async () => {
    if (++asked > 1) throw new Error("down");
    return await Promise.resolve(1);
  }, { name: "get", errorExpiryLength: 60_000 });
  const controller = new Controller();
  await controller.fetch(get);
  controller.invalidate(get);
  for (let time = 0; time < 3; time++) {
    await assertRejects(async () => await controller.fetchIfStale(get), Error, "down");
  }
  assertEquals(asked, 2);
  controller.invalidate(get);
  await assertRejects(async () => await controller.fetchIfStale(get), Error, "down");
  assertEquals(asked, 3);
});

Deno.test("what an invalidated read has failed with says nothing of a record that came since", () => {
  const get = new Endpoint((_: { id: string }) => Promise.resolve(), { name: "get", schema: Article });
  const getList = new Endpoint(() => Promise.resolve(), { name: "getList", schema: [Article] });
  for (const hasAnswer of [false, true]) {
    const controller = new Controller();
    const title = () => controller.getResponse(get, { id: "1" }).data?.title;
    if (hasAnswer) controller.setResponse(get, { id: "1" }, { id: "1", title: "own" });
    controller.invalidate(get, { id: "1" });
    controller.setResponse(getList, [{ id: "1", title: "old" }]);
    assertEquals([title(), controller.getError(get, { id: "1" })], [undefined, undefined]);
    controller.setError(get, { id: "1" }, new Error("404"));
    assertEquals([title(), (controller.getError(get, { id: "1" }) as Error).message], [undefined, "404"]);
    controller.setResponse(getList, [{ id: "1", title: "new" }]);
    assertEquals([title(), controller.getError(get, { id: "1" })], ["new", undefined]);
    // To hide it again takes the record along.
    controller.invalidate(get, { id: "1" });
    assertEquals(title(), undefined);
  }
});

for (const [how, isOver] of [["while it is on its way", false], ["after it is over", true]] as const) {
  Deno.test(`a read behind a mutation that is refused ${how} is asked once more`, async () => {
    const wire = new Wire();
    const get = new Endpoint(wire.fn("get"), { name: "get", schema: Article });
    const edit = new Endpoint(wire.fn("edit"), { name: "edit", schema: Article, sideEffect: true });
    const controller = new Controller();
    const edited = controller.fetch(edit);
    const { last: mutation } = wire;
    controller.fetch(get).catch(() => {});
    const { last: read } = wire;
    if (!isOver) await read.fail(new Error("404"));
    await mutation.reply({ id: "1", title: "new" });
    await edited;
    if (isOver) await read.fail(new Error("404"));
    assertEquals((controller.getError(get) as Error).message, "404");
    const asked = wire.calls.length;
    Promise.resolve(controller.fetchIfStale(get)).catch(() => {});
    assertEquals(wire.calls.length, asked + 1);
  });
}

Deno.test("a read that was expired while it was on its way, and is refused, is asked once more", async () => {
  const wire = new Wire();
  const get = new Endpoint(wire.fn("get"), { name: "get", schema: Article });
  const controller = new Controller();
  controller.fetch(get).catch(() => {});
  controller.expire(get);
  await wire.last.fail(new Error("404"));
  assertEquals((controller.getError(get) as Error).message, "404");
  Promise.resolve(controller.fetchIfStale(get)).catch(() => {});
  assertEquals(wire.calls.length, 2);
  await wire.last.fail(new Error("404"));
  await assertRejects(async () => await controller.fetchIfStale(get), Error, "404");
  assertEquals(wire.calls.length, 2);
});

Deno.test("set refuses a promise", async () => {
  const controller = new Controller();
  const late = (async () => await Promise.resolve({ title: "late" })) as unknown as () => { title: string };
  assertThrows(() => controller.set(Article, "1", late), NormalizeError, "await a promise first");
  await flush();
  assertEquals(controller.get(Article, "1"), undefined);
});

Deno.test("an error keeps its time, whatever another answer brings that is not enough to show", () => {
  class Detail extends Article {
    body = "";
    static validate = ({ body }: { readonly body?: string }) => body === undefined ? "no body" : undefined;
  }
  const get = new Endpoint((_: { id: string }) => Promise.resolve(), { name: "get", schema: Detail });
  const getList = new Endpoint(() => Promise.resolve(), { name: "getList", schema: [Article] });
  const clock = new FakeClock();
  using _ = clock.install();
  const controller = new Controller();
  controller.setError(get, { id: "1" }, new Error("down"));
  controller.setResponse(getList, [{ id: "1", title: "summary" }]);
  assertEquals(controller.getResponse(get, { id: "1" }).expiresAt, clock.now() + 1_000);
});
