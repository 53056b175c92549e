import { mount, settled } from "../support/dom.ts";
import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import {
  Controller,
  createResource,
  Endpoint,
  Entity,
  NetworkError,
  type ReadEndpoint,
  resource,
  RestEndpoint,
  type RestGenerics,
  typed,
} from "@rejoin/data";
import { type Infinite, type InfiniteOptions, useInfinite } from "@rejoin/data/preact";
import { inApp } from "./_cinema.tsx";

class Film extends Entity {
  id = "";
  title = "";
  static key = "Film";
}

/** Films on a real server with pages in every style, three films each. */
class PageServer implements AsyncDisposable {
  ids = ["1", "2", "3", "4", "5", "6", "7", "8"];
  readonly requests: string[] = [];
  readonly aborted: string[] = [];
  /** Returns a status to answer a request with, in place of rows. */
  status: ((line: string) => number | undefined) | undefined;
  /** The server awaits this before it answers. */
  gate: ((line: string) => Promise<unknown> | undefined) | undefined;
  readonly #stop = new AbortController();
  readonly #server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {}, signal: this.#stop.signal },
    (request) => this.#answer(request),
  );

  get origin(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#server.finished;
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, search, searchParams } = new URL(request.url);
    const line = pathname + search;
    this.requests.push(`${request.method === "GET" ? "" : `${request.method} `}${line}`);
    const gate = this.gate?.(line);
    if (gate !== undefined) {
      request.signal.addEventListener("abort", () => this.aborted.push(line));
      await gate;
    }
    const status = this.status?.(line);
    if (status !== undefined) return new Response("no", { status });
    if (request.method === "DELETE") {
      const id = pathname.split("/").at(-1)!;
      this.ids = this.ids.filter((other) => other !== id);
      return Response.json({ id });
    }
    if (request.method === "POST") {
      const row = { ...await request.json(), id: "new" };
      this.ids.unshift("new");
      return Response.json(row);
    }
    const { ids } = this;
    const after = searchParams.get("after");
    const before = searchParams.get("before");
    const page = Number(searchParams.get("page") ?? 1);
    const from = after !== null
      ? ids.indexOf(after) + 1
      : before !== null
      ? Math.max(0, ids.indexOf(before) - 3)
      : searchParams.has("skip")
      ? Number(searchParams.get("skip"))
      : (page - 1) * 3;
    const rows = ids.slice(from, from + 3).map((id) => ({ id, title: `Film ${id}` }));
    const isLast = from + 3 >= ids.length;
    if (pathname.startsWith("/bare")) return Response.json(rows);
    const link = `<${this.origin}/link?page=${page + 1}>; rel="next"`;
    if (pathname === "/link") return Response.json(rows, { headers: isLast ? {} : { link } });
    const cursor = isLast ? null : rows.at(-1)!.id;
    const previousCursor = from === 0 ? null : rows[0]!.id;
    return Response.json({ results: rows, next: cursor, previous: previousCursor, total: ids.length });
  }
}

const envelope = { results: [Film], next: "" as string | null, previous: "" as string | null, total: 0 };

/** A page that shows a list and records the results of each rendering. */
function show<E extends ReadEndpoint>(
  controller: Controller,
  list: E,
  options: InfiniteOptions<E>,
  first: E["~types"]["args"][0] = {},
) {
  const seen: string[] = [];
  const given: Infinite<unknown>[] = [];
  function Films({ args }: { readonly args: unknown }) {
    const read = useInfinite(list as ReadEndpoint, args === null ? null : [args], options as never);
    given.push(read as Infinite<unknown>);
    const rows = (read.items as readonly Film[]).map(({ id }) => id).join("");
    const flags = [
      read.loading && "loading",
      read.isFetchingPrevious && "<…",
      read.hasPrevious && "<",
      read.hasNext && ">",
      read.isFetchingNext && "…>",
      read.error?.name,
    ];
    seen.push([rows, ...flags.filter(Boolean)].join(" "));
    return <>{seen.at(-1)}</>;
  }
  const tree = (args: unknown = first) => inApp(<Films args={args} />, controller);
  return { seen, given, tree, last: () => given.at(-1)! };
}

