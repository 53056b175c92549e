// deno-lint-ignore-file no-explicit-any require-await
import { Controller, createResource, Endpoint, Entity, NetworkError } from "@rejoin/data";
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { Reader } from "../support/mounted.ts";
import { mount, test, tick, Todo, wired } from "../support/wired.ts";

test("rule 15: data are fresh for 60 s; expire fetches mounted data again, invalidate also hides them", async () => {
  const { R, c, calls, go } = wired();
  const reader = mount(c, R.get, { id: "1" });
  await go(calls[0], { id: "1", title: "a" });
  const { expiresAt } = c.getResponse(R.get, { id: "1" });
  const now = performance.timeOrigin + performance.now();
  assert(Math.abs(expiresAt - now - 6e4) < 1e3);
  c.expire(R.get, { id: "1" });
  assertStrictEquals(calls.length, 2);
  assertStrictEquals(reader.data.title, "a");
  await go(calls[1], { id: "1" });
  c.invalidate(R.get, { id: "1" });
  assertStrictEquals(calls.length, 3);
  assertStrictEquals(reader.data, undefined);
  assert(reader.isMissing);
  await go(calls[2], { id: "1" });
  assertStrictEquals(reader.data.title, "a");
  reader.stop();
});
test("rule 16: after a soft error (503) the old data are shown, after a hard one (404) the error", async () => {
  const { R, c, calls, go } = wired();
  const reader = mount(c, R.get, { id: "1" });
  await go(calls[0], { id: "1" });
  const fail = async (status: number) => {
    c.expire(R.get, { id: "1" });
    calls.at(-1).fail(Object.assign(new NetworkError(602), { status }));
    await tick();
  };
  await fail(503);
  assertStrictEquals(reader.error, undefined);
  assert(reader.data);
  await fail(404);
  assertStrictEquals(reader.error.status, 404);
  reader.stop();
});
test("rule 17: a detail is served from a stored record that has all declared members, if the call names only its pk", async () => {
  const { R, c, calls, go } = wired();
  mount(c, R.getList);
  await go(calls[0], [{ id: "1", title: "a" }, {
    id: "2",
    title: "b",
    done: false,
    userId: "u",
    user: null,
    at: "2020-01-01",
    tags: [],
  }]);
  const whole = mount(c, R.get, { id: "2" });
  assertStrictEquals(whole.data.title, "b");
  assertStrictEquals(calls.length, 1);
  c.expire(R.get, { id: "2" });
  assertStrictEquals(calls.length, 2);
  const part = mount(c, R.get, { id: "1" });
  assert(part.isMissing && part.data === undefined);
  assertStrictEquals(calls.length, 3);
  assert(c.get(Todo, "1"));
  for (
    const [endpoint, args] of [[R.get, { id: "2", lang: "de" }], [R.get.extend({ path: "/todos/:id/draft" }), {
      id: "2",
    }], [R.get.extend({ path: "/todos/:id/x", method: "POST", sideEffect: false }), { id: "2" }]] as any
  ) assertStrictEquals(c.getResponse(endpoint, args).data, undefined);
  assert(c.getResponse(R.get.extend({ path: "/todos/:id/" }), { id: "2", lang: undefined }).data);
});
test("rule 18: one key with two schemas is two answers", () => {
  const { R, c } = wired(createResource);
  const other = R.getList.extend({ schema: { results: [Todo] } });
  c.setResponse(R.getList, [{ id: "1" }]);
  c.setResponse(other, { results: [] });
  assertStrictEquals(c.getResponse(R.getList).data.length, 1);
  assertEquals(c.getResponse(other).data, { results: [] });
});
class Item extends Entity {
  id = "";
  title = "";
  list = "";
  static override key = "Item";
}
test("with `invalidIfStale` stale data are hidden, and fetched again", async () => {
  let n = 0;
  const get: any = new Endpoint(async () => ({ id: "1", title: `${++n}` }), {
      name: "inv",
      schema: Item,
      invalidIfStale: true,
      dataExpiryLength: 5,
    }),
    c: any = new Controller();
  await c.fetch(get);
  await tick(10);
  const reader = new Reader(c, () => {});
  reader.follow(get, []);
  assertStrictEquals(reader.data, undefined);
  assert(reader.isMissing);
  await tick();
  assertStrictEquals(n, 2);
  reader.stop();
});
