import { assert, assertEquals, assertRejects } from "@std/assert";
import { effect } from "@preact/signals-core";
import {
  Controller,
  createResource,
  Endpoint,
  Entity,
  NetworkError,
  ParseError,
  resource,
  serial,
  TimeoutError,
} from "@rejoin/data";
import { readResponse } from "@rejoin/data/signals";
import { FakeClock, flush } from "../support/clock.ts";
import { FaultFetch } from "../support/fault_fetch.ts";
import { Wire } from "../support/wire.ts";

class Article extends Entity {
  id = "";
  title = "";
  static key = "Article";
}
class User extends Entity {
  id = "";
  static key = "User";
}

const line = { method: "PATCH", url: "https://api.test/articles/1" };
const UNKNOWN = {
  "a timeout": new TimeoutError("PATCH", line.url, 30_000),
  "a cut connection": new NetworkError({ ...line, cause: new TypeError("connection reset") }),
  "502": new NetworkError({ ...line, status: 502 }),
  "503": new NetworkError({ ...line, status: 503 }),
  "504": new NetworkError({ ...line, status: 504 }),
  "303, not followed": new NetworkError({ ...line, status: 303 }),
  "an answer that cannot be read": new ParseError({ ...line, status: 200, expected: "JSON" }),
  "what fetch says of a cut connection": new TypeError("fetch failed"),
  "what json() says of an answer": new SyntaxError("Unexpected token < in JSON"),
  "a signal of the app's own": new DOMException("The operation was aborted", "AbortError"),
};
const KNOWN = {
  "400": new NetworkError({ ...line, status: 400 }),
  "409": new NetworkError({ ...line, status: 409 }),
  "500": new NetworkError({ ...line, status: 500 }),
  "an error of the app": new Error("no"),
};

/** Endpoints that answer when the test says so, and what they brought. */
async function start() {
  const wire = new Wire();
  const controller = new Controller();
  const get = new Endpoint(wire.fn<[args: { id: string }]>("get"), { name: "get", schema: Article });
  const list = new Endpoint(wire.fn("list"), { name: "list", schema: { rows: [Article] } });
  const users = new Endpoint(wire.fn("users"), { name: "users", schema: [User] });
  const patch = new Endpoint(wire.fn<[args: { id: string }, body: { title: string }]>("patch"), {
    name: "patch",
    schema: Article,
    sideEffect: true,
    getOptimisticResponse: (_snapshot, args: object, body: object) => ({ ...args, ...body }),
  });
  const create = new Endpoint(wire.fn<[body: object]>("create"), { name: "create", schema: Article, sideEffect: true });
  for (const [read, reply] of [[list, { rows: [{ id: "1", title: "old" }, { id: "2" }] }], [users, [{ id: "7" }]]]) {
    const reading = controller.fetch(read as typeof users);
    await wire.last.reply(reply);
    await reading;
  }
  const isFresh = (id?: string) =>
    (id === undefined ? controller.getResponse(list) : controller.getResponse(get, { id })).expiresAt > Date.now();
  const title = () => controller.get(Article, { id: "1" })?.title;
  return { wire, controller, get, list, users, patch, create, isFresh, title };
}

for (const [what, reason] of Object.entries({ ...UNKNOWN, ...KNOWN })) {
  const isKnown = what in KNOWN;
  Deno.test(`13.A5 a mutation that ends with ${what} leaves its record and its lists ${isKnown ? "fresh" : "stale"}`, async () => {
    const { wire, controller, users, patch, create, isFresh, title } = await start();
    assert(isFresh("1") && isFresh());
    const patching = controller.fetch(patch, { id: "1" }, { title: "new" });
    assertEquals(title(), "new");
    await Promise.all([assertRejects(() => patching), wire.last.fail(reason)]);
    assertEquals(title(), "old");
    assertEquals([isFresh("1"), isFresh("2"), isFresh()], [isKnown, true, isKnown]);
    assert(controller.getResponse(users).expiresAt > Date.now());

    const other = await start();
    const creating = other.controller.fetch(create, { title: "made" });
    await Promise.all([assertRejects(() => creating), wire.last.fail(reason)]);
    assertEquals([other.isFresh("1"), other.isFresh()], [true, isKnown]);
  });
}