async function until(holds: () => boolean, what: () => unknown): Promise<void> {
  for (let i = 0; i < 2_000 && !holds(); i++) await new Promise((resolve) => setTimeout(resolve, 1));
  await settled();
  assert(holds(), JSON.stringify(what()));
}

/** Waits for a text, and asserts that it stays. */
async function shows(page: { readonly text: string }, text: string): Promise<void> {
  await until(() => page.text === text, () => page.text);
}

class LinkedEndpoint<O extends RestGenerics> extends RestEndpoint<O> {
  override async parseResponse(response: Response) {
    const value = await super.parseResponse(response);
    const next = response.headers.get("link")?.match(/<([^>]*)>; *rel="next"/)?.[1];
    return { results: value, next: next === undefined ? null : new URL(next).searchParams.get("page") };
  }
}

/** Each style of paging: the endpoint, and how to find the next page. */
function styles(urlPrefix: string) {
  const cursor = new RestEndpoint({
    urlPrefix,
    path: "/cursor",
    searchParams: typed<{ after?: string }>(),
    schema: envelope,
  });
  const offset = new RestEndpoint({
    urlPrefix,
    path: "/offset",
    searchParams: typed<{ skip?: number }>(),
    schema: envelope,
  });
  const numbers = new RestEndpoint({
    urlPrefix,
    path: "/bare",
    searchParams: typed<{ page?: number }>(),
    schema: [Film],
  });
  const link = new LinkedEndpoint({
    urlPrefix,
    path: "/link",
    searchParams: typed<{ page?: string }>(),
    schema: { results: [Film], next: "" as string | null },
  });
  const { getList: collection } = resource({ urlPrefix, path: "/bare/:id", schema: Film, paginationField: "after" });
  const style = <E extends ReadEndpoint>(list: E, next: InfiniteOptions<E>["next"], requests: string) => ({
    list: list as ReadEndpoint,
    next: next as InfiniteOptions<ReadEndpoint>["next"],
    requests,
  });
  return {
    cursor: style(cursor, ({ next }) => next && { after: next }, "/cursor /cursor?after=3 /cursor?after=6"),
    offset: style(
      offset,
      ({ results, total }, { skip = 0 }) => skip + results.length < total && { skip: skip + results.length },
      "/offset /offset?skip=3 /offset?skip=6",
    ),
    "page numbers": style(
      numbers,
      (films, { page = 1 }) => films.length === 3 && { page: page + 1 },
      "/bare /bare?page=2 /bare?page=3",
    ),
    link: style(link, ({ next }) => next && { page: next }, "/link /link?page=2 /link?page=3"),
    "last row of a Collection": style(
      collection,
      (films) => films.length === 3 && { after: films.at(-1)!.id },
      "/bare /bare?after=3 /bare?after=6",
    ),
    "getPage": style(
      collection.getPage,
      (films) => films.length === 3 && { after: films.at(-1)!.id },
      "/bare /bare?after=3 /bare?after=6",
    ),
  };
}

