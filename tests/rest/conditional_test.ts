/**
 * Conditional requests against a real server that counts them and looks at their headers.
 *
 * @module
 */
import { assert, assertEquals, assertInstanceOf, assertRejects, assertStrictEquals } from "@std/assert";
import {
  cacheControl,
  conditional,
  ConflictError,
  Controller,
  createResource,
  Entity,
  followRedirects,
  ifMatch,
  NetworkError,
  RestEndpoint,
  type RestGenerics,
  type RestOptions,
  stateOf,
} from "@rejoin/data";
import { type CallContext, recall } from "@rejoin/data/extend";
import type { Step } from "@rejoin/data/extend";
import { freshnessOf } from "../../src/rest/steps/cache_control.ts";
import { isWithinOrigin, LONGEST_TEXT } from "../../src/parts/conditional/conditional.ts";
import { FakeClock } from "../support/clock.ts";
import { replaceGlobals } from "../support/replace_globals.ts";

class Film extends Entity {
  id = "";
  title = "";
  pk() {
    return this.id;
  }
  static key = "Film";
}

/** What came in: method, path, and the headers that make it conditional. */
interface Seen {
  readonly line: string;
  readonly headers: Headers;
  readonly status: number;
}

/** A server with films that have versions. */
class FilmServer {
  readonly films = new Map([["4", { id: "4", title: "A New Hope" }], ["1", { id: "1", title: "Episode I" }]]);
  readonly seen: Seen[] = [];
  /** Headers of each answer to a read; the version is put in where it is `?`. */
  headers: Record<string, string> = { etag: '"?"' };
  /** What a read is answered with in place of the films. */
  body: string | undefined;
  /** What a refused write is answered with. */
  refusal: () => Response = () => Response.json({ error: "changed" }, { status: 412 });
  /** Whether answers to writes, and those that say that nothing has changed, tell the version. */
  tells = true;
  version = 1;
  readonly #server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const response = await this.#answer(request);
    const { pathname, search } = new URL(request.url);
    this.seen.push({
      line: `${request.method} ${pathname}${search} ${response.status}`,
      headers: request.headers,
      status: response.status,
    });
    return response;
  });

  get urlPrefix(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  get lines(): string[] {
    return this.seen.map(({ line }) => line);
  }

  /** A header of the last request. */
  sent(name: string): string | null {
    return this.seen.at(-1)!.headers.get(name);
  }

  change(id: string, title: string): void {
    this.version++;
    this.films.set(id, { id, title });
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/moved")) return Response.redirect(`${this.urlPrefix}/films/4`, 307);
    const id = pathname.split("/")[2];
    const etag = `"${this.version}"`;
    if (request.method !== "GET" && request.method !== "HEAD" && request.method !== "POST") {
      const wanted = request.headers.get("if-match");
      if (wanted !== null && wanted !== etag) return this.refusal();
      if (request.method === "DELETE") this.films.delete(id!);
      else this.change(id!, (await request.json()).title);
      const headers: Record<string, string> = this.tells ? { etag: `"${this.version}"` } : {};
      return Response.json(this.films.get(id!) ?? null, { headers });
    }
    const text = this.body ?? JSON.stringify(id === undefined ? [...this.films.values()] : this.films.get(id));
    const headers = new Headers({ "content-type": "application/json" });
    for (const [name, value] of Object.entries(this.headers)) headers.set(name, value.replace("?", `${this.version}`));
    const since = request.headers.get("if-modified-since");
    const isSame = headers.has("etag") && request.headers.get("if-none-match") === headers.get("etag") ||
      since !== null && since === headers.get("last-modified");
    if (isSame && !this.tells) headers.delete("etag");
    if (isSame) return new Response(null, { status: 304, headers });
    return new Response(request.method === "HEAD" ? null : text, { headers });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

function setUp(server: FilmServer, options: RestOptions = {}) {
  const controller = new Controller();
  const use = [conditional()];
  const films = createResource({ urlPrefix: server.urlPrefix, path: "/films/:id", schema: Film, use, ...options });
  return { controller, ...films };
}

/** How often texts were parsed. */
async function countParses(run: () => Promise<unknown>): Promise<number> {
  const { parse } = JSON;
  let count = 0;
  JSON.parse = (...args) => {
    // The body of a refusal is tried as JSON, and that of a 304 is empty.
    if (args[0] !== "") count++;
    return parse(...args);
  };
  try {
    await run();
  } finally {
    JSON.parse = parse;
  }
  return count;
}

Deno.test("the second read asks with the ETag of the first, and 304 keeps what is there without parsing", async () => {
  await using server = new FilmServer();
  const { controller, getList } = setUp(server);
  const first = await controller.fetch(getList);
  assertEquals(server.sent("if-none-match"), null);
  const parses = await countParses(async () => assertStrictEquals(await controller.fetch(getList), first));
  assertEquals(server.sent("if-none-match"), '"1"');
  assertEquals(server.lines, ["GET /films 200", "GET /films 304"]);
  assertEquals(parses, 0);
});

Deno.test("another ETag brings the new answer, and from then on that ETag is sent", async () => {
  await using server = new FilmServer();
  const { controller, getList } = setUp(server);
  await controller.fetch(getList);
  server.change("4", "Star Wars");
  assertEquals((await controller.fetch(getList))[0]?.title, "Star Wars");
  await controller.fetch(getList);
  assertEquals(server.sent("if-none-match"), '"2"');
  assertEquals(server.lines, ["GET /films 200", "GET /films 200", "GET /films 304"]);
});

Deno.test("the same text again is not parsed, ETag or not", async () => {
  await using server = new FilmServer();
  server.headers = {};
  const { controller, getList } = setUp(server);
  const first = await controller.fetch(getList);
  const parses = await countParses(async () => assertStrictEquals(await controller.fetch(getList), first));
  assertEquals([parses, server.sent("if-none-match")], [0, null]);
  assertEquals(server.lines, ["GET /films 200", "GET /films 200"]);
});

Deno.test("the same text, when the records have changed here, is written again", async () => {
  await using server = new FilmServer();
  server.headers = {};
  const { controller, getList } = setUp(server);
  await controller.fetch(getList);
  controller.set(Film, { id: "4" }, { title: "Star Wars" });
  const films = await controller.fetch(getList);
  assertEquals(films.find(({ id }) => id === "4")?.title, "A New Hope");
  assertEquals(server.lines.length, 2);
});

Deno.test("304, when the records have changed here, writes the remembered text again, without another request", async () => {
  await using server = new FilmServer();
  const { controller, getList } = setUp(server);
  await controller.fetch(getList);
  controller.set(Film, { id: "4" }, { title: "Star Wars" });
  const films = await controller.fetch(getList);
  assertEquals(films.find(({ id }) => id === "4")?.title, "A New Hope");
  assertEquals(server.lines, ["GET /films 200", "GET /films 304"]);
});

Deno.test("a 304 that names another version than it was asked about makes nothing of the answer that is here", async () => {
  const asked: (string | null)[] = [];
  // Two servers behind one address, the first of which is a version behind.
  using _ = replaceGlobals({
    fetch: async (_: string, { headers }: { headers: Headers }) => {
      const etag = headers.get("if-none-match");
      asked.push(etag);
      if (asked.length === 2) return new Response(null, { status: 304, headers: { etag: '"2"' } });
      if (etag === '"2"') return new Response(null, { status: 304, headers: { etag } });
      const version = asked.length === 1 ? "1" : "2";
      return await Promise.resolve(Response.json({ id: "4", title: version }, { headers: { etag: `"${version}"` } }));
    },
  });
  using controller = new Controller();
  const { get } = createResource({
    urlPrefix: "https://api.test",
    path: "/films/:id",
    schema: Film,
    use: [conditional()],
  });
  for (const title of ["1", "1", "2", "2"]) assertEquals((await controller.fetch(get, { id: "4" })).title, title);
  assertEquals(asked, [null, '"1"', '"1"', '"2"']);
});

Deno.test("304 after an invalidation shows the answer again", async () => {
  await using server = new FilmServer();
  const { controller, getList } = setUp(server);
  await controller.fetch(getList);
  controller.invalidate(getList);
  assertEquals(controller.getResponse(getList).data, undefined);
  const films = await controller.fetch(getList);
  assertStrictEquals(controller.getResponse(getList).data, films);
  assertEquals(server.lines, ["GET /films 200", "GET /films 304"]);
});

Deno.test("without conditional() nothing is remembered: no header, and the same text is parsed again", async () => {
  await using server = new FilmServer();
  const { controller, getList } = setUp(server, { use: [] });
  await controller.fetch(getList);
  const parses = await countParses(() => controller.fetch(getList));
  assertEquals([parses, server.sent("if-none-match")], [1, null]);
  assertEquals(controller.store.entries.get(getList.key(), getList)?.memo, undefined);
});

Deno.test("a page asks within its origin; elsewhere it compares texts only, unless crossOrigin says otherwise", async () => {
  await using server = new FilmServer();
  const cases: [origin: string, crossOrigin: boolean | undefined, sent: string | null][] = [
    [server.urlPrefix, undefined, '"1"'],
    ["https://app.example.com", undefined, null],
    ["https://app.example.com", true, '"1"'],
    ["null", undefined, null],
  ];
  for (const [origin, crossOrigin, sent] of cases) {
    const { controller, getList } = setUp(server, { use: [conditional({ crossOrigin })] });
    using _page = replaceGlobals({ location: { origin, href: `${origin}/` } });
    const first = await controller.fetch(getList);
    assertStrictEquals(await controller.fetch(getList), first);
    assertEquals(server.sent("if-none-match"), sent, `${origin} ${crossOrigin}`);
  }
});

Deno.test("isWithinOrigin: a sandboxed frame is within no origin, whatever its location", () => {
  assert(isWithinOrigin("https://api.example.com/films"));
  using _frame = replaceGlobals({ origin: "null" });
  assertEquals(isWithinOrigin("https://api.example.com/films"), false);
});

Deno.test("a condition, a range or a caching of the app's own stands alone", async () => {
  await using server = new FilmServer();
  const inits: RequestInit[] = [
    { headers: { "If-None-Match": '"mine"' } },
    { headers: { "if-modified-since": new Date(0).toUTCString() } },
    { headers: { Range: "bytes=0-" } },
    { cache: "no-store" },
    { cache: "reload" },
  ];
  for (const requestInit of inits) {
    const { controller, getList } = setUp(server, { requestInit });
    await controller.fetch(getList);
    await controller.fetch(getList);
    const own = new Headers(requestInit.headers).get("if-none-match");
    assertEquals(server.sent("if-none-match"), own, JSON.stringify(requestInit));
  }
});

Deno.test("a 304 that only the app asked for is its own affair: an error, as ever", async () => {
  await using server = new FilmServer();
  const { controller, getList } = setUp(server, { requestInit: { headers: { "If-None-Match": '"1"' } } });
  const error = await assertRejects(() => controller.fetch(getList), NetworkError);
  assertEquals(error.status, 304);
});

Deno.test("Last-Modified is sent where there is no ETag, and only if it tells versions apart", async () => {
  await using server = new FilmServer();
  const lastModified = "Mon, 01 Jan 2024 00:00:00 GMT";
  const cases: [headers: Record<string, string>, sent: string | null][] = [
    [{ "last-modified": lastModified, date: "Mon, 01 Jan 2024 00:00:01 GMT" }, lastModified],
    [{ "last-modified": lastModified, date: lastModified }, null],
    [{ "last-modified": "yesterday", date: lastModified }, null],
    [{ "last-modified": lastModified, date: "Mon, 01 Jan 2024 00:00:01 GMT", etag: '"?"' }, null],
  ];
  for (const [headers, sent] of cases) {
    server.headers = headers;
    const { controller, getList } = setUp(server);
    await controller.fetch(getList);
    await controller.fetch(getList);
    assertEquals(server.sent("if-modified-since"), sent, JSON.stringify(headers));
    assertEquals(server.seen.at(-1)!.status, sent === null && headers.etag === undefined ? 200 : 304);
  }
});

Deno.test("what is no entity tag is never sent back", async () => {
  await using server = new FilmServer();
  for (const etag of ["*", "1", '"1", "2"', "W/1", '"']) {
    server.headers = { etag };
    const { controller, getList } = setUp(server);
    await controller.fetch(getList);
    await controller.fetch(getList);
    assertEquals(server.sent("if-none-match"), null, etag);
  }
});

Deno.test("the tag of what a redirect led to is not that of what was asked for", async () => {
  await using server = new FilmServer();
  const moved = new RestEndpoint({
    urlPrefix: server.urlPrefix,
    path: "/moved/:id",
    schema: Film,
    use: [conditional(), ifMatch(), followRedirects()],
  });
  const controller = new Controller();
  await controller.fetch(moved, { id: "4" });
  await controller.fetch(moved, { id: "4" });
  assertEquals(server.sent("if-none-match"), null);
  assertEquals(recall({ owner: controller.store } as CallContext, `etag ${server.urlPrefix}/moved/4`), undefined);
});

Deno.test("a parseResponse of the app's own reads the text itself; the ETag works, also when the records have changed", async () => {
  await using server = new FilmServer();
  let parsed = 0;
  const { controller, getList } = setUp(server, {
    async parseResponse(response: Response) {
      parsed++;
      return await response.json();
    },
  });
  const first = await controller.fetch(getList);
  assertStrictEquals(await controller.fetch(getList), first);
  assertEquals([parsed, ...server.lines], [1, "GET /films 200", "GET /films 304"]);
  // Nothing could be written from a 304: it is not asked for.
  controller.set(Film, { id: "4" }, { title: "Star Wars" });
  assertEquals((await controller.fetch(getList)).find(({ id }) => id === "4")?.title, "A New Hope");
  assertEquals([parsed, server.sent("if-none-match"), server.lines.length], [2, null, 3]);
});

Deno.test("an override of fetchResponse, getHeaders, getRequestInit and process keeps its say", async () => {
  await using server = new FilmServer();
  const seen: string[] = [];
  // deno-lint-ignore no-explicit-any -- the parameter is inferred at each `new`
  class ApiEndpoint<O extends { path: string } = any> extends RestEndpoint<O> {
    override use = [conditional()];
    override async fetchResponse(url: string, init: RequestInit) {
      seen.push(`fetch ${new Headers(init.headers).get("if-none-match")}`);
      // Without super, a 304 is what it is.
      return await (seen.length > 2 ? fetch(url, init) : super.fetchResponse(url, init));
    }
    override getHeaders(headers: Record<string, string>) {
      return { ...headers, "access-token": "secret" };
    }
    override getRequestInit(body?: unknown) {
      return { ...super.getRequestInit(body), credentials: "omit" as const };
    }
    override process(value: { title: string }) {
      seen.push("process");
      return { ...value, title: value.title.toUpperCase() };
    }
  }
  const get = new ApiEndpoint({ urlPrefix: server.urlPrefix, path: "/films/:id", schema: Film });
  const controller = new Controller();
  const film = await controller.fetch(get, { id: "4" }) as Film;
  assertEquals(film.title, "A NEW HOPE");
  assertStrictEquals(await controller.fetch(get, { id: "4" }), film);
  assertStrictEquals(await controller.fetch(get, { id: "4" }), film);
  assertEquals(seen, ["fetch null", "process", 'fetch "1"', 'fetch "1"']);
  assertEquals(server.seen.map(({ headers }) => headers.get("access-token")), ["secret", "secret", "secret"]);
  controller.set(Film, { id: "4" }, { title: "changed here" });
  assertEquals((await controller.fetch(get, { id: "4" }) as Film).title, "A NEW HOPE");
  assertEquals(seen.slice(4), ['fetch "1"', "process"]);
});

Deno.test("a fetch that was replaced, as an option or in a subclass, is called as ever", async () => {
  await using server = new FilmServer();
  const calls: unknown[] = [];
  // deno-lint-ignore no-explicit-any -- the parameter is inferred at each `new`
  class Logged<O extends { path: string } = any> extends RestEndpoint<O> {
    override async fetch(...args: Parameters<RestEndpoint<O>["fetch"]>) {
      calls.push([args, this.signal instanceof AbortSignal]);
      return await super.fetch(...args);
    }
  }
  const get = new Logged({ urlPrefix: server.urlPrefix, path: "/films/:id", schema: Film });
  const controller = new Controller();
  await controller.fetch(get, { id: "4" });
  await controller.fetch(get, { id: "4" });
  assertEquals(calls, [[[{ id: "4" }], true], [[{ id: "4" }], true]]);
  assertEquals(server.lines, ["GET /films/4 200", "GET /films/4 200"]);
  const replaced = setUp(server).get.extend({
    fetch: ({ id }: { id: string }) => Promise.resolve({ id, title: "mine" }),
  });
  assertEquals((await controller.fetch(replaced, { id: "7" }) as Film).title, "mine");
});

Deno.test("a direct call knows of no earlier one", async () => {
  await using server = new FilmServer();
  const { controller, get } = setUp(server);
  await controller.fetch(get, { id: "4" });
  assertEquals(await get({ id: "4" }), { id: "4", title: "A New Hope" });
  assertEquals(server.lines, ["GET /films/4 200", "GET /films/4 200"]);
});

Deno.test("a call that is given up while it is asked again is aborted", async () => {
  await using server = new FilmServer();
  const { controller, get } = setUp(server);
  await controller.fetch(get, { id: "4" });
  const abort = new AbortController();
  const call = controller.fetch(get.extend({ signal: abort.signal }), { id: "4" });
  abort.abort(new Error("left"));
  await assertRejects(() => call, Error, "left");
});

Deno.test("HEAD is conditional as well; a POST that reads compares texts", async () => {
  await using server = new FilmServer();
  const controller = new Controller();
  const head = new RestEndpoint({
    urlPrefix: server.urlPrefix,
    path: "/films/:id",
    method: "HEAD",
    use: [conditional()],
  });
  await controller.fetch(head, { id: "4" });
  await controller.fetch(head, { id: "4" });
  assertEquals(server.lines, ["HEAD /films/4 200", "HEAD /films/4 304"]);
  const search = new RestEndpoint({
    urlPrefix: server.urlPrefix,
    path: "/films",
    method: "POST",
    sideEffect: false,
    schema: [Film],
    use: [conditional()],
  });
  const first = await controller.fetch(search, { title: "hope" });
  const parses = await countParses(async () =>
    assertStrictEquals(await controller.fetch(search, { title: "hope" }), first)
  );
  assertEquals([parses, server.sent("if-none-match")], [0, null]);
});

Deno.test("a text that is too long is not kept; its ETag is", async () => {
  await using server = new FilmServer();
  server.body = JSON.stringify([{ id: "4", title: "x".repeat(LONGEST_TEXT) }]);
  const { controller, getList } = setUp(server);
  const first = await controller.fetch(getList);
  assertStrictEquals(await controller.fetch(getList), first);
  assertEquals(server.lines, ["GET /films 200", "GET /films 304"]);
  server.headers = {};
  server.version++;
  await controller.fetch(getList);
  assertEquals(await countParses(() => controller.fetch(getList)), 1);
});

Deno.test("what is remembered appears in no state and no logged action", async () => {
  await using server = new FilmServer();
  const actions: unknown[] = [];
  const controller = new Controller({
    managers: [{ middleware: () => (next) => (action) => (actions.push(action), next(action)) }],
  });
  const { getList } = setUp(server);
  await controller.fetch(getList);
  await controller.fetch(getList);
  const json = JSON.stringify([stateOf(controller), actions]);
  assertEquals(json.split("A New Hope").length - 1, 2, "the record, and the response of the action");
});

Deno.test("cacheControl() takes freshness from the answer; without it the header means nothing", async () => {
  await using server = new FilmServer();
  server.headers = { etag: '"?"', "cache-control": "private, max-age=5" };
  const { controller, getList } = setUp(server);
  const clock = new FakeClock();
  const lifetime = async (endpoint: typeof getList) => {
    using _ = clock.install();
    await controller.fetch(endpoint);
    return controller.getResponse(endpoint).expiresAt - clock.now();
  };
  assertEquals(await lifetime(getList), 60_000);
  const asTold = getList.extend({ use: [conditional(), cacheControl()], dataExpiryLength: 7_000 });
  assertEquals(await lifetime(asTold), 5_000);
  assertEquals(server.seen.at(-1)!.status, 304, "of a 304, too");
  server.headers = { etag: '"?"', "cache-control": "no-cache" };
  assertEquals(await lifetime(asTold), 0);
  server.headers = { etag: '"?"' };
  assertEquals(await lifetime(asTold), 7_000);
});

Deno.test("freshnessOf reads Cache-Control and Age, and believes nothing that makes no sense", () => {
  const cases: [headers: Record<string, string>, ms: number | undefined][] = [
    [{}, undefined],
    [{ "cache-control": "public" }, undefined],
    [{ "cache-control": "max-age=60" }, 60_000],
    [{ "cache-control": 'public,MAX-AGE="60" , must-revalidate' }, 60_000],
    [{ "cache-control": "s-maxage=60" }, undefined],
    [{ "cache-control": "max-age=0" }, 0],
    [{ "cache-control": "max-age=31536000, immutable" }, 86_400_000],
    [{ "cache-control": `max-age=${"9".repeat(400)}` }, 86_400_000],
    [{ "cache-control": "max-age=-1" }, undefined],
    [{ "cache-control": "max-age=1e9" }, undefined],
    [{ "cache-control": "max-age=soon" }, undefined],
    [{ "cache-control": "max-age=60", age: "20" }, 40_000],
    [{ "cache-control": "max-age=60", age: "200" }, 0],
    [{ "cache-control": "max-age=60", age: "old" }, 60_000],
    [{ "cache-control": "max-age=60, no-store" }, 0],
    [{ "cache-control": "no-cache" }, 0],
    [{ "cache-control": 'no-cache="set-cookie", max-age=60' }, 60_000],
  ];
  for (const [headers, ms] of cases) assertEquals(freshnessOf(new Headers(headers)), ms, JSON.stringify(headers));
});

Deno.test("ifMatch(): a write is sent with the version that was read, and then with that of each reply", async () => {
  await using server = new FilmServer();
  const { controller, get, update, partialUpdate, delete: remove } = setUp(server, { use: [conditional(), ifMatch()] });
  await controller.fetch(get, { id: "4" });
  await controller.fetch(update, { id: "4" }, { id: "4", title: "Star Wars" });
  assertEquals(server.sent("if-match"), '"1"');
  await controller.fetch(partialUpdate, { id: "4" }, { title: "Episode IV" });
  assertEquals(server.sent("if-match"), '"2"');
  await controller.fetch(get, { id: "4" });
  await controller.fetch(remove, { id: "4" });
  assertEquals(server.sent("if-match"), '"3"');
  assertEquals(server.lines.filter((line) => line.endsWith("412")), []);
});

Deno.test("a 304 that names no version speaks of the one that is known", async () => {
  await using server = new FilmServer();
  server.tells = false;
  const { controller, get, update } = setUp(server, { use: [conditional(), ifMatch()] });
  await controller.fetch(get, { id: "4" });
  await controller.fetch(get, { id: "4" });
  await controller.fetch(get, { id: "4" });
  assertEquals(server.lines.slice(1), ["GET /films/4 304", "GET /films/4 304"]);
  await controller.fetch(update, { id: "4" }, { id: "4", title: "Star Wars" });
  assertEquals(server.sent("if-match"), '"1"');
});

Deno.test("without ifMatch() nothing is noted and nothing sent", async () => {
  await using server = new FilmServer();
  const { controller, get, update } = setUp(server);
  await controller.fetch(get, { id: "4" });
  await controller.fetch(update, { id: "4" }, { id: "4", title: "Star Wars" });
  assertEquals(server.sent("if-match"), null);
  await controller.fetch(update.extend({ use: [ifMatch()] }), { id: "4" }, { id: "4", title: "Episode IV" });
  assertEquals(server.sent("if-match"), null);
});

Deno.test("a write is unconditional when no version is known, and an If-Match of the app's own stands", async () => {
  await using server = new FilmServer();
  const { controller, get, getList, update, create } = setUp(server, { use: [conditional(), ifMatch()] });
  await controller.fetch(update, { id: "4" }, { id: "4", title: "Star Wars" });
  assertEquals(server.sent("if-match"), null);
  server.tells = false;
  await controller.fetch(update, { id: "4" }, { id: "4", title: "Star Wars" });
  assertEquals(server.sent("if-match"), '"2"');
  await controller.fetch(update, { id: "4" }, { id: "4", title: "Star Wars" });
  assertEquals(server.sent("if-match"), null, "the last reply did not tell");
  await controller.fetch(get, { id: "4" });
  const own = update.extend({ requestInit: { headers: { "If-Match": '"mine"' } } });
  await controller.fetch(own, { id: "4" }, { id: "4", title: "Star Wars" }).catch(() => {});
  assertEquals(server.seen.findLast(({ line }) => line.startsWith("PUT"))!.headers.get("if-match"), '"mine"');
  await controller.fetch(getList);
  server.body = '{"id":"9","title":"new"}';
  await controller.fetch(create, { title: "new" });
  assertEquals(server.sent("if-match"), null, "what is created has no version");
});

Deno.test("412 is a ConflictError with both versions; theirs is read where the refusal does not show it", async () => {
  await using server = new FilmServer();
  const { controller, get, update, getList } = setUp(
    server,
    { use: [conditional(), ifMatch()], optimistic: true } as RestOptions,
  );
  await controller.fetch(get, { id: "4" });
  server.change("4", "Star Wars");
  const mine = { id: "4", title: "A Newer Hope" };
  const call = controller.fetch(update, { id: "4" }, mine);
  assertEquals(controller.get(Film, { id: "4" })?.title, "A Newer Hope", "the layer");
  const error = await assertRejects(() => call, ConflictError);
  assertInstanceOf(error, NetworkError);
  assertEquals([error.mine, error.theirs], [mine, { id: "4", title: "Star Wars" }]);
  assertEquals([error.status, error.method, error.body], [412, "PUT", { error: "changed" }]);
  assertEquals(controller.get(Film, { id: "4" })?.title, "A New Hope", "the layer is gone");
  assertEquals(server.lines, ["GET /films/4 200", "PUT /films/4 412", "GET /films/4 200"]);
  assertEquals([server.sent("if-match"), server.sent("content-type")], [null, null]);
  // Once it is read, the version of it counts.
  await controller.fetch(get, { id: "4" });
  assertEquals(controller.get(Film, { id: "4" })?.title, "Star Wars");
  await controller.fetch(update, { id: "4" }, mine);
  assertEquals(server.films.get("4")?.title, "A Newer Hope");
  await controller.fetch(getList);
});

Deno.test("a refusal that is the record itself is theirs, without another request", async () => {
  await using server = new FilmServer();
  server.refusal = () => Response.json({ id: "4", title: "Star Wars" }, { status: 412 });
  const { controller, get, delete: remove } = setUp(server, { use: [conditional(), ifMatch()] });
  await controller.fetch(get, { id: "4" });
  server.change("4", "Star Wars");
  const error = await assertRejects(() => controller.fetch(remove, { id: "4" }), ConflictError);
  assertEquals([error.mine, error.theirs], [undefined, { id: "4", title: "Star Wars" }]);
  assertEquals(server.lines, ["GET /films/4 200", "DELETE /films/4 412"]);
  assertEquals(controller.get(Film, { id: "4" })?.title, "A New Hope");
});

Deno.test("a conflict over a record that cannot be read is still a conflict", async () => {
  await using server = new FilmServer();
  const { controller, get, update } = setUp(server, { use: [conditional(), ifMatch()] });
  await controller.fetch(get, { id: "4" });
  server.change("4", "Star Wars");
  server.body = "{";
  const error = await assertRejects(() => controller.fetch(update, { id: "4" }, { title: "mine" }), ConflictError);
  assertEquals([error.mine, error.theirs], [{ title: "mine" }, undefined]);
});

Deno.test("412 without ifMatch() is a NetworkError, as ever", async () => {
  await using server = new FilmServer();
  const { controller, update } = setUp(server, { requestInit: { headers: { "if-match": '"0"' } } });
  const error = await assertRejects(() => controller.fetch(update, { id: "4" }, { title: "x" }), NetworkError);
  assertEquals([error.name, error.status, server.lines.length], ["NetworkError", 412, 1]);
});

Deno.test("versions are of one store: another controller knows none", async () => {
  await using server = new FilmServer();
  const { controller, get, update } = setUp(server, { use: [conditional(), ifMatch()] });
  await controller.fetch(get, { id: "4" });
  await new Controller().fetch(update, { id: "4" }, { id: "4", title: "Star Wars" });
  assertEquals(server.sent("if-match"), null);
});

Deno.test("14.5 steps run from the outermost, for each exchange once, and may answer by themselves", async () => {
  await using server = new FilmServer();
  const order: string[] = [];
  const named = (name: string): Step => async (call, next) => {
    order.push(`${name} ${call.method}`);
    const reply = await next(call);
    order.push(`${name} ${reply.response?.status}`);
    return reply;
  };
  const { controller, get } = setUp(server, { use: [named("a"), named("b")] });
  await controller.fetch(get, { id: "4" });
  assertEquals(order, ["a GET", "b GET", "b 200", "a 200"]);
  const offline = get.extend({ use: [() => Promise.resolve({ value: { id: "4", title: "kept" } })] });
  assertEquals((await controller.fetch(offline, { id: "4" })).title, "kept");
  assertEquals(server.lines.length, 1);
});

Deno.test("14.5 steps are said by a class or a resource as well", async () => {
  await using server = new FilmServer();
  class Api<O extends RestGenerics> extends RestEndpoint<O> {
    override use = [conditional()];
  }
  const controller = new Controller();
  const get = new Api({ urlPrefix: server.urlPrefix, path: "/films/:id", schema: Film });
  await controller.fetch(get, { id: "4" });
  await controller.fetch(get, { id: "4" });
  assertEquals(server.lines, ["GET /films/4 200", "GET /films/4 304"]);
});
