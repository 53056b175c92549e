// deno-lint-ignore-file no-explicit-any require-await
import process from "node:process";
import {
  Controller,
  createResource,
  Endpoint,
  Entity,
  ExpiryStatus,
  isEnding,
  NetworkError,
  NormalizeError,
  schema,
  UrlError,
} from "@rejoin/data";
import { assert, assertEquals, assertNotStrictEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { assertRejected } from "../support/rejected.ts";
import { uncaught } from "../support/uncaught.ts";
import { fresh, ids, list, mount, test, tick, Todo, wired, wiredFilms } from "../support/wired.ts";

const refusal = () => Object.assign(new NetworkError(602), { status: 422 });

test("methods of the controller work without `this`", async () => {
  const { R, c, calls, go } = wired(), { fetch, get, set, getResponse, expireAll, cleanup } = c;
  const asked = fetch(R.get, { id: "1" });
  await go(calls[0], { id: "1", title: "a" });
  assertStrictEquals(await asked, get(Todo, "1"));
  set(Todo, "1", { title: "b" });
  expireAll(R.get);
  assertEquals([getResponse(R.get, { id: "1" }).data.title, getResponse(R.get, { id: "1" }).expiresAt], ["b", 0]);
  cleanup();
});
test("with null as first argument methods read nothing and do nothing", () => {
  const { R, c, calls } = wired();
  assertEquals([c.get(Todo, null), c.getError(R.get, null), c.getResponse(R.get, null).data], [
    undefined,
    undefined,
    undefined,
  ]);
  for (const method of ["expire", "invalidate", "abort", "subscribe", "unsubscribe"]) c[method](R.get, null);
  assertEquals(calls.length, 0);
});
test("fetchIfStale returns fresh data at once, and a promise of a fetch for stale ones", async () => {
  const { R, c, calls, go } = wired(), asked = c.fetchIfStale(R.get, { id: "1" });
  await go(calls[0], { id: "1" });
  assertStrictEquals(c.fetchIfStale(R.get, { id: "1" }), await asked);
  c.expire(R.get, { id: "1" });
  assert(c.fetchIfStale(R.get, { id: "1" }) instanceof Promise);
  assertEquals(calls.length, 2);
});
test("`using` stops a controller, and its requests reject with an ending", async () => {
  let asked: Promise<unknown>;
  {
    using c = new Controller();
    asked = c.fetch(new Endpoint(() => new Promise(() => {}), { name: "hang" }));
  }
  await assertRejected(asked, isEnding);
});
test("getResponse gives the data of a read, and whether they are valid, stale or missing", async () => {
  const c = new Controller(), get = new Endpoint(async () => 1, { name: "one", invalidIfStale: true });
  assertEquals(c.getResponse(get), { data: undefined, expiresAt: 0, expiryStatus: ExpiryStatus.Invalid });
  await c.fetch(get);
  assertEquals(c.getResponse(get).expiryStatus, ExpiryStatus.Valid);
  c.expire(get);
  assertEquals(c.getResponse(get).expiryStatus, ExpiryStatus.InvalidIfStale);
});
test("set calls a function with the present value, writes nothing for undefined, and takes the pk from the arguments", () => {
  const { c } = wired();
  c.set(Todo, "1", (todo: any) => todo && { title: "never" });
  assertStrictEquals(c.get(Todo, "1"), undefined);
  c.set(Todo, { id: "1" }, { title: "a" });
  c.set(Todo, "1", (todo: any) => ({ ...todo, title: `${todo.title}!` }));
  assertEquals(c.get(Todo, "1").title, "a!");
  assertThrows(() => c.set(Todo, { title: "x" }));
  assertThrows(() => c.set(Todo, "1", null), NormalizeError);
  class Item extends Entity {
    id = 0;
    sku = "";
    static override key = "Item";
    override pk() {
      return this.sku;
    }
  }
  c.set(Item, "abc", { sku: "abc" });
  assertEquals(c.get(Item, "abc"), Item.fromJS({ sku: "abc" }));
});
test("rule 14: set of a union writes the entity of the tag, and throws without a tag", () => {
  const { c } = wired(), union = new schema.Union({ todo: Todo }, "type");
  c.set(union, { type: "todo", id: "1", title: "a" });
  assertEquals(c.get(Todo, "1").title, "a");
  assertThrows(() => c.set(union, { id: "2", title: "b" }), NormalizeError);
});
test("setResponse of a mutation writes as if the mutation had just been sent and answered", async () => {
  const { R, c, calls, go } = wired();
  c.setResponse(R.get, { id: "me" }, { id: "5", title: "a", done: true });
  c.setResponse(R.getList, [{ id: "5" }]);
  const late = c.fetch(R.getList);
  // The pk is that of the record that `get` with `me` shows (rule 21), and the sent members count.
  c.setResponse(R.partialUpdate, { id: "me" }, { title: "b" }, { id: "5", done: false });
  assertEquals([c.get(Todo, "5").title, c.get(Todo, "5").done, c.get(Todo, "me")], ["b", false, undefined]);
  c.setResponse(R.create, { title: "n" }, { id: "6", title: "n" });
  await go(calls[0], [{ id: "5", title: "a" }]);
  await late;
  assertEquals([c.get(Todo, "5").title, ids(c.getResponse(R.getList).data)], ["b", ["5", "6"]]);
  assert(!fresh(c, R.getList));
  assertEquals(c.store.edits.size, 0);
  assertEquals(c.store.table("Todo").pending, 0);
});
test("setResponse of a read is newer than a request in flight, which only fills missing members", async () => {
  const { R, c, calls, go } = wired(), asked = c.fetch(R.get, { id: "1" });
  c.setResponse(R.get, { id: "1" }, { id: "1", title: "now" });
  assert(c.store.answer(R.get, [{ id: "1" }]).flight);
  await go(calls[0], { id: "1", title: "before", done: true });
  assertEquals([(await asked).title, c.get(Todo, "1").done], ["now", true]);
});
test("setResponse of a value that does not fit its schema throws, and leaves no data and no flight", () => {
  const { R, c } = wired();
  c.setResponse(R.getList, [{ id: "1" }]);
  assertThrows(() => c.setResponse(R.getList, { no: "list" }));
  assertThrows(() => c.setResponse(R.update, { id: "1" }, {}, 5 as any) ?? c.setResponse(list, 5));
  assertEquals([ids(c.getResponse(R.getList).data), c.flights.size, c.store.table("Todo").pending], [["1"], 0, 0]);
});
test("setError stores an error of a read, and makes an Error of any other value", () => {
  const { R, c } = wired(), error = refusal();
  c.setError(R.get, { id: "1" }, error);
  assertStrictEquals(c.getError(R.get, { id: "1" }), error);
  c.setError(R.get, { id: "2" }, "no error");
  assert(c.getError(R.get, { id: "2" }) instanceof Error);
});
test("rule 11: an error of an older request does not replace a newer outcome", async () => {
  const { R, c, calls, refuse } = wired(), asked = c.fetch(R.get, { id: "1" });
  c.setError(R.get, { id: "1" }, new Error("newest"));
  await refuse(calls[0], 404);
  await assertRejected(asked, NetworkError);
  assertEquals(c.getError(R.get, { id: "1" }).message, "newest");
});
test("rule 16: a call rejects with the error that its errorPolicy throws, and the request's error is stored", async () => {
  const c = new Controller(),
    fail = new Endpoint(() => Promise.reject(new Error("down")), {
      name: "fail",
      errorPolicy: () => {
        throw new Error("policy");
      },
    });
  await assertRejected(c.fetch(fail), /policy/);
  assertEquals([c.getError(fail)?.message, c.flights.size], ["down", 0]);
});
test("rule 36: a late reply resolves with its own value, and does not replace newer data", async () => {
  const { R, c, calls, go } = wired(createResource), asked = c.fetch(R.getList);
  c.setResponse(R.getList, [{ id: "2" }]);
  await go(calls[0], [{ id: "1" }]);
  assertEquals([ids(await asked), ids(c.getResponse(R.getList).data)], [["1"], ["2"]]);
});
test("abort ends the calls of one endpoint and key with an ending, and stores no error", async () => {
  const { R, c, calls } = wired(), read = c.fetch(R.get, { id: "1" }), edit = c.fetch(R.update, { id: "1" }, {});
  edit.catch(() => {});
  c.abort(R.get, { id: "1" });
  await assertRejected(read, isEnding);
  assertEquals([calls[0].signal.aborted, calls[1].signal.aborted], [true, false]);
  c.abort(R.update, { id: "1" });
  await assertRejected(edit, isEnding);
  assertStrictEquals(c.getError(R.get, { id: "1" }), undefined);
});
test("rule 15: expire works for a detail that nothing has read and that a list's record would serve", () => {
  const { R, c } = wired(), whole = { id: "1", title: "a", done: false, userId: "", user: null, at: "2020", tags: [] };
  c.setResponse(R.getList, [whole]);
  c.expire(R.get, { id: "1" });
  assertEquals(c.getResponse(R.get, { id: "1" }).expiresAt, 0);
});
test("rule 15: data that are invalidated during a request stay hidden until the next request", async () => {
  const { R, c, calls, go } = wired(), reader = mount(c, R.get, { id: "1" });
  await go(calls[0], { id: "1", title: "a" });
  c.expire(R.get, { id: "1" });
  c.invalidate(R.get, { id: "1" });
  await go(calls[1], { id: "1", title: "old" });
  assertStrictEquals(reader.data, undefined);
  await go(calls[2], { id: "1", title: "new" });
  assertEquals(reader.data.title, "new");
  reader.stop();
});
test("rule 15: `defaults` set dataExpiryLength and errorPolicy of endpoints without options of their own", async () => {
  const c = new Controller({ defaults: { dataExpiryLength: Infinity, errorPolicy: () => "soft" } });
  const mine = new Endpoint(async () => 1, { name: "mine", dataExpiryLength: 0 }),
    plain = new Endpoint(async () => 1, { name: "plain" });
  await c.fetch(mine);
  await c.fetch(plain);
  assert(c.getResponse(mine).expiresAt <= performance.timeOrigin + performance.now());
  assertEquals(c.getResponse(plain).expiresAt, Infinity);
  c.setError(plain, new Error("away"));
  assertEquals([c.getResponse(plain).data, c.getError(plain)], [1, undefined]);
});
test("rule 18, case 5: two endpoints of one name in one store are an error with the name, unless their keys differ", () => {
  const c = new Controller();
  c.getResponse(new Endpoint(async () => 1, { name: "get" }));
  assertThrows(() => c.getResponse(new Endpoint(async () => 2, { name: "get" })), Error, '"get"');
  // An endpoint with its own key, and one in another store, are no conflict.
  const own = new Endpoint(async () => 3, { name: "get", key: () => "own" });
  c.getResponse(own);
  new Controller().getResponse(new Endpoint(async () => 2, { name: "get" }));
});
test("rule 23: an unknown outcome expires the record and its lists, and no other record's detail", async () => {
  const { R, c, calls, refuse } = wiredFilms();
  for (const id of ["1", "2"]) c.setResponse(R.get, { id }, { id });
  c.setResponse(R.getList, [{ id: "1" }]);
  c.fetch(R.update, { id: "1" }, { title: "x" }).catch(() => {});
  await refuse(calls[0]);
  assertEquals([fresh(c, R.get, { id: "1" }), fresh(c, R.getList), fresh(c, R.get, { id: "2" })], [false, false, true]);
});
test("rule 23: a mutation that fails before it is sent expires nothing", async () => {
  const { R, c, calls } = wiredFilms();
  c.setResponse(R.getList, [{ id: "1" }]);
  await assertRejected(c.fetch(R.update, {}, { title: "x" }), UrlError);
  assertEquals([calls.length, fresh(c, R.getList)], [0, true]);
});
test("rule 36: an error of a mutation that nobody handles is an unhandled rejection; one of a read is stored", async () => {
  const fail = new Endpoint(() => Promise.reject(new Error("down")), { name: "fail" });
  const c = new Controller(), change = fail.extend({ name: "change", sideEffect: true });
  assertEquals(await uncaught(() => void c.fetch(fail)), []);
  assertEquals(c.getError(fail)?.message, "down");
  const errors = await uncaught(async () => {
    c.fetch(change);
    await tick(5);
  });
  assertEquals(errors.map((error) => (error as Error).message), ["down"]);
});
test("rule 36: equal calls have promises of their own, and a call with bad arguments rejects", async () => {
  const { R, c } = wired();
  await assertRejected(c.fetch(R.get, {}));
  assertEquals(c.flights.size, 0);
  const hang = new Endpoint(() => new Promise(() => {}), { name: "hang" });
  const one = c.fetch(hang), two = c.fetch(hang);
  assertNotStrictEquals(one, two);
  assertEquals(c.flights.size, 1);
  c.resetEntireStore();
  await assertRejected(one, isEnding);
  await assertRejected(two, isEnding);
  await c.allSettled();
});
test("rule 36: allSettled also waits for requests that other requests start, and never rejects", async () => {
  const c = new Controller(), log: string[] = [];
  const second = new Endpoint(async () => (await tick(2), log.push("second")), { name: "second" });
  const first = new Endpoint(
    async () => (await tick(2), log.push("first"), void c.fetch(second), Promise.reject(new Error())),
    { name: "first" },
  );
  void c.fetch(first);
  await c.allSettled();
  assertEquals(log, ["first", "second"]);
});
test("rule 30: an error of getOptimisticResponse is reported and shows nothing; snapshot.abort shows nothing", async () => {
  class Vote extends Entity {
    id = "";
    n = 0;
    static override key = "Vote";
  }
  const c: any = new Controller();
  c.set(Vote, "1", { n: 1 });
  const vote = (name: string, getOptimisticResponse: any): any =>
    new Endpoint(async (id: string) => ({ id, n: 2 }), { name, schema: Vote, sideEffect: true, getOptimisticResponse });
  const errors = await uncaught(() => {
    c.fetch(
      vote("wrong", () => {
        throw new Error("mine");
      }),
      "1",
    );
    assertEquals(c.get(Vote, "1").n, 1);
    c.fetch(
      vote("none", (snapshot: any) => {
        throw snapshot.abort;
      }),
      "1",
    );
    assertEquals(c.get(Vote, "1").n, 1);
    c.fetch(vote("seen", ({ get }: any, id: string) => ({ id, n: get(Vote, id).n + 10 })), "1");
    assertEquals(c.get(Vote, "1").n, 11);
  });
  assertEquals(errors.map((error) => (error as Error).message), ["mine"]);
  await c.allSettled();
  assertEquals(c.get(Vote, "1").n, 2);
  // Node has no `reportError`.
  const { reportError } = globalThis, { error } = console, seen: unknown[] = [];
  Object.assign(globalThis, { reportError: undefined });
  console.error = (error: unknown) => seen.push(error);
  assertEquals((await c.fetch(vote("odd", () => JSON.parse("")), "1")).n, 2);
  Object.assign(globalThis, { reportError });
  console.error = error;
  assertEquals(seen.length, 1);
});
test("case 16: 4,000 pending optimistic edits, with the list read after each, take nearly linear time", async () => {
  const run = async (count: number) => {
    const { R, c, calls } = wired(undefined, { optimistic: true });
    c.setResponse(R.getList, Array.from({ length: count }, (_, at) => ({ id: `${at}`, title: "a" })));
    const reader = mount(c, R.getList), start = process.cpuUsage();
    for (let at = 0; at < count; at++) {
      c.fetch(R.partialUpdate, { id: `${at}` }, { title: `b${at}` });
      assertEquals(reader.data[at].title, `b${at}`);
    }
    await tick();
    calls.forEach(({ reply }: any, at: number) => reply({ id: `${at}`, title: `b${at}`, done: false }));
    reader.stop();
    await c.allSettled();
    return process.cpuUsage(start).user / 1000;
  };
  await run(500);
  const [few, many] = [await run(1000), await run(4000)];
  assert(many < 10 * few + 200, `${few} ms, ${many} ms`);
});
