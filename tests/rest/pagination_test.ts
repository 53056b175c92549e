import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import {
  conditional,
  Controller,
  createResource,
  EndpointError,
  Entity,
  hydrate,
  parseLinks,
  resource,
  RestEndpoint,
  type RestGenerics,
  schema,
  stateOf,
} from "@rejoin/data";
import { readerOfResponse } from "../contracts/reader.ts";
import { check, runs } from "../support/property.ts";

class Film extends Entity {
  id = "";
  title = "";
  static key = "Film";
}

/** Films by number, in pages of three, told in each of the ways that APIs tell them. */
class FilmServer implements AsyncDisposable {
  films: string[];
  /** What precedes each cursor: another number, and old cursors lead nowhere. */
  edition = "c";
  readonly requests: string[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(count: number) {
    this.films = Array.from({ length: count }, (_, at) => String(at + 1));
    this.#server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => this.#answer(request));
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, search, searchParams } = new URL(request.url);
    this.requests.push(`${request.method} ${pathname}${search}`);
    if (request.method === "PATCH") return Response.json(await request.json());
    if (request.method === "POST") {
      const id = String(this.films.length + 1);
      this.films.push(id);
      return Response.json({ ...await request.json(), id });
    }
    const limit = Number(searchParams.get("limit") ?? 3);
    const cursor = searchParams.get("cursor") ?? searchParams.get("page");
    const skip = Number(searchParams.get("skip") ?? cursor?.replace(/^\D+/, "") ?? 0);
    const results = this.films.slice(skip, skip + limit).map((id) => ({ id, title: `Film ${id}` }));
    const nextPage = skip + limit < this.films.length ? `${this.edition}${skip + limit}` : null;
    const prevPage = skip > 0 ? `${this.edition}${skip - limit}` : null;
    if (pathname === "/linked") {
      const links = [["next", nextPage], ["prev", prevPage]].filter(([, token]) => token !== null)
        .map(([rel, token]) => `<${this.origin}/linked?genre=a%2Cb&page=${token}>; title="a, b"; rel="${rel}"`);
      return Response.json(results, { headers: { link: links.join(", ") } });
    }
    if (pathname === "/offset") return Response.json({ results, total: this.films.length, limit, skip });
    if (pathname === "/bare") return Response.json(results);
    return Response.json({ results, nextPage, prevPage });
  }
}

const ids = (films: readonly Film[] | undefined) => films?.map(({ id }) => id).join();

Deno.test("tokens in the body: pages join the list, and the last one's tokens follow", async () => {
  await using server = new FilmServer(8);
  const getList = createResource({ urlPrefix: server.origin, path: "/films/:id", schema: Film }).getList.extend({
    schema: { results: [Film], nextPage: "" as string | null, prevPage: "" as string | null },
    searchParams: {} as { genre?: string } | undefined,
  });
  const getNext = getList.paginated(({ cursor: _, ...params }: { cursor: string; genre?: string }) => [params]);
  using controller = new Controller();
  const shown = () => {
    const { results, nextPage, prevPage } = controller.getResponse(getList, { genre: "x" }).data!;
    return [ids(results), nextPage, prevPage].join(" ");
  };
  await controller.fetch(getList, { genre: "x" });
  assertEquals(shown(), "1,2,3 c3 ");
  const page = await controller.fetch(getNext, { genre: "x", cursor: "c3" });
  assertEquals(ids(page.results), "4,5,6");
  assertEquals(shown(), "1,2,3,4,5,6 c6 c0");
  await controller.fetch(getNext, { genre: "x", cursor: "c6" });
  assertEquals(shown(), "1,2,3,4,5,6,7,8  c3");
  assertEquals(server.requests.at(-1), "GET /films?cursor=c6&genre=x");
  // Another list is another list.
  assertEquals(controller.getResponse(getList, {}).data?.results?.length ?? 0, 0);
  // The list again is its first page: the others stay, and what has come to stand in two pages is there once.
  server.films.unshift("new");
  await controller.fetch(getList, { genre: "x" });
  assertEquals(shown(), "new,1,2,4,5,6,7,8  c3");
  await controller.fetch(getNext, { genre: "x", cursor: "c3" });
  assertEquals(shown(), "new,1,2,3,4,5,7,8  c3");
});