for (const name of Object.keys(styles(""))) {
  Deno.test(`useInfinite shows pages by ${name} as one list, each by its own request and in two renderings`, async () => {
    await using server = new PageServer();
    using controller = new Controller();
    const { list, next, requests } = styles(server.origin)[name as "cursor"];
    const { seen, tree, last } = show(controller, list, { next });
    await using page = mount(tree());
    await shows(page, "123 >");
    assertEquals(seen, [" loading", "123 >"]);
    last().next();
    last().next();
    await shows(page, "123456 >");
    last().next();
    await shows(page, "12345678");
    assertEquals(seen.slice(2), ["123 > …>", "123456 >", "123456 > …>", "12345678"]);
    last().next();
    await settled();
    assertEquals([seen.length, server.requests.join(" ")], [6, requests]);
    const before = last();
    page.render(tree());
    await settled();
    assertStrictEquals(last().pages, before.pages);
    assertStrictEquals(last().items, before.items);
    assertEquals([last().next, last().previous, last().refetch], [before.next, before.previous, before.refetch]);
  });

  Deno.test(`useInfinite asks for all pages by ${name} again in order, and hides none meanwhile`, async () => {
    await using server = new PageServer();
    using controller = new Controller();
    const { list, next } = styles(server.origin)[name as "cursor"];
    const { seen, tree, last } = show(controller, list, { next });
    await using page = mount(tree());
    await shows(page, "123 >");
    last().next();
    await shows(page, "123456 >");
    server.requests.length = 0;
    server.ids.unshift("0");
    seen.length = 0;
    await last().refetch();
    await shows(page, "012345 >");
    assertEquals(server.requests.length, 2, server.requests.join());
    assert(seen.every((text) => text.match(/^\d*/)![0].length >= 5), seen.join());
    server.requests.length = 0;
    server.ids = server.ids.slice(0, 4);
    await last().refetch();
    await until(() => page.text.startsWith("0123"), () => seen);
    await page.shows("0123");
  });
}

function startCursor(options: { readonly maxPages?: number } = {}, dataExpiryLength = 60_000) {
  const server = new PageServer();
  const controller = new Controller({ defaults: { retry: 0, dataExpiryLength } });
  const getFilms = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/cursor",
    searchParams: typed<{ after?: string; before?: string }>(),
    schema: envelope,
  });
  const shown = show(controller, getFilms, {
    next: ({ next }) => next && { after: next },
    previous: ({ previous }) => previous && { before: previous, after: undefined },
    ...options,
  });
  return {
    server,
    controller,
    getFilms,
    ...shown,
    [Symbol.asyncDispose]: async () => {
      controller.cleanup();
      await server[Symbol.asyncDispose]();
    },
  };
}

Deno.test("useInfinite asks again for what is expired without hiding it, and for what is invalidated", async () => {
  await using app = startCursor();
  const { server, controller, getFilms, seen, tree, last } = app;
  await using page = mount(tree());
  await shows(page, "123 >");
  last().next();
  await shows(page, "123456 >");
  server.ids = ["1", "2", "x", "4", "5", "6", "7"];
  seen.length = 0;
  controller.expireAll(getFilms);
  await shows(page, "12x456 >");
  assert(seen.every((text) => text.length >= 6), seen.join());
  await controller.allSettled();
  await settled();
  // The first page has another next page now, so the old next page is not fetched.
  assertEquals(server.requests.slice(2), ["/cursor", "/cursor?after=x"]);
  controller.invalidateAll(getFilms);
  await until(() => seen.includes(" loading"), () => seen);
  await shows(page, "12x456 >");
});

Deno.test("rule 12: useInfinite fetches what expired during a mutation, once the mutation is answered", async () => {
  await using app = startCursor();
  const { server, controller, getFilms, tree, last } = app;
  await using page = mount(tree());
  await shows(page, "123 >");
  let answer!: () => void;
  const save = new Endpoint(() => new Promise<object>((go) => answer = () => go({ id: "1", title: "new" })), {
    name: "save",
    schema: Film,
    sideEffect: true,
  });
  const saving = controller.fetch(save);
  controller.expireAll(getFilms);
  await settled();
  assertEquals(server.requests.length, 1);
  answer();
  await saving;
  await until(() => server.requests.length === 2, () => server.requests);
  controller.expireAll(getFilms);
  await until(() => server.requests.length === 3, () => server.requests);
  assertEquals(last().items.length, 3);
});

