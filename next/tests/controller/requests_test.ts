// deno-lint-ignore-file no-explicit-any
import { isEnding } from "@rejoin/data";
import { assertEquals, assertStrictEquals } from "@std/assert";
import { assertRejected } from "../support/rejected.ts";
import { mount, test, tick, Todo, wired } from "../support/wired.ts";

test("rule 32: equal reads are one request; mutations never join; aborted when nothing reads it", async () => {
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
  await assertRejected(p, isEnding);
  assertStrictEquals(c.getError(R.get, { id: "3" }), undefined);
});
test("rule 35: arguments and bodies are values", async () => {
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
test("rule 36: fetch resolves after its commit with the value as the store reads it", async () => {
  const { R, c, calls, go } = wired();
  const p = c.fetch(R.get, { id: "1" });
  await go(calls[0], { id: "1" });
  assertStrictEquals(await p, c.get(Todo, "1"));
  const q = c.fetch(R.create, { title: "x" });
  await go(calls[1], { id: "2" });
  assertStrictEquals(await q, c.get(Todo, "2"));
});