class LinkedEndpoint<O extends RestGenerics> extends RestEndpoint<O> {
  override async parseResponse(response: Response) {
    const results = await super.parseResponse(response);
    if (!response.headers.has("link") || !Array.isArray(results)) return results;
    const token = (rel: string) => {
      const url = parseLinks(response.headers.get("link")).get(rel);
      return url === undefined ? null : new URL(url).searchParams.get("page");
    };
    return { results, nextPage: token("next"), prevPage: token("prev") };
  }
}

Deno.test("tokens in the link header, by one class of endpoints for all resources", async () => {
  await using server = new FilmServer(5);
  const { getList } = resource({
    urlPrefix: server.origin,
    path: "/linked/:id",
    schema: Film,
    Endpoint: LinkedEndpoint,
    paginationField: "page",
  });
  const films = getList.extend({
    schema: { results: getList.schema, nextPage: "" as string | null, prevPage: "" as string | null },
  });
  using controller = new Controller();
  await controller.fetch(films);
  await controller.fetch(films.getPage, { page: "c3" });
  const { data } = controller.getResponse(films);
  assertEquals([ids(data!.results!), data!.nextPage, data!.prevPage], ["1,2,3,4,5", null, "c0"]);
});

Deno.test("links are read as they may be written", () => {
  assertEquals([...parseLinks(null)], []);
  const odd =
    `<a?x=1,2>;rel=next,<b>; title="x, <y>; rel=\\"no\\""; REL="prev  First", <c>; rel="next", <d>; foo, <>;rel=self`;
  assertEquals([...parseLinks(odd)], [["next", "a?x=1,2"], ["prev", "b"], ["first", "b"], ["self", ""]]);
  assertEquals([...parseLinks('<x>; rel="__proto__"').keys()], ["__proto__"]);
  assertEquals([...parseLinks("no links at all <")], []);
});

Deno.test("offset: pages in the order in which they were asked for, the totals of the last", async () => {
  await using server = new FilmServer(10);
  const getList = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/offset",
    schema: { results: [Film], total: 0, limit: 0, skip: 0 },
  });
  const getPage = getList.paginated("skip");
  using controller = new Controller();
  await controller.fetch(getList, { limit: 4 });
  await Promise.all([4, 8].map((skip) => controller.fetch(getPage, { limit: 4, skip })));
  const { data } = controller.getResponse(getList, { limit: 4 });
  assertEquals([ids(data!.results), data!.total, data!.skip], ["1,2,3,4,5,6,7,8,9,10", 10, 8]);
});

Deno.test("infinite scroll over a list that grows by itself: a page and its list are one", async () => {
  await using server = new FilmServer(7);
  const { getList, create } = resource({
    urlPrefix: server.origin,
    path: "/bare/:id",
    schema: Film,
    paginationField: "cursor",
  });
  const { getPage } = getList;
  using controller = new Controller();
  await controller.fetch(getList);
  const reader = readerOfResponse<Film[]>(controller, getList);
  const answer = await controller.fetch(getPage, { cursor: "3" });
  assertEquals([ids(reader.value), reader.told], ["1,2,3,4,5,6", 1]);
  assertStrictEquals(answer, reader.value);
  const first = reader.value[0];
  await controller.fetch(create, { title: "made here" });
  assertEquals(ids(reader.value), "1,2,3,4,5,6,8");
  await controller.fetch(getPage, { cursor: "6" });
  assertEquals(ids(reader.value), "1,2,3,4,5,6,7,8");
  assertStrictEquals(reader.value[0], first);
  // What is created follows the last page that is there, until the server says where it is.
  server.films.unshift("0");
  await controller.fetch(getList);
  assertEquals(ids(reader.value), "0,1,2,4,5,6,7,8");
  // The third is on the second page now, which nobody has asked for again.
  assert(controller.getResponse(getList).expiresAt <= Date.now());
  await controller.fetch(create, { title: "made here, too" });
  await controller.fetch(getList.remove, { id: "5" });
  await controller.fetch(getList);
  assertEquals(ids(reader.value), "0,1,2,4,6,7,8,10", "what was added and taken out since stays so");
  assertEquals(stateOf(controller).entities["[Film] " + server.origin + "/bare"]?.["{}"] !== undefined, true);
});

