/** Rules 24 to 26: how lists are named, and which of them a mutation changes or expires. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { All, Controller, createResource, Endpoint, Entity, Query, resource, schema } from "@rejoin/data";

class Film extends Entity {
  id = "";
  title = "";
  genre = "";
  year = 0;
  static key = "Film";
}
const base = resource({
  path: "/films/:id",
  schema: Film,
  paginationField: "cursor",
  displayArgs: ["view"],
  filters: { since: (film: Film, value: string) => film.year >= Number(value) },
});
const reply = (endpoint: any, value: unknown): any => endpoint.extend({ fetch: () => Promise.resolve(value) });

/** A store with some lists. `shown` gives the ids of each, followed by `*` if the list is stale. */
function storeWith(lists: readonly [args: object, rows: readonly object[]][]) {
  const controller = new Controller();
  for (const [args, rows] of lists) controller.setResponse(base.getList, args as never, rows as never);
  const shown = () =>
    lists.map(([args]) => {
      const { data, expiresAt } = controller.getResponse(base.getList, args as never) as any;
      return data.map(({ id }: Film) => id).join("") + (expiresAt > 0 ? "" : "*");
    });
  const send = (endpoint: any, value: unknown, ...args: any[]) => controller.fetch(reply(endpoint, value), ...args);
  return { controller, shown, send };
}
const a = { id: "a", genre: "x", year: 1, title: "A" }, b = { id: "b", genre: "y", year: 2, title: "B" };

Deno.test("rule 25: a created item joins lists whose arguments it equals, leaves filtered lists as they are, and expires the rest", async () => {
  const { shown, send } = storeWith([
    [{}, [a, b]],
    [{ genre: "x" }, [a]],
    [{ genre: "y" }, [b]],
    [{ genre: "y", q: "b" }, [b]],
    [{ genre: "x", q: "a" }, [a]],
    [{ since: 2 }, [b]],
    [{ since: 1 }, [a, b]],
    [{ genre: "x", view: "grid" }, [a]],
    [{ sort: "title" }, [a, b]],
    [{ genre: "z" }, []],
  ]);
  const c = { id: "c", genre: "x", year: 1 };
  await send(base.create, c, { genre: "x", year: 1 });
  assertEquals(shown(), ["abc", "ac", "b", "b", "a*", "b", "abc", "a*", "ab*", "*"]);
});

Deno.test("rule 25: an answer without a list, `null` or an error, is asked for again after a create", async () => {
  const { controller, send } = storeWith([[{}, null!]]);
  controller.setError(base.getList, { q: "a" }, new Error());
  await send(base.create, a, {});
  for (const args of [{}, { q: "a" }]) assertEquals(controller.getResponse(base.getList, args).expiresAt, 0);
});

Deno.test("rules 6, 25: a list with a `null` among its items lets edits and creates work", async () => {
  const { controller, send } = storeWith([[{ genre: "x" }, [a, null!]]]);
  await send(base.partialUpdate, { ...a, title: "B" }, { id: "a" }, { title: "B" });
  assertEquals(controller.get(Film, "a")!.title, "B");
  await send(base.create, { ...b, genre: "x" }, { genre: "x" });
  assertEquals(controller.getResponse(base.getList, { genre: "x" } as never).expiresAt, 0);
});
Deno.test("rule 25: an argument that not every item of the list equals is no filter, so a create expires the list", async () => {
  const { shown, send } = storeWith([[{ title: "A" }, [a, b]], [{ title: "B" }, [b]]]);
  await send(base.create, { id: "c", title: "C" }, { title: "C" });
  assertEquals(shown(), ["ab*", "b"]);
});

