import { assertEquals } from "@std/assert";
import {
  Controller,
  createResource,
  Entity,
  hydrate,
  resource,
  RestEndpoint,
  type RestGenerics,
  schema,
  stateOf,
  StreamManager,
} from "@rejoin/data";
import type { StreamListener } from "@rejoin/data/extend";

class Film extends Entity {
  id = "";
  title = "";
  static key = "Film";
}

const PAGE = 2;

/** Films, the newest first, in pages that are named by a number, an offset, a cursor, or a token of the `link` header. */
class FilmServer implements AsyncDisposable {
  films: string[];
  readonly requests: string[] = [];
  /** Answers wait until it is called. */
  hold: Promise<void> | undefined;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(count: number) {
    this.films = Array.from({ length: count }, (_, at) => String(count - at));
    this.#server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => this.#answer(request));
  }

  get urlPrefix(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }

  delete(id: string): void {
    this.films = this.films.filter((film) => film !== id);
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, search, searchParams } = new URL(request.url);
    this.requests.push(`${request.method} ${search}`);
    const id = pathname.split("/")[2];
    if (request.method === "DELETE") {
      this.delete(id!);
      await this.hold;
      return Response.json({ id });
    }
    if (request.method === "POST") {
      const film = { ...await request.json(), id: String(this.films.length + 1) };
      this.films.unshift(film.id);
      return Response.json(film);
    }
    const after = searchParams.get("after");
    const token = /^after-(\d+)$/.exec(searchParams.get("token") ?? "")?.[1];
    const behind = after ?? token;
    // What comes behind a film is told by its number, so that it need not be there.
    const from = behind != null
      ? this.films.filter((film) => Number(film) >= Number(behind)).length
      : searchParams.has("page")
      ? (Number(searchParams.get("page")) - 1) * PAGE
      : Number(searchParams.get("skip") ?? 0);
    const rows = this.films.slice(from, from + PAGE);
    const next = from + PAGE < this.films.length ? `after-${rows.at(-1)}` : null;
    const films = rows.map((id) => ({ id, title: `Film ${id}` }));
    if (pathname === "/wrapped") return Response.json({ results: films, next, total: this.films.length });
    return Response.json(films);
  }
}

type Params = { page?: number; skip?: number; after?: string; token?: string };
type List = RestEndpoint<{ path: "/films"; schema: (typeof Film)[]; searchParams: Params | undefined }>;

const FORMS = {
  "an array": [Film],
  "a Collection": new schema.Collection([Film]),
  "an array in an envelope": { results: [Film], next: "" as string | null, total: 0 },
  "a Collection in an envelope": { results: new schema.Collection([Film]), next: "" as string | null, total: 0 },
};

/** How the pages behind the first are named. */
const COUNTED = { page: (at: number) => ({ page: at }), skip: (at: number) => ({ skip: (at - 1) * PAGE }) };

/** Reads a list by pages. */
class Reader {
  readonly list: List;

  constructor(
    readonly controller: Controller,
    server: FilmServer,
    form: keyof typeof FORMS,
    readonly field: keyof Params,
  ) {
    this.list = new RestEndpoint({
      urlPrefix: server.urlPrefix,
      path: form.includes("envelope") ? "/wrapped" : "/films",
      schema: FORMS[form],
      searchParams: {} as Params | undefined,
    }) as unknown as List;
  }

  async page(at: number): Promise<void> {
    if (at === 1) await this.controller.fetch(this.list);
    else await this.ask(COUNTED[this.field as "page"](at));
  }

  async ask(params: Params): Promise<void> {
    await this.controller.fetch(this.list.paginated(this.field) as never as List, params as never);
  }

  /** The list, with a mark where it is not fresh. */
  get shown(): string {
    const { data, expiresAt } = this.controller.getResponse(this.list);
    return idsOf(data) + (expiresAt > Date.now() ? "" : " stale");
  }
}

function idsOf(data: unknown): string {
  const films = Array.isArray(data) ? data : (data as { results?: unknown } | undefined)?.results;
  return (films as Film[] | undefined)?.map(({ id }) => id).join("") ?? "";
}

async function eachForm(
  count: number,
  fields: readonly (keyof Params)[],
  play: (server: FilmServer, reader: Reader, field: keyof Params, tell: (gone: string) => void) => Promise<void>,
): Promise<void> {
  for (const form of Object.keys(FORMS) as (keyof typeof FORMS)[]) {
    for (const field of fields) {
      await using server = new FilmServer(count);
      let stream: StreamListener;
      const source = (listener: StreamListener) => {
        stream = listener;
        listener.open();
        return { close() {} };
      };
      using controller = new Controller({
        managers: [new StreamManager({ source, messages: { gone: new schema.Invalidate(Film) } })],
      });
      const reader = new Reader(controller, server, form, field);
      await play(server, reader, field, (data) => stream.message({ type: "gone", data }));
    }
  }
}