Deno.test("a page that was never asked for is asked for, whatever the list has", async () => {
  await using server = new FilmServer(7);
  const { getList } = resource({
    urlPrefix: server.origin,
    path: "/bare/:id",
    schema: Film,
    paginationField: "cursor",
  });
  using controller = new Controller();
  await controller.fetchIfStale(getList);
  await controller.fetchIfStale(getList.getPage, { cursor: "3" });
  await controller.fetchIfStale(getList.getPage, { cursor: "3" });
  assertEquals(server.requests, ["GET /bare", "GET /bare?cursor=3"]);
});

Deno.test("when the first page leads elsewhere, the rest is stale, until it is asked for anew; nothing is asked in a loop", async () => {
  await using server = new FilmServer(8);
  const getList = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/films",
    schema: { results: [Film], nextPage: "" as string | null },
  });
  const getPage = getList.paginated("cursor");
  using controller = new Controller();
  const isFresh = () => controller.getResponse(getList).expiresAt > Date.now();
  await controller.fetch(getList);
  await controller.fetch(getPage, { cursor: "c3" });
  await controller.fetch(getPage, { cursor: "c6" });
  assertEquals(isFresh(), true);
  await controller.fetch(getList);
  assertEquals(isFresh(), true, "it leads where it led");
  server.edition = "d";
  await controller.fetch(getList);
  assertEquals([isFresh(), ids(controller.getResponse(getList).data?.results)], [false, "1,2,3,4,5,6,7,8"]);
  await controller.fetch(getList);
  assertEquals(isFresh(), false);
  const { mark } = controller.store.entries.get(getList.key(), getList)!;
  assertEquals(mark, 0, "what is mounted does not ask again and again");
  await controller.fetch(getPage, { cursor: "c3" });
  await controller.fetch(getPage, { cursor: "c6" });
  assertEquals(isFresh(), true);
  controller.expireAll(getList);
  await controller.fetch(getPage, { cursor: "c6" });
  assertEquals(isFresh(), false, "a page does not make its list young");
  await controller.fetch(getList);
  server.edition = "e";
  await controller.fetch(getList);
  server.edition = "d";
  await controller.fetch(getList);
  assertEquals(isFresh(), false);
  await controller.fetch(getPage, { cursor: "c3" });
  await controller.fetch(getPage, { cursor: "c6" });
  assertEquals(isFresh(), true, "also when the answers are those that were there");
});

Deno.test("pages of lists that hold null, wrong shapes, and hostile cursors", () => {
  const getList = new RestEndpoint({ path: "/films", schema: { results: [Film], next: "" as string | null } });
  const getPage = getList.paginated("cursor");
  using controller = new Controller();
  const page = (cursor: string, results: readonly object[] | null, next: string | null) =>
    controller.setResponse(getPage, { cursor }, { results, next });
  controller.setResponse(getList, {}, { results: [{ id: "1" }], next: "__proto__" });
  page("__proto__", [{ id: "2" }, { id: "1" }], "constructor");
  page("constructor", null, "toString");
  page("toString", [{ id: "3" }], null);
  const shown =
    () => [ids(controller.getResponse(getList, {}).data!.results), controller.getResponse(getList, {}).data!.next];
  assertEquals(shown(), ["1,2,3", null]);
  assertThrows(() => page("x", "no list" as never, null), Error, "expected an array");
  assertEquals(shown(), ["1,2,3", null]);
  // Without its list, pages are what there is of it, to be completed.
  const alone = new Controller();
  alone.setResponse(getPage, { cursor: "2" }, { results: [{ id: "2" }], next: null });
  assertEquals(ids(alone.getResponse(getList, {}).data?.results), "2");
  assert(alone.getResponse(getList, {}).expiresAt <= Date.now());
  alone.setResponse(getList, {}, { results: [{ id: "1" }], next: "2" });
  assertEquals(ids(alone.getResponse(getList, {}).data?.results), "1,2");
  assertThrows(() => getList.getPage, EndpointError, "nothing says which parameter names a page");
});

