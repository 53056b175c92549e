import { assert, assertEquals, assertInstanceOf, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { AsyncLocalStorage } from "node:async_hooks";
import * as fc from "fast-check";
import {
  batch,
  cacheControl,
  conditional,
  Controller,
  createResource,
  EndpointError,
  Entity,
  NetworkError,
  RestEndpoint,
  stateOf,
  UrlError,
} from "@rejoin/data";
import { Resource } from "@rejoin/data/legacy";
import { FakeClock, flush } from "../support/clock.ts";
import { type FaultServer, startFaultServer } from "../support/fault_server.ts";
import { check, runs } from "../support/property.ts";
import { replaceGlobals } from "../support/replace_globals.ts";

class Film extends Entity {
  id = "";
  title = "";
  pk() {
    return this.id;
  }
  static key = "Film";
}

const film = (id: string) => ({ id, title: `film ${id}` });
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => String(from + at));

/** A server that knows all films but those whose id begins with `0`. */
async function filmServer(): Promise<FaultServer> {
  return await startFaultServer({
    fallback(request) {
      const { pathname, searchParams } = new URL(request.url);
      const known = (id: string) => !id.startsWith("0");
      if (pathname === "/broken") return new Response("broken", { status: 500 });
      if (pathname.endsWith("/films")) {
        const ids = searchParams.has("ids") ? searchParams.get("ids")!.split(",") : searchParams.getAll("ids[]");
        return Response.json(ids.filter(known).reverse().map(film));
      }
      const id = decodeURIComponent(pathname.split("/").at(-1)!);
      return known(id) ? Response.json(film(id)) : Response.json({ detail: "no such film" }, { status: 404 });
    },
  });
}

const paths = ({ requests }: FaultServer) => requests.map(({ path }) => decodeURIComponent(path));

Deno.test("a hundred reads in one tick are one request, and each has its own answer", async () => {
  await using server = await filmServer();
  using controller = new Controller();
  const getFilm = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/films/:id",
    schema: Film,
    getMany: batch({ param: "ids", separator: "," }),
  });
  const ids = numbers(1, 100);
  const films = await Promise.all(ids.map((id) => controller.fetch(getFilm, { id })));
  assertEquals(films.map(({ title }) => title), ids.map((id) => `film ${id}`));
  assertEquals(paths(server), [`/films?ids=${ids.join()}`]);
  for (const [at, id] of ids.entries()) {
    const { data, expiryStatus } = controller.getResponse(getFilm, { id });
    assertStrictEquals(data, films[at]);
    assertEquals(expiryStatus, 3);
  }
  assertEquals(Object.keys(stateOf(controller).endpoints).length, 100);
});

Deno.test("equal reads are asked for once", async () => {
  using controller = new Controller();
  const { fetch } = controller;
  await using server = await filmServer();
  const getFilm = new RestEndpoint({ urlPrefix: server.origin, path: "/films/:id", getMany: batch({ param: "ids" }) });
  const films = await Promise.all(["7", 7, "8"].map((id) => fetch(getFilm, { id })));
  assertEquals(films, [film("7"), film("7"), film("8")]);
  assertEquals(paths(server), ["/films?ids[]=7&ids[]=8"]);
});

Deno.test("more than the maximum are several requests; one alone is what it always was", async () => {
  using controller = new Controller();
  const { fetch } = controller;
  await using server = await filmServer();
  const getFilm = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/films/:id",
    getMany: batch({ param: "ids", max: 3, separator: "," }),
  });
  const ids = numbers(1, 7);
  assertEquals(await Promise.all(ids.map((id) => fetch(getFilm, { id }))), ids.map(film));
  assertEquals(paths(server).sort(), ["/films/7", "/films?ids=1,2,3", "/films?ids=4,5,6"]);
  server.clear();
  assertEquals(await fetch(getFilm, { id: "5" }), film("5"));
  assertEquals(await fetch(getFilm, { id: "6" }), film("6"));
  assertEquals(paths(server), ["/films/5", "/films/6"]);
});

