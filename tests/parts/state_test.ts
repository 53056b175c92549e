// deno-lint-ignore-file no-explicit-any require-await
import {
  All,
  Collection,
  Controller,
  createResource,
  Endpoint,
  Entity,
  hydrate,
  NetworkError,
  Query,
  resource,
  stateOf,
} from "@rejoin/data";
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { sweep } from "../../src/parts/memory.ts";
import { fresh, ids, list, test, Todo, User, wired } from "../support/wired.ts";

const sent = (c: any): any => JSON.parse(JSON.stringify(stateOf(c)));
const starting = (...states: any[]): any => new Controller({ use: states.map((state) => hydrate(state)) });

test("state: a store begins with the state of another", () => {
  const { R, c } = wired();
  c.setResponse(R.getList, { q: "x" }, [{ id: "1", title: "a", user: { id: "u", name: "U" }, at: "2020-01-01" }]);
  const d = starting(sent(c)), [todo] = d.getResponse(R.getList, { q: "x" }).data;
  assertEquals([todo.title, todo.user.name, todo.at.getFullYear()], ["a", "U", 2020]);
  assertStrictEquals(d.get(Todo, "1"), todo);
  assertEquals(d.getResponse(R.getList, { q: "x" }).expiresAt, c.getResponse(R.getList, { q: "x" }).expiresAt);
  assertStrictEquals(d.getResponse(R.getList).data, undefined);
});
test("state: an answer that is there, is null or is no object comes as it was", async () => {
  const c: any = new Controller(), of = (name: string, value: any): any => new Endpoint(async () => value, { name });
  const all = [of("zero", 0), of("null", null), of("text", ""), of("list", [{ a: 1 }])];
  for (const endpoint of all) await c.fetch(endpoint);
  const d = starting(sent(c));
  for (const endpoint of all) assertEquals(d.getResponse(endpoint), c.getResponse(endpoint));
  // The schema `BigInt` makes the same of a text.
  c.set(Todo, "1", { at: 5n });
  assertEquals(starting(sent(c)).store.table("Todo").row("1").rec.at, "5");
  // JSON would change them, so the app asks again.
  for (const value of [undefined, 5n, new Map(), { at: [new Date(0)] }, { ratio: NaN }]) {
    const endpoint = of("other", value), there: any = new Controller();
    await there.fetch(endpoint);
    assertEquals(sent(there).answers, []);
  }
});
test("rule 15: `Infinity` is a lifetime in JSON, too", async () => {
  const get: any = new Endpoint(async () => ({ id: "1" }), { name: "get", schema: Todo, dataExpiryLength: Infinity });
  const c: any = new Controller();
  await c.fetch(get);
  const d = starting(sent(c));
  assertEquals(d.getResponse(get).expiresAt, Infinity);
  assertEquals(d.store.table("Todo").row("1").expiresAt, Infinity);
});
test("state: All keeps its order, though the owner of a list is in a later table than the list", () => {
  class Owner extends Todo {
    static override key = "Owner";
    static override schema: any = { tags: new Collection([User]) };
  }
  const c = new Controller(), all = new All(Owner), of = (schema: any): any => list.extend({ schema });
  c.setResponse(of(Owner.schema.tags), [{ id: "u" }]);
  c.setResponse(of([Owner]), [{ id: "a" }, { id: "b", tags: [{ id: "u" }] }, { id: "c" }]);
  assertEquals(ids(starting(sent(c)).get(all)), ["a", "b", "c"]);
});
test("state: what is pending, failed, hidden or temporary stays at home", async () => {
  const { R, c, calls, go } = wired(resource, { optimistic: true });
  c.setResponse(R.getList, [{ id: "1", title: "a" }]);
  c.setResponse(R.get, { id: "9" }, { id: "9" });
  c.invalidate(R.get, { id: "9" });
  c.setError(R.get, { id: "8" }, new NetworkError(601));
  c.fetch(R.partialUpdate, { id: "1" }, { title: "pending" }).catch(() => {});
  const create = c.fetch(R.create, { title: "n" }), text = JSON.stringify(stateOf(c));
  assert(!text.includes("pending") && !text.includes("~"), text);
  c.fetch(R.get, { id: c.getResponse(R.getList).data[1].id });
  await go(calls[1], { id: "2", title: "n" });
  await create;
  await go(calls[2], { id: "2", title: "n" });
  const state = sent(c);
  assert(!JSON.stringify(state).includes("~"), JSON.stringify(state));
  assertEquals(state.tables.Todo.map(([pk]: any) => pk), ["1", "9", "2"]);
  assertEquals(state.answers.map(([key]: any) => key), [R.getList.key()]);
});
test("rule 18: a state goes to the first schema that reads its key, if that may have it", () => {
  const options = { path: "/todos/:id", schema: Todo } as any,
    lists: any = resource(options),
    plain: any = createResource(options);
  const c: any = new Controller();
  c.setResponse(lists.getList, [{ id: "1" }]);
  const state = sent(c), d = starting(state);
  // This app has another schema than the one that wrote the state.
  assertStrictEquals(d.getResponse(plain.getList).data, undefined);
  assertEquals(ids(starting(state).getResponse(lists.getList).data), ["1"]);
});
test("state: of several what is fresh for longer stays, and what the app asks for comes on top", async () => {
  const { R, c, calls, go } = wired(), stale = sent(c);
  const at = (title: string, expiresAt: number) => ({
    tables: { Todo: [["1", { id: "1", title }, expiresAt]] },
    answers: [[R.get.key({ id: "1" }), "1", expiresAt]],
  });
  for (const states of [[at("new", 2e15), at("old", 1)], [at("old", 1), stale, null, undefined, at("new", 2e15)]]) {
    const d = starting(...states);
    assertEquals(d.getResponse(R.get, { id: "1" }).data.title, "new");
    assertEquals(d.getResponse(R.get, { id: "1" }).expiresAt, 2e15);
  }
  const d = starting(at("old", 2e15));
  d.fetch(R.get, { id: "1" });
  await go(calls[0], { id: "1", title: "asked" });
  assertEquals(d.get(Todo, "1").title, "asked");
});
test("rule 28: All is known after a state only if something of it was written, or an empty list came", () => {
  const count = new Query(new All(Todo), (all) => all.length), c: any = new Controller();
  assertEquals([c.get(count), starting(sent(c)).get(count)], [undefined, undefined]);
  c.setResponse(list, []);
  assertEquals([c.get(count), starting(sent(c)).get(count)], [0, 0]);
});
test("state: a reset forgets what was not read yet", () => {
  const { R, c } = wired();
  c.setResponse(R.getList, [{ id: "1" }]);
  const d = starting(sent(c));
  d.resetEntireStore();
  assertStrictEquals(d.getResponse(R.getList).data, undefined);
});
test("state: hostile and damaged ones do nothing but that something is missing", () => {
  const { R } = wired(), key = R.getList.key(), entry = ["1", { id: "1", title: "a" }, 2e15];
  const hostile = JSON.parse(
    '{"tables":{"__proto__":[["polluted",{"x":1},1]],"Todo":[["__proto__",{"polluted":1,"__proto__":{"polluted":1}},1],["constructor",{"id":"constructor"},1]]},"answers":[["__proto__","1",1]]}',
  );
  const d = starting(hostile);
  assertEquals([d.get(Todo, "constructor").id, d.get(Todo, "__proto__").polluted], ["constructor", 1]);
  assertStrictEquals(({} as any).polluted, undefined);
  assertStrictEquals(JSON.stringify(stateOf(d)).includes('"__proto__"'), true);
  for (
    const state of [
      5,
      "text",
      [],
      {},
      { tables: 5, answers: "x" },
      { tables: { Todo: 5 }, answers: [5, null, [], [{}], [key]] },
      { tables: { Todo: [null, 5, ["1"], [{}, {}, {}], ["2", 7, 1], ["3", null, 1]] }, answers: [[key, 5, "soon"]] },
      { tables: { Todo: [["1", { id: "1" }, NaN]] }, answers: [[key, { a: 1 }, -1]] },
    ] as any[]
  ) {
    const damaged = starting(state, { tables: { Todo: [entry] }, answers: [] });
    damaged.getResponse(R.getList);
    damaged.getResponse(list);
    assertEquals(damaged.get(Todo, "1").title, "a");
  }
});
test("state: a list whose name is no JSON is left out, so that mutations of its class work", async () => {
  const { R, c, calls, go } = wired();
  c.setResponse(R.getList, [{ id: "1" }]);
  const state = sent(c), [key] = Object.keys(state.tables).filter((name) => name.includes(" "));
  state.tables[key!].push(["no JSON", ["1"], "never"]);
  const d = starting(state), create = d.fetch(R.create, { title: "x" });
  await go(calls[0], { id: "2", title: "x" });
  assertEquals((await create).title, "x");
  assertEquals(ids(d.getResponse(R.getList).data), ["1", "2"]);
  d.set(Todo, "2", { title: "y" });
  assertEquals(d.get(Todo, "2").title, "y");
});
test("state: an answer that was not read yet expires, ages, and is in the next state", async () => {
  const { R, c, calls, go } = wired(createResource);
  c.setResponse(R.getList, [{ id: "1", title: "a" }]);
  const state = sent(c), started = () => starting(state);
  assertEquals(sent(started()), state);
  for (
    const act of [
      (d: any) => d.expireAll(R.getList),
      (d: any) => d.expire(R.getList),
      async (d: any) => {
        const saving = d.fetch(R.partialUpdate, { id: "1" }, { title: "b" });
        await go(calls.at(-1), { id: "1", title: "b" });
        await saving;
      },
    ]
  ) {
    const d = started();
    await act(d);
    assertEquals([ids(d.getResponse(R.getList).data), fresh(d, R.getList)], [["1"], false]);
  }
  const d = started();
  d.invalidateAll(R.getList);
  assertStrictEquals(d.getResponse(R.getList).data, undefined);
  // `memory` removes it together with its records.
  const old = started();
  for (let pass = 0; pass < 3; pass++) sweep(old.store);
  assertEquals([old.store.table("Todo").rows.size, old.getResponse(R.getList).data], [0, undefined]);
});
test("static redact: members leave no process; what lacks one is stale, and its texts stay away", async () => {
  class Account extends Entity {
    id = "";
    name = "";
    token = "";
    notes: any[] = [];
    static override key = "Account";
    static override redact = ["token"];
  }
  class Shop extends Entity {
    id = "";
    owner: any = undefined;
    static override key = "Shop";
    static override schema: any = { owner: Account };
  }
  const R: any = resource({ path: "/accounts/:id", schema: Account } as any), c: any = new Controller();
  const plain: any = new Endpoint(async () => ({ deep: [{ token: "s3cret", kept: 1 }] }), { name: "plain" });
  c.setResponse(R.getList, [{ id: "1", name: "Ann", token: "s3cret", notes: [{ token: "s3cret", text: "t" }] }, {
    id: "2",
    name: "Bo",
  }]);
  for (const args of [{ token: "s3cret" }, { where: { token: "s3cret" } }, { token: ["s3cret"] }]) {
    c.setResponse(R.getList, args, [{ id: "2" }]);
  }
  const shop: any = new Endpoint(async () => ({ id: "s", owner: { id: "1" } }), { name: "shop", schema: Shop });
  await c.fetch(shop);
  c.setResponse(R.get, { id: "2" }, { id: "2", name: "Bo" });
  await c.fetch(plain);
  const state = sent(c), text = JSON.stringify(state);
  assert(!text.includes("s3cret") && text.includes("Ann") && text.includes("kept"), text);
  const d = starting(state);
  assertEquals([d.get(Account, "1").token, d.get(Account, "1").notes], ["", [{ text: "t" }]]);
  assertEquals([d.getResponse(R.getList).expiresAt, d.getResponse(plain).expiresAt], [0, 0]);
  assertEquals(d.getResponse(plain).data, { deep: [{ kept: 1 }] });
  // What it reads lacks a member.
  assertEquals(d.getResponse(shop).expiresAt, 0);
  assertEquals(c.get(Account, "1").token, "s3cret");
});