Deno.test("each page of a collection is the list, and pages that have not changed make it fresh again", async () => {
  for (const use of [[], [conditional()]]) {
    await using server = new FilmServer(8);
    const path = "/bare/:id";
    const films = resource({ urlPrefix: server.origin, path, schema: Film, paginationField: "cursor", use });
    const { getList, getList: { getPage } } = films;
    using controller = new Controller();
    for (let round = 0; round < 2; round++) {
      await controller.fetch(getList);
      for (const cursor of ["3", "6"]) {
        const list = await controller.fetch(getPage, { cursor });
        assertEquals(list.length, round === 1 ? 8 : Math.min(8, Number(cursor) + 3));
        assertStrictEquals(controller.getResponse(getPage, { cursor }).data, list);
        assertStrictEquals(controller.getResponse(getList).data, list);
      }
      assert(controller.getResponse(getList).expiresAt > Date.now());
      controller.expireAll(getList);
    }
    controller.set(new schema.Invalidate(Film), "1");
    assertEquals(ids(controller.getResponse(getList).data), "2,3,4,5,6,7,8");
  }
});

Deno.test("a first page that has not changed is still the first page, and no more", async () => {
  await using server = new FilmServer(8);
  const getList = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/films",
    schema: { results: [Film], nextPage: "" },
  });
  const getPage = getList.paginated("cursor");
  using controller = new Controller();
  await controller.fetch(getList);
  await controller.fetch(getPage, { cursor: "c3" });
  for (let i = 0; i < 3; i++) await controller.fetch(getList);
  assertEquals(ids(controller.getResponse(getList).data?.results), "1,2,3,4,5,6");
  server.films.splice(4, 1);
  await controller.fetch(getPage, { cursor: "c3" });
  assertEquals(ids(controller.getResponse(getList).data?.results), "1,2,3,4,6,7");
});

Deno.test("what is said by hand while a page is on its way is later than the page", async () => {
  for (const item of [[Film], new schema.Collection([Film])]) {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const getList = new RestEndpoint({
      path: "/films",
      schema: { results: item as [typeof Film] },
      fetch: () => promise,
    });
    const getPage = getList.paginated("page");
    using controller = new Controller();
    controller.setResponse(getList, {}, { results: [{ id: "1" }] });
    const page = controller.fetch(getPage, { page: 2 });
    controller.setResponse(getPage, { page: 2 }, { results: [{ id: "3" }] });
    resolve({ results: [{ id: "2" }] });
    await page;
    assertEquals(ids(controller.getResponse(getList, {}).data?.results), "1,3");
  }
});

Deno.test("a list that was dehydrated is one page", async () => {
  await using server = new FilmServer(8);
  const { getList } = resource({
    urlPrefix: server.origin,
    path: "/bare/:id",
    schema: Film,
    paginationField: "cursor",
  });
  const plain = getList.extend({ path: "/films", schema: { results: [Film], nextPage: "" as string | null } });
  const before = new Controller();
  for (const list of [getList, plain]) {
    await before.fetch(list);
    await before.fetch(list.getPage, { cursor: "3" });
  }
  const after = new Controller({ use: [hydrate(JSON.parse(JSON.stringify(stateOf(before))))] });
  assertEquals(ids(after.getResponse(getList).data), "1,2,3,4,5,6");
  assertEquals(ids(after.getResponse(plain).data?.results), "1,2,3,4,5,6");
  await after.fetch(plain.getPage, { cursor: "6" });
  assertEquals(ids(after.getResponse(plain).data?.results), "1,2,3,4,5,6,7,8");
});