Deno.test("what the answer lacks is a 404 of that call alone", async () => {
  await using server = await filmServer();
  using controller = new Controller();
  const getFilm = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/films/:id",
    schema: Film,
    getMany: batch({ param: "ids" }),
  });
  const [one, two, three] = await Promise.allSettled(["1", "02", "3"].map((id) => controller.fetch(getFilm, { id })));
  assertEquals([one?.status, three?.status], ["fulfilled", "fulfilled"]);
  assert(two?.status === "rejected");
  assertInstanceOf(two.reason, NetworkError);
  assertEquals([two.reason.status, two.reason.url, two.reason.method], [404, `${server.origin}/films/02`, "GET"]);
  assertEquals(controller.getError(getFilm, { id: "02" }), two.reason);
  assertEquals(getFilm.errorPolicy(two.reason), "hard");
});

Deno.test("a request that fails fails all of its calls, and is retried as any other", async () => {
  using controller = new Controller();
  const { fetch } = controller;
  await using server = await filmServer();
  const broken = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/films/:id",
    getMany: batch({ param: "ids", path: "/broken" }),
  });
  const all = await Promise.allSettled(["1", "2"].map((id) => fetch(broken, { id })));
  assertEquals(all.map((result) => result.status === "rejected" && result.reason.status), [500, 500]);
  server.clear();
  const flaky = broken.extend({ getMany: batch({ param: "ids", path: "/flaky", items: () => [film("1")] }) });
  const retried = flaky.extend({ retry: 1, getHeaders: (headers) => ({ ...headers, "Access-Token": "secret" }) });
  const [one] = await Promise.allSettled(["1", "2"].map((id) => fetch(retried, { id })));
  assert(one?.status === "fulfilled");
  assertEquals(server.requests.map(({ headers }) => headers["access-token"]), ["secret", "secret"]);
});

Deno.test("what a controller says for all calls is for a batch, too, and for what a fetch of the app's own sends", async () => {
  await using server = await startFaultServer({
    fallback: () => new Response("busy", { status: 503, headers: { "retry-after": "0" } }),
  });
  class Old extends Resource {
    id = "";
    pk() {
      return this.id;
    }
    static key = "Old";
    static urlRoot = `${server.origin}/films`;
    static async fetch(input: string, init: RequestInit) {
      return await super.fetch(input, init);
    }
  }
  const at = { urlPrefix: server.origin, path: "/films/:id" };
  const own = new RestEndpoint({
    ...at,
    fetch(this: RestEndpoint, params: { id: string }): Promise<unknown> {
      return RestEndpoint.prototype.fetch.call(this, params);
    },
  });
  const many = new RestEndpoint({ ...at, getMany: batch({ param: "ids" }) });
  const endpoints: readonly RestEndpoint[] = [many, own, Old.detail() as unknown as RestEndpoint];
  for (const endpoint of endpoints) {
    const calls = (controller: Controller, of = endpoint) =>
      Promise.allSettled(["1", "2"].map((id) => controller.fetch(of, { id })));
    const sent = endpoint === many ? 1 : 2;
    using once = new Controller({ defaults: { retry: 0 } });
    await calls(once);
    assertEquals(server.requests.length, sent);
    server.clear();
    // What the endpoint says comes first.
    await calls(once, endpoint.extend({ retry: 1 }));
    assertEquals(server.requests.length, 2 * sent);
    server.clear();
  }
});

Deno.test("the deadline that a controller says for all calls is that of a batch, also where it is longer than usual", async () => {
  using controller = new Controller({ defaults: { deadline: 60_000 } });
  await using server = await filmServer();
  const clock = new FakeClock();
  using _ = clock.install();
  const hanging = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/films/:id",
    getMany: batch({ param: "ids", path: "/hang" }),
  });
  let settled = 0;
  const calls = ["1", "2"].map((id) => controller.fetch(hanging, { id }).catch(() => settled++));
  await flush();
  await clock.tickAsync(59_999);
  assertEquals(settled, 0);
  await clock.tickAsync(1);
  await Promise.all(calls);
  assertEquals([settled, clock.pending], [2, 0]);
});

Deno.test("the deadline of a batch ends all of its calls", async () => {
  using controller = new Controller();
  const { fetch } = controller;
  await using server = await filmServer();
  const clock = new FakeClock();
  using _ = clock.install();
  const hanging = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/films/:id",
    deadline: 1_000,
    getMany: batch({ param: "ids", path: "/hang" }),
  });
  const all = Promise.allSettled(["1", "2"].map((id) => fetch(hanging, { id })));
  await flush();
  await clock.tickAsync(1_000);
  assertEquals((await all).map((result) => result.status === "rejected" && result.reason.name), [
    "TimeoutError",
    "TimeoutError",
  ]);
  assertEquals(clock.pending, 0);
});

