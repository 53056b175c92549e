// deno-lint-ignore-file no-explicit-any require-await
import { All, Controller, Endpoint, Entity, HasMany, memory, polling } from "@rejoin/data";
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { sweep } from "../../src/parts/memory.ts";
import { ids, list, mount, test, tick, Todo, User, wired } from "../support/wired.ts";

/** Sweeps until unused rows are old enough to be removed. */
const collect = (c: any) => {
  for (let pass = 0; pass < 3; pass++) sweep(c.store);
};
const rows = (c: any, key: string) => [...c.store.table(key).rows.keys()].join();

test("rule 39: what nothing read and nothing kept refers to is removed", () => {
  const c: any = new Controller({ use: [memory()] });
  c.setResponse(list, [{ id: "1", user: { id: "u" } }]);
  c.set(Todo, "2", { title: "x" });
  const reader = mount(c, list);
  collect(c);
  assertStrictEquals(c.get(Todo, "2"), undefined);
  assertStrictEquals(reader.data[0].user.id, "u");
  assertEquals(rows(c, "User"), "u");
  reader.stop();
  // The first sweep after the reader stopped only starts the age of its rows.
  sweep(c.store);
  assertEquals(rows(c, "User"), "u");
  collect(c);
  assertEquals([rows(c, "User"), rows(c, "Todo"), [...c.store.answers()].length], ["", "", 0]);
  c.cleanup();
});
test("rule 39: a reply that was given stays; so does what another class of a kept record refers to", () => {
  class Summary extends Entity {
    id = "";
    static override key = "Order";
  }
  class Order extends Summary {
    by = User.fromJS();
    static override schema = { by: User };
  }
  const c: any = new Controller(), all: any = new Endpoint(async () => [], { name: "all", schema: [Summary] });
  c.setResponse(all, [{ id: "1" }]);
  const reader = mount(c, all);
  c.set(Order, "1", { by: { id: "u", name: "Ann" } });
  assertEquals(c.get(Order, "1").by.name, "Ann");
  collect(c);
  const number = new Endpoint(async () => 1, { name: "number" });
  c.setResponse(number, 5);
  sweep(c.store);
  // A reply without schema is read like any other.
  for (let pass = 0; pass < 3; pass++) assertEquals([c.getResponse(number).data, sweep(c.store)], [5, undefined]);
  assertEquals([c.get(Order, "1").by.name, c.getResponse(number).data], ["Ann", 5]);
  reader.stop();
});
test("rule 39: by itself, in idle time, after `keep`", async () => {
  using c: any = new Controller({ use: [memory({ keep: 20 })] });
  c.set(Todo, "1", { title: "a" });
  assert(c.store.table("Todo").rows.has("1"));
  for (let at = 0; at < 2_000 && c.store.table("Todo").rows.size; at++) await tick(10);
  assertEquals(rows(c, "Todo"), "");
});
test("rule 39: what is pending, in flight, or on top of an older reply stays", async () => {
  const { R, c, calls, go } = wired(undefined, { optimistic: true });
  c.setResponse(R.get, { id: "1" }, { id: "1", title: "a" });
  const edit = c.fetch(R.partialUpdate, { id: "1" }, { title: "b" }), late = c.fetch(R.get, { id: "2" });
  c.set(Todo, "2", { title: "mine" });
  collect(c);
  assertEquals([rows(c, "Todo"), c.get(Todo, "1").title], ["1,2", "b"]);
  await go(calls[1], { id: "2", title: "old", done: true });
  assertEquals([(await late).title, c.get(Todo, "2").done], ["mine", true]);
  await go(calls[0], { id: "1", title: "b" });
  await edit;
});
test("rule 39: a record that is removed and read again is asked for; All begins anew", async () => {
  const { R, c, calls, go } = wired(), all = new All(Todo), byUser: any = new HasMany(() => Todo, "userId");
  c.setResponse(R.getList, [{ id: "1", title: "a" }]);
  c.set(Todo, "1", { userId: "u" });
  assertEquals([c.get(all).length, c.get(byUser, "u").length], [1, 1]);
  collect(c);
  assertEquals([c.get(all), c.get(byUser, "u") ?? []], [undefined, []]);
  const reader = mount(c, R.getList);
  await go(calls[0], [{ id: "1", title: "b" }]);
  assertEquals([reader.data[0].title, ids(c.get(all))], ["b", ["1"]]);
  reader.stop();
});
test("rule 39: what memory removes is missed by nothing that is mounted: random lives with and without it", () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 1664525 + 1013904223) >>> 0) % below;
  const get = new Endpoint(async (id: string) => ({ id }), { name: "get", schema: Todo }) as any;
  for (let life = 0; life < 150; life++) {
    const kept: any = new Controller(), swept: any = new Controller();
    const readers = new Map<string, any[]>();
    const both = (run: (c: any) => void) => (run(kept), run(swept));
    for (let step = 0; step < 80; step++) {
      const pk = `${random(5)}`,
        user = { id: `u${random(3)}`, name: `${step}` },
        what = random(6),
        key = `${what % 2}${pk}`;
      if (what < 2) both((c) => c.setResponse(get, pk, { id: pk, title: `${step}`, user, tags: [user] }));
      else if (what === 2) both((c) => c.set(Todo, pk, { user }));
      else if (what === 3) {
        const open = readers.get(key);
        readers.delete(key);
        if (open) open.forEach((reader) => reader.stop());
        // Each reader starts with a response, because a sweep may have removed its rows.
        else {
          both((c) => c.setResponse(get, pk, { id: pk, user, tags: [user, { id: "u0", name: "0" }] }));
          readers.set(key, [kept, swept].map((c) => mount(c, get, pk)));
        }
      }
      if (!random(4)) sweep(swept.store);
      for (const [a, b] of readers.values()) assertEquals(b.data, a.data, `life ${life}, step ${step}`);
    }
    for (const open of readers.values()) open.forEach((reader) => reader.stop());
  }
});

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

