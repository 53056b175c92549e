import { assert, assertEquals, assertInstanceOf, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import { Controller, createResource, EndpointError, Entity, NetworkError, RestEndpoint, UrlError } from "@rejoin/data";
import { FakeClock, flush } from "../support/clock.ts";
import { type FaultServer, startFaultServer } from "../support/fault_server.ts";
import { check, runs } from "../support/property.ts";

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
    getMany: { param: "ids", separator: "," },
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
  assertEquals(Object.keys(controller.getState().endpoints).length, 100);
});

Deno.test("plain calls are collected as well, and equal ones asked for once", async () => {
  await using server = await filmServer();
  const getFilm = new RestEndpoint({ urlPrefix: server.origin, path: "/films/:id", getMany: { param: "ids" } });
  const films = await Promise.all(["7", 7, "8"].map((id) => getFilm({ id })));
  assertEquals(films, [film("7"), film("7"), film("8")]);
  assertEquals(paths(server), ["/films?ids[]=7&ids[]=8"]);
});

Deno.test("more than the maximum are several requests; one alone is what it always was", async () => {
  await using server = await filmServer();
  const getFilm = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/films/:id",
    getMany: { param: "ids", max: 3, separator: "," },
  });
  const ids = numbers(1, 7);
  assertEquals(await Promise.all(ids.map((id) => getFilm({ id }))), ids.map(film));
  assertEquals(paths(server).sort(), ["/films/7", "/films?ids=1,2,3", "/films?ids=4,5,6"]);
  server.clear();
  assertEquals(await getFilm({ id: "5" }), film("5"));
  assertEquals(await getFilm({ id: "6" }), film("6"));
  assertEquals(paths(server), ["/films/5", "/films/6"]);
});

Deno.test("what the answer lacks is a 404 of that call alone", async () => {
  await using server = await filmServer();
  using controller = new Controller();
  const getFilm = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/films/:id",
    schema: Film,
    getMany: { param: "ids" },
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
  await using server = await filmServer();
  const broken = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/films/:id",
    getMany: { param: "ids", path: "/broken" },
  });
  const all = await Promise.allSettled(["1", "2"].map((id) => broken({ id })));
  assertEquals(all.map((result) => result.status === "rejected" && result.reason.status), [500, 500]);
  server.clear();
  const flaky = broken.extend({ getMany: { param: "ids", path: "/flaky", items: () => [film("1")] } });
  const retried = flaky.extend({ retry: 1, getHeaders: (headers) => ({ ...headers, "Access-Token": "secret" }) });
  const [one] = await Promise.allSettled(["1", "2"].map((id) => retried({ id })));
  assert(one?.status === "fulfilled");
  assertEquals(server.requests.map(({ headers }) => headers["access-token"]), ["secret", "secret"]);
});

Deno.test("the deadline of a batch ends all of its calls", async () => {
  await using server = await filmServer();
  const clock = new FakeClock();
  using _ = clock.install();
  const hanging = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/films/:id",
    deadline: 1_000,
    getMany: { param: "ids", path: "/hang" },
  });
  const all = Promise.allSettled(["1", "2"].map((id) => hanging({ id })));
  await flush();
  await clock.tickAsync(1_000);
  assertEquals((await all).map((result) => result.status === "rejected" && result.reason.name), [
    "TimeoutError",
    "TimeoutError",
  ]);
  assertEquals(clock.pending, 0);
});

Deno.test("an abort ends its own call; the request goes on until nobody waits for it", async () => {
  await using server = await filmServer();
  const getFilm = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/films/:id",
    getMany: { param: "ids", separator: "," },
  });
  const [before, during] = [new AbortController(), new AbortController()];
  const [one, two, three, four] = [
    getFilm.extend({ signal: before.signal })({ id: "1" }),
    getFilm.extend({ signal: during.signal })({ id: "2" }),
    getFilm({ id: "3" }),
    getFilm({ id: "4" }),
  ];
  before.abort(new Error("left before it was sent"));
  await assertRejects(() => one, Error, "left before it was sent");
  during.abort(new Error("left meanwhile"));
  await assertRejects(() => two, Error, "left meanwhile");
  assertEquals([await three, await four], [film("3"), film("4")]);
  assertEquals(paths(server), ["/films?ids=2,3,4"]);

  server.clear();
  const abort = new AbortController();
  const hanging = getFilm.extend({ getMany: { param: "ids", path: "/hang" }, signal: abort.signal });
  const all = Promise.allSettled(["5", "6"].map((id) => hanging({ id })));
  while (server.requests.length === 0) await flush();
  abort.abort(new Error("nobody waits"));
  assertEquals((await all).map((result) => result.status === "rejected" && result.reason.message), [
    "nobody waits",
    "nobody waits",
  ]);
  await server.settled();
  assertEquals([server.requests.length, server.open], [1, 0]);
  await assertRejects(() => hanging({ id: "7" }), Error, "nobody waits");
});

Deno.test("only calls whose other parameters are equal are answered together", async () => {
  await using server = await filmServer();
  const getFilm = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/:shelf/films/:id",
    getMany: { param: "ids", separator: "," },
  });
  await Promise.all([
    getFilm({ shelf: "a", id: 1 }),
    getFilm({ shelf: "b", id: 1 }),
    getFilm({ shelf: "a", id: 2 }),
    getFilm({ shelf: "b", id: 2, lang: "en" }),
    getFilm({ id: 3, lang: "en", shelf: "b" }),
  ]);
  assertEquals(paths(server).sort(), ["/a/films?ids=1,2", "/b/films/1", "/b/films?ids=2,3&lang=en"]);
});