Deno.test("13.A5 a mutation that is aborted after it was sent leaves its record and its lists stale", async () => {
  for (const how of ["abort", "signal"] as const) {
    const { controller, patch, isFresh, title } = await start();
    const abort = new AbortController();
    const call = how === "signal" ? patch.extend({ signal: abort.signal }) : patch;
    const patching = controller.fetch(call, { id: "1" }, { title: "new" });
    const rejected = assertRejects(() => patching, DOMException);
    if (how === "signal") abort.abort();
    else controller.abort(patch, { id: "1" }, { title: "new" });
    await rejected;
    assertEquals([title(), isFresh("1"), isFresh("2"), isFresh()], ["old", false, true, false]);
  }
});

Deno.test("13.A5 a mutation whose body cannot be looked at leaves its lists stale, and throws at nobody", async () => {
  using _ = new FaultFetch(() => Response.json([{ id: "1", title: "one" }])).install();
  const articles = resource({ urlPrefix: "https://api.test", path: "/articles/:id", schema: Article });
  const controller = new Controller();
  await controller.fetch(articles.getList);
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  let uncaught: unknown;
  const note = (event: ErrorEvent) => {
    event.preventDefault();
    uncaught = event.error;
  };
  addEventListener("error", note);
  try {
    await assertRejects(() => controller.fetch(articles.create, proxy as { title: string }), TypeError);
    await new Promise((done) => setTimeout(done));
  } finally {
    removeEventListener("error", note);
  }
  assertEquals(uncaught, undefined);
  assertEquals(controller.getResponse(articles.getList).expiresAt, 0);
});

Deno.test("13.A5 a mutation that is aborted before it was sent leaves everything fresh", async () => {
  const { wire, controller, patch, isFresh, title } = await start();
  const inTurn = patch.extend({ scope: serial(() => "one") });
  const first = controller.fetch(inTurn, { id: "2" }, { title: "first" });
  const abort = new AbortController();
  const second = controller.fetch(inTurn.extend({ signal: abort.signal }), { id: "1" }, { title: "second" });
  assertEquals(wire.last.args[0], { id: "2" });
  const rejected = assertRejects(() => second);
  abort.abort();
  await rejected;
  await wire.last.reply({ id: "2", title: "first" });
  await first;
  assertEquals([title(), isFresh("1"), isFresh("2"), isFresh()], ["old", true, true, true]);
});

const options = { urlPrefix: "https://api.test", path: "/articles/:id", schema: Article, optimistic: true } as const;
const resources = { resource: resource(options), createResource: createResource(options) };
for (const [name, members] of Object.entries(resources)) {
  Deno.test(`13.A5 the lists of ${name}() are stale when a member's connection is cut`, async () => {
    const api = new FaultFetch((request) => {
      if (request.method !== "GET") throw new TypeError("connection reset");
      return Response.json(request.url.endsWith("/1") ? { id: "1", title: "old" } : [{ id: "1", title: "old" }]);
    });
    using _ = api.install();
    const { get, getList, create, update, partialUpdate, delete: remove } = members;
    const calls = {
      create: (controller: Controller) => controller.fetch(create, { title: "new" }),
      update: (controller: Controller) => controller.fetch(update, { id: "1" }, { title: "new" }),
      partialUpdate: (controller: Controller) => controller.fetch(partialUpdate, { id: "1" }, { title: "new" }),
      delete: (controller: Controller) => controller.fetch(remove, { id: "1" }),
    };
    for (const [member, call] of Object.entries(calls)) {
      using controller = new Controller();
      await controller.fetch(getList);
      await controller.fetch(get, { id: "1" });
      await assertRejects(() => call(controller), NetworkError);
      assertEquals(controller.get(Article, { id: "1" })?.title, "old", member);
      assertEquals(controller.getResponse(getList).expiresAt, 0, member);
      assertEquals(controller.getResponse(get, { id: "1" }).expiresAt === 0, member !== "create", member);
    }
  });
}