Deno.test("useInfinite runs its component for a record that it shows, and for no other", async () => {
  await using app = startCursor();
  const { controller, seen, given, tree, last } = app;
  await using page = mount(tree());
  await shows(page, "123 >");
  last().next();
  await shows(page, "123456 >");
  const count = seen.length;
  const before = last();
  controller.set(Film, "99", { id: "99", title: "elsewhere" });
  controller.set(Film, "5", { id: "5", title: "Film 5" });
  await settled();
  assertEquals(seen.length, count);
  controller.set(Film, "5", { id: "5", title: "new" });
  await settled();
  assertEquals(seen.length, count + 1);
  const items = last().items as readonly Film[];
  assertStrictEquals(items[4], controller.get(Film, "5")!);
  assertStrictEquals(last().pages[0], before.pages[0]);
  assertEquals(items.filter((film, index) => film !== before.items[index]).map(({ title }) => title), ["new"]);
  assertEquals(given.length, seen.length);
});

Deno.test("useInfinite forgets pages at one end when there are too many, and takes them up again", async () => {
  await using app = startCursor({ maxPages: 2 });
  const { server, seen, tree, last } = app;
  await using page = mount(tree());
  await shows(page, "123 >");
  last().next();
  await shows(page, "123456 >");
  last().next();
  await shows(page, "45678 <");
  last().previous();
  await shows(page, "123456 >");
  assertEquals(seen.slice(-4), ["123456 > …>", "45678 <", "45678 <… <", "123456 >"]);
  const count = server.requests.length;
  last().next();
  await shows(page, "45678 <");
  assertEquals(server.requests.length, count);
  await last().refetch();
  assertEquals(server.requests.slice(count), ["/cursor?after=3", "/cursor?after=6"]);
});

Deno.test("useInfinite begins in the middle where its arguments say so", async () => {
  await using app = startCursor();
  const { server, tree, last } = app;
  await using page = mount(tree({ after: "3" }));
  await shows(page, "456 < >");
  last().previous();
  await shows(page, "123456 >");
  last().next();
  await shows(page, "12345678");
  assertEquals(server.requests, ["/cursor?after=3", "/cursor?before=4", "/cursor?after=6"]);
});

Deno.test("useInfinite shows what a page fails with beside the others, and next tries it again", async () => {
  await using app = startCursor();
  const { server, tree, last, seen } = app;
  await using page = mount(tree());
  await shows(page, "123 >");
  server.status = () => 422;
  last().next();
  await shows(page, "123 > NetworkError");
  assert(last().error instanceof NetworkError);
  assertEquals(seen.slice(-2), ["123 > …>", "123 > NetworkError"]);
  server.status = undefined;
  last().next();
  await shows(page, "123456 >");
  assertEquals(server.requests, ["/cursor", "/cursor?after=3", "/cursor?after=3"]);
  server.status = (line) => line.includes("after") ? 422 : undefined;
  await assertRejects(() => last().refetch(), NetworkError);
  await settled();
  assertEquals(last().items.length, 6);
  assert(last().error instanceof NetworkError);
});

Deno.test("rule 16: a page of useInfinite that failed is asked again when it expires, as by focus", async () => {
  await using app = startCursor();
  const { server, controller, getFilms, tree, last } = app;
  await using page = mount(tree());
  await shows(page, "123 >");
  server.status = () => 503;
  last().next();
  await shows(page, "123 > NetworkError");
  server.status = undefined;
  controller.expire(getFilms, { after: "3" });
  await shows(page, "123456 >");
});

Deno.test("useInfinite shows no list when the first page fails, and refetch tries it again", async () => {
  await using app = startCursor();
  const { server, tree, last } = app;
  server.status = () => 404;
  await using page = mount(tree());
  await shows(page, " NetworkError");
  assertEquals([last().loading, last().hasNext, last().pages], [false, false, []]);
  server.status = undefined;
  await last().refetch();
  await shows(page, "123 >");
});