Deno.test("rule 25: an argument is a filter by the items that the list has now; an empty list expires on create", async () => {
  const { controller, shown, send } = storeWith([[{ genre: "x" }, [a]]]);
  await send(base.create, b, { genre: "y" });
  assertEquals(shown(), ["a"]);
  await send(base.delete, { id: "a" }, { id: "a" });
  await send(base.create, { ...b, id: "c" }, { genre: "y" });
  assertEquals(shown(), ["*"]);
  controller.setResponse(base.getList, { genre: "x" } as never, [b] as never);
  await send(base.create, { ...b, id: "d" }, { genre: "y" });
  assertEquals(shown(), ["b*"]);
});

Deno.test("rule 25: an edit expires lists that filter by the member, sort by it, or have an argument that is no filter", async () => {
  const lists: [object, object[]][] = [
    [{}, [a, b]],
    [{ genre: "x" }, [a]],
    [{ year: 2 }, [b]],
    [{ sort: "-year,title" }, [a, b]],
    [{ order_by: "genre desc" }, [a, b]],
    [{ q: "a" }, [a]],
    [{ since: 1 }, [a, b]],
    [{ since: 2 }, [b]],
  ];
  const title = storeWith(lists);
  await title.send(base.partialUpdate, { ...a, title: "N" }, { id: "a" }, { title: "N" });
  assertEquals(title.shown(), ["ab", "a", "b", "ab*", "ab*", "a*", "ab", "b"]);
  const year = storeWith(lists);
  await year.send(base.partialUpdate, { ...a, year: 5 }, { id: "a" }, { year: 5 });
  assertEquals(year.shown(), ["ab", "a", "b*", "ab*", "ab*", "a*", "ab", "b*"]);
});

Deno.test("rule 12: controller.set expires lists that filter by the member, but no searches", () => {
  const { controller, shown } = storeWith([[{ genre: "x" }, [a]], [{ q: "a" }, [a]], [{ year: 1 }, [a]]]);
  controller.set(Film, { id: "a" }, { genre: "z" });
  assertEquals(shown(), ["a*", "a", "a"]);
});

Deno.test("rule 25: a deleted item leaves every list, and lists with an argument in displayArgs expire", async () => {
  const { shown, send } = storeWith([[{}, [a, b]], [{ q: "a" }, [a]], [{ view: "grid" }, [b]]]);
  await send(base.delete, { id: "a" }, { id: "a" });
  assertEquals(shown(), ["b", "", "b*"]);
});

Deno.test("rule 25: a create expires lists of other resources of the class, unless a filter differs from the item", async () => {
  const { controller, send } = storeWith([]);
  const other = resource({ path: "/best/:id", schema: Film });
  for (const args of [{}, { genre: "x" }, { genre: "y" }]) {
    controller.setResponse(
      other.getList,
      args as never,
      [a, b].filter(({ genre }) => genre === (args.genre ?? genre)) as never,
    );
  }
  await send(base.create, { id: "c", genre: "x" }, { genre: "x" });
  const isFresh = (args: object) => controller.getResponse(other.getList, args as never).expiresAt > 0;
  assertEquals([isFresh({}), isFresh({ genre: "x" }), isFresh({ genre: "y" })], [false, false, true]);
  assertEquals(controller.getResponse(other.getList, {} as never).data?.length, 2);
});

Deno.test("rule 25: in envelopes, too, a create leaves a filtered list as it is and expires a search", async () => {
  const { controller, send } = storeWith([]);
  const paged = base.getList.extend({ schema: { results: base.getList.schema, total: 0 } } as never) as any;
  controller.setResponse(paged, { genre: "y" }, { results: [b], total: 1 } as never);
  controller.setResponse(paged, { q: "a" }, { results: [a], total: 1 } as never);
  await send(base.create, { id: "c", genre: "x" }, { genre: "x" });
  const isFresh = (args: object) => controller.getResponse(paged, args as never).expiresAt > 0;
  assertEquals([isFresh({ genre: "y" }), isFresh({ q: "a" })], [true, false]);
});

