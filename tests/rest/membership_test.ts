import { assert, assertEquals } from "@std/assert";
import { Controller, createResource, Entity, resource, RestEndpoint, schema } from "@rejoin/data";
import { CatalogServer } from "../support/catalog_server.ts";

class Film extends Entity {
  id = "";
  title = "";
  genre = "";
  year = 0;
  rating = 0;
  static key = "Film";
}

interface Search {
  genre?: string;
  year?: number;
  title?: string;
  q?: string;
  since?: number;
  sort?: string;
  limit?: number;
  page?: number;
}

const FILMS = [
  { id: "1", title: "Star Wars", genre: "scifi", year: 1977, rating: 8 },
  { id: "2", title: "Alien", genre: "scifi", year: 1979, rating: 7 },
  { id: "3", title: "A Star is Born", genre: "drama", year: 1954, rating: 6 },
  { id: "4", title: "Playtime", genre: "comedy", year: 1967, rating: 9 },
];

const LISTS: readonly Search[] = [
  {},
  { genre: "scifi" },
  { genre: "drama" },
  { genre: "horror" },
  { year: 1979 },
  { title: "star" },
  { title: "zzz" },
  { q: "star" },
  { q: "none" },
  { since: 1970 },
  { sort: "-rating" },
  { sort: "title", genre: "scifi" },
  { limit: 2 },
  { limit: 2, page: 2 },
  { limit: 2, page: 2, genre: "scifi" },
  { genre: "scifi", q: "star" },
];

const at = (urlPrefix: string, options: object = {}) =>
  resource({
    urlPrefix,
    path: "/films/:id",
    schema: Film,
    searchParams: {} as Search | undefined,
    displayArgs: ["page", "limit"],
    filters: { since: (film: Film, value: number) => film.year >= value },
    ...options,
  });

/** A page of the app that has read all lists. */
class Page implements AsyncDisposable {
  readonly server: CatalogServer = new CatalogServer(FILMS);
  readonly films: ReturnType<typeof at>;
  readonly controller = new Controller();

  constructor(options: object = {}) {
    this.films = at(this.server.origin, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.controller.cleanup();
    await this.server[Symbol.asyncDispose]();
  }

  async readAll(lists = LISTS): Promise<this> {
    for (const search of lists) await this.controller.fetch(this.films.getList, search);
    this.server.requests = [];
    return this;
  }

  ids(search: Search): string | undefined {
    return this.controller.getResponse(this.films.getList, search).data?.map(({ id }) => id).join();
  }

  isFresh(search: Search): boolean {
    return this.controller.getResponse(this.films.getList, search).expiresAt > Date.now();
  }

  truth(search: Search): string {
    const params = Object.entries(search).map(([name, value]) => [name, String(value)]);
    return this.#inOrder(search, this.server.list(new URLSearchParams(params)).map(({ id }) => id).join());
  }

  /** Without an order that is asked for, what joins has no place of its own. */
  #inOrder({ sort }: Search, ids = ""): string {
    return sort === undefined ? ids.split(",").sort().join() : ids;
  }