/** What the server has of each page in each of its versions: overlapping, so that items move between pages. */
function pageAt(page: number, version: number): string[] {
  return Array.from({ length: 3 }, (_, at) => String(page * 3 + at - (version % 4)));
}

type Step = { readonly do: "ask"; readonly page: number } | { readonly do: "answer"; readonly request: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("ask" as const), page: fc.nat(3) }),
  fc.record({ do: fc.constant("answer" as const), request: fc.nat(5) }),
);

Deno.test("pages in any order of replies are those of the naive model, of plain lists and of collections", async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 24 }), async (steps) => {
    for (const isGrowing of [false, true]) {
      const replies: { readonly page: number; readonly resolve: (value: unknown) => void; readonly items: string[] }[] =
        [];
      const waiting: typeof replies = [];
      let version = 0;
      const list = new RestEndpoint({
        path: "/films",
        schema: { results: isGrowing ? new schema.Collection([Film]) as never : [Film], at: 0 },
        searchParams: {} as { page?: number } | undefined,
        fetch(params?: { page?: number }) {
          return new Promise((resolve) => {
            const page = params?.page ?? 0;
            const items = pageAt(page, version++);
            replies.push({ page, resolve, items });
            waiting.push(replies.at(-1)!);
          });
        },
      });
      const pages = list.paginated("page");
      using controller = new Controller();
      // The model: for each page the newest request that was answered, in the order of their first requests.
      const model = new Map<number, { first: number; newest: number; items: string[] }>();
      const firsts = new Map<number, number>();
      const settled: Promise<unknown>[] = [];
      for (const each of steps) {
        if (each.do === "ask") {
          const { page } = each;
          // Reads of one key in flight are one read.
          if (waiting.some((reply) => reply.page === page)) continue;
          settled.push(page === 0 ? controller.fetch(list) : controller.fetch(pages, { page }));
          await Promise.resolve();
        } else if (waiting.length > 0) {
          const [reply] = waiting.splice(each.request % waiting.length, 1) as [typeof waiting[number]];
          const order = replies.indexOf(reply);
          if (!firsts.has(reply.page)) firsts.set(reply.page, order);
          model.set(reply.page, { first: firsts.get(reply.page)!, newest: order, items: reply.items });
          reply.resolve({ results: reply.items.map((id) => ({ id })), at: order });
          await settled[order];
          const inOrder = [...model].sort(([a, one], [b, two]) => a === 0 ? -1 : b === 0 ? 1 : one.first - two.first);
          const expected = [...new Set(inOrder.flatMap(([, { items }]) => items))];
          const { data } = controller.getResponse(list) as { data: { results: Film[]; at: number } };
          assertEquals(data.results.map(({ id }) => id), expected);
          assertEquals(data.at, inOrder.at(-1)![1].newest);
        }
      }
      for (const { resolve, items } of waiting) resolve({ results: items.map((id) => ({ id })), at: 0 });
      await Promise.all(settled);
      assertEquals(controller.store.logs.size, 0);
    }
  });
  await check(property, { name: "pagination", runs: runs(1_000, 100_000) });
});

Deno.test("13.B4 parseLinks takes time in proportion to a header, whatever is in it", () => {
  const parts = ["<", " ", '\\"', ";", "=", '"', "b", "<a"];
  const hostile = [...parts, ...parts.map((part) => `${part} `)].flatMap((
    part,
  ) => [part.repeat(80_000), `<a>;b${part.repeat(80_000)}`]);
  const start = performance.now();
  for (const header of [...hostile, `<a>;b=${" ".repeat(80_000)}`, `<a>;${" ".repeat(80_000)}`]) parseLinks(header);
  // The first of them took 6 s.
  assert(performance.now() - start < 5_000);
  const header = '<a> ; rel = "next" ; title="x, <y>" , <b>;rel=prev;x,<c?q=1;2>; REL="last first"';
  assertEquals([...parseLinks(header)], [["next", "a"], ["prev", "b"], ["last", "c?q=1;2"], ["first", "c?q=1;2"]]);
});
