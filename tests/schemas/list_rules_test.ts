// deno-lint-ignore-file no-explicit-any require-await
import { Collection, createResource, Entity } from "@rejoin/data";
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { fresh, ids, test, Todo, wired } from "../support/wired.ts";

test("rule 26: unshift, move and remove change the lists that their arguments name; nestKey names a nested list", async () => {
  const { R, c, calls, go } = wired();
  c.setResponse(R.getList, { userId: "1" }, [{ id: "1", userId: "1" }]);
  c.setResponse(R.getList, { userId: "2" }, []);
  const at = (userId: string) => ids(c.getResponse(R.getList, { userId }).data).join();
  let p = c.fetch(R.getList.unshift, { userId: "1", title: "n" });
  assertStrictEquals(calls[0].name, "unshift");
  await go(calls[0], { id: "2", userId: "1" });
  await p;
  assertStrictEquals(at("1"), "2,1");
  p = c.fetch(R.getList.move, { id: "1" }, { userId: "2" });
  await go(calls[1], { id: "1", userId: "2" });
  await p;
  assertEquals([at("1"), at("2")], ["2", "1"]);
  p = c.fetch(R.getList.remove, { userId: "2" }, { id: "1" });
  await go(calls[2], { id: "1" });
  await p;
  assertStrictEquals(at("2"), "");
  assert(c.get(Todo, "1"));
  class Owner extends Entity {
    id = "";
    todos: any = [];
    static override key = "Owner";
    static override schema: any = { todos: new Collection([Todo], { nestKey: ({ id }: any) => ({ userId: id }) }) };
  }
  c.set(Owner, "5", { id: "5", todos: [{ id: "7", userId: "5" }] });
  assertEquals(ids(c.get(Owner, "5").todos), ["7"]);
  assertStrictEquals(c.get(Owner.schema.todos, { userId: "5" }), c.get(Owner, "5").todos);
});
test("rule 25: an edit of a record that was never read expires the lists that name a member which was sent", async () => {
  const { R, c, calls, go } = wired();
  c.setResponse(R.getList, { userId: "1" }, [{ id: "1", userId: "1" }]);
  c.setResponse(R.getList, {}, [{ id: "1", userId: "1" }]);
  const saving = c.fetch(R.partialUpdate, { id: "9" }, { userId: "1" });
  await go(calls[0], { id: "9", userId: "1", title: "n" });
  await saving;
  assertEquals([fresh(c, R.getList, { userId: "1" }), fresh(c, R.getList, {})], [false, true]);
});
test("rules 12, 25: a message through a verb joins the lists that it matches, and expires none", async () => {
  const { R, c } = wired();
  for (const args of [{}, { userId: "1" }, { q: "x" }]) c.setResponse(R.getList, args, [{ id: "1", userId: "1" }]);
  c.set(R.getList.unshift.schema, {}, { id: "2", userId: "1", title: "new" });
  const read = (args: object) => [ids(c.getResponse(R.getList, args).data).join(), fresh(c, R.getList, args)];
  assertEquals([read({}), read({ userId: "1" }), read({ q: "x" })], [["2,1", true], ["2,1", true], ["1", true]]);
});
test("rule 27: a page appends each item once and replaces the other members; a refetch of the base keeps added items", async () => {
  const { c, calls, go, R } = wired(createResource);
  const base = R.getList.extend({ schema: { results: [Todo], cursor: "" } }), next = base.paginated("cursor");
  const results = (...x: string[]) => x.map((id) => ({ id }));
  let p = c.fetch(base);
  await go(calls[0], { results: results("1", "2"), cursor: "a" });
  await p;
  p = c.fetch(next, { cursor: "a" });
  await go(calls[1], { results: results("2", "3"), cursor: "b" });
  assertEquals(ids((await p).results), ["2", "3"]);
  const data = () => c.getResponse(base).data;
  assertEquals([ids(data().results), data().cursor], [["1", "2", "3"], "b"]);
  p = c.fetch(base);
  await go(calls[2], { results: results("0", "1"), cursor: "a" });
  await p;
  assertEquals(ids(data().results), ["0", "1", "2", "3"]);
});