  /** What is fresh is the server's truth; gives what is not. */
  stale(lists = LISTS): string[] {
    const stale: string[] = [];
    for (const search of lists) {
      const name = JSON.stringify(search);
      if (this.isFresh(search)) {
        assertEquals(this.#inOrder(search, this.ids(search)), this.truth(search), `${name} is fresh`);
      } else stale.push(name.replaceAll('"', "").slice(1, -1));
    }
    return stale;
  }
}

Deno.test("13.D1 a created item joins where all filters match; what cannot be judged is asked again, and nothing else", async () => {
  await using page = new Page();
  await page.readAll();
  const made = await page.controller.fetch(page.films.create, {
    title: "Starman",
    genre: "scifi",
    year: 1984,
    rating: 7,
  });
  assertEquals(page.stale(), [
    "title:star",
    "title:zzz",
    "q:star",
    "q:none",
    "sort:-rating",
    "sort:title,genre:scifi",
    "limit:2",
    "limit:2,page:2",
    "limit:2,page:2,genre:scifi",
    "genre:scifi,q:star",
  ]);
  assertEquals([page.ids({}), page.ids({ genre: "scifi" }), page.ids({ since: 1970 })], [
    `1,2,3,4,${made.id}`,
    `1,2,${made.id}`,
    `1,2,${made.id}`,
  ]);
  assertEquals([page.ids({ limit: 2 }), page.ids({ genre: "drama" }), page.ids({ q: "star" })], ["1,2", "3", "1,3"]);
  assertEquals(page.server.requests, ["POST /films"], "nothing is mounted");
  await page.readAll();
  assertEquals(page.stale(), []);
});

Deno.test("13.D1 an edited item leaves where a filter no longer matches, and joins as a created one does", async () => {
  for (const how of ["partialUpdate", "update", "set", "own"] as const) {
    await using page = new Page();
    await page.readAll();
    const { controller, films, server } = page;
    const genre = async (id: string, genre: string) => {
      const film = server.films.find((film) => film.id === id)!;
      if (how === "partialUpdate") await controller.fetch(films.partialUpdate, { id }, { genre });
      else if (how === "update") await controller.fetch(films.update, { id }, { ...film, genre });
      else if (how === "set") {
        server.update(id, { genre });
        controller.set(Film, { id }, { genre });
      } else {
        const own = new RestEndpoint({
          urlPrefix: server.origin,
          path: "/films/:id",
          method: "PATCH",
          body: {} as { genre: string },
          schema: Film,
        });
        await controller.fetch(own, { id }, { genre });
      }
    };
    await genre("2", "drama");
    assertEquals([page.ids({ genre: "scifi" }), page.ids({ genre: "drama" })], ["1", "3,2"], how);
    page.stale();
    await genre("2", "horror");
    assertEquals([page.ids({ genre: "drama" }), page.ids({ genre: "horror" })], ["3", "2"], how);
    page.stale();
    await genre("2", "western");
    assertEquals(page.ids({ genre: "horror" }), "", how);
    page.stale();
  }
});

Deno.test("13.D1 an edit reaches lists only where an argument names a changed member, or is a search", async () => {
  await using page = new Page();
  await page.readAll();
  const { controller, films } = page;
  await controller.fetch(films.partialUpdate, { id: "2" }, { rating: 10 });
  assertEquals(page.stale(), [
    "title:star",
    "title:zzz",
    "q:star",
    "q:none",
    "sort:-rating",
    "genre:scifi,q:star",
  ]);
  assertEquals(page.isFresh({ limit: 2 }) && page.isFresh({ limit: 2, page: 2, genre: "scifi" }), true);
  await page.readAll();
  await controller.fetch(films.partialUpdate, { id: "2" }, { year: 1960 });
  assertEquals([page.ids({ since: 1970 }), page.ids({ year: 1979 })], ["1", ""]);
  assert(page.isFresh({ since: 1970 }) && page.isFresh({ year: 1979 }) && page.isFresh({ sort: "-rating" }));
  page.stale();
  await page.readAll();
  await controller.fetch(films.partialUpdate, { id: "3" }, { genre: "scifi" });
  assert(!page.isFresh({ limit: 2, page: 2, genre: "scifi" }), "what is on which page");
  page.stale();
});

Deno.test("13.D1 a deleted item leaves everywhere, and what moves up behind it is asked for", async () => {
  await using page = new Page();
  await page.readAll();
  await page.controller.fetch(page.films.delete, { id: "1" });
  assertEquals([page.ids({}), page.ids({ q: "star" }), page.ids({ limit: 2 })], ["2,3,4", "3", "2"]);
  const stale = page.stale();
  for (const name of ["limit:2", "limit:2,page:2", "limit:2,page:2,genre:scifi"]) assert(stale.includes(name), name);
  assert(page.isFresh({}) && page.isFresh({ genre: "drama" }) && page.isFresh({ sort: "-rating" }));
  // One that nobody has seen may have stood on any page.
  await page.readAll();
  page.server.films.unshift({ id: "50", title: "Unseen", genre: "scifi", year: 1999, rating: 1 });
  await page.readAll([{ limit: 2, page: 2 }]);
  await page.controller.fetch(page.films.delete, { id: "50" });
  assert(!page.isFresh({ limit: 2, page: 2 }));
});

Deno.test("13.D1 what arguments mean without a word: unknown ones make lists stale, order is order", async () => {
  await using page = new Page({ displayArgs: undefined, filters: undefined });
  await page.readAll();
  await page.controller.fetch(page.films.create, { title: "Starman", genre: "scifi", year: 1984, rating: 7 });
  for (const search of [{ limit: 2 }, { limit: 2, page: 2 }, { since: 1970 }, { q: "star" }, { title: "star" }]) {
    assert(!page.isFresh(search), JSON.stringify(search));
  }
  assert(page.isFresh({}) && page.isFresh({ genre: "scifi" }) && page.isFresh({ genre: "drama" }));
  page.stale();
  await page.readAll();
  await page.controller.fetch(page.films.partialUpdate, { id: "1" }, { title: "Star Wars IV" });
  assert(page.isFresh({ genre: "scifi" }) && page.isFresh({ sort: "-rating" }));
  assert(!page.isFresh({ sort: "title", genre: "scifi" }));
  page.stale();
});

Deno.test("13.D1 layers, reads and what is said of reads by hand judge nothing", async () => {
  await using page = new Page({ optimistic: true });
  await page.readAll();
  const { controller, films, server } = page;
  const pending = controller.fetch(films.partialUpdate, { id: "2" }, { genre: "drama" });
  assertEquals(controller.get(Film, { id: "2" })?.genre, "drama");
  assertEquals([page.ids({ genre: "scifi" }), page.ids({ genre: "drama" })], ["1,2", "3"]);
  await pending;
  assertEquals([page.ids({ genre: "scifi" }), page.ids({ genre: "drama" })], ["1", "3,2"]);
  server.update("1", { genre: "drama" });
  await controller.fetch(films.get, { id: "1" });
  controller.setResponse(films.get, { id: "4" }, { ...FILMS[3], genre: "drama" });
  assertEquals([page.ids({ genre: "scifi" }), page.ids({ genre: "drama" })], ["1", "3,2"]);
});

Deno.test("13.D1 an optimistic create shows no row where it may not stay", async () => {
  await using page = new Page({ optimistic: true });
  await page.readAll();
  const pending = page.controller.fetch(page.films.create, { title: "Zebra", genre: "scifi", year: 1984 });
  assertEquals([page.ids({ limit: 2 }), page.ids({ limit: 2, page: 2 }), page.ids({ q: "star" })], [
    "1,2",
    "3,4",
    "1,3",
  ]);
  assert(page.ids({ genre: "scifi" })?.startsWith("1,2,~"));
  await pending;
  page.stale();
});

Deno.test("13.D1 a read that brings the change before the mutation is answered does not hide it from lists", async () => {
  await using page = new Page();
  await page.readAll();
  const { controller, films, server } = page;
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow = films.partialUpdate.extend({
    async fetchResponse(url: string, init: RequestInit) {
      const response = await fetch(url, init);
      await promise;
      return response;
    },
  });
  const pending = controller.fetch(slow, { id: "2" }, { genre: "drama" });
  while (!server.requests.some((line) => line.startsWith("PATCH"))) await new Promise((done) => setTimeout(done, 1));
  await controller.fetch(films.get, { id: "2" });
  assertEquals([controller.get(Film, { id: "2" })?.genre, page.ids({ genre: "drama" })], ["drama", "3"]);
  resolve();
  await pending;
  assertEquals([page.ids({ genre: "scifi" }), page.ids({ genre: "drama" })], ["1", "3,2"]);
  page.stale();
});

Deno.test("13.D1 a list that was asked for before a change, and comes after it, is judged then", async () => {
  await using page = new Page();
  const { controller, films, server } = page;
  await page.readAll([{}]);
  for (const search of [{ q: "alien" }, { limit: 2 }, { genre: "scifi" }, { genre: "drama" }] as Search[]) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = page.server.list(new URLSearchParams(Object.entries(search).map(([k, v]) => [k, String(v)])));
    const late = films.getList.extend({
      fetchResponse: async () => {
        await promise;
        return Response.json(before);
      },
    });
    const reading = controller.fetch(late, search);
    await controller.fetch(films.partialUpdate, { id: "2" }, {
      title: `Title ${server.requests.length}`,
      genre: "drama",
    });
    resolve();
    await reading;
    page.stale([search]);
    await page.controller.fetch(films.partialUpdate, { id: "2" }, { title: "Alien", genre: "scifi" });
  }
});