Deno.test("a batch is as fresh as its answer says, as patient as the defaults of its controller, and sent again as they say", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  const answers: ((response: Response) => void)[] = [];
  using _network = replaceGlobals({ fetch: () => new Promise<Response>((resolve) => answers.push(resolve)) });
  const getFilm = new RestEndpoint({
    urlPrefix: "https://api.example.com",
    path: "/films/:id",
    schema: Film,
    use: [cacheControl(), conditional()],
    getMany: batch({ param: "ids", separator: "," }),
  });
  const read = (controller: Controller) => Promise.all(["1", "2"].map((id) => controller.fetch(getFilm, { id })));
  using controller = new Controller({ defaults: { deadline: 90_000, retry: 1 } });
  for (const [control, length] of [["max-age=5", 5_000], ["no-store", 0], ["", 60_000]] as const) {
    const reading = read(controller);
    await flush();
    // Longer than a call may take that has no other deadline.
    await clock.tickAsync(45_000);
    const headers = { "cache-control": control, etag: '"1"' };
    answers.shift()!(Response.json({}, { status: 503 }));
    // The pause before it is sent again.
    await clock.tickAsync(1_000);
    answers.shift()!(Response.json([film("2"), film("1")], { headers }));
    assertEquals((await reading).map(({ id }) => id), ["1", "2"]);
    assertEquals(controller.getResponse(getFilm, { id: "2" }).expiresAt - clock.now(), length);
  }
});

Deno.test("an abort ends its own call; the request goes on until nobody waits for it", async () => {
  using controller = new Controller();
  const { fetch } = controller;
  await using server = await filmServer();
  const getFilm = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/films/:id",
    getMany: batch({ param: "ids", separator: "," }),
  });
  const [before, during] = [new AbortController(), new AbortController()];
  const [one, two, three, four] = [
    fetch(getFilm.extend({ signal: before.signal }), { id: "1" }),
    fetch(getFilm.extend({ signal: during.signal }), { id: "2" }),
    fetch(getFilm, { id: "3" }),
    fetch(getFilm, { id: "4" }),
  ];
  before.abort(new Error("left before it was sent"));
  await assertRejects(() => one, Error, "left before it was sent");
  during.abort(new Error("left meanwhile"));
  await assertRejects(() => two, Error, "left meanwhile");
  assertEquals([await three, await four], [film("3"), film("4")]);
  assertEquals(paths(server), ["/films?ids=2,3,4"]);

  server.clear();
  const abort = new AbortController();
  const hanging = getFilm.extend({ getMany: batch({ param: "ids", path: "/hang" }), signal: abort.signal });
  const all = Promise.allSettled(["5", "6"].map((id) => fetch(hanging, { id })));
  while (server.requests.length === 0) await flush();
  abort.abort(new Error("nobody waits"));
  assertEquals((await all).map((result) => result.status === "rejected" && result.reason.message), [
    "nobody waits",
    "nobody waits",
  ]);
  await server.settled();
  assertEquals([server.requests.length, server.open], [1, 0]);
  await assertRejects(() => fetch(hanging, { id: "7" }), Error, "nobody waits");
});

Deno.test("only calls whose other parameters are equal are answered together", async () => {
  using controller = new Controller();
  const { fetch } = controller;
  await using server = await filmServer();
  const getFilm = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/:shelf/films/:id",
    getMany: batch({ param: "ids", separator: "," }),
  });
  await Promise.all([
    fetch(getFilm, { shelf: "a", id: 1 }),
    fetch(getFilm, { shelf: "b", id: 1 }),
    fetch(getFilm, { shelf: "a", id: 2 }),
    fetch(getFilm, { shelf: "b", id: 2, lang: "en" }),
    fetch(getFilm, { id: 3, lang: "en", shelf: "b" }),
  ]);
  assertEquals(paths(server).sort(), ["/a/films?ids=1,2", "/b/films/1", "/b/films?ids=2,3&lang=en"]);
});

