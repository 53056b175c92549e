// deno-lint-ignore-file no-explicit-any require-await
import {
  All,
  Controller,
  createResource,
  Endpoint,
  Entity,
  Invalidate,
  isEnding,
  resource,
  stateOf,
} from "@rejoin/data";
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { assertRejected, assertThrown } from "../support/rejected.ts";
import {
  Film,
  fresh,
  ids,
  idsOf,
  list,
  mount,
  Person,
  test,
  tick,
  Todo,
  User,
  wired,
  wiredFilms,
} from "../support/wired.ts";

test("rules 11 and 12: a late read only fills missing members; a late mutation writes what it sent, and is stale", async () => {
  const { R, c, calls, go } = wired();
  c.fetch(R.get, { id: "1" });
  c.set(Todo, "1", { title: "new" });
  await go(calls[0], { id: "1", title: "old", done: true });
  assertEquals([c.get(Todo, "1").title, c.get(Todo, "1").done], ["new", true]);
  const p = c.fetch(R.partialUpdate, { id: "1" }, { title: "mine" });
  c.fetch(R.get, { id: "1" }).catch(() => {});
  await go(calls[2], { id: "1", title: "x", done: false });
  await go(calls[1], { id: "1", title: "mine", done: true });
  await p;
  assertEquals([c.get(Todo, "1").title, c.get(Todo, "1").done], ["mine", false]);
  assertStrictEquals(c.getResponse(R.get, { id: "1" }).expiresAt, 0);
});
test("rule 10: an older reply of a list does not remove an item that was created since", async () => {
  const { R, c, calls, go } = wired();
  c.setResponse(R.getList, [{ id: "1" }]);
  c.fetch(R.getList);
  const p = c.fetch(R.create, { title: "n" });
  await go(calls[1], { id: "2", title: "n" });
  await p;
  await go(calls[0], [{ id: "1" }]);
  assertEquals(ids(c.getResponse(R.getList).data), ["1", "2"]);
});
test("rule 12: a list that arrives during mutations is fetched again once, after the last of them", async () => {
  const { R, c, calls, go } = wired(createResource);
  const reader = mount(c, R.getList);
  const a = c.fetch(R.update, { id: "1" }, { title: "a" }), b = c.fetch(R.update, { id: "2" }, { title: "b" });
  await go(calls[0], [{ id: "1" }]);
  await go(calls[1], { id: "1", title: "a" });
  await a;
  assertStrictEquals(calls.length, 3);
  await go(calls[2], { id: "2", title: "b" });
  await b;
  assertStrictEquals(calls.length, 4);
  await go(calls[3], []);
  assertStrictEquals(calls.length, 4);
  reader.stop();
});
test("rule 13: an older reply does not bring back a deleted record; a reset drops the replies of older requests", async () => {
  const { R, c, calls, go } = wired();
  c.setResponse(R.get, { id: "1" }, { id: "1" });
  const late = c.fetch(R.getList), p = c.fetch(R.delete, { id: "1" });
  await go(calls[1], null);
  await p;
  await go(calls[0], [{ id: "1" }]);
  await late;
  assertStrictEquals(c.get(Todo, "1"), undefined);
  const q = c.fetch(R.get, { id: "2" });
  q.catch(() => {});
  c.resetEntireStore();
  calls[2].reply({ id: "2" });
  await assertRejected(q, isEnding);
  await tick();
  assertStrictEquals(c.get(Todo, "2"), undefined);
  assertStrictEquals(c.get(new All(Todo)), undefined);
});
test("rule 14: a commit whose merge throws writes nothing; a commit of several records tells a reader once", async () => {
  let bad = true;
  class Bad extends Entity {
    id = "";
    static override key = "Bad";
    static override merge(): any {
      if (bad) throw new Error("merge");
      return {};
    }
  }
  const both: any = new Endpoint(async () => ({}), { name: "both", schema: { todo: Todo, bad: Bad } as any }),
    c: any = new Controller();
  c.set(Bad, "1", { x: 1 });
  c.set(Todo, "1", { title: "a" });
  const before = JSON.stringify(stateOf(c));
  assertThrown(() => c.setResponse(both, { todo: { id: "1", title: "b" }, bad: { id: "1" } }), /merge/);
  assertStrictEquals(JSON.stringify(stateOf(c)), before);
  let no = false;
  class Thrower extends Entity {
    id = "";
    static override key = "Thrower";
    constructor() {
      super();
      if (no) throw new Error("constructor");
    }
  }
  c.set(Thrower, "1", {});
  no = true;
  assertThrown(() => c.get(Thrower, "1"), /constructor/);
  no = false;
  assert(c.get(Thrower, "1"));
  const reader = mount(c, both);
  c.setResponse(list, [{ id: "1", title: "q" }, { id: "2" }]);
  c.setResponse(both, { todo: { id: "1", title: "z" } });
  assertStrictEquals(reader.count(), 1);
  bad = false;
});
test("rule 10: an edit stays on top of older replies, and is forgotten after them; set makes no answer stale", async () => {
  const { R, c, calls, go } = wiredFilms();
  c.setResponse(R.getList, [{ id: "1", title: "a", year: 1 }]);
  c.fetch(R.getList);
  c.set(Film, "1", { title: "b" });
  c.set(Film, "9", { title: "new" });
  await go(calls[0], [{ id: "1", title: "a", year: 2 }, { id: "9", title: "old", year: 9 }]);
  assertEquals(c.getResponse(R.getList).data.map((film: any) => [film.title, film.year]), [["b", 2], ["new", 9]]);
  assert(fresh(c, R.getList));
  assertStrictEquals(c.store.edits.size, 0);
  assertStrictEquals(c.store.table("Film").row("1").edits, undefined);
  c.fetch(R.getList);
  c.set(R.delete.schema, { id: "1" });
  await go(calls[1], [{ id: "1", title: "a" }, { id: "9" }]);
  assertStrictEquals(idsOf(c.getResponse(R.getList).data), "9");
  c.fetch(R.getList);
  c.set(R.delete.schema, { id: "9" });
  c.set(Film, "9", { title: "again" });
  await go(calls[2], [{ id: "9", title: "old" }]);
  assertStrictEquals(c.get(Film, "9").title, "again");
});
test("rule 11: of two reads the one that started later wins", async () => {
  const { R, c, calls, go } = wiredFilms();
  c.fetch(R.get, { id: "1" });
  c.fetch(R.getList);
  await go(calls[1], [{ id: "1", title: "later" }]);
  await go(calls[0], { id: "1", title: "earlier", year: 1 });
  assertEquals([c.get(Film, "1").title, c.get(Film, "1").year], ["later", 1]);
});
test("rule 11: an older read that differs from what is stored is stale: the newer one may have lacked the member", async () => {
  const { R, c, calls, go } = wiredFilms();
  c.setResponse(R.get, { id: "1" }, { id: "1", title: "a", year: 1 });
  c.fetch(R.get, { id: "1" });
  c.fetch(R.getList);
  await go(calls[1], [{ id: "1", title: "b" }]);
  await go(calls[0], { id: "1", title: "b", year: 2 });
  assertEquals([c.get(Film, "1").year, fresh(c, R.get, { id: "1" }), fresh(c, R.getList)], [1, false, true]);
  // An answer without this difference stays fresh.
  c.fetch(R.get, { id: "1" });
  c.fetch(R.getList);
  await go(calls[3], [{ id: "1", title: "b" }]);
  await go(calls[2], { id: "1", title: "b", year: 1, genre: "new" });
  assertEquals([c.get(Film, "1").genre, fresh(c, R.get, { id: "1" })], ["new", true]);
});
test("rule 11: an older read only fills missing members, for a class with its own merge, too", async () => {
  class Log extends Entity {
    id = "";
    lines: string[] = [];
    level = "";
    static override key = "Log";
    static override merge(old: any, next: any): any {
      return { ...old, ...next, lines: [...old.lines ?? [], ...next.lines ?? []] };
    }
  }
  const replies: ((value: object) => void)[] = [], c = new Controller();
  const read = (name: string) =>
    c.fetch(new Endpoint(() => new Promise<object>((go) => replies.push(go)), { name, schema: Log }));
  const both = [read("earlier"), read("later")];
  replies[1]!({ id: "1", lines: ["new"] });
  await both[1];
  replies[0]!({ id: "1", lines: ["old"], level: "info" });
  await both[0];
  const { lines, level } = c.get(Log, "1")!;
  assertEquals([lines, level], [["new"], "info"]);
});
test("rule 11: an older read does not bring back an edit that a later read has replaced", async () => {
  const { R, c, calls, go } = wiredFilms();
  c.setResponse(R.getList, [{ id: "1", title: "a" }]);
  c.fetch(R.getList, { q: "slow" });
  c.set(Film, "1", { title: "b" });
  c.set(R.getList.schema, [{ id: "2" }, { id: "1" }]);
  c.fetch(R.getList);
  await go(calls[1], [{ id: "1", title: "c" }]);
  await go(calls[0], [{ id: "1", title: "a", year: 1 }]);
  assertEquals([c.get(Film, "1").title, c.get(Film, "1").year, idsOf(c.getResponse(R.getList).data)], ["c", 1, "1"]);
});
test("rule 12: the members that a mutation sent win over later edits, and the record is stale", async () => {
  const { R, c, calls, go } = wiredFilms();
  c.setResponse(R.get, { id: "1" }, { id: "1", title: "a", year: 1 });
  const p = c.fetch(R.partialUpdate, { id: "1" }, { title: "mine" });
  c.set(Film, "1", { title: "theirs", year: 5 });
  await go(calls[0], { id: "1", title: "Mine", year: 1 });
  await p;
  assertEquals([c.get(Film, "1").title, c.get(Film, "1").year], ["Mine", 5]);
  assert(!fresh(c, R.get, { id: "1" }));
});
test("rule 12: a nested record stays fresh if the replies of overlapping mutations agree on it", async () => {
  const { R, c, calls, go } = wiredFilms(), director = { id: "2", name: "Tati" };
  const getPeople: any = new Endpoint(async () => [director], { name: "getPeople", schema: [Person] });
  await c.fetch(getPeople);
  c.setResponse(R.get, { id: "1" }, { id: "1", title: "a", year: 1, director });
  c.fetch(R.partialUpdate, { id: "1" }, { title: "b" });
  const p = c.fetch(R.partialUpdate, { id: "1" }, { title: "c" });
  await go(calls[0], { id: "1", title: "b", year: 1, director });
  await go(calls[1], { id: "1", title: "c", year: 1, director });
  await p;
  assert(fresh(c, getPeople));
});
test("rule 30: cleanup takes back the optimistic changes of pending mutations, which reject with an ending", async () => {
  const { R, c } = wiredFilms(resource, { optimistic: true });
  c.setResponse(R.get, { id: "1" }, { id: "1", title: "a", year: 1 });
  c.setResponse(R.get, { id: "2" }, { id: "2", title: "b", year: 1 });
  const calls = ["1", "2"].map((id) => c.fetch(R.partialUpdate, { id }, { title: "pending" }));
  c.cleanup();
  assertEquals([c.get(Film, "1").title, c.get(Film, "2").title], ["a", "b"]);
  for (const call of calls) await assertRejected(call, isEnding);
});
test("rule 12: a nested record that a message or a newer read completed meanwhile does not turn stale", async () => {
  const { R, c, calls, go } = wired(), users: any = new Endpoint(async () => [], { name: "users", schema: [User] });
  c.setResponse(users, [{ id: "u", name: "U", mood: "a" }]);
  const edit = c.fetch(R.partialUpdate, { id: "1" }, { title: "b" });
  c.set(User, "u", { mood: "b" });
  await go(calls[0], { id: "1", title: "b", user: { id: "u", name: "U" } });
  await edit;
  assertEquals([c.get(User, "u").mood, fresh(c, users)], ["b", true]);
});
test("principle 1: a detail that was deleted while it was asked for the first time is asked again", async () => {
  const { R, c, calls, go } = wired(), reader = mount(c, R.get, { id: "1" });
  c.set(new Invalidate(Todo), { id: "1" });
  await go(calls[0], { id: "1", title: "a" });
  await go(calls[1], { id: "1", title: "b" });
  assertEquals(reader.data.title, "b");
  reader.stop();
});
test("rule 12: a record that a message deleted before an edit was confirmed is stale", async () => {
  const { R, c, calls, go } = wired(createResource);
  c.setResponse(R.getList, [{ id: "1", title: "a" }]);
  c.fetch(R.update, { id: "1" }, { title: "b" });
  c.set(new Invalidate(Todo), { id: "1" });
  await go(calls[0], { id: "1", title: "b" });
  assertEquals([c.get(Todo, "1"), fresh(c, R.getList)], [undefined, false]);
});