Deno.test("rule 24: two lists in one reply with the same Collection are two lists", () => {
  const controller = new Controller(), list = new schema.Collection([Film]);
  const both: any = new Endpoint(
    () => Promise.resolve({}),
    { name: "both", schema: { open: list, done: list } } as never,
  );
  controller.setResponse(both, { open: [a], done: [b] } as never);
  const { open, done } = controller.getResponse(both).data;
  assertEquals([open[0].id, done[0].id], ["a", "b"]);
});

Deno.test("rules 2, 24: lists in records without a pk stay apart, and their items can be edited", async () => {
  class Shelf extends Entity {
    id = "";
    films: Film[] = [];
    static override schema = { films: new schema.Collection([Film]) };
  }
  const { controller, send } = storeWith([]);
  const shelves: Shelf[] = await send(base.create.extend({ schema: [Shelf] }), [{ films: [a] }, { films: [b] }], []);
  assertEquals(shelves.map(({ films }) => films.map(({ id }) => id)), [["a"], ["b"]]);
  await send(base.partialUpdate, { ...b, title: "C" }, { id: "b" }, { title: "C" });
  assertEquals(controller.get(Film, "b")!.title, "C");
});
Deno.test("a reader of a list that is not there yet is told when the list arrives", () => {
  const controller = new Controller(), list = base.getList.schema;
  assertEquals(controller.get(list, { genre: "x" }), undefined);
  const answer = controller.store.nodeOf(list, [{ genre: "x" }])!;
  let told = 0;
  answer.watcher = { tell: () => void told++, watcher: undefined };
  controller.setResponse(base.getList, { genre: "x" } as never, [a] as never);
  assertEquals([told, controller.get(list, { genre: "x" })?.[0]?.id], [1, "a"]);
});
Deno.test("rule 14: a commit that fails leaves the readers of a list that is not there yet to the next one", () => {
  const controller = new Controller(), list = base.getList.schema, args = { genre: "x" };
  controller.get(list, args);
  const node = controller.store.nodeOf(list, [args])!;
  const both = base.getList.extend({ schema: { list, film: Film } });
  assertThrows(() => controller.setResponse(both, args as never, { list: [a], film: [] } as never));
  assert(!node.isDirty);
});