Deno.test("13.A6 a row that slid to the page before: the list is not fresh until it is asked for from the start", async () => {
  for (const pages of [2, 3]) {
    await eachForm(5, ["page", "skip"], async (server, reader) => {
      for (let at = 1; at <= pages; at++) await reader.page(at);
      assertEquals(reader.shown, pages === 2 ? "5432" : "54321");
      server.delete("5");
      await reader.page(2);
      assertEquals(reader.shown, "5421 stale");
      await reader.page(3);
      assertEquals(reader.shown, "5421 stale", "as long as nobody asks for the first page");
      await reader.page(1);
      await reader.page(2);
      await reader.page(3);
      assertEquals(reader.shown, "4321");
    });
  }
});

Deno.test("13.A6 a row that the page before has already, and one that it lost last", async () => {
  await eachForm(5, ["page", "skip"], async (server, reader) => {
    for (const at of [1, 2]) await reader.page(at);
    server.films.unshift("6");
    await reader.page(2);
    assertEquals(reader.shown, "543 stale", "the sixth is on the first page");
    await reader.page(1);
    assertEquals(reader.shown, "6543");
    await reader.page(3);
    assertEquals(reader.shown, "654321");
    server.films.unshift("7");
    await reader.page(1);
    assertEquals(reader.shown, "764321 stale", "the fifth is on the second page");
    await reader.page(2);
    await reader.page(3);
    assertEquals(reader.shown, "765432");
  });
});

Deno.test("13.A6 the last page may shrink, and pages that have not changed are fresh", async () => {
  await eachForm(4, ["page", "skip"], async (server, reader) => {
    for (const at of [1, 2]) await reader.page(at);
    server.delete("1");
    await reader.page(2);
    assertEquals(reader.shown, "432");
    for (const at of [1, 2, 1]) await reader.page(at);
    assertEquals(reader.shown, "432");
    server.delete("2");
    await reader.page(2);
    assertEquals(reader.shown, "43 stale", "nobody has deleted it here: it may be on the first page");
    await reader.page(1);
    assertEquals(reader.shown, "43");
  });
});

Deno.test("13.A6 a page behind a cursor does not shift", async () => {
  await eachForm(5, ["after", "token"], async (server, reader, field) => {
    const cursor = (id: string) => ({ [field]: field === "token" ? `after-${id}` : id });
    await reader.page(1);
    await reader.ask(cursor("4"));
    await reader.ask(cursor("2"));
    assertEquals(reader.shown, "54321");
    server.films.unshift("6");
    await reader.ask(cursor("4"));
    assertEquals(reader.shown, "54321");
    server.delete("5");
    await reader.ask(cursor("4"));
    await reader.ask(cursor("2"));
    assertEquals(reader.shown, "54321");
    server.films.push("0");
    await reader.ask(cursor("2"));
    assertEquals(reader.shown, "543210");
  });
});

Deno.test("13.A6 numbers count what was deleted here: of the next page, nobody knows what it begins with", async () => {
  for (const isGrowing of [true, false]) {
    await using server = new FilmServer(7);
    const { urlPrefix } = server;
    const options = { urlPrefix, path: "/films/:id", schema: Film, searchParams: {} as Params | undefined } as const;
    const films = isGrowing ? resource(options) : createResource(options);
    const getList = films.getList as unknown as List;
    const getPage = getList.paginated("page") as never as List;
    using controller = new Controller();
    const shown = () => {
      const { data, expiresAt } = controller.getResponse(getList);
      return idsOf(data) + (expiresAt > Date.now() ? "" : " stale");
    };
    await controller.fetch(getList);
    await controller.fetch(getPage, { page: 2 });
    await controller.fetch(films.delete, { id: "6" });
    await controller.fetch(getPage, { page: 3 });
    assertEquals(shown(), "75421 stale", "the third slid to the second page");
    await controller.fetch(getList);
    assertEquals(shown(), "75421 stale");
    await controller.fetch(getPage, { page: 2 });
    await controller.fetch(getPage, { page: 3 });
    assertEquals(shown(), "754321");
    // While the next page is on its way: the server has done it, and has not said so.
    const answer = Promise.withResolvers<void>();
    server.hold = answer.promise;
    const deleting = controller.fetch(films.delete, { id: "5" });
    while (server.films.includes("5")) await new Promise((resolve) => setTimeout(resolve, 1));
    await controller.fetch(getPage, { page: 3 });
    answer.resolve();
    await deleting;
    await controller.fetch(getList);
    assertEquals(shown().endsWith(" stale"), true, shown());
    await controller.fetch(getPage, { page: 2 });
    await controller.fetch(getPage, { page: 3 });
    assertEquals(shown(), "74321");
  }
});

