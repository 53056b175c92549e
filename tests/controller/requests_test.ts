// deno-lint-ignore-file no-explicit-any
import { All, Controller, isEnding, Query } from "@rejoin/data";
import { assertEquals, assertStrictEquals } from "@std/assert";
import { assertRejected } from "../support/rejected.ts";
import { mount, test, tick, Todo, wired } from "../support/wired.ts";

test("rule 32: equal reads share a request, mutations never; a request is aborted when its last reader leaves", async () => {
  const { R, c, calls, go } = wired();
  const a = c.fetch(R.get, { id: 1 }), b = c.fetch(R.get, { id: "1" });
  assertStrictEquals(calls.length, 1);
  await go(calls[0], { id: "1" });
  assertStrictEquals(await a, await b);
  c.fetch(R.update, { id: 1 }, {}).catch(() => {});
  c.fetch(R.update, { id: 1 }, {}).catch(() => {});
  assertStrictEquals(calls.length, 3);
  const reader = mount(c, R.get, { id: "2" });
  reader.stop();
  await tick();
  assertStrictEquals(calls[3].signal.aborted, true);
  const held = mount(c, R.get, { id: "3" }), p = c.fetch(R.get, { id: "3" });
  held.stop();
  await tick();
  assertStrictEquals(calls[4].signal.aborted, false);
  c.abort(R.get, { id: "3" });
  c.fetch(R.get, { id: "3" });
  assertStrictEquals(calls.length, 6, "what was aborted answers nobody");
  await assertRejected(p, isEnding);
  assertStrictEquals(c.getError(R.get, { id: "3" }), undefined);
});
test("rule 35: a body that is changed after the call is sent as it was", async () => {
  const { R, c, calls, go } = wired();
  const body = { title: "a", tags: [] as any[] }, p = c.fetch(R.create, body);
  body.title = "b";
  body.tags.push(1);
  await tick();
  assertEquals(calls[0].body, { title: "a", tags: [] });
  await go(calls[0], { id: "1" });
  await p;
  assertStrictEquals(c.get(Todo, "1").title, "a");
});
test("rule 36: fetch resolves with the instance that the store reads", async () => {
  const { R, c, calls, go } = wired();
  const p = c.fetch(R.get, { id: "1" });
  await go(calls[0], { id: "1" });
  assertStrictEquals(await p, c.get(Todo, "1"));
  const q = c.fetch(R.create, { title: "x" });
  await go(calls[1], { id: "2" });
  assertStrictEquals(await q, c.get(Todo, "2"));
});
test("rule 32: a call's signal ends that call; the request is aborted when no call waits for it", async () => {
  const { R, c, calls, go } = wired(), [a, b] = [new AbortController(), new AbortController()];
  const get = (id: string, signal?: AbortSignal): Promise<any> => c.fetch(R.get.extend({ signal }), { id });
  const one = get("1", a.signal), two = get("1", b.signal), plain = get("2"), third = get("2", a.signal);
  assertStrictEquals(calls.length, 2);
  a.abort();
  await assertRejected(one, isEnding);
  await assertRejected(third, isEnding);
  await assertRejected(get("3", a.signal), isEnding);
  assertEquals(calls.map(({ signal }) => signal.aborted), [false, false]);
  b.abort();
  await assertRejected(two, isEnding);
  assertEquals(calls.map(({ signal }) => signal.aborted), [true, false]);
  await go(calls[1], { id: "2" });
  assertStrictEquals((await plain).id, "2");
  assertStrictEquals(c.getError(R.get, { id: "1" }), undefined);
  const mutation = new AbortController(), edit = c.fetch(R.update.extend({ signal: mutation.signal }), { id: "1" }, {});
  mutation.abort();
  await assertRejected(edit, isEnding);
  assertStrictEquals(calls[2].signal.aborted, true);
});
test("rule 33: `defaults` set deadline and retry of endpoints without options of their own", async () => {
  const seen: unknown[] = [];
  const look = function (this: any) {
    seen.push([this.deadline, this.retry]);
    return Promise.resolve({ id: "1" });
  };
  const { R } = wired(), c: any = new Controller({ defaults: { deadline: 500, retry: 0 } });
  await c.fetch(R.get.extend({ fetch: look }), { id: "1" });
  await c.fetch(R.get.extend({ fetch: look, deadline: 5, retry: 1 }), { id: "2" });
  assertEquals(seen, [[500, 0], [5, 1]]);
});
test("rule 35: arguments that are changed after a read of a Query do not change its result", () => {
  const c: any = new Controller(), args = { done: true };
  const query: any = new Query(
    new All(Todo),
    (todos, { done }: any) => todos.filter((todo: any) => todo.done === done),
  );
  for (const done of [true, false]) c.set(Todo, `${done}`, { done });
  assertEquals(c.get(query, args)[0].done, true);
  args.done = false;
  c.set(Todo, "new", { done: true });
  assertEquals(c.get(query, { done: true }).length, 2);
});
