// deno-lint-ignore-file no-explicit-any
import {
  All,
  Controller,
  Endpoint,
  Entity,
  isTemporary,
  keyOf,
  NetworkError,
  resource,
  RestEndpoint,
  schema,
  temporaryIds,
} from "@rejoin/data";
import { assertEquals, assertMatch, assertStrictEquals } from "@std/assert";
import { assertRejected } from "../support/rejected.ts";
import { ids, test, tick, Todo, wired } from "../support/wired.ts";

test("rule 30: layers show in order of start, leave nothing behind, and hide no later confirmed edit", async () => {
  const { R, c, calls, go } = wired(resource, { optimistic: true });
  c.setResponse(R.get, { id: "1" }, { id: "1", title: "a" });
  const seen = () => c.get(Todo, "1")?.title;
  const one = c.fetch(R.partialUpdate, { id: "1" }, { title: "b" }),
    two = c.fetch(R.partialUpdate, { id: "1" }, { title: "c" });
  one.catch(() => {});
  assertStrictEquals(seen(), "c");
  await go(calls[1], { id: "1", title: "c!" });
  await two;
  assertStrictEquals(seen(), "c!");
  calls[0].fail(Object.assign(new NetworkError(602), { status: 400 }));
  await tick();
  assertStrictEquals(seen(), "c!");
  assertStrictEquals(c.store.table("Todo").rows.get("1").layers, undefined);
  const gone = c.fetch(R.delete, { id: "1" });
  gone.catch(() => {});
  assertStrictEquals(seen(), undefined);
  calls[2].fail(Object.assign(new NetworkError(602), { status: 400 }));
  await tick();
  assertStrictEquals(seen(), "c!");
});
test("rule 30: of two edits to the same value the first is refused, and the second still shows the value", async () => {
  const { R, c, calls, go } = wired(resource, { optimistic: true });
  c.setResponse(R.get, { id: "1" }, { id: "1", title: "a" });
  c.fetch(R.partialUpdate, { id: "1" }, { title: "b" }).catch(() => {});
  const two = c.fetch(R.partialUpdate, { id: "1" }, { title: "b" });
  calls[0].fail(Object.assign(new NetworkError(602), { status: 400 }));
  await tick();
  assertStrictEquals(c.get(Todo, "1")?.title, "b");
  await go(calls[1], { id: "1", title: "b" });
  assertStrictEquals((await two).title, "b");
});
test("rule 30: of pending edits the last is shown, also where it is the confirmed value again", async () => {
  const { R, c, calls, go } = wired(resource, { optimistic: true });
  c.setResponse(R.get, { id: "1" }, { id: "1", title: "a" });
  ["b", "a", "a"].forEach((title) => c.fetch(R.partialUpdate, { id: "1" }, { title }).catch(() => {}));
  const shown = () => c.get(Todo, "1")?.title;
  assertStrictEquals(shown(), "a");
  await go(calls[0], { id: "1", title: "b" });
  assertStrictEquals(shown(), "a");
  calls[1].fail(Object.assign(new NetworkError(602), { status: 400 }));
  await tick();
  assertStrictEquals(shown(), "a");
  await go(calls[2], { id: "1", title: "a" });
  assertStrictEquals(shown(), "a");
});
test("rule 30: the second of two pending votes hides no newer title, though it shows the whole record", async () => {
  const c: any = new Controller(), replies: (() => void)[] = [];
  const vote: any = new Endpoint(() => new Promise((go) => replies.push(() => go({ id: "1", votes: 2 }))), {
    name: "vote",
    schema: Todo,
    sideEffect: true,
    getOptimisticResponse: ({ get }: any) => ({ ...get(Todo, "1"), votes: get(Todo, "1").votes + 1 }),
  } as any);
  c.set(Todo, "1", { title: "a", votes: 0 });
  const calls = [c.fetch(vote), c.fetch(vote)];
  c.set(Todo, "1", { title: "b" });
  assertEquals([c.get(Todo, "1").title, c.get(Todo, "1").votes], ["b", 2]);
  for (const reply of replies) reply();
  await Promise.all(calls);
  assertEquals([c.get(Todo, "1").title, c.get(Todo, "1").votes], ["b", 2]);
});
test("rule 30: of two pending toggles whose replies come in the other order the newer is shown", async () => {
  const { R, c, calls, go } = wired(resource, { optimistic: true });
  c.setResponse(R.get, { id: "1" }, { id: "1", title: "a", done: false });
  const toggle = (done: boolean) => c.fetch(R.partialUpdate, { id: "1" }, { done });
  const all = [toggle(true), toggle(false)];
  await go(calls[1], { id: "1", title: "a", done: false });
  all.push(toggle(false));
  await go(calls[0], { id: "1", title: "a", done: true });
  assertStrictEquals(c.get(Todo, "1")?.done, false);
  await go(calls[2], { id: "1", title: "a", done: false });
  await Promise.all(all);
});
test("rule 31: a temporary id is replaced by the server's pk, keyOf stays, and requests with the id wait or reject", async () => {
  const { R, c, calls, go } = wired(resource, { optimistic: true });
  c.setResponse(R.getList, []);
  const create = c.fetch(R.create, { title: "n" });
  const [shown] = c.getResponse(R.getList).data;
  assertMatch(shown.id, /^~/);
  const edit = c.fetch(R.partialUpdate, { id: shown.id }, { title: "m" });
  await tick();
  assertStrictEquals(calls.length, 1);
  assertStrictEquals(c.getResponse(R.getList).data[0].title, "m");
  await go(calls[0], { id: "5", title: "n" });
  await create;
  const [real] = c.getResponse(R.getList).data;
  assertEquals([real.id, real.title, keyOf(real)], ["5", "m", keyOf(shown)]);
  assertStrictEquals(calls[1].params.id, "5");
  await go(calls[1], { id: "5", title: "m" });
  await edit;
  assertStrictEquals(c.get(Todo, shown.id), c.get(Todo, "5"));
  assertEquals(ids(c.get(new All(Todo))), ["5"]);
  const bad = c.fetch(R.create, { title: "x" }),
    { id } = c.getResponse(R.getList).data[1],
    after = c.fetch(R.delete, { id });
  bad.catch(() => {});
  after.catch(() => {});
  await tick();
  calls[2].fail(Object.assign(new NetworkError(602), { status: 400 }));
  await assertRejected(after);
  assertEquals(ids(c.getResponse(R.getList).data), ["5"]);
});
test("rule 31: a create that is answered by several records renames none, and its id is sent to none", async () => {
  const { R, c, calls, go } = wired(resource, { optimistic: true });
  c.setResponse(R.getList, [{ id: "1" }]);
  const create = c.fetch(R.create, {}), { id } = c.getResponse(R.getList).data[1];
  const edit = c.fetch(R.partialUpdate, { id }, {});
  edit.catch(() => {});
  await go(calls[0], [{ id: "1" }, { id: "2" }]);
  await create;
  await assertRejected(edit);
  assertEquals([calls.length, keyOf(c.get(Todo, "1"))], [1, "Todo 1"]);
});
test("rules 14, 30: an optimistic edit makes new objects once, and its echo and its confirmation make none", async () => {
  for (const title of ["new", "old"]) {
    const { R, c, calls, go } = wired(resource, { optimistic: true }), all = new All(Todo);
    const seen = [new Set(), new Set()],
      look = () => [c.get(Todo, "1"), c.get(all)].forEach((one, at) => seen[at]!.add(one));
    c.setResponse(R.getList, [{ id: "1", title: "old" }]);
    look();
    const edit = c.fetch(R.partialUpdate, { id: "1" }, { title });
    look();
    c.set(Todo, { id: "1" }, { title });
    look();
    await go(calls[0], { id: "1", title });
    await edit;
    look();
    assertEquals(seen.map(({ size }) => size), title === "new" ? [2, 2] : [1, 1]);
  }
});
test("rule 31: an app may use temporaryIds() itself, beside the one of resource()", async () => {
  const { R, calls, go } = wired(resource, { optimistic: true }), c: any = new Controller({ use: [temporaryIds()] });
  c.setResponse(R.getList, []);
  const create = c.fetch(R.create, { title: "n" });
  const [shown] = c.getResponse(R.getList).data,
    { id } = shown,
    edit = c.fetch(R.partialUpdate, { id }, { title: "m" });
  await go(calls[0], { id: "5", title: "n" });
  await create;
  await tick();
  assertStrictEquals(calls[1].params.id, "5");
  await go(calls[1], { id: "5", title: "m" });
  assertStrictEquals(await edit, c.get(Todo, "5"));
  c.fetch(R.delete, shown);
  assertStrictEquals(calls[2].params.id, "5", "an object that still has it stands for the record");
});
class Item extends Entity {
  id = "";
  title = "";
  list = "";
  static override key = "Item";
}
test("rule 30: getOptimisticResponse hides later changes only of members that it changes", async () => {
  const calls: any[] = [],
    vote: any = new Endpoint((_: any) => new Promise((go) => calls.push(go)), {
      name: "vote",
      schema: Item,
      sideEffect: true,
      getOptimisticResponse: (snap: any, { id }: any) => ({ ...snap.get(Item, { id }), list: "new" }),
    }),
    c: any = new Controller();
  c.set(Item, "1", { title: "a", list: "old" });
  const p = c.fetch(vote, { id: "1" });
  assertStrictEquals((c.get(Item, "1") as any).list, "new");
  c.set(Item, "1", { title: "b" });
  assertStrictEquals((c.get(Item, "1") as any).title, "b");
  calls[0]({ id: "1", list: "server" });
  await p;
  assertStrictEquals((c.get(Item, "1") as any).list, "server");
});
test("rule 31: two creates at once, answered in the other order, keep their keys", async () => {
  const calls: any[] = [],
    R: any = resource(
      { path: "/items/:id", schema: Item, optimistic: true, fetch: () => new Promise((go) => calls.push(go)) } as any,
    ),
    c: any = new Controller();
  c.setResponse(R.getList, []);
  const a = c.fetch(R.create, { title: "a" }), b = c.fetch(R.create, { title: "b" });
  const keys = c.getResponse(R.getList).data.map(keyOf);
  calls[1]({ id: "2", title: "b" });
  await b;
  calls[0]({ id: "1", title: "a" });
  await a;
  assertEquals(c.getResponse(R.getList).data.map(keyOf).sort(), keys.sort());
  assertStrictEquals(c.getResponse(R.getList).data.length, 2);
});
test("rule 30: an optimistic list replaces the whole list", async () => {
  const { R, c, calls, go, fetch } = wired();
  c.setResponse(R.getList, [{ id: "1" }, { id: "2" }, { id: "3" }]);
  const { schema } = R.getList,
    getOptimisticResponse = () => [{ id: "2" }],
    clear = new RestEndpoint({ path: "/todos/clear", method: "POST", schema, getOptimisticResponse, fetch } as any),
    call = c.fetch(clear);
  assertEquals(ids(c.getResponse(R.getList).data), ["2"]);
  await go(calls[0], [{ id: "3" }]);
  assertEquals([ids(await call), ids(c.getResponse(R.getList).data)], [["3"], ["3"]]);
});
test("rule 31: an optimistic create, edit or delete in a union shows the class of its tag", async () => {
  const { R, c, calls, go } = wired(resource, {
    optimistic: true,
    schema: new schema.Union({ item: Item, todo: Todo }, "type"),
  });
  c.setResponse(R.getList, [{ id: "1", type: "todo", title: "a" }]);
  const create = c.fetch(R.create, { type: "item", title: "b" });
  c.fetch(R.partialUpdate, { id: "1" }, { type: "todo", title: "a!" });
  const [todo, item] = c.getResponse(R.getList).data;
  assertEquals([todo.title, item instanceof Item, item.title, isTemporary(item)], ["a!", true, "b", true]);
  await go(calls[0], { id: "2", type: "item", title: "b" });
  await create;
  assertEquals(ids(c.getResponse(R.getList).data), ["1", "2"]);
  const remove = c.fetch(R.delete, { id: "1", type: "todo" });
  assertEquals(ids(c.getResponse(R.getList).data), ["2"]);
  await go(calls[2], null);
  await remove;
  assertEquals(ids(c.getResponse(R.getList).data), ["2"]);
});
test("rule 31: a temporary id is in the member that the path names as the pk", async () => {
  class Post extends Entity {
    _id = "";
    title = "";
    static override key = "Post";
    override pk() {
      return this._id;
    }
  }
  const { R, c, calls, go } = wired(resource, { path: "/posts/:_id", schema: Post, optimistic: true });
  c.setResponse(R.getList, []);
  const create = c.fetch(R.create, { title: "n" }), [shown] = c.getResponse(R.getList).data;
  const edit = c.fetch(R.partialUpdate, { _id: shown._id }, { title: "m" });
  await go(calls[0], { _id: "5", title: "n" });
  const real = await create;
  assertEquals([isTemporary(shown) && !isTemporary(real), "id" in shown, keyOf(real), real._id, real.title], [
    true,
    false,
    keyOf(shown),
    "5",
    "m",
  ]);
  await go(calls[1], { _id: "5", title: "m" });
  assertStrictEquals(await edit, c.get(Post, { _id: "5" }));
});
test("rules 19 and 31: a mutation with an envelope is optimistic and writes like one without", async () => {
  const { R: base, c, calls, go } = wired(resource, { optimistic: true });
  const R = base.extend({
    partialUpdate: { schema: { data: Todo } },
    create: { schema: { data: base.create.schema, others: [Todo], at: "" } },
    delete: { schema: { data: base.delete.schema } },
  });
  const titles = () => c.getResponse(R.getList).data.map((todo: any) => todo.title);
  c.setResponse(R.getList, [{ id: "1", title: "a" }]);
  const edit = c.fetch(R.partialUpdate, { id: "1" }, { title: "b" }), create = c.fetch(R.create, { title: "n" });
  assertEquals(titles(), ["b", "n"]);
  const key = keyOf(c.getResponse(R.getList).data[1]);
  await go(calls[0], null);
  await go(calls[1], { data: { id: "2", title: "n!" }, others: [{ id: "1" }], at: "now" });
  assertEquals(keyOf(c.getResponse(R.getList).data[1]), key);
  assertEquals([(await edit).data.title, (await create).data.id, titles()], ["b", "2", ["b", "n!"]]);
  const remove = c.fetch(R.delete, { id: "1" });
  assertEquals(titles(), ["n!"]);
  await go(calls[2], "");
  await remove;
  assertEquals(titles(), ["n!"]);
});
