import { assert, assertEquals } from "@std/assert";
import { Controller, createResource, Entity, Query, resource, RestEndpoint, schema } from "@rejoin/data";

class Film extends Entity {
  id = "";
  title = "";
  static key = "Film";
}
class Series extends Entity {
  id = "";
  static key = "Series";
}

const rows = (...ids: string[]) => ids.map((id) => ({ id, title: `Film ${id}`, kind: "film" }));
const union = new schema.Union({ film: Film, series: Series }, "kind");

/** Every way to declare a list that comes in pages: what it is sent as, and how its ids are read. */
const FORMS: readonly (readonly [name: string, declared: unknown, send: (ids: string[]) => unknown])[] = [
  ["an array", [Film], (ids) => rows(...ids)],
  ["an array of a union", [union], (ids) => rows(...ids)],
  ["schema.Array", new schema.Array(Film), (ids) => rows(...ids)],
  ["a literal", { results: [Film], next: 0 }, (ids) => ({ results: rows(...ids) })],
  ["schema.Object", new schema.Object({ results: [Film] }), (ids) => ({ results: rows(...ids) })],
  [
    "schema.Object in a literal",
    { data: new schema.Object({ results: [Film] }), page: 0 },
    (ids) => ({ data: { results: rows(...ids) } }),
  ],
  ["a Collection", new schema.Collection([Film]), (ids) => rows(...ids)],
  [
    "a Collection in schema.Object",
    new schema.Object({ results: new schema.Collection([Film]) }),
    (ids) => ({ results: rows(...ids) }),
  ],
  [
    "a Collection in schema.Object in a literal",
    { data: new schema.Object({ results: new schema.Collection([Film]) }) },
    (ids) => ({ data: { results: rows(...ids) } }),
  ],
  ["a Query of a Collection", new Query(new schema.Collection([Film]), (films) => [...films]), (ids) => rows(...ids)],
];

function idsOf(data: unknown): string {
  if (Array.isArray(data)) return data.map(({ id }) => id).join();
  const inner = data as { results?: unknown; data?: unknown } | undefined;
  return inner === undefined ? "" : idsOf(inner.results ?? inner.data);
}

for (const [name, declared, send] of FORMS) {
  Deno.test(`13.A6 13.E3 pages over ${name}: a row that moved on is not missing in what is fresh`, () => {
    for (const paginate of ["page", ({ page: _, ...params }: { page: number }) => [params]] as const) {
      const getList = new RestEndpoint({
        path: "/films",
        searchParams: {} as { page?: number } | undefined,
        schema: declared as [typeof Film],
      });
      const getPage = getList.paginated(paginate as "page");
      using controller = new Controller();
      const say = (page: number, ...ids: string[]) =>
        page === 1
          ? controller.setResponse(getList, {}, send(ids) as never)
          : controller.setResponse(getPage, { page }, send(ids) as never);
      const read = () => controller.getResponse(getList, {});
      const isFresh = () => read().expiresAt > Date.now();
      say(1, "1", "2");
      say(2, "3", "4");
      say(3, "5", "6");
      assertEquals([idsOf(read().data), isFresh()], ["1,2,3,4,5,6", true]);
      // The same again, also in another order.
      say(1, "2", "1");
      assertEquals([idsOf(read().data), isFresh()], ["2,1,3,4,5,6", true]);
      // Somebody has inserted one: the second is on page 2 now, which nobody has asked for again.
      say(1, "new", "1");
      assertEquals([idsOf(read().data), isFresh()], ["new,1,3,4,5,6", false]);
      say(1, "new", "1");
      assertEquals(isFresh(), false, "as long as nobody does");
      say(2, "2", "3");
      assertEquals(isFresh(), false, "nor for page 3");
      say(3, "4", "5");
      assertEquals([idsOf(read().data), isFresh()], ["new,1,2,3,4,5", true]);
      // Somebody has deleted one: what comes from page 2 is there, nothing is missing between.
      controller.set(new schema.Invalidate(Film), "new");
      say(1, "1", "2");
      say(2, "3", "4");
      say(3, "5");
      assertEquals([idsOf(read().data), isFresh()], ["1,2,3,4,5", true]);
    }
  });
}

Deno.test("13.A6 a page number that equals a pk says nothing about what follows", () => {
  for (const declared of [[Film], { results: [Film], total: 0 }]) {
    const getList = new RestEndpoint({ path: "/films", schema: declared as [typeof Film] });
    const getPage = getList.paginated("page");
    const send = (...ids: string[]) => Array.isArray(declared) ? rows(...ids) : { results: rows(...ids), total: 2 };
    using controller = new Controller();
    controller.setResponse(getList, {}, send("1", "2") as never);
    controller.setResponse(getPage, { page: 2 } as never, send("3", "4") as never);
    controller.set(new schema.Invalidate(Film), "2");
    controller.setResponse(getList, {}, send("1", "3") as never);
    assertEquals(idsOf(controller.getResponse(getList, {}).data), "1,3,4");
    assert(controller.getResponse(getList, {}).expiresAt > Date.now());
  }
});

