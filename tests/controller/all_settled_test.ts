import { assertEquals } from "@std/assert";
import { Controller, Endpoint } from "@rejoin/data";
import { FakeClock, flush } from "../support/clock.ts";
import { Wire } from "../support/wire.ts";

function start() {
  const wire = new Wire();
  const controller = new Controller();
  const get = new Endpoint(wire.fn<[id: string]>("get"), { name: "get" });
  const save = new Endpoint(wire.fn("save"), { name: "save", sideEffect: true });
  let settled = 0;
  return {
    wire,
    controller,
    get,
    save,
    watch: () => void controller.allSettled().then(() => settled++),
    count: () => settled,
  };
}

Deno.test("allSettled waits for reads and mutations, whatever becomes of them, with their commits visible", async () => {
  const { wire, controller, get, save, watch, count } = start();
  controller.fetch(get, "1");
  controller.fetch(get, "2");
  controller.fetch(save);
  watch();
  await wire.calls[0]!.reply("one");
  await wire.calls[1]!.fail();
  assertEquals(count(), 0);
  let seen: unknown;
  controller.allSettled().then(() => seen = controller.getResponse(get, "1").data);
  await wire.calls[2]!.reply("saved");
  assertEquals([count(), seen], [1, "one"]);
});

Deno.test("allSettled settles at once when nothing is in flight", async () => {
  const { watch, count } = start();
  watch();
  await flush();
  assertEquals(count(), 1);
});

Deno.test("allSettled waits for what was sent meanwhile, and for what starts anew", async () => {
  const { wire, controller, get, watch, count } = start();
  controller.fetch(get, "1").then(() => controller.fetch(get, "2"));
  watch();
  controller.invalidate(get, "1");
  await wire.calls[0]!.reply("old");
  assertEquals(count(), 0, "it was invalidated and started anew");
  await wire.calls[1]!.reply("new");
  assertEquals([wire.calls.length, count()], [3, 0]);
  await wire.calls[2]!.reply("two");
  assertEquals(count(), 1);
});

Deno.test("allSettled settles after abort, reset, cleanup and the deadline", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  const ends: ((it: ReturnType<typeof start>) => unknown)[] = [
    ({ controller, get }) => controller.abort(get, "1"),
    ({ controller }) => controller.resetEntireStore(),
    ({ controller }) => controller.cleanup(),
    () => clock.tickAsync(30_000),
  ];
  for (const end of ends) {
    const it = start();
    it.controller.fetch(it.get, "1").catch(() => {});
    it.watch();
    await end(it);
    await flush();
    assertEquals(it.count(), 1);
  }
});