Deno.test("each item goes through process, with the arguments of its call", async () => {
  using controller = new Controller();
  const { fetch } = controller;
  await using server = await filmServer();
  const getFilm = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/films/:slug",
    getMany: batch({ param: "ids", items: (films: unknown[]) => films, field: "id" }),
    process: async (value: { title: string }, { slug }: { slug: string }) => [await value.title, slug] as const,
  });
  assertEquals(await Promise.all([fetch(getFilm, { slug: "a" }), fetch(getFilm, { slug: "b" })]), [["film a", "a"], [
    "film b",
    "b",
  ]]);
  const failing = getFilm.extend({
    process({ id }: { id: string }) {
      if (id === "a") throw new Error("unreadable");
      return id;
    },
  });
  const [a, b] = await Promise.allSettled([fetch(failing, { slug: "a" }), fetch(failing, { slug: "b" })]);
  assertEquals([a?.status, b], ["rejected", { status: "fulfilled", value: "b" }]);
});

Deno.test("what cannot be named in a batch goes alone, and what no URL can hold fails alone", async () => {
  using controller = new Controller();
  const { fetch } = controller;
  await using server = await filmServer();
  const getFilm = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/films/:id",
    getMany: batch({ param: "ids", separator: "," }),
  });
  const results = await Promise.allSettled([
    fetch(getFilm, { id: "1,2" }),
    fetch(getFilm, { id: "" }),
    fetch(getFilm, { id: ".." }),
    fetch(getFilm, { id: "3" }),
    fetch(getFilm, { id: "__proto__" }),
  ]);
  assertEquals(results.map(({ status }) => status), ["fulfilled", "rejected", "rejected", "fulfilled", "fulfilled"]);
  for (const at of [1, 2]) assertInstanceOf((results[at] as PromiseRejectedResult).reason, UrlError);
  assertEquals(paths(server).sort(), ["/films/1,2", "/films?ids=3,__proto__"]);
});

Deno.test("an answer that holds no array is a typed error that says what to write", async () => {
  using controller = new Controller();
  const { fetch } = controller;
  await using server = await filmServer();
  const wrapped = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/films/:id",
    name: "Film.get",
    getMany: batch({ param: "ids", path: "/json" }),
  });
  const error = await assertRejects(
    () => Promise.all([fetch(wrapped, { id: "1" }), fetch(wrapped, { id: "2" })]),
    EndpointError,
  );
  assertEquals(
    error.message,
    'Cannot batch "Film.get.getMany": expected an array of items, got an object. Say where they are in the answer: ' +
      "getMany: batch({ items: (answer) => answer.results })",
  );
  const tail = new RestEndpoint({
    path: "/films/:id/cover",
    urlPrefix: server.origin,
    getMany: batch({ param: "ids" }),
  });
  await assertRejects(
    () => Promise.all([fetch(tail, { id: "1" }), fetch(tail, { id: "2" })]),
    EndpointError,
    "getMany: batch({ param:",
  );
  for (const max of [0, -1, 1.5, NaN]) {
    const none = wrapped.extend({ getMany: batch({ param: "ids", max }) });
    await assertRejects(() => fetch(none, { id: "1" }), EndpointError, `max is ${max}`);
  }
});

Deno.test("mutations, lists and endpoints with other parameters last are not collected", async () => {
  using controller = new Controller();
  const { fetch } = controller;
  await using server = await filmServer();
  const films = createResource({
    urlPrefix: server.origin,
    path: "/shelves/:shelf/films/:id",
    schema: Film,
    getMany: batch({ param: "ids", separator: "," }),
  });
  await Promise.all([
    fetch(films.get, { shelf: "a", id: "1" }),
    fetch(films.get, { shelf: "a", id: "2" }),
    fetch(films.update, { shelf: "a", id: "1" }, { title: "x" }),
    fetch(films.update, { shelf: "a", id: "2" }, { title: "x" }),
    fetch(films.getList, { shelf: "a" }),
    fetch(films.getList, { shelf: "b" }),
  ]);
  assertEquals(server.requests.map(({ method, path }) => `${method} ${decodeURIComponent(path)}`).sort(), [
    "GET /shelves/a/films",
    "GET /shelves/a/films?ids=1,2",
    "GET /shelves/b/films",
    "PUT /shelves/a/films/1",
    "PUT /shelves/a/films/2",
  ]);
  const optional = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/films{/:id}",
    getMany: batch({ param: "ids" }),
  });
  assertEquals(await fetch(optional), []);
});