test("rule 39: what mutations gave their callers, and subscriptions that ended, are held by nothing mounted", async () => {
  const c: any = new Controller({ use: [memory(), polling()] }), held: WeakRef<object>[] = [];
  const options = { name: "save", schema: Todo, sideEffect: true };
  const save: any = new Endpoint(async (id: string, title: string) => ({ id, title }), options);
  const get: any = new Endpoint(async (_: object) => 1, { name: "get", pollFrequency: 1e6 });
  c.set(Todo, "1", { title: "" });
  const reader = mount(c, list);
  c.setResponse(list, ["1"]);
  for (let at = 0; at < 100; at++) {
    held.push(new WeakRef(await c.fetch(save, "1", `${at}`)));
    const args = { at };
    c.subscribe(get, args);
    c.unsubscribe(get, args);
    held.push(new WeakRef(args));
  }
  assertEquals(reader.data[0].title, "99");
  collect(c);
  await tick(1);
  collectGarbage();
  const alive = held.filter((one) => one.deref()).length;
  assert(alive < 5, `${alive} of 200`);
  reader.stop();
  c.cleanup();
});

const SOAK = Deno.env.get("REJOIN_SOAK"), KEYS = SOAK ? 1_000_000 : 100_000;
test(`rule 39: ${KEYS} keys that were written, read and left leave at most 5 MB`, () => {
  const heap = () => (collectGarbage(), collectGarbage(), Deno.memoryUsage().heapUsed);
  const c: any = new Controller(),
    get = new Endpoint(async (id: number) => ({ id: `${id}` }), { name: "get", schema: Todo }) as any;
  const hub = new Endpoint(async () => ({ id: "u" }), { name: "hub", schema: User }) as any;
  c.setResponse(hub, { id: "u", name: "Ann" });
  const reader = mount(c, hub);
  const use = (from: number, to: number) => {
    for (let id = from; id < to; id++) {
      c.setResponse(get, id, { id: `${id}`, title: "a", user: { id: "u" } });
      c.getResponse(get, id);
    }
  };
  use(0, 1000);
  collect(c);
  const before = heap();
  use(0, KEYS);
  collect(c);
  assertEquals([c.store.table("Todo").rows.size, reader.data.name], [0, "Ann"]);
  const left = (heap() - before) / 1e6;
  assert(left < 5, `${left} MB`);
  reader.stop();
});