Deno.test("13.D1 a total beside a list that has grown is asked for again", async () => {
  await using page = new Page();
  page.server.hasTotal = true;
  const { controller, films } = page;
  const getList = films.getList.extend({ schema: { results: films.getList.schema, total: 0 } });
  const read = (search: Search) => controller.getResponse(getList, search);
  for (const genre of ["scifi", "drama"]) await controller.fetch(getList, { genre });
  await controller.fetch(films.create, { title: "Starman", genre: "scifi" });
  assertEquals(read({ genre: "scifi" }).data?.results?.length, 3);
  assertEquals([read({ genre: "scifi" }), read({ genre: "drama" })].map(({ expiresAt }) => expiresAt > Date.now()), [
    false,
    true,
  ]);
  await controller.fetch(films.delete, { id: "3" });
  assert(read({ genre: "drama" }).expiresAt <= Date.now());
});

Deno.test("13.D1 what another place may have is not put there, only asked for", async () => {
  await using page = new Page();
  const { controller, films, server } = page;
  const archive = resource({
    urlPrefix: `${server.origin}/archive`,
    path: "/films/:id",
    schema: Film,
    searchParams: {} as Search | undefined,
  });
  await page.readAll([{}, { genre: "scifi" }, { genre: "drama" }]);
  controller.setResponse(archive.getList, {}, []);
  controller.setResponse(archive.getList, { genre: "drama" }, []);
  const isFresh = (search: Search) => controller.getResponse(archive.getList, search).expiresAt > Date.now();
  const ids = (search: Search) => controller.getResponse(archive.getList, search).data?.length;
  await controller.fetch(films.partialUpdate, { id: "2" }, { genre: "drama" });
  assertEquals([page.ids({ genre: "drama" }), ids({}), ids({ genre: "drama" })], ["3,2", 0, 0]);
  assertEquals([isFresh({}), isFresh({ genre: "drama" })], [true, false]);
});

