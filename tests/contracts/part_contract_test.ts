/** The calls that a part can rely on, and their order. */
import { Controller, Endpoint, Entity, isEnding, type Part } from "@rejoin/data";
import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";

class Item extends Entity {
  id = "";
  n = 0;
  static override key = "Item";
}
const get = new Endpoint(async (id: string) => await Promise.resolve({ id, n: 1 }), { name: "get", schema: Item });
const save = new Endpoint(async (id: string, n: number) => await Promise.resolve({ id, n }), {
  name: "save",
  schema: Item,
  sideEffect: true,
});

/** A part that logs its calls. */
function noting(name: string, log: string[]): Part {
  const note = (what: string) => void log.push(`${name}.${what}`);
  return {
    install: () => note("install"),
    answer: ({ key }) => note(`answer ${key}`),
    start: ({ endpoint }) => note(`start ${endpoint.name}`),
    async send(_flight, next) {
      note("send");
      const reply = await next();
      note("sent");
      return reply;
    },
    commit: ({ touched }) => note(`commit ${touched.length}`),
    settle: ({ endpoint }) => note(`settle ${endpoint.name}`),
    reset: () => note("reset"),
    cleanup: () => note("cleanup"),
  };
}

Deno.test("parts: installed in order, told of a request from its start to its end, cleaned up", async () => {
  const log: string[] = [], controller = new Controller({ use: [noting("a", log), noting("b", log)] });
  const said = () => log.splice(0).join(" ");
  assertEquals(said(), "a.install b.install");
  await controller.fetch(get, "1");
  assertEquals(
    said(),
    'a.answer get ["1"] b.answer get ["1"] a.start get b.start get a.send b.send a.commit 0 b.commit 0 ' +
      "b.sent a.sent a.settle get b.settle get a.commit 1 b.commit 1",
  );
  controller.resetEntireStore();
  assertEquals(said(), "a.reset b.reset a.commit 0 b.commit 0");
  controller.cleanup();
  assertEquals(said(), "a.cleanup b.cleanup");
});

Deno.test("parts: `commit` sees all writes before readers are told, and what a reply was written for", async () => {
  const seen: unknown[] = [];
  const part: Part = {
    commit: ({ touched, options: { flight } }) => {
      if (touched[0]) seen.push([flight?.endpoint.name, touched[0].rec]);
    },
  };
  const controller = new Controller({ use: [part] });
  await controller.fetch(save, "1", 2);
  controller.set(Item, "1", { n: 3 });
  assertEquals(seen, [["save", { id: "1", n: 2 }], [undefined, { id: "1", n: 3 }]]);
});

Deno.test("parts: `send` may wait, change the arguments, or answer by itself", async () => {
  const part: Part = {
    async send(flight, next) {
      if (flight.args[0] === "cached") return { id: "cached", n: 9 };
      await Promise.resolve();
      flight.args = ["2"];
      return next();
    },
  };
  const controller = new Controller({ use: [part] });
  assertEquals((await controller.fetch(get, "cached")).n, 9);
  assertEquals((await controller.fetch(get, "1")).id, "2");
});

Deno.test("parts: a `send` that throws refuses the call", async () => {
  const controller = new Controller({ use: [{ send: () => Promise.reject(new Error("offline")) }] });
  await assertRejects(() => controller.fetch(get, "1"), Error, "offline");
  assertEquals(controller.getError(get, "1")?.message, "offline");
  assertEquals(controller.flights.size, 0);
});

Deno.test("parts: a call that was aborted while a part let it wait is not made", async () => {
  const go = Promise.withResolvers<void>(), made: string[] = [];
  const controller = new Controller({ use: [{ send: (_flight, next) => go.promise.then(next) }] });
  const noted = new Endpoint(async (id: string) => await Promise.resolve(made.push(id)), { name: "noted" });
  const asked = controller.fetch(noted, "1").catch(isEnding), other = controller.fetch(noted, "2");
  controller.abort(noted, "1");
  go.resolve();
  assert(await asked);
  await other;
  assertEquals(made, ["2"]);
});

Deno.test("parts: a reset ends what is in flight, and parts are not told that it has settled", async () => {
  const log: string[] = [],
    controller = new Controller({ use: [noting("a", log)] }),
    asked = controller.fetch(get, "1");
  controller.resetEntireStore();
  assert(await asked.catch(isEnding));
  assert(!log.some((line) => line.includes("settle")));
});

Deno.test("parts: `controller.use` makes one part of one function, also while a request starts", async () => {
  const controller = new Controller();
  let made = 0;
  const make = (): Part => ({ install: () => void made++ });
  assertStrictEquals(controller.use(make), controller.use(make));
  const needing = Object.assign(get.extend({ name: "needing" }), { part: make });
  await controller.fetch(needing, "1");
  assertEquals(made, 1);
});

Deno.test("parts: the first that serves a subscription has it, until that is taken back", () => {
  const log: string[] = [];
  const stream: Part = {
    subscribe(endpoint, [id]) {
      if (id === "9") return;
      log.push(`open ${endpoint.name} ${id}`);
      return () => void log.push(`close ${id}`);
    },
  };
  const rest: Part = { subscribe: (_endpoint, [id]) => (log.push(`rest ${id}`), () => {}) };
  const controller = new Controller({ use: [stream, rest] });
  controller.subscribe(get, "1");
  controller.subscribe(get, "9");
  controller.subscribe(get, null);
  assertEquals(log.splice(0), ["open get 1", "rest 9"]);
  controller.unsubscribe(get, "1");
  controller.unsubscribe(get, "1");
  assertEquals(log, ["close 1"]);
});
