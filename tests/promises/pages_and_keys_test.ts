// deno-lint-ignore-file no-explicit-any -- answers of any form
/** Rule 27 and its neighbours: what pages add to a list, and what it keeps. */
import { Controller, Endpoint, Entity, resource, schema } from "@rejoin/data";
import { assertEquals } from "@std/assert";
import { ids, mount, test, tick, wired } from "../support/wired.ts";

/** A paginated list, and a call that is answered at once. */
function paged(of: any) {
  const one = wired(resource, { paginationField: "page", schema: of }), { R, c, calls, go } = one;
  const ask = async (endpoint: any, args: object, reply: unknown) => {
    const call = c.fetch(endpoint, args);
    await go(calls.at(-1), reply);
    await call;
  };
  const { getList } = R;
  return {
    ...one,
    getList,
    base: (rows: unknown) => ask(getList, {}, rows),
    page: (rows: unknown) => ask(getList.getPage, { page: 2 }, rows),
  };
}
class Film extends Entity {
  id = "";
  static override key = "Film";
}
test("rule 27: an item that was removed and that a page brings again is there once", async () => {
  const { c, getList, base, page } = paged(Film), shown = () => ids(c.getResponse(getList, {}).data);
  await base([{ id: "1" }]);
  await page([{ id: "2" }]);
  c.set(getList.remove.schema, { id: "2" });
  await page([{ id: "2" }]);
  await base([{ id: "1" }]);
  assertEquals(shown(), ["1", "2"]);
});
test("rule 27: a created item that a page has, too, stays when the list is read again", async () => {
  const { R, c, getList, base, page } = paged(Film);
  await base([{ id: "1" }]);
  c.setResponse(R.create, {}, { id: "2" });
  await page([{ id: "2" }]);
  await base([{ id: "1" }]);
  assertEquals(ids(c.getResponse(getList, {}).data), ["1", "2"]);
});
test("rule 27: a set of the whole list takes out what a page added", async () => {
  const { c, getList, base, page } = paged(Film);
  await base([{ id: "1" }, { id: "2" }]);
  await page([{ id: "3" }]);
  c.set(getList.schema, {}, (films: Film[]) => films.filter(({ id }) => id === "2"));
  assertEquals(ids(c.getResponse(getList, {}).data), ["2"]);
});
test("rule 11: a reply of the list counts though a page that was asked for later came before it", async () => {
  const { c, calls, go, getList, base, page } = paged(Film);
  await base([{ id: "1" }, { id: "2" }]);
  const again = c.fetch(getList, {}), older = calls.at(-1);
  await page([]);
  await go(older, [{ id: "1" }]);
  await again;
  assertEquals(ids(c.getResponse(getList, {}).data), ["1"]);
});
test("the error of a page goes when the page is asked for again and comes", async () => {
  const { c, calls, refuse, getList, base, page } = paged(Film),
    status = () => c.getError(getList.getPage, { page: 2 })?.status;
  await base([{ id: "1" }]);
  c.fetch(getList.getPage, { page: 2 }).catch(() => {});
  await refuse(calls.at(-1), 422);
  assertEquals(status(), 422);
  await page([{ id: "2" }]);
  assertEquals(status(), undefined);
});
test("rule 27: items of a page that came before the first reply stay", async () => {
  const { c, getList, base, page } = paged(Film);
  await page([{ id: "2" }]);
  await base([{ id: "1" }]);
  assertEquals(ids(c.getResponse(getList, {}).data), ["1", "2"]);
});
test("rule 27: in a list of a union what a page added stays, also after it was on the first page", async () => {
  const { c, getList, base, page } = paged(new schema.Union({ film: Film }, "type"));
  const film = (id: string) => ({ type: "film", id });
  await base([film("1")]);
  await page([film("2")]);
  await base([film("2")]);
  await base([film("3")]);
  assertEquals(ids(c.getResponse(getList, {}).data), ["3", "2"]);
});
test("rule 27: a list inside a record of a page is as the server says", async () => {
  class Cast extends Film {
    films: Film[] = [];
    static override schema = { films: new schema.Collection([Film]) };
    static override key = "Cast";
  }
  const { c, base, page } = paged(Cast);
  await base([]);
  await page([{ id: "2", films: [{ id: "x" }, { id: "y" }] }]);
  await page([{ id: "2", films: [{ id: "y" }] }]);
  assertEquals(ids(c.get(Cast, "2").films), ["y"]);
});
test("rule 15: an answer without schema that becomes undefined is asked for once", async () => {
  const controller = new Controller(), replies = [5, undefined];
  let asked = 0;
  const get = new Endpoint(async () => await Promise.resolve(replies[asked++]), { name: "get" });
  const reader = mount(controller, get);
  await tick();
  controller.expire(get);
  await tick();
  assertEquals(asked, 2);
  reader.stop();
});
test("rule 18: a key may leave an argument out; a new reader sends the newest", async () => {
  const controller = new Controller(), sent: string[] = [];
  const get = new Endpoint(async ({ id, token }: { id: string; token: string }) => {
    sent.push(token);
    return await Promise.resolve({ id });
  }, { name: "get", key: ({ id }) => `get ${id}`, dataExpiryLength: 0 });
  for (const token of ["a", "b"]) {
    const reader = mount(controller, get, { id: "1", token });
    await tick();
    reader.stop();
    await tick();
  }
  assertEquals(sent, ["a", "b"]);
});
test("set by a text gives the record that pk as its id, whatever pk() makes of it", () => {
  class Item extends Entity {
    id = "";
    static override key = "Item";
    override pk() {
      return `item-${this.id}`;
    }
  }
  const controller = new Controller();
  controller.set(Item, "5", {});
  assertEquals(controller.get(Item, "item-5")?.id, "5");
});
test("rule 26: a removal leaves a list by names the same object if it lacks the item", () => {
  const list: any = new schema.Collection(new schema.Values(Film)), controller: any = new Controller();
  const get: any = new Endpoint(async () => await Promise.resolve({}), { name: "by name", schema: list });
  const read = (shelf: number) => controller.getResponse(get, { shelf }).data;
  controller.setResponse(get, { shelf: 1 }, { a: { id: "1" } });
  controller.setResponse(get, { shelf: 2 }, { b: { id: "2" } });
  const before = read(2);
  controller.set(list.remove, { id: "1" });
  assertEquals([read(1), read(2) === before], [{}, true]);
});