Deno.test("an endpoint that is extended by more than a signal has batches of its own", async () => {
  using controller = new Controller();
  const { fetch } = controller;
  await using server = await filmServer();
  const getFilm = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/films/:id",
    getMany: batch({ param: "ids", separator: "," }),
  });
  const other = getFilm.extend({ requestInit: { headers: { "Access-Token": "secret" } } });
  await Promise.all([
    fetch(getFilm, { id: 1 }),
    fetch(other, { id: 2 }),
    fetch(getFilm, { id: 3 }),
    fetch(other, { id: 4 }),
  ]);
  assertEquals(
    server.requests.map(({ path, headers }) => [decodeURIComponent(path), headers["access-token"]]).sort(),
    [["/films?ids=1,3", undefined], ["/films?ids=2,4", "secret"]],
  );
  const off = getFilm.extend({ getMany: undefined });
  server.clear();
  await Promise.all([fetch(off, { id: 1 }), fetch(off, { id: 2 })]);
  assertEquals(paths(server).sort(), ["/films/1", "/films/2"]);
});

Deno.test("batching is an option of an endpoint, of extend, and of a class", async () => {
  using controller = new Controller();
  const { fetch } = controller;
  await using server = await filmServer();
  const getMany = batch({ param: "ids", separator: "," });
  const base = { urlPrefix: server.origin, path: "/films/:id" } as const;
  class Api extends RestEndpoint {
    override getMany = getMany;
  }
  for (
    const getFilm of [
      new RestEndpoint({ ...base, getMany }),
      new RestEndpoint(base).extend({ getMany }),
      new Api(base),
    ]
  ) {
    server.clear();
    await Promise.all([fetch(getFilm, { id: 1 }), fetch(getFilm, { id: 2 })]);
    assertEquals(paths(server), ["/films?ids=1,2"]);
  }
  assertThrows(() => new RestEndpoint({ ...base, getMany }).url({ id: "" }), UrlError);
});

Deno.test("property: whatever is asked for, aborted and missing, each call has its own outcome and no more is sent than needed", async () => {
  using controller = new Controller();
  const { fetch } = controller;
  const call = fc.record({
    id: fc.constantFrom("1", "2", "3", "4", "01", "02"),
    abort: fc.constantFrom("never", "never", "at once", "when it is sent"),
  });
  await check(
    fc.asyncProperty(fc.array(call, { maxLength: 12 }), fc.integer({ min: 1, max: 4 }), async (calls, max) => {
      const sent: string[][] = [];
      let answer: () => void = () => {};
      const gate = new Promise<void>((resolve) => answer = resolve);
      const getFilm = new RestEndpoint({
        urlPrefix: "https://films.example",
        path: "/films/:id",
        getMany: batch({ param: "ids", max, separator: "," }),
        async fetchResponse(url: string, { signal }: RequestInit) {
          const { pathname, searchParams } = new URL(url);
          const ids = searchParams.get("ids")?.split(",") ?? [pathname.split("/").at(-1)!];
          sent.push(ids);
          await gate;
          signal!.throwIfAborted();
          const known = ids.filter((id) => !id.startsWith("0"));
          if (searchParams.has("ids")) return Response.json(known.map(film));
          if (known.length > 0) return Response.json(film(known[0]!));
          throw new NetworkError({ method: "GET", url, status: 404 });
        },
      });
      const aborts = calls.map(() => new AbortController());
      const outcomes = Promise.allSettled(
        calls.map(({ id }, at) => fetch(getFilm.extend({ signal: aborts[at]!.signal }), { id })),
      );
      calls.forEach(({ abort }, at) => abort === "at once" && aborts[at]!.abort("left"));
      await flush();
      calls.forEach(({ abort }, at) => abort === "when it is sent" && aborts[at]!.abort("left"));
      answer();
      const got = (await outcomes).map((result) =>
        result.status === "fulfilled" ? (result.value as { id: string }).id : result.reason.status ?? result.reason
      );
      assertEquals(got, calls.map(({ id, abort }) => abort !== "never" ? "left" : id.startsWith("0") ? 404 : id));
      // A call that is given up in its own tick may have been collected already; nothing else is asked for.
      const asked = new Set(calls.filter(({ abort }) => abort !== "at once").map(({ id }) => id));
      assert([...asked].every((id) => sent.flat().includes(id)));
      assertEquals(sent.flat().length, new Set(sent.flat()).size);
      assert(sent.length <= Math.ceil(new Set(calls.map(({ id }) => id)).size / max));
    }),
    { name: "batches", runs: runs(1_000, 20_000) },
  );
});