Deno.test("rules 26, 27: an item of a page that was removed is not back after a refetch", async () => {
  const { controller, shown, send } = storeWith([[{}, [a]]]), c = { ...a, id: "c" };
  await send(base.getList.getPage, [b, c], { cursor: 2 });
  controller.set(base.getList.remove.schema, b as never);
  await send(base.getList, [a], {});
  assertEquals(shown(), ["ac"]);
});
Deno.test("rule 27: a page that comes before the first reply makes no list fresh", async () => {
  for (const { getList } of [base, createResource({ path: "/films/:id", schema: Film }) as any]) {
    const controller = new Controller();
    await controller.fetch(reply(getList.getPage, [b]), { cursor: 2 });
    assertEquals(controller.getResponse(getList).expiresAt, 0);
  }
});
Deno.test("rule 26: a push to the list of one record, or an edit of its item, leaves records with an empty list fresh", async () => {
  class Vote extends Entity {
    id = "";
    film = "";
    static override key = "Vote";
  }
  const votes = new schema.Collection([Vote], { nestKey: ({ id }: any) => ({ film: id }) });
  class Voted extends Film {
    votes: Vote[] = [];
    static override schema = { votes };
  }
  const getFilms: any = new Endpoint(() => Promise.resolve([]), { name: "films", schema: [Voted] });
  const { getList: { push }, partialUpdate } = resource({ path: "/votes/:id", schema: Vote }),
    controller = new Controller();
  controller.setResponse(getFilms, [{ ...a, votes: [] }, { ...b, votes: [] }]);
  await controller.fetch(reply(push.extend({ schema: votes.push }), { id: "v", film: "a" }), { film: "a" });
  await controller.fetch(reply(partialUpdate, { id: "v", film: "a", n: 1 }), { id: "v" }, { n: 1 });
  const { data, expiresAt } = controller.getResponse(getFilms);
  assertEquals([data.map(({ votes }: any) => votes.length), expiresAt > 0], [[1, 0], true]);
});
Deno.test("rule 25: an edit that a stream echoes before its reply expires searches", async () => {
  const { controller, shown } = storeWith([[{ q: "a" }, [a]]]);
  const edit = controller.fetch(reply(base.partialUpdate, { ...a, title: "B" }), { id: "a" }, { title: "B" });
  controller.set(Film, { id: "a" }, { title: "B" });
  await edit;
  assertEquals(shown(), ["a*"]);
});
Deno.test("rule 25: an edit that changes nothing expires no list", async () => {
  const { shown, send } = storeWith([[{ genre: "x" }, [a]]]);
  await send(base.partialUpdate, a, { id: "a" }, { genre: "x" });
  assertEquals(shown(), ["a"]);
});
Deno.test("rule 25: an edit whose value a read has brought before expires the lists that name it", async () => {
  const { controller, shown } = storeWith([[{ genre: "x" }, [a]]]);
  const edit = controller.fetch(
    base.partialUpdate.extend({ fetch: () => Promise.resolve({ ...a, genre: "y" }) } as any),
    { id: "a" },
    { genre: "y" },
  );
  controller.setResponse(base.getList, [{ ...a, genre: "y" }] as never);
  await edit;
  assertEquals(shown(), ["a*"]);
});
Deno.test("rules 6, 25: null differs from every value of a filter", async () => {
  const { shown, send } = storeWith([[{ genre: "x" }, [a]]]);
  await send(base.create, { id: "n", genre: null, title: "N" }, { title: "N" });
  assertEquals(shown(), ["a"]);
});
Deno.test("rule 26: a Collection of Values gets items by assign under their names, and loses them by remove", async () => {
  const controller = new Controller(), films = new schema.Collection(new schema.Values(Film));
  const get: any = new Endpoint(() => Promise.resolve({}), { name: "byName", schema: films } as never);
  const change = (verb: "assign" | "remove", value: unknown): any =>
    new Endpoint(() => Promise.resolve(value), { name: verb, schema: films[verb], sideEffect: true } as never);
  controller.setResponse(get, { one: a } as never);
  await controller.fetch(change("assign", { two: b }));
  assertEquals(Object.keys(controller.getResponse(get).data), ["one", "two"]);
  await controller.fetch(change("remove", { one: a }));
  assertEquals(Object.keys(controller.getResponse(get).data), ["two"]);
});

Deno.test("rule 25: in a list of a union, a deleted record leaves, and one of another class with the same pk stays", async () => {
  class Note extends Entity {
    id = "";
    static key = "Note";
  }
  const controller = new Controller();
  const item = new schema.Union({ film: Film, note: Note }, "type"), feed = new schema.Collection([item]);
  const get: any = new Endpoint(() => Promise.resolve([]), { name: "feed", schema: feed } as never);
  controller.setResponse(get, [{ type: "film", id: "1" }, { type: "note", id: "1" }] as never);
  await controller.fetch(
    new Endpoint(() => Promise.resolve({ id: "1" }), {
      name: "gone",
      schema: new schema.Invalidate(Note),
      sideEffect: true,
    }),
  );
  assertEquals(controller.getResponse(get).data.map((one: Entity) => one.constructor), [Film]);
});

Deno.test("rule 28: a Query of an object is undefined until one of its members is there", () => {
  const controller = new Controller(), all = new All(Film);
  const count = new Query({ film: Film, all }, ({ all }: any, _args: { id: string }) => all.length);
  assertEquals(controller.get(count, { id: "9" }), undefined);
  for (const id of ["one", "late", "two"]) controller.set(Film, { id }, { title: id });
  assertEquals(controller.get(count, { id: "one" }), 3);
  assertEquals(controller.get(count, { id: "9" }), 3);
});