Deno.test("13.A6 what a stream says is gone may have been gone when the next page was counted", async () => {
  await eachForm(6, ["page", "after"], async (server, reader, field, tell) => {
    const isCounted = field === "page";
    const second = () => isCounted ? reader.page(2) : reader.ask({ after: "5" });
    const third = () => isCounted ? reader.page(3) : reader.ask({ after: "3" });
    await reader.page(1);
    await second();
    assertEquals(reader.shown, "6543");
    // Told before the next page comes.
    server.delete("6");
    tell("6");
    await third();
    assertEquals(reader.shown, isCounted ? "5431 stale" : "54321");
    await reader.page(1);
    await second();
    await third();
    // Told after that.
    server.delete("4");
    await second();
    tell("4");
    if (isCounted) assertEquals(reader.shown.endsWith(" stale"), true, reader.shown);
  });
});

Deno.test("13.A6 a list that came hydrated and was continued where it came from notices what its first page has lost", async () => {
  for (const form of Object.keys(FORMS) as (keyof typeof FORMS)[]) {
    // Of a plain list, only what the pages amount to comes along: it is one page then.
    const keepsPages = form.includes("Collection");
    await using server = new FilmServer(6);
    using there = new Controller();
    const first = new Reader(there, server, form, "page");
    for (const at of [1, 2]) await first.page(at);
    const state = JSON.parse(JSON.stringify(stateOf(there)));
    for (const isInserted of [true, false]) {
      const { films } = server;
      using controller = new Controller({ use: [hydrate(state)] });
      const reader = new Reader(controller, server, form, "page");
      assertEquals(reader.shown, "6543");
      if (isInserted) server.films = ["7", ...films];
      else server.delete("6");
      await reader.page(1);
      if (isInserted) assertEquals(reader.shown, keepsPages ? "7643 stale" : "76");
      else assertEquals(reader.shown, keepsPages ? "543 stale" : "54");
      await reader.page(2);
      assertEquals(reader.shown, isInserted ? "7654" : "5432");
      server.films = films;
    }
    using controller = new Controller({ use: [hydrate(state)] });
    const reader = new Reader(controller, server, form, "page");
    await reader.page(1);
    await reader.page(2);
    assertEquals(reader.shown, "6543", "nothing has changed");
    // A page that is not the first is asked for, and nothing before it.
    using other = new Controller({ use: [hydrate(state)] });
    const later = new Reader(other, server, form, "page");
    server.delete("6");
    await later.page(2);
    assertEquals(later.shown.endsWith(" stale"), true, later.shown);
  }
});

Deno.test("13.A6 what was created stands behind the pages that are there, until one says where it is", async () => {
  await using server = new FilmServer(6);
  const { getList, create } = resource({
    urlPrefix: server.urlPrefix,
    path: "/films/:id",
    schema: Film,
    searchParams: {} as Params | undefined,
    paginationField: "page",
  });
  using controller = new Controller();
  const shown = () => {
    const { data, expiresAt } = controller.getResponse(getList);
    return idsOf(data) + (expiresAt > Date.now() ? "" : " stale");
  };
  await controller.fetch(getList);
  await controller.fetch(getList.getPage, { page: 2 });
  await controller.fetch(create, { title: "new" });
  assertEquals(shown(), "65437 stale");
  await controller.fetch(getList);
  assertEquals(shown(), "7643 stale");
  await controller.fetch(getList.getPage, { page: 2 });
  assertEquals(shown(), "7654");
  // A list that was marked is as old as its oldest page.
  controller.expireAll(getList);
  await controller.fetch(getList);
  assertEquals(shown(), "7654 stale");
  await controller.fetch(getList.getPage, { page: 2 });
  assertEquals(shown(), "7654");
});

