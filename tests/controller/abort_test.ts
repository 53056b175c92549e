import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { Controller, Endpoint, Entity, isEnding } from "@rejoin/data";
import { flush } from "../support/clock.ts";
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
  const wire = new Wire();
  const controller = new Controller();
  const get = new Endpoint(wire.fn<[args: { id: string }]>("get"), { name: "get", schema: Article });
  const rename = new Endpoint(wire.fn<[args: { id: string }, body: { title: string }]>("rename"), {
    name: "rename",
    schema: Article,
    sideEffect: true,
    getOptimisticResponse: (_: unknown, { id }: { id: string }, body: { title: string }) => ({ id, ...body }),
  });
  return { wire, controller, get, rename };
}

Deno.test("abort rejects everybody who waits for a read, ends the call, and leaves no error", async () => {
  const { wire, controller, get } = start();
  const waiting = [controller.fetch(get, { id: "1" }), controller.fetch(get, { id: "1" })];
  const other = controller.fetch(get, { id: "2" });
  controller.abort(get, { id: "1" });
  for (const promise of waiting) assertEquals((await assertRejects(() => promise, DOMException)).name, "AbortError");
  assertEquals(wire.calls.map(({ signal }) => signal!.aborted), [true, false]);
  assertEquals([controller.getError(get, { id: "1" }), controller.store.sequence.size], [undefined, 1]);
  await wire.calls[0]!.reply({ id: "1", title: "too late" });
  assertEquals(controller.get(Article, "1"), undefined);
  await wire.calls[1]!.reply({ id: "2", title: "Two" });
  assertEquals((await other).title, "Two");
  const again = controller.fetch(get, { id: "1" });
  await wire.last.reply({ id: "1", title: "One" });
  assertEquals((await again).title, "One");
});

Deno.test("a call that is given up is aborted with the reason that its promise has", async () => {
  const ONE = { id: "1" };
  const endings = {
    abort: ({ controller, get }: ReturnType<typeof start>) => controller.abort(get, ONE),
    reset: ({ controller }: ReturnType<typeof start>) => controller.resetEntireStore(),
    cleanup: ({ controller }: ReturnType<typeof start>) => controller.cleanup(),
  };
  for (const [how, end] of Object.entries(endings)) {
    const given = start();
    const waiting = given.controller.fetch(given.get, ONE);
    end(given);
    const reason = await waiting.catch((error) => error);
    assert(isEnding(reason), how);
    assertStrictEquals(given.wire.last.signal!.reason, reason, how);
  }
});

Deno.test("abort takes back what the mutations of a call show, and no others", async () => {
  const { wire, controller, rename } = start();
  controller.set(Article, "1", { id: "1", title: "Old" });
  const first = controller.fetch(rename, { id: "1" }, { title: "New" });
  const second = controller.fetch(rename, { id: "1" }, { title: "New" });
  const other = controller.fetch(rename, { id: "1" }, { title: "Other" });
  assertEquals(controller.get(Article, "1")?.title, "Other");
  controller.abort(rename, { id: "1" }, { title: "New" });
  for (const promise of [first, second]) await assertRejects(() => promise, DOMException, "aborted");
  assertEquals([controller.get(Article, "1")?.title, controller.store.layers.length], ["Other", 1]);
  await wire.calls[2]!.reply({ id: "1", title: "Other" });
  assertEquals((await other).title, "Other");
  assertEquals([controller.store.sequence.size, controller.store.logs.size], [0, 0]);
});

Deno.test("abort does nothing for null, and for what is not in flight", async () => {
  const { wire, controller, get } = start();
  controller.abort(get, null);
  controller.abort(get, { id: "__proto__" });
  const promise = controller.fetch(get, { id: "1" });
  controller.abort(get, { id: "2" });
  controller.abort(get.extend({ schema: undefined }), { id: "1" });
  await flush();
  assert(!wire.last.signal!.aborted, "the same key with another shape is another request");
  await wire.last.reply({ id: "1", title: "One" });
  assertEquals((await promise).title, "One");
  controller.abort(get, { id: "1" });
  assertEquals(controller.getResponse(get, { id: "1" }).data?.title, "One");
});

Deno.test("who is told of an abort may ask again at once", async () => {
  const { wire, controller, get } = start();
  const again = controller.fetch(get, { id: "1" }).catch(() => controller.fetch(get, { id: "1" }));
  controller.abort(get, { id: "1" });
  await flush();
  assertEquals(wire.calls.length, 2);
  await wire.last.reply({ id: "1", title: "One" });
  assertEquals((await again).title, "One");
});