Deno.test("each item goes through process, with the arguments of its call", async () => {
  await using server = await filmServer();
  const getFilm = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/films/:slug",
    getMany: { param: "ids", items: (films: unknown[]) => films, field: "id" },
    process: async (value: { title: string }, { slug }: { slug: string }) => [await value.title, slug] as const,
  });
  assertEquals(await Promise.all([getFilm({ slug: "a" }), getFilm({ slug: "b" })]), [["film a", "a"], ["film b", "b"]]);
  const failing = getFilm.extend({
    process({ id }: { id: string }) {
      if (id === "a") throw new Error("unreadable");
      return id;
    },
  });
  const [a, b] = await Promise.allSettled([failing({ slug: "a" }), failing({ slug: "b" })]);
  assertEquals([a?.status, b], ["rejected", { status: "fulfilled", value: "b" }]);
});

Deno.test("what cannot be named in a batch goes alone, and what no URL can hold fails alone", async () => {
  await using server = await filmServer();
  const getFilm = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/films/:id",
    getMany: { param: "ids", separator: "," },
  });
  const results = await Promise.allSettled([
    getFilm({ id: "1,2" }),
    getFilm({ id: "" }),
    getFilm({ id: ".." }),
    getFilm({ id: "3" }),
    getFilm({ id: "__proto__" }),
  ]);
  assertEquals(results.map(({ status }) => status), ["fulfilled", "rejected", "rejected", "fulfilled", "fulfilled"]);
  for (const at of [1, 2]) assertInstanceOf((results[at] as PromiseRejectedResult).reason, UrlError);
  assertEquals(paths(server).sort(), ["/films/1,2", "/films?ids=3,__proto__"]);
});

Deno.test("an answer that holds no array is a typed error that says what to write", async () => {
  await using server = await filmServer();
  const wrapped = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/films/:id",
    name: "Film.get",
    getMany: { param: "ids", path: "/json" },
  });
  const error = await assertRejects(() => Promise.all([wrapped({ id: "1" }), wrapped({ id: "2" })]), EndpointError);
  assertEquals(
    error.message,
    'Cannot batch "Film.get.getMany": expected an array of items, got object. Say where they are in the answer: ' +
      "getMany: { items: (answer) => answer.results }",
  );
  const tail = new RestEndpoint({ path: "/films/:id/cover", urlPrefix: server.origin, getMany: { param: "ids" } });
  await assertRejects(() => Promise.all([tail({ id: "1" }), tail({ id: "2" })]), EndpointError, "getMany: { param:");
  for (const max of [0, -1, 1.5, NaN]) {
    const none = wrapped.extend({ getMany: { param: "ids", max } });
    await assertRejects(() => none({ id: "1" }), EndpointError, `getMany.max is ${max}`);
  }
});

Deno.test("mutations, lists and endpoints with other parameters last are not collected", async () => {
  await using server = await filmServer();
  const films = createResource({
    urlPrefix: server.origin,
    path: "/shelves/:shelf/films/:id",
    schema: Film,
    getMany: { param: "ids", separator: "," },
  });
  await Promise.all([
    films.get({ shelf: "a", id: "1" }),
    films.get({ shelf: "a", id: "2" }),
    films.update({ shelf: "a", id: "1" }, { title: "x" }),
    films.update({ shelf: "a", id: "2" }, { title: "x" }),
    films.getList({ shelf: "a" }),
    films.getList({ shelf: "b" }),
  ]);
  assertEquals(server.requests.map(({ method, path }) => `${method} ${decodeURIComponent(path)}`).sort(), [
    "GET /shelves/a/films",
    "GET /shelves/a/films?ids=1,2",
    "GET /shelves/b/films",
    "PUT /shelves/a/films/1",
    "PUT /shelves/a/films/2",
  ]);
  const optional = new RestEndpoint({ urlPrefix: server.origin, path: "/films{/:id}", getMany: { param: "ids" } });
  assertEquals(await optional(), []);
});

Deno.test("an endpoint that is extended by more than a signal has batches of its own", async () => {
  await using server = await filmServer();
  const getFilm = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/films/:id",
    getMany: { param: "ids", separator: "," },
  });
  const other = getFilm.extend({ requestInit: { headers: { "Access-Token": "secret" } } });
  await Promise.all([getFilm({ id: 1 }), other({ id: 2 }), getFilm({ id: 3 }), other({ id: 4 })]);
  assertEquals(
    server.requests.map(({ path, headers }) => [decodeURIComponent(path), headers["access-token"]]).sort(),
    [["/films?ids=1,3", undefined], ["/films?ids=2,4", "secret"]],
  );
  const off = getFilm.extend({ getMany: undefined });
  server.clear();
  await Promise.all([off({ id: 1 }), off({ id: 2 })]);
  assertEquals(paths(server).sort(), ["/films/1", "/films/2"]);
});

Deno.test("batching is an option of an endpoint, of extend, and of a class", async () => {
  await using server = await filmServer();
  const getMany = { param: "ids", separator: "," };
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
    await Promise.all([getFilm({ id: 1 }), getFilm({ id: 2 })]);
    assertEquals(paths(server), ["/films?ids=1,2"]);
  }
  assertThrows(() => new RestEndpoint({ ...base, getMany }).url({ id: "" }), UrlError);
});

Deno.test("property: whatever is asked for, aborted and missing, each call has its own outcome and no more is sent than needed", async () => {
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
        getMany: { param: "ids", max, separator: "," },
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
        calls.map(({ id }, at) => getFilm.extend({ signal: aborts[at]!.signal })({ id })),
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
