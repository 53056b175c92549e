import {
  assert,
  assertEquals,
  assertRejects,
  assertStrictEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import {
  Controller,
  Endpoint,
  hydrate,
  isEnding,
  NetworkError,
  NormalizeError,
  TimeoutError,
  UsageError,
} from "@rejoin/data";
import { fixtures, flush, mockInitialState, settled } from "@rejoin/data/testing";
import { serve } from "../support/api.ts";
import { uncaught } from "../support/uncaught.ts";
import { Film, FilmResource, ORIGIN, ping } from "./_films.ts";

const ALIEN = { id: "1", title: "Alien", director: { id: "7", name: "Scott" }, releasedAt: "1979-05-25" };

Deno.test("fixtures answer as a server would: what they bring is normalized, and is one object everywhere", async () => {
  const api = fixtures([
    { endpoint: FilmResource.get, args: [{ id: "1" }], response: ALIEN },
    { endpoint: FilmResource.getList, args: [], response: [ALIEN, { id: "2", title: "Brazil", director: "7" }] },
  ]);
  using controller = new Controller({ use: [api] });
  const film = await controller.fetch(FilmResource.get, { id: 1 });
  assert(film instanceof Film && film.releasedAt instanceof Date);
  const list = await controller.fetch(FilmResource.getList);
  assertStrictEquals(list[0], film);
  assertStrictEquals(list[1]!.director, film.director);
  assertEquals(api.calls.map(({ key, state }) => [key, state]), [
    [`GET ${ORIGIN}/films/1`, "answered"],
    [`GET ${ORIGIN}/films`, "answered"],
  ]);
  assertEquals(api.calls[0]!.args, [{ id: 1 }]);
});

Deno.test("each answer is one of its own: nobody changes a fixture, or another answer, by it", async () => {
  const response = { tags: ["a"] };
  const getTags = new Endpoint(async (): Promise<{ tags: string[] }> => await Promise.reject(new Error("no")), {
    name: "getTags",
  });
  const controller = new Controller({ use: [fixtures([{ endpoint: getTags, response }])] });
  const first = await controller.fetch(getTags);
  first.tags.push("b");
  assertEquals(response, { tags: ["a"] });
  controller.invalidate(getTags);
  assertEquals(await controller.fetch(getTags), { tags: ["a"] });
});

Deno.test("the fixture of exactly these arguments goes before those of any, and among equals the first", async () => {
  const api = fixtures([
    { endpoint: FilmResource.get, response: ({ id }) => ({ id, title: "any" }) },
    { endpoint: FilmResource.get, args: [{ id: "1" }], response: { id: "1", title: "first" } },
    { endpoint: FilmResource.get, args: [{ id: "1" }], response: { id: "1", title: "second" } },
    { endpoint: FilmResource.getList, args: [{ year: 1979 }], response: [{ id: "3", title: "of 1979" }] },
    { endpoint: FilmResource.getList, response: [] },
  ]);
  using controller = new Controller({ use: [api] });
  assertEquals((await controller.fetch(FilmResource.get, { id: "1" })).title, "first");
  assertEquals((await controller.fetch(FilmResource.get, { id: "2" })).title, "any");
  assertEquals((await controller.fetch(FilmResource.getList, { year: 1979 })).length, 1);
  assertEquals(await controller.fetch(FilmResource.getList, { year: 1980 }), []);
});

Deno.test("a mutation's fixture is for its body, too, whatever the order of members", async () => {
  const api = fixtures([
    {
      endpoint: FilmResource.partialUpdate,
      args: [{ id: "1" }, { title: "New", year: 1979 }],
      response: { id: "1", title: "New" },
    },
    { endpoint: FilmResource.partialUpdate, error: 422 },
  ]);
  using controller = new Controller({ use: [api] });
  assertEquals(
    (await controller.fetch(FilmResource.partialUpdate, { id: 1 }, { year: 1979, title: "New" })).title,
    "New",
  );
  const error = await assertRejects(() => controller.fetch(FilmResource.partialUpdate, { id: "1" }, { title: "Old" }));
  assertEquals([error instanceof NetworkError, (error as NetworkError).status], [true, 422]);
});

Deno.test("a call that has no fixture fails, and says which is missing", async () => {
  const api = fixtures([{ endpoint: FilmResource.get, args: [{ id: "1" }], response: ALIEN }]);
  using controller = new Controller({ use: [api] });
  const error = await assertRejects(() => controller.fetch(FilmResource.get, { id: "2" }), UsageError);
  assertStringIncludes(
    error.message,
    `GET ${ORIGIN}/films/2 with the arguments [{"id":"2"}]; there are some for [{"id":"1"}]`,
  );
  assertEquals(api.calls[0]!.state, "failed");
  await assertRejects(() => controller.fetch(FilmResource.get, { id: 2n }), UsageError, "the arguments");
});

Deno.test("with passThrough, what has no fixture goes to the server", async () => {
  await using server = serve(() => ({ id: "1", title: "one" }));
  const get = FilmResource.get.extend({ urlPrefix: server.urlPrefix, path: "/todos/:id" });
  const plain = new Endpoint(async (n: number) => await Promise.resolve(n + 1), { name: "plain" });
  const api = fixtures([{ endpoint: FilmResource.get, response: ALIEN }], { passThrough: true });
  using controller = new Controller({ use: [api] });
  assertEquals((await controller.fetch(get, { id: "1" })).title, "one");
  assertEquals(await controller.fetch(plain, 1), 2);
  assertEquals((await controller.fetch(FilmResource.get, { id: "1" })).title, "Alien");
  assertEquals([server.lines(), api.calls.length], [["GET /todos/1"], 3]);
});

Deno.test("an error is in the store as that of a server: a status decides by the endpoint's own policy", async () => {
  const broken = new Error("broken");
  const api = fixtures([
    { endpoint: FilmResource.get, args: [{ id: "1" }], error: 404 },
    { endpoint: FilmResource.get, args: [{ id: "2" }], error: 503 },
    { endpoint: ping, error: broken },
    { endpoint: FilmResource.getList, response: { rows: [] } as never },
  ]);
  using controller = new Controller({ use: [api] });
  const error = await assertRejects(() => controller.fetch(FilmResource.get, { id: "1" }), NetworkError);
  assertEquals(error.status, 404);
  for (const id of ["1", "2"]) {
    controller.setResponse(FilmResource.get, { id }, { ...ALIEN, id });
    await controller.fetch(FilmResource.get, { id }).catch(() => {});
  }
  // A soft error keeps the old data, because the server may soon work again.
  assertEquals(controller.getError(FilmResource.get, { id: "1" }) instanceof NetworkError, true);
  assertEquals(controller.getError(FilmResource.get, { id: "2" }), undefined);
  assertStrictEquals(await controller.fetch(ping, 1).catch((reason) => reason), broken);
  await assertRejects(() => controller.fetch(FilmResource.getList), NormalizeError);
});

Deno.test("interceptors have their arguments, a state for each controller, and may be async or throw", async () => {
  const api = fixtures([
    {
      endpoint: FilmResource.getList,
      response() {
        return [...this.films.values()];
      },
    },
    {
      endpoint: FilmResource.getList.push,
      async response(...args) {
        const film = { ...args.at(-1), id: String(this.films.size + 1) };
        await flush();
        this.films.set(film.id, film);
        return film;
      },
    },
    {
      endpoint: FilmResource.delete,
      response({ id }) {
        if (!this.films.delete(String(id))) throw new RangeError("no such film");
        return undefined;
      },
    },
  ], { state: () => ({ films: new Map<string, { id: string; title?: string | undefined }>() }) });
  for (let test = 0; test < 2; test++) {
    using controller = new Controller({ use: [api] });
    assertEquals(await controller.fetch(FilmResource.getList), []);
    await controller.fetch(FilmResource.getList.push, { title: "Alien" });
    assertEquals(controller.getResponse(FilmResource.getList).data?.map(({ title }) => title), ["Alien"]);
    await controller.fetch(FilmResource.delete, { id: "1" });
    assertEquals(controller.getResponse(FilmResource.getList).data, []);
    await assertRejects(() => controller.fetch(FilmResource.delete, { id: "1" }), RangeError);
    assertEquals(api.calls.map(({ state }) => state), ["answered", "answered", "answered", "failed"]);
  }
});

Deno.test("what waits for a name is answered by the name that the fixture of the create has given", async () => {
  const api = fixtures([
    { endpoint: FilmResource.getList, args: [], response: [] },
    { endpoint: FilmResource.create, response: { id: "9", title: "New" } },
    { endpoint: FilmResource.partialUpdate, response: ({ id }, body) => ({ ...body, id }) },
  ]);
  using controller = new Controller({ use: [api] });
  await controller.fetch(FilmResource.getList);
  const created = controller.fetch(FilmResource.create, { title: "New" });
  const row = controller.getResponse(FilmResource.getList).data![0]!;
  assert(row.id.startsWith("~"));
  const updated = controller.fetch(FilmResource.partialUpdate, { id: row.id }, { title: "Newer" });
  await created;
  await updated;
  assertEquals(api.calls.at(-1)!.args, [{ id: "9" }, { title: "Newer" }]);
  assertEquals(controller.get(Film, { id: "9" })?.title, "Newer");
});

Deno.test("a mutation that a fixture refuses, and nobody handles, is reported as without fixtures", async () => {
  using controller = new Controller({ use: [fixtures([{ endpoint: FilmResource.update, error: 500 }])] });
  const errors = await uncaught(async () => {
    controller.fetch(FilmResource.update, { id: "1" }, { title: "x" });
    await controller.allSettled();
  });
  assertEquals(errors.map((error) => (error as NetworkError).status), [500]);
});

Deno.test("mockInitialState is what a store has in which that was just answered", () => {
  const state = mockInitialState([{ endpoint: FilmResource.getList, args: [], response: [ALIEN] }]);
  using controller = new Controller({ use: [hydrate(JSON.parse(JSON.stringify(state)))] });
  assertEquals(controller.getResponse(FilmResource.getList).data?.[0]?.director?.name, "Scott");
  assertThrows(() => mockInitialState([{ endpoint: FilmResource.getList, response: [] }]), UsageError, "needs args");
  assertThrows(() => mockInitialState([{ endpoint: ping, args: [1], response: (n) => ({ pong: n }) }]), UsageError);
});

Deno.test("settled waits for what follows from what came, and for no other controller", async () => {
  const api = fixtures([
    { endpoint: FilmResource.get, response: ({ id }) => ({ id, title: "x" }) },
    { endpoint: ping, delay: Infinity },
  ]);
  using controller = new Controller({ use: [api] });
  using other = new Controller({ use: [fixtures([{ endpoint: ping, delay: Infinity }])] });
  other.fetch(ping, 1).catch(() => {});
  const seen: string[] = [];
  controller.fetch(FilmResource.get, { id: "1" }).then(async () => {
    await flush();
    seen.push("first");
    await controller.fetch(FilmResource.get, { id: "2" });
    seen.push("second");
  });
  await settled(controller);
  assertEquals(seen, ["first", "second"]);
  await settled();
});

Deno.test("settled names what it has waited for too long, and what may be the matter", async () => {
  using controller = new Controller({ use: [fixtures([{ endpoint: ping, delay: Infinity }])] });
  controller.fetch(ping, 7).catch(() => {});
  await assertRejects(() => settled(controller, { timeout: 20 }), UsageError, "after 20 ms: ping [7]");
});

Deno.test("the optimistic layer is the app's: shown at once, confirmed by the answer, rolled back by an error", async () => {
  const api = fixtures([
    {
      endpoint: FilmResource.partialUpdate,
      args: [{ id: "1" }, { title: "Aliens" }],
      delay: 5,
      response: { id: "1", title: "ALIENS" },
    },
    { endpoint: FilmResource.partialUpdate, delay: 5, error: 500 },
  ]);
  using controller = new Controller({ use: [api] });
  controller.set(Film, { id: "1" }, ALIEN as never);
  const title = () => controller.get(Film, { id: "1" })?.title;
  const good = controller.fetch(FilmResource.partialUpdate, { id: "1" }, { title: "Aliens" });
  assertEquals(title(), "Aliens");
  await good;
  assertEquals(title(), "ALIENS");
  const bad = controller.fetch(FilmResource.partialUpdate, { id: "1" }, { title: "Alien 3" });
  assertEquals(title(), "Alien 3");
  await assertRejects(() => bad, NetworkError);
  assertEquals(title(), "ALIENS");
});

Deno.test("an answer on its way is aborted, ended by a reset, and timed out as one of a server", async () => {
  const quick = FilmResource.get.extend({ deadline: 5 });
  const api = fixtures([
    { endpoint: FilmResource.get, args: [{ id: "1" }], response: ALIEN, delay: 20 },
    { endpoint: FilmResource.get, args: [{ id: "2" }], delay: Infinity },
  ]);
  const controller = new Controller({ use: [api] });
  const outcomes = [controller.fetch(FilmResource.get, { id: "1" }), controller.fetch(quick, { id: "2" })]
    .map((promise) => promise.catch((reason: unknown) => reason));
  controller.abort(FilmResource.get, { id: "1" });
  assert(isEnding(await outcomes[0]));
  assert(await outcomes[1] instanceof TimeoutError);
  assertEquals(api.calls.map(({ state }) => state), ["aborted", "failed"]);
  const again = controller.fetch(FilmResource.get, { id: "1" }).catch((reason: unknown) => reason);
  controller.cleanup();
  assert(isEnding(await again));
  await new Promise((go) => setTimeout(go, 30));
  assertEquals(api.calls.filter(({ state }) => state === "open").length, 0);
});