Deno.test("13.A6 a first page that names no next number leaves the rest stale", () => {
  const getList = new RestEndpoint({
    path: "/films",
    schema: { results: [Film], next: 0 as number | null, pages: 0 },
  });
  const getPage = getList.paginated("page");
  using controller = new Controller();
  const isFresh = () => controller.getResponse(getList, {}).expiresAt > Date.now();
  controller.setResponse(getList, {}, { results: rows("1"), next: 2, pages: 2 });
  controller.setResponse(getPage, { page: 2 }, { results: rows("2"), next: null, pages: 2 });
  controller.setResponse(getList, {}, { results: rows("1"), next: 2, pages: 3 });
  assertEquals(isFresh(), true);
  controller.setResponse(getList, {}, { results: rows("1"), next: null, pages: 1 });
  assertEquals(isFresh(), false);
});

Deno.test("a first page that leads to a third place leaves the page of the second one stale, whatever stands between them", () => {
  const getList = createResource({ urlPrefix: "https://api.example", path: "/films/:id", schema: Film }).getList.extend(
    {
      schema: { films: [Film], next: "" as string | null },
    },
  );
  const getPage = getList.paginated((_: { cursor: string }) => []);
  using controller = new Controller();
  const first = (next: string) => controller.setResponse(getList, { films: [{ id: "1" }, { id: "2" }], next });
  const page = (cursor: string) =>
    controller.setResponse(getPage, { cursor }, { films: [{ id: "3" }, { id: "4" }], next: null });
  const isFresh = () => [
    controller.getResponse(getList).expiresAt > 0,
    ...["a", "b"].map((cursor) => controller.getResponse(getPage, { cursor }).expiresAt > 0),
  ];
  first("a");
  page("a");
  first("b");
  page("b");
  assertEquals(isFresh(), [false, false, true]);
  first("b");
  assertEquals(isFresh(), [false, false, true], "it leads there as before");
  first("c");
  assertEquals(isFresh(), [false, false, false]);
  page("a");
  assertEquals(isFresh(), [false, true, false]);
  page("b");
  assertEquals(isFresh(), [true, true, true]);
});

Deno.test("13.E3 the verbs of a list in schema.Object, and of a Query over one", () => {
  const films = new schema.Collection([Film]);
  const wrapped = new RestEndpoint({ path: "/films", schema: new schema.Object({ results: films, total: 0 }) });
  const nested = new RestEndpoint({ path: "/films", schema: { data: new schema.Object({ results: films }) } });
  const asked = new RestEndpoint({ path: "/films", schema: new Query(films, (all) => all.toReversed()) });
  for (const getList of [wrapped, nested, asked]) {
    using controller = new Controller();
    const first = getList === wrapped
      ? { results: rows("1"), total: 1 }
      : getList === nested
      ? { data: { results: rows("1") } }
      : rows("1");
    controller.setResponse(getList as typeof wrapped, {}, first as never);
    controller.setResponse(getList.push as typeof wrapped.push, { id: "2" } as never, { id: "2" } as never);
    const { data } = controller.getResponse(getList as typeof wrapped, {});
    assertEquals(idsOf(data).split(",").sort().join(), "1,2");
    const moved = getList.extend({ path: "/others" });
    assert(moved.push.path === "/others");
  }
});

Deno.test("13.E10 a Collection that is given to getList is the list that create changes", async () => {
  const own = new schema.Collection([Film], { argsKey: ({ group }: { group?: string } = {}) => ({ group }) });
  const fetch = async (...args: unknown[]) => await Promise.resolve({ ...args.at(-1) as object, id: "9" });
  const base = resource({ path: "/films/:id", schema: Film, fetch } as never) as unknown as ReturnType<
    typeof resource<"/films/:id", typeof Film>
  >;
  for (
    const films of [
      base.extend("getList", { schema: own }),
      base.extend({ getList: { schema: { results: own } } }),
    ] as unknown as (typeof base)[]
  ) {
    using controller = new Controller();
    controller.set(own, {}, rows("1"));
    await controller.fetch(films.create, { title: "new" });
    assertEquals(controller.get(own, {})?.map(({ id }) => id), ["1", "9"]);
    // The original stays.
    await controller.fetch(base.create, { title: "other" });
  }
  assert(base.extend("getList", { dataExpiryLength: 5 }).create === base.create);
});

Deno.test("13.E10 a Collection of items by name may be given to getList: what create makes has it asked again", async () => {
  const fetch = async (...args: unknown[]) => await Promise.resolve({ ...args.at(-1) as object, id: "9" });
  const base = resource({ path: "/films/:id", schema: Film, fetch } as never) as unknown as ReturnType<
    typeof resource<"/films/:id", typeof Film>
  >;
  const byName = new schema.Collection(new schema.Values(Film));
  const films = base.extend("getList", { schema: byName });
  using controller = new Controller();
  controller.setResponse(films.getList, {}, { a: { id: "1", title: "A" } });
  await controller.fetch(films.create as typeof base.create, { title: "new" });
  assertEquals(Object.keys(controller.getResponse(films.getList, {}).data!), ["a"]);
  assert(controller.getResponse(films.getList, {}).expiresAt <= Date.now());
  // And back to a list.
  const again = films.extend("getList", { schema: base.getList.schema });
  assert(again.getList.push.schema === base.getList.push.schema);
});