Deno.test("useInfinite begins anew with other arguments, gives up what is on its way, and shows what is stored at once", async () => {
  await using app = startCursor();
  const { server, tree, last, seen } = app;
  await using page = mount(tree());
  await shows(page, "123 >");
  last().next();
  await shows(page, "123456 >");
  server.gate = () => new Promise(() => {});
  last().next();
  await until(() => server.requests.length === 3, () => server.requests);
  page.render(tree({ after: "1" }));
  await until(() => server.aborted.length === 1, () => server.aborted);
  assertEquals([page.text, server.aborted], [" loading", ["/cursor?after=6"]]);
  page.render(tree(null));
  await until(() => server.aborted.length === 2, () => server.aborted);
  assertEquals([page.text, last().items], ["", []]);
  last().next();
  await last().refetch();
  page.render(tree());
  assertEquals([await page.settledText(), seen.at(-1)], ["123456 >", "123456 >"]);
  assertEquals(server.requests, ["/cursor", "/cursor?after=3", "/cursor?after=6", "/cursor?after=1"]);
});

Deno.test("useInfinite gives its requests up when its component goes, and has its pages when it comes back", async () => {
  await using app = startCursor();
  const { server, tree, last, seen } = app;
  const page = mount(tree());
  await shows(page, "123 >");
  last().next();
  await shows(page, "123456 >");
  server.gate = () => new Promise(() => {});
  last().next();
  await until(() => server.requests.length === 3, () => server.requests);
  page.unmount();
  await until(() => server.aborted.length === 1, () => server.aborted);
  const { refetch, next } = last(), count = server.requests.length;
  next();
  await refetch();
  assertEquals(server.requests.length, count);
  await using again = mount(tree());
  assertEquals([again.text, seen.at(-1), server.requests.length], ["123456 >", "123456 >", count]);
});

Deno.test("rule 15: useInfinite asks at mount for all stale pages, one after the other", async () => {
  await using app = startCursor({}, 1);
  const { server, tree, last } = app, page = mount(tree());
  for (const text of ["123 >", "123456 >", "12345678"]) {
    await shows(page, text);
    last().next();
  }
  page.unmount();
  await new Promise((go) => setTimeout(go, 5));
  await using _again = mount(tree());
  await until(() => server.requests.length === 6, () => server.requests);
  assertEquals(server.requests.slice(3), server.requests.slice(0, 3));
});

Deno.test("useInfinite of a Collection follows what is created and deleted", async () => {
  await using server = new PageServer();
  using controller = new Controller();
  const FilmResource = resource({ urlPrefix: server.origin, path: "/bare/:id", schema: Film, paginationField: "page" });
  const { seen, tree, last } = show(controller, FilmResource.getList, {
    next: (films, { page = 1 }) => films.length >= 3 && { page: Number(page) + 1 },
  });
  await using page = mount(tree({ page: 1 }));
  await shows(page, "123 >");
  last().next();
  await shows(page, "123456 >");
  seen.length = 0;
  await controller.fetch(FilmResource.delete, { id: "2" });
  await shows(page, "134567 >");
  // A row that left the first page takes no row of the second one with it.
  assert(seen.every((text) => text.includes("456")), seen.join());
  await controller.fetch(FilmResource.getList.unshift, { title: "new" });
  await until(() => page.text.startsWith("new1"), () => page.text);
});

Deno.test("useInfinite with maxPages goes on when a row is deleted while the next page is on its way", async () => {
  await using server = new PageServer();
  using controller = new Controller();
  const { getList, delete: remove } = createResource({ urlPrefix: server.origin, path: "/bare/:id", schema: Film });
  const next = (films: readonly Film[], { page = 1 }: { readonly page?: number }) =>
    films.length === 3 && { page: page + 1 };
  const { tree, last } = show(controller, getList as ReadEndpoint, { next: next as never, maxPages: 1 });
  await using page = mount(tree({ page: 1 }));
  await shows(page, "123 >");
  const gate = Promise.withResolvers<void>();
  server.gate = (line) => line.includes("?page=") ? gate.promise : undefined;
  const removed = controller.fetch(remove, { id: "1" });
  last().next();
  await removed;
  gate.resolve();
  await shows(page, "567 >");
});