Deno.test("13.A5 what was asked for before, and comes after an unknown outcome, is stale; also of what was not stored yet", async () => {
  const wire = new Wire();
  using controller = new Controller();
  const get = new Endpoint(wire.fn<[args: { id: string }]>("get"), { name: "get", schema: Article });
  const list = new Endpoint(wire.fn("list"), { name: "list", schema: [Article] });
  const patch = new Endpoint(wire.fn<[args: { id: string }]>("patch"), {
    name: "patch",
    schema: Article,
    sideEffect: true,
  });
  const reading = [controller.fetch(list), controller.fetch(get, { id: "1" })];
  const patching = controller.fetch(patch, { id: "1" });
  const [listed, got, patched] = wire.calls;
  await Promise.all([assertRejects(() => patching), patched!.fail(UNKNOWN["a cut connection"])]);
  await listed!.reply([{ id: "1", title: "old" }]);
  await got!.reply({ id: "1", title: "old" });
  await Promise.all(reading);
  assertEquals(controller.getResponse(list).expiresAt, 0);
  assertEquals(controller.getResponse(get, { id: "1" }).expiresAt, 0);
});

/** Shows a title, and asks again when it is marked stale, as a mounted hook does. */
function mount(controller: Controller, get: Awaited<ReturnType<typeof start>>["get"], asks = true) {
  const seen: unknown[] = [];
  const stop = effect(() => {
    seen.push(readResponse(controller, get, { id: "1" }).data?.title);
    if (asks && controller.getResponse(get, { id: "1" }).expiresAt === 0) {
      queueMicrotask(() => Promise.resolve(controller.fetchIfStale(get, { id: "1" })).catch(() => {}));
    }
  });
  const shown = () => seen.filter((text, at) => text !== seen[at - 1]);
  return { stop, shown };
}

for (const isApplied of [true, false]) {
  Deno.test(`13.A5 what a mutation shows stays until it was asked what became of it: it was ${isApplied ? "" : "not "}done`, async () => {
    const clock = new FakeClock();
    using _ = clock.install();
    const { wire, controller, get, patch } = await start();
    const { stop, shown } = mount(controller, get);
    const patching = controller.fetch(patch, { id: "1" }, { title: "new" });
    await Promise.all([assertRejects(() => patching), wire.last.fail(UNKNOWN["a cut connection"])]);
    await flush();
    assertEquals(wire.last.name, "get");
    await clock.tickAsync(1_000);
    await wire.last.reply({ id: "1", title: isApplied ? "new" : "old" });
    assertEquals(shown(), isApplied ? ["old", "new"] : ["old", "new", "old"]);
    assertEquals(controller.store.layers.length, 0);
    stop();
    assertEquals(clock.pending, 0);
  });
}

Deno.test("13.A5 what a mutation shows goes when it cannot be asked what became of it, or nobody asks", async () => {
  for (const how of ["fails", "is aborted", "nobody asks", "reset"] as const) {
    const clock = new FakeClock();
    using _ = clock.install();
    const { wire, controller, get, patch, title } = await start();
    const { stop, shown } = mount(controller, get, how !== "nobody asks");
    const patching = controller.fetch(patch, { id: "1" }, { title: "new" });
    await Promise.all([assertRejects(() => patching), wire.last.fail(UNKNOWN["a cut connection"])]);
    await flush();
    assertEquals(title(), "new", how);
    if (how === "fails") await wire.last.fail(UNKNOWN["a cut connection"]);
    else if (how === "is aborted") controller.abort(get, { id: "1" });
    else if (how === "reset") controller.resetEntireStore();
    else await clock.tickAsync(100);
    await flush();
    assertEquals(title(), how === "reset" ? undefined : "old", how);
    assertEquals(shown().slice(0, 3), ["old", "new", how === "reset" ? undefined : "old"], how);
    stop();
    controller.cleanup();
    assertEquals(clock.pending, 0, how);
  }
});

Deno.test("13.A5 two mutations in doubt go in the one commit of what was asked", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  const { wire, controller, get, patch } = await start();
  const { stop, shown } = mount(controller, get);
  const patches = ["a", "b"].map((title) => controller.fetch(patch, { id: "1" }, { title }));
  const calls = wire.calls.slice(-2);
  await Promise.all([
    ...patches.map((each) => assertRejects(() => each)),
    ...calls.map((call) => call.fail(UNKNOWN["a cut connection"])),
  ]);
  // The one that was on its way while the second was in flight, and the one after it.
  for (let times = 0; times < 3 && controller.store.layers.length > 0; times++) {
    await flush();
    await wire.last.reply({ id: "1", title: "b" });
    await clock.tickAsync(100);
  }
  assertEquals([shown(), controller.store.layers.length], [["old", "a", "b"], 0]);
  stop();
});