Deno.test("13.E10 options of a Collection may be members of its class", async () => {
  class Todo extends Entity {
    id = "";
    group = "";
    static key = "Todo";
  }
  class Viewed extends schema.Collection<(typeof Todo)[]> {
    nonFilterArgumentKeys(name: string): boolean {
      return name === "view";
    }
  }
  class Ours extends schema.Collection<(typeof Todo)[]> {
    createCollectionFilter(...args: readonly unknown[]) {
      const { group } = args[0] as { group?: string };
      return (list: { readonly [name: string]: string }) => list.group === group;
    }
  }
  using controller = new Controller();
  const make = async (list: schema.Collection<(typeof Todo)[]>, params: object) => {
    const push = new RestEndpoint({
      path: "/todos",
      method: "POST",
      body: {} as object,
      schema: list.push,
      fetch: async (...args: unknown[]) => await Promise.resolve({ id: "9", ...args.at(-1) as object }),
    });
    await controller.fetch(push, params as never, { title: "x" } as never);
  };
  const viewed = new Viewed([Todo], { key: "viewed" });
  controller.set(viewed, { view: "grid" }, []);
  await make(viewed, {});
  assertEquals(controller.get(viewed, { view: "grid" })?.length, 1);
  const ours = new Ours([Todo], { key: "ours" });
  controller.set(ours, { group: "a", q: "1" }, []);
  controller.set(ours, { group: "b", q: "1" }, []);
  await make(ours, { group: "a" });
  assertEquals([
    controller.get(ours, { group: "a", q: "1" })?.length,
    controller.get(ours, { group: "b", q: "1" })?.length,
  ], [
    1,
    0,
  ]);
});

Deno.test("13.E10 remove whose body moves the row to another list takes it out of this one", async () => {
  class Todo extends Entity {
    id = "";
    group = "";
    static key = "Todo";
  }
  for (const params of [[{ group: "a" }], []] as const) {
    const { getList } = resource({ path: "/todos/:id", schema: Todo });
    const remove = getList.remove.extend({
      fetch: async (...args: unknown[]) => await Promise.resolve(args.at(-1)),
    } as never) as typeof getList.remove;
    using controller = new Controller();
    controller.setResponse(getList, { group: "a" }, [{ id: "1", group: "a" }]);
    controller.setResponse(getList, { group: "b" }, [{ id: "2", group: "b" }]);
    await controller.fetch(remove, ...params as [], { id: "1", group: "b" } as never);
    assertEquals(controller.getResponse(getList, { group: "a" }).data?.length, 0);
    const b = controller.getResponse(getList, { group: "b" });
    assert(b.data?.length === 2 || b.expiresAt <= Date.now());
  }
});

Deno.test("13.E10 the query of a Lazy entity is asked by id", () => {
  class Author extends Entity {
    id = "";
    name = "";
    static key = "Author";
  }
  const lazy = new schema.Lazy(Author);
  using controller = new Controller();
  controller.set(Author, { id: "1" }, { id: "1", name: "Ann" });
  assertEquals((controller.get(lazy.query, { id: "1" } as never) as Author | undefined)?.name, "Ann");
  assertEquals((controller.get(lazy.query, "1" as never) as Author | undefined)?.name, "Ann");
  assertEquals(controller.get(lazy.query, { id: "2" } as never), undefined);
});

Deno.test("13.A6 a page that comes late between two, and leads not to the one behind it, leaves that stale", async () => {
  const getList = new RestEndpoint({
    path: "/films",
    searchParams: {} as { after?: string } | undefined,
    schema: { results: [Film], next: "" },
  });
  const answers = new Map<string, (value: unknown) => void>();
  const fetch = ({ after }: { after: string }) => new Promise((resolve) => answers.set(after, resolve));
  const getPage = getList.paginated("after").extend({ fetch } as never) as typeof getList;
  using controller = new Controller();
  const send = (next: string, ...ids: string[]) => ({ results: rows(...ids), next });
  const isFresh = () => controller.getResponse(getList, {}).expiresAt > Date.now();
  controller.setResponse(getList, {}, send("2", "1", "2") as never);
  // Somebody jumps, and goes on from the first page before that is answered.
  const jump = controller.fetch(getPage, { after: "8" });
  const next = controller.fetch(getPage, { after: "2" });
  answers.get("2")!(send("4", "3", "4"));
  await next;
  assertEquals([idsOf(controller.getResponse(getList, {}).data), isFresh()], ["1,2,3,4", true]);
  answers.get("8")!(send("10", "9", "10"));
  await jump;
  assertEquals(idsOf(controller.getResponse(getList, {}).data), "1,2,9,10,3,4");
  assertEquals(isFresh(), false, "3 stands behind 9 and 10");
});