Deno.test("13.D1 a create without a list says so to the lists there are", async () => {
  await using page = new Page();
  await page.readAll([{}, { genre: "scifi" }, { genre: "drama" }]);
  const { create } = createResource({ urlPrefix: page.server.origin, path: "/films/:id", schema: Film });
  await page.controller.fetch(create, { title: "Starman", genre: "scifi" });
  assertEquals(page.stale([{}, { genre: "scifi" }, { genre: "drama" }]), ["", "genre:scifi"]);
});

Deno.test("13.D1 a list of names, and one of several classes, follow edits", async () => {
  await using page = new Page();
  const { controller, films } = page;
  class Series extends Entity {
    id = "";
    genre = "";
    static key = "Series";
  }
  const mixed = new schema.Collection([new schema.Union({ film: Film, series: Series }, "kind")]);
  const named = new schema.Collection(new schema.Values(Film));
  const list = <S extends schema.Collection<never>>(path: string, declared: S) =>
    new RestEndpoint({ path, searchParams: {} as Search, schema: declared as unknown as typeof named });
  const getMixed = list("/mixed", mixed as never);
  const getNamed = list("/named", named as never);
  const film = { ...FILMS[1]!, kind: "film" };
  controller.setResponse(getMixed, { genre: "scifi" }, [film, { id: "2", genre: "scifi", kind: "series" }] as never);
  controller.setResponse(getMixed, { genre: "drama" }, [{ id: "9", genre: "drama", kind: "series" }] as never);
  controller.setResponse(getNamed, { genre: "scifi" }, { alien: film });
  controller.setResponse(getNamed, { genre: "drama" }, {});
  await controller.fetch(films.partialUpdate, { id: "2" }, { genre: "drama" });
  const size = (endpoint: typeof getMixed, genre: string) =>
    Object.keys(controller.getResponse(endpoint, { genre }).data as object).length;
  assertEquals([size(getMixed, "scifi"), size(getMixed, "drama")], [1, 2]);
  assertEquals([size(getNamed, "scifi"), size(getNamed, "drama")], [0, 0]);
  assert(controller.getResponse(getNamed, { genre: "drama" }).expiresAt <= Date.now(), "under which name?");
});

