// deno-lint-ignore-file no-explicit-any require-await
import { Collection, Controller, createResource, Entity, resource, RestEndpoint } from "@rejoin/data";
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { fresh, ids, idsOf, test, Todo, urlPrefix, wired, wiredFilms } from "../support/wired.ts";

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
  const w = wired();
  p = w.c.fetch(w.R.getList);
  await go(w.calls[0], results("1"));
  await p;
  p = w.c.fetch(w.R.getList.getPage, { cursor: 2 });
  await go(w.calls[1], results("2"));
  await p;
  assertEquals(ids(w.c.getResponse(w.R.getList).data), ["1", "2"]);
  p = w.c.fetch(w.R.getList);
  await go(w.calls[2], results("0"));
  await p;
  assertEquals(ids(w.c.getResponse(w.R.getList).data), ["0", "2"]);
});
test("rule 24: a mutation that replies with a list writes the list of its params, and not one of its body", async () => {
  const { R, c, calls, go, fetch } = wiredFilms(),
    sort: any = new RestEndpoint(
      { urlPrefix, path: "/films/sort", method: "POST", schema: R.getList.schema, fetch } as any,
    );
  c.setResponse(R.getList, [{ id: "1" }, { id: "2" }]);
  c.setResponse(R.getList, { genre: "x" }, [{ id: "1" }]);
  let p = c.fetch(sort, { genre: "x" });
  await go(calls[0], [{ id: "2" }, { id: "1" }]);
  await p;
  assertStrictEquals(idsOf(c.getResponse(R.getList).data), "2,1");
  assertStrictEquals(idsOf(c.getResponse(R.getList, { genre: "x" }).data), "1");
  p = c.fetch(sort, { genre: "x" }, {});
  await go(calls[1], [{ id: "2" }]);
  await p;
  assertStrictEquals(idsOf(c.getResponse(R.getList, { genre: "x" }).data), "2");
  assertStrictEquals(idsOf(c.get(R.getList.schema, { genre: "x" })), "2");
});
for (const displayArgs of [["size"], ["size", "sort"]]) {
  test(`rule 25: a created item joins no list with one of displayArgs ${displayArgs}; an edit expires lists sorted by its member`, async () => {
    const { R, c, calls, go } = wiredFilms(resource, { displayArgs });
    for (const args of [{ year: 1 }, { year: 1, size: 5 }, { sort: "-title" }]) {
      c.setResponse(R.getList, args, [{ id: "0", year: 1 }]);
    }
    let p = c.fetch(R.create, { year: 1 });
    await go(calls[0], { id: "1", year: 1 });
    await p;
    assertEquals([
      idsOf(c.getResponse(R.getList, { year: 1 }).data),
      fresh(c, R.getList, { year: 1 }),
      idsOf(c.getResponse(R.getList, { year: 1, size: 5 }).data),
      fresh(c, R.getList, { year: 1, size: 5 }),
    ], ["0,1", true, "0", false]);
    c.setResponse(R.getList, { sort: "-title" }, [{ id: "0" }]);
    p = c.fetch(R.partialUpdate, { id: "0" }, { genre: "g" });
    await go(calls[1], { id: "0", genre: "g" });
    await p;
    assert(fresh(c, R.getList, { sort: "-title" }));
    p = c.fetch(R.partialUpdate, { id: "0" }, { title: "t" });
    await go(calls[2], { id: "0", title: "t" });
    await p;
    assert(!fresh(c, R.getList, { sort: "-title" }));
  });
}
class Item extends Entity {
  id = "";
  title = "";
  list = "";
  static override key = "Item";
}
test("rule 25: a created item joins a list in an envelope, whose other members stay", async () => {
  let reply: any;
  const R: any = resource(
      {
        path: "/items/:id",
        schema: Item,
        optimistic: true,
        list: (items: any) => ({ results: items, total: 0 }),
        fetch: async () => reply,
      } as any,
    ),
    c: any = new Controller();
  reply = { results: [{ id: "1" }], total: 1 };
  await c.fetch(R.getList);
  reply = { id: "2", title: "n" };
  const p = c.fetch(R.create, { title: "n" });
  assertStrictEquals(c.getResponse(R.getList).data.results.length, 2);
  await p;
  assertEquals(ids(c.getResponse(R.getList).data.results), ["1", "2"]);
  assertStrictEquals(c.getResponse(R.getList).data.total, 1);
});
