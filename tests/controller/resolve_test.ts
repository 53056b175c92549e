import { assert, assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { Controller, Endpoint, Entity, NormalizeError, WriteError } from "@rejoin/data";
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
const args = [{ id: "1" }] as [{ id: string }];

Deno.test("resolve answers the request in flight, with the commit visible, and gives up what is on the wire", async () => {
  const { wire, controller, get } = start();
  const waiting = controller.fetch(get, { id: "1" });
  assert(controller.resolve(get, { args, response: { id: "1", title: "By stream" } }));
  assertEquals(controller.getResponse(get, { id: "1" }).data?.title, "By stream");
  assertStrictEquals(await waiting, controller.get(Article, "1"));
  assert(wire.last.signal!.aborted);
  await wire.last.reply({ id: "1", title: "By wire" });
  assertEquals([controller.get(Article, "1")?.title, controller.store.sequence.size], ["By stream", 0]);
});

Deno.test("a reply by resolve stands where its request does: what was written since lies over it", async () => {
  const { controller, get } = start();
  const waiting = controller.fetch(get, { id: "1" });
  controller.set(Article, "1", { id: "1", title: "Later" });
  controller.resolve(get, { args, response: { id: "1", title: "Earlier" } });
  assertEquals((await waiting).title, "Later");
});

Deno.test("resolve with an error rejects who waits, with the very value, and keeps it as the answer", async () => {
  for (const error of [new Error("refused"), undefined, null, 5]) {
    const { controller, get } = start();
    const outcome = controller.fetch(get, { id: "1" }).then(() => assert(false), (reason) => ({ reason }));
    assert(controller.resolve(get, { args, error }));
    assertStrictEquals((await outcome)!.reason, error);
    assert(controller.getError(get, { id: "1" }) !== undefined);
  }
});

Deno.test("resolve confirms the oldest of equal mutations, one at a time", async () => {
  const { wire, controller, rename } = start();
  controller.set(Article, "1", { id: "1", title: "Old" });
  const call = [{ id: "1" }, { title: "New" }] as [{ id: string }, { title: string }];
  const first = controller.fetch(rename, ...call);
  const second = controller.fetch(rename, ...call);
  assert(controller.resolve(rename, { args: call, response: { id: "1", title: "New!" } }));
  assertEquals((await first).title, "New", "the second still shows what it expects");
  assertEquals(controller.store.layers.length, 1);
  assertEquals(wire.calls.map(({ signal }) => signal!.aborted), [true, false]);
  assert(controller.resolve(rename, { args: call, error: new Error("refused") }));
  await assertRejects(() => second, Error, "refused");
  assertEquals([controller.get(Article, "1")?.title, controller.store.layers.length], ["New!", 0]);
});

Deno.test("resolve is setResponse and setError where nothing is in flight", () => {
  const { controller, get } = start();
  assert(!controller.resolve(get, { args, response: { id: "1", title: "One" } }));
  assertEquals(controller.getResponse(get, { id: "1" }).data?.title, "One");
  const error = new Error("refused");
  assert(!controller.resolve(get, { args, error }));
  assertStrictEquals(controller.getError(get, { id: "1" }), error);
  assertThrows(() => controller.resolve(get, { args, response: "<html>" }), NormalizeError);
});

Deno.test("a reply by resolve that cannot be stored rejects who waits", async () => {
  const { controller, get, rename } = start();
  const read = controller.fetch(get, { id: "1" });
  assert(controller.resolve(get, { args, response: "<html>" }));
  await assertRejects(() => read, NormalizeError);
  const write = controller.fetch(rename, { id: "1" }, { title: "New" });
  assert(controller.resolve(rename, { args: [{ id: "1" }, { title: "New" }], response: [1] }));
  await assertRejects(() => write, WriteError);
  assertEquals([controller.get(Article, "1"), controller.store.sequence.size], [undefined, 0]);
});