Deno.test("13.D1 an argument of several values, or a range, is compared by the server alone", () => {
  const { getList, create, partialUpdate, delete: remove } = resource({ path: "/films/:id", schema: Film });
  for (const wanted of [["scifi", "drama"], "scifi,drama", { in: ["scifi"] }, { not: "comedy" }]) {
    using controller = new Controller();
    const view = () => controller.getResponse(getList, { genre: wanted });
    const isFresh = () => view().expiresAt > Date.now();
    const begin = () => controller.setResponse(getList, { genre: wanted }, []);
    controller.setResponse(getList, { genre: "comedy" }, [FILMS[3]]);

    begin();
    controller.setResponse(create, FILMS[0]!, FILMS[0]);
    assert(!isFresh());

    begin();
    controller.setResponse(partialUpdate, { id: "4" }, { genre: "drama" }, { ...FILMS[3], genre: "drama" });
    assert(!isFresh());

    begin();
    controller.setResponse(partialUpdate, { id: "4" }, { title: "Trafic" }, { id: "4", title: "Trafic" });
    assert(isFresh());
    controller.setResponse(remove, { id: "4" }, {});
    assertEquals(view().data, []);
  }
});

Deno.test("13.D1 a date among the arguments is the text that it is in the address", () => {
  class Show extends Entity {
    id = "";
    at = "";
    static key = "Show";
  }
  const { getList, create } = resource({ path: "/shows/:id", schema: Show });
  const [one, other] = [new Date(0), new Date(1)].map((at) => ({ at, text: at.toISOString() }));
  using controller = new Controller();
  controller.setResponse(getList, { at: other!.text }, [{ id: "1", at: other!.text }]);
  // By itself, as another date, and as one of another kind: all of them know their text.
  for (const at of [one!.at, one!.text, Object.assign(new (class Day {})(), { toJSON: () => one!.text })]) {
    controller.setResponse(getList, { at }, []);
    controller.setResponse(create, { at: one!.text }, { id: "2", at: one!.text });
    const { data, expiresAt } = controller.getResponse(getList, { at: one!.text });
    assertEquals(data?.map(({ id }) => id), ["2"]);
    assert(expiresAt > Date.now());
  }
});

Deno.test("13.D1 what is moved may be in a list whose argument nothing has shown to be a comparison, also where nobody knew it", () => {
  const { getList } = resource({ path: "/films/:id", schema: Film });
  for (const search of [{ title: "star" }, { year: { from: 1970 } }]) {
    using controller = new Controller();
    controller.setResponse(getList, search, []);
    controller.setResponse(getList.move, { id: "1" }, { rating: 9 }, { ...FILMS[0], rating: 9 });
    const { data, expiresAt } = controller.getResponse(getList, search);
    assertEquals(data, []);
    assert(expiresAt <= Date.now());
  }
});