Deno.test("13.A6 what was created is not kept before what its page says, where the page before has come to reach into it", () => {
  const { getList, create } = resource({
    urlPrefix: "https://api.test",
    path: "/films/:id",
    schema: Film,
    searchParams: {} as { readonly after?: string } | undefined,
    paginationField: "after",
  });
  using controller = new Controller();
  const shown = () => idsOf(controller.getResponse(getList).data);
  const rows = (ids: string) => [...ids].map((id) => ({ id, title: id }));
  controller.setResponse(getList, rows("12"));
  controller.setResponse(getList.getPage, { after: "2" }, rows("3"));
  for (const id of ["5", "4"]) controller.setResponse(create, { title: id }, { id, title: id });
  assertEquals(shown(), "12354");
  controller.setResponse(getList, rows("23")); // the first was deleted
  assertEquals(shown(), "2354");
  controller.setResponse(getList.getPage, { after: "2" }, rows("34"));
  assertEquals(shown(), "234");
});

Deno.test("13.A6 what is created joins the first of several pages, which is asked for again", async () => {
  for (const isOwn of [false, true]) {
    await using server = new FilmServer(6);
    const options = {
      urlPrefix: server.urlPrefix,
      path: "/films/:id",
      schema: Film,
      searchParams: {} as Params | undefined,
    } as const;
    const paged = resource({ ...options, paginationField: "page" });
    // Another one of the same path knows it from the first.
    const { create } = isOwn ? paged : resource(options);
    using controller = new Controller();
    const shown = () => {
      const { data, expiresAt } = controller.getResponse(paged.getList);
      return idsOf(data) + (expiresAt > Date.now() ? "" : " stale");
    };
    await controller.fetch(paged.getList);
    await controller.fetch(create, { title: "new" });
    assertEquals(shown(), "657 stale");
    await controller.fetch(paged.getList);
    assertEquals(shown(), "76");
    await controller.fetch(paged.delete, { id: "7" });
    assertEquals(shown(), "6 stale");
  }
});

Deno.test("two resources of one address may name their pages by different parameters", async () => {
  class Note extends Entity {
    id = "";
    page = 0;
    static key = "Note of a page";
  }
  const notesBy = <const F extends string>(paginationField: F) =>
    resource({
      urlPrefix: "https://api.test",
      path: "/notes/:id",
      schema: Note,
      searchParams: {} as Params | undefined,
      paginationField,
    });
  const byPage = notesBy("page");
  const { create } = notesBy("cursor");
  using controller = new Controller();
  controller.setResponse(byPage.getList, { page: 2 }, [{ id: "1", page: 2 }]);
  const sent = create.extend({ fetch: async () => await Promise.resolve({ id: "9", page: 7 }) });
  await controller.fetch(sent as typeof create, { page: 7 });
  assertEquals(controller.getResponse(byPage.getList, { page: 2 }).expiresAt > Date.now(), false);
});

Deno.test("13.A6 a Collection says itself that its lists come in pages", async () => {
  for (const isPaged of [true, undefined]) {
    const films = new schema.Collection([Film], { key: `paged ${isPaged}`, isPaged });
    const getList = new RestEndpoint({ path: "/films", schema: films });
    const push = getList.push.extend({ fetch: async () => await Promise.resolve({ id: "9", title: "new" }) });
    using controller = new Controller();
    controller.setResponse(getList, [{ id: "1" }]);
    await controller.fetch(push as typeof getList.push, { title: "new" });
    const { data, expiresAt } = controller.getResponse(getList);
    assertEquals([idsOf(data), expiresAt > Date.now()], ["19", !isPaged]);
  }
});

Deno.test("a page that was asked for before the list was asked for anew, and is answered after it, is not taken for what follows", async () => {
  const replies: ((ids: string) => void)[] = [];
  const { getList } = resource({
    urlPrefix: "https://api.test",
    path: "/films/:id",
    schema: Film,
    paginationField: "page",
    Endpoint: class<O extends RestGenerics> extends RestEndpoint<O> {
      override fetchResponse() {
        const { promise, resolve } = Promise.withResolvers<Response>();
        replies.push((ids) => resolve(Response.json(ids.split(" ").map((id) => ({ id })))));
        return promise;
      }
    },
  });
  using controller = new Controller();
  const sent = async (count: number) => {
    while (replies.length < count) await new Promise((resolve) => setTimeout(resolve));
  };
  const first = controller.fetch(getList);
  await sent(1);
  replies[0]!("5 4");
  await first;
  const page = controller.fetch(getList.getPage, { page: 2 });
  await sent(2);
  const again = controller.fetch(getList);
  await sent(3);
  // One was inserted meanwhile: 4 is on the second page now, and was not when that was answered.
  replies[2]!("6 5");
  await again;
  replies[1]!("3 2");
  await page;
  const { data, expiresAt } = controller.getResponse(getList);
  assertEquals(data?.map(({ id }) => id).join(" "), "6 5 3 2");
  assertEquals(expiresAt <= Date.now(), true);
});
