/** Several callers of one read, each with a signal of their own or without one. */
import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { Controller, Endpoint, Entity } from "@rejoin/data";
import { flush } from "../support/clock.ts";
import { Wire } from "../support/wire.ts";

class Article extends Entity {
  id = "";
  title = "";
  static key = "Article";
}

function setUp() {
  const wire = new Wire();
  const get = new Endpoint(wire.fn("get"), { name: "get", schema: Article });
  const controller = new Controller();
  const withSignal = (signal: AbortSignal) => controller.fetch(get.extend({ signal }));
  return { wire, get, controller, withSignal };
}
const reply = { id: "1", title: "x" };

Deno.test("the signal of one caller ends their wait, and nobody else's", async () => {
  for (const first of ["with", "without"] as const) {
    const { wire, get, controller, withSignal } = setUp();
    const abort = new AbortController();
    const other = first === "without" ? controller.fetch(get) : undefined;
    const mine = withSignal(abort.signal);
    const others = other ?? controller.fetch(get);
    abort.abort(new Error("enough"));
    await assertRejects(() => mine, Error, "enough");
    assertEquals([wire.calls.length, wire.last.signal!.aborted], [1, false]);
    await wire.last.reply(reply);
    assertStrictEquals(await others, controller.get(Article, "1"));
  }
});

Deno.test("a signal that is aborted already rejects at once, and lets the others be", async () => {
  const { wire, get, controller, withSignal } = setUp();
  const others = controller.fetch(get);
  await assertRejects(() => withSignal(AbortSignal.abort(new Error("too late"))), Error, "too late");
  await wire.last.reply(reply);
  assertEquals((await others)?.title, "x");
  // And the other way round: whoever joins a call that is given up before it began gets an answer.
  controller.resetEntireStore();
  const late = withSignal(AbortSignal.abort(new Error("too late")));
  const joined = controller.fetch(get);
  await assertRejects(() => late, Error, "too late");
  await flush();
  await wire.last.reply(reply);
  assertEquals((await joined)?.title, "x");
  assertEquals(wire.calls.length, 2);
});

Deno.test("the last of several signals ends the call, with its reason, and no error is kept", async () => {
  const { wire, get, controller, withSignal } = setUp();
  const [one, two] = [new AbortController(), new AbortController()];
  const first = withSignal(one.signal);
  const second = withSignal(two.signal);
  const again = withSignal(two.signal);
  one.abort(new Error("one"));
  await assertRejects(() => first, Error, "one");
  assertEquals(wire.last.signal!.aborted, false);
  two.abort(new Error("two"));
  await assertRejects(() => second, Error, "two");
  await assertRejects(() => again, Error, "two");
  assert(wire.last.signal!.aborted);
  assertEquals((wire.last.signal!.reason as Error).message, "two");
  assertEquals([controller.getError(get), controller.store.sequence.size], [undefined, 0]);
  await controller.allSettled();
});

Deno.test("a request is given up when its reader leaves and the signals of all callers are aborted", async () => {
  const { wire, get, controller, withSignal } = setUp();
  const abort = new AbortController();
  const release = controller.hold(controller.startRead(get, [], get.key())!);
  const mine = withSignal(abort.signal).catch(() => "ended");
  release();
  assertEquals(wire.last.signal!.aborted, false, "somebody awaits it");
  await wire.last.reply(reply);
  await mine;
  const releaseNext = controller.hold(controller.startRead(get, [], get.key())!);
  const next = withSignal(abort.signal).catch(() => "ended");
  abort.abort();
  assertEquals(await next, "ended");
  assertEquals(wire.last.signal!.aborted, false, "somebody reads it");
  releaseNext();
  assert(wire.last.signal!.aborted);
});

Deno.test("signals stay with a read that starts anew", async () => {
  const { wire, get, controller, withSignal } = setUp();
  const [one, two] = [new AbortController(), new AbortController()];
  const first = withSignal(one.signal).catch(({ message }) => message);
  const second = withSignal(two.signal);
  one.abort(new Error("one"));
  controller.invalidate(get);
  assertEquals([wire.calls.length, await first], [2, "one"]);
  await wire.last.reply(reply);
  assertEquals((await second)?.title, "x");
});