Deno.test("13.B1 what two people ask for in one tick is never one request", async () => {
  const asked: string[] = [];
  await using server = await startFaultServer({
    fallback(request) {
      const { pathname, search } = new URL(request.url);
      const who = request.headers.get("access-token")!;
      asked.push(`${who} ${decodeURIComponent(pathname + search)}`);
      const ids = new URL(request.url).searchParams.get("ids")?.split(",");
      const view = (id: string) => ({ id, title: `film ${id} as ${who} sees it` });
      return Response.json(ids?.map(view) ?? view(pathname.split("/").at(-1)!));
    },
  });
  // As on a server: one module, one endpoint, and who asks is known by the context of the call.
  const person = new AsyncLocalStorage<string>();
  const getFilm = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/films/:id",
    schema: Film,
    getMany: batch({ param: "ids", separator: "," }),
    getHeaders: (headers) => ({ ...headers, "access-token": person.getStore()! }),
  });
  const page = (name: string, ids: readonly string[]) =>
    person.run(name, async () => {
      using controller = new Controller();
      return await Promise.all(ids.map(async (id) => (await controller.fetch(getFilm, { id })).title));
    });
  const [ann, bob] = await Promise.all([page("ann", ["1", "2"]), page("bob", ["2", "3"])]);
  assertEquals(ann, ["film 1 as ann sees it", "film 2 as ann sees it"]);
  assertEquals(bob, ["film 2 as bob sees it", "film 3 as bob sees it"]);
  assertEquals(asked.sort(), ["ann /films?ids=1,2", "bob /films?ids=2,3"]);

  // Calls without a controller are nobody's: each goes by itself.
  asked.length = 0;
  const direct = (name: string, id: string) => person.run(name, () => getFilm({ id })) as Promise<{ title: string }>;
  const titles = await Promise.all([direct("ann", "1"), direct("bob", "2"), direct("ann", "3")]);
  assertEquals(titles.map(({ title }) => title.split(" ")[3]), ["ann", "bob", "ann"]);
  assertEquals(asked.sort(), ["ann /films/1", "ann /films/3", "bob /films/2"]);
});

Deno.test("13.B1 the deadline and the end of one controller are nothing to another", async () => {
  const answers: (() => void)[] = [];
  await using server = await startFaultServer({
    fallback: async (request) => {
      await new Promise<void>((resolve) => answers.push(resolve));
      const ids = new URL(request.url).searchParams.get("ids")!.split(",");
      return Response.json(ids.map(film));
    },
  });
  const getFilm = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/films/:id",
    schema: Film,
    retry: false,
    getMany: batch({ param: "ids", separator: "," }),
  });
  // Long enough for the request to reach the server on a busy machine: until it has, the loop below waits.
  const hasty = new Controller({ defaults: { deadline: 2_000 } });
  const stopped = new Controller();
  using patient = new Controller({ defaults: { deadline: 20_000 } });
  const both = (controller: Controller) =>
    Promise.allSettled(["1", "2"].map((id) => controller.fetch(getFilm, { id })));
  const outcomes = [both(hasty), both(stopped), both(patient)] as const;
  while (answers.length < 3) await flush();
  stopped.cleanup();
  const names = (results: readonly PromiseSettledResult<unknown>[]) =>
    results.map((result) => result.status === "rejected" ? result.reason.name : "fulfilled");
  assertEquals(names(await outcomes[0]), ["TimeoutError", "TimeoutError"]);
  assertEquals(names(await outcomes[1]), ["OvertakenError", "OvertakenError"]);
  for (const answer of answers) answer();
  assertEquals(names(await outcomes[2]), ["fulfilled", "fulfilled"]);
  hasty.cleanup();
});
