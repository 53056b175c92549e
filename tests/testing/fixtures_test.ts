import { assert, assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import {
  Controller,
  Endpoint,
  EndpointError,
  hydrate,
  isEnding,
  NetworkError,
  NormalizeError,
  PollingManager,
  TimeoutError,
} from "@rejoin/data";
import type { FetchAction, Manager } from "@rejoin/data/extend";
import { FakeClock, fixtures, flush, mockInitialState, settled } from "@rejoin/data/testing";
import { TodoServer } from "../support/todo_server.ts";
import { uncaught } from "../support/uncaught.ts";
import { Film, FilmResource, ORIGIN, ping } from "./_films.ts";

const ALIEN = { id: "1", title: "Alien", director: { id: "7", name: "Scott" }, releasedAt: "1979-05-25" };

Deno.test("15. fixtures answer as a server would: what they bring is normalized, and is one object everywhere", async () => {
  const api = fixtures([
    { endpoint: FilmResource.get, args: [{ id: "1" }], response: ALIEN },
    { endpoint: FilmResource.getList, args: [], response: [ALIEN, { id: "2", title: "Brazil", director: "7" }] },
  ]);
  using controller = new Controller({ strict: true, managers: [api] });
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

Deno.test("15. each answer is one of its own: nobody changes a fixture, or another answer, by it", async () => {
  const response = { tags: ["a"] };
  const getTags = new Endpoint(async (): Promise<{ tags: string[] }> => await Promise.reject(new Error("no")), {
    name: "getTags",
  });
  const controller = new Controller({ managers: [fixtures([{ endpoint: getTags, response }])] });
  const first = await controller.fetch(getTags);
  first.tags.push("b");
  assertEquals(response, { tags: ["a"] });
  controller.invalidate(getTags);
  assertEquals(await controller.fetch(getTags), { tags: ["a"] });
});

Deno.test("15. the fixture of exactly these arguments goes before those of any, and among equals the first", async () => {
  const api = fixtures([
    { endpoint: FilmResource.get, response: ({ id }) => ({ id, title: "any" }) },
    { endpoint: FilmResource.get, args: [{ id: "1" }], response: { id: "1", title: "first" } },
    { endpoint: FilmResource.get, args: [{ id: "1" }], response: { id: "1", title: "second" } },
    { endpoint: FilmResource.getList, args: [{ year: 1979 }], response: [{ id: "3", title: "of 1979" }] },
    { endpoint: FilmResource.getList, response: [] },
  ]);
  using controller = new Controller({ managers: [api] });
  assertEquals((await controller.fetch(FilmResource.get, { id: "1" })).title, "first");
  assertEquals((await controller.fetch(FilmResource.get, { id: "2" })).title, "any");
  assertEquals((await controller.fetch(FilmResource.getList, { year: 1979 })).length, 1);
  assertEquals(await controller.fetch(FilmResource.getList, { year: 1980 }), []);
});

Deno.test("15. a mutation's fixture is for its body, too, whatever the order of members", async () => {
  const api = fixtures([
    {
      endpoint: FilmResource.partialUpdate,
      args: [{ id: "1" }, { title: "New", year: 1979 }],
      response: { id: "1", title: "New" },
    },
    { endpoint: FilmResource.partialUpdate, error: 422 },
  ]);
  using controller = new Controller({ managers: [api] });
  assertEquals(
    (await controller.fetch(FilmResource.partialUpdate, { id: 1 }, { year: 1979, title: "New" })).title,
    "New",
  );
  const error = await assertRejects(() => controller.fetch(FilmResource.partialUpdate, { id: "1" }, { title: "Old" }));
  assertEquals([error instanceof NetworkError, (error as NetworkError).status], [true, 422]);
});

Deno.test("15. a call that has no fixture fails, and says which is missing", async () => {
  const api = fixtures([{ endpoint: FilmResource.get, args: [{ id: "1" }], response: ALIEN }]);
  using controller = new Controller({ managers: [api] });
  const error = await assertRejects(() => controller.fetch(FilmResource.get, { id: "2" }), EndpointError);
  assertEquals(
    error.message,
    `Cannot answer GET ${ORIGIN}/films/2: no fixture is for its arguments, [{"id":"2"}]; there are some for ` +
      '[{"id":"1"}]. Add { endpoint, args, response }, without args for all calls of the endpoint, or pass { passThrough: true }',
  );
  assertEquals(api.calls[0]!.state, "failed");
});

Deno.test("15. with passThrough, what has no fixture goes to the server", async () => {
  await using server = new TodoServer([{ id: "1", title: "one" }]);
  const get = FilmResource.get.extend({ urlPrefix: server.origin, path: "/todos/:id" });
  const plain = new Endpoint(async (n: number) => await Promise.resolve(n + 1), { name: "plain" });
  const api = fixtures([{ endpoint: FilmResource.get, response: ALIEN }], { passThrough: true });
  using controller = new Controller({ managers: [api] });
  assertEquals((await controller.fetch(get, { id: "1" })).title, "one");
  assertEquals(await controller.fetch(plain, 1), 2);
  assertEquals((await controller.fetch(FilmResource.get, { id: "1" })).title, "Alien");
  assertEquals([server.requests, api.calls.length], [["GET /todos/1"], 3]);
});

Deno.test("15. an error is in the store as that of a server: a status decides by the endpoint's own policy", async () => {
  const broken = new Error("broken");
  const api = fixtures([
    { endpoint: FilmResource.get, args: [{ id: "1" }], error: 404 },
    { endpoint: FilmResource.get, args: [{ id: "2" }], error: 503 },
    { endpoint: ping, error: broken },
    { endpoint: FilmResource.getList, response: { rows: [] } as never },
  ]);
  using controller = new Controller({ managers: [api] });
  const error = await assertRejects(() => controller.fetch(FilmResource.get, { id: "1" }), NetworkError);
  assertEquals([error.status, error.message], [404, `GET ${ORIGIN}/films/1 failed: 404`]);
  for (const id of ["1", "2"]) {
    controller.setResponse(FilmResource.get, { id }, { ...ALIEN, id });
    await controller.fetch(FilmResource.get, { id }).catch(() => {});
  }
  // Old data stays where the server may be back soon.
  assertEquals(controller.getError(FilmResource.get, { id: "1" }) instanceof NetworkError, true);
  assertEquals(controller.getError(FilmResource.get, { id: "2" }), undefined);
  assertStrictEquals(await controller.fetch(ping, 1).catch((reason) => reason), broken);
  await assertRejects(() => controller.fetch(FilmResource.getList), NormalizeError);
});

Deno.test("15. interceptors have their arguments, a state for each controller, and may be async or throw", async () => {
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
    using controller = new Controller({ strict: true, managers: [api] });
    assertEquals(await controller.fetch(FilmResource.getList), []);
    await controller.fetch(FilmResource.getList.push, { title: "Alien" });
    assertEquals(controller.getResponse(FilmResource.getList).data?.map(({ title }) => title), ["Alien"]);
    await controller.fetch(FilmResource.delete, { id: "1" });
    assertEquals(controller.getResponse(FilmResource.getList).data, []);
    await assertRejects(() => controller.fetch(FilmResource.delete, { id: "1" }), RangeError);
    assertEquals(api.calls.map(({ state }) => state), ["answered", "answered", "answered", "failed"]);
  }
});

Deno.test("15. the optimistic layer is the app's: shown at once, confirmed by the answer, rolled back by an error", async () => {
  using clock = install();
  const api = fixtures([
    {
      endpoint: FilmResource.partialUpdate,
      args: [{ id: "1" }, { title: "Aliens" }],
      delay: 100,
      response: { id: "1", title: "ALIENS" },
    },
    { endpoint: FilmResource.partialUpdate, delay: 100, error: 500 },
  ]);
  using controller = new Controller({ strict: true, managers: [api] });
  controller.set(Film, { id: "1" }, ALIEN as never);
  const title = () => controller.get(Film, { id: "1" })?.title;
  const good = controller.fetch(FilmResource.partialUpdate, { id: "1" }, { title: "Aliens" });
  assertEquals(title(), "Aliens");
  await clock.tickAsync(100);
  await good;
  assertEquals(title(), "ALIENS");
  const bad = controller.fetch(FilmResource.partialUpdate, { id: "1" }, { title: "Alien 3" });
  bad.catch(() => {});
  assertEquals(title(), "Alien 3");
  await clock.tickAsync(100);
  await assertRejects(() => bad, NetworkError);
  assertEquals(title(), "ALIENS");
});

Deno.test("15. what waits for a name is answered by the name that the fixture of the create has given", async () => {
  const api = fixtures([
    { endpoint: FilmResource.getList, args: [], response: [] },
    { endpoint: FilmResource.getList.push, response: { id: "9", title: "New" } },
    { endpoint: FilmResource.partialUpdate, response: ({ id }, body) => ({ ...body, id }) },
  ]);
  using controller = new Controller({ strict: true, managers: [api] });
  await controller.fetch(FilmResource.getList);
  const created = controller.fetch(FilmResource.getList.push, { title: "New" });
  const row = controller.getResponse(FilmResource.getList).data![0]!;
  assert(row.id.startsWith("~"));
  const updated = controller.fetch(FilmResource.partialUpdate, { id: row.id }, { title: "Newer" });
  await created;
  await updated;
  assertEquals(api.calls.at(-1)!.args, [{ id: "9" }, { title: "Newer" }]);
  assertEquals(controller.get(Film, { id: "9" })?.title, "Newer");
});

Deno.test("15. an answer on its way is aborted, overtaken and timed out as one of a server, and leaves no timer", async () => {
  using clock = install();
  const quick = FilmResource.get.extend({ deadline: 5_000 });
  const api = fixtures([
    { endpoint: FilmResource.get, args: [{ id: "1" }], response: ALIEN, delay: 1_000 },
    { endpoint: FilmResource.get, args: [{ id: "2" }], delay: Infinity },
    { endpoint: ping, delay: Infinity },
  ]);
  const controller = new Controller({ managers: [api], defaults: { deadline: 20_000 } });
  const outcomes = [
    controller.fetch(FilmResource.get, { id: "1" }),
    controller.fetch(quick, { id: "2" }),
    controller.fetch(ping, 1),
  ].map((promise) => promise.catch((reason: unknown) => reason));
  controller.abort(FilmResource.get, { id: "1" });
  assertEquals((await outcomes[0] as Error).name, "AbortError");
  await clock.tickAsync(4_999);
  assertEquals(api.calls.map(({ state }) => state), ["aborted", "open", "open"]);
  await clock.tickAsync(1);
  const late = await outcomes[1];
  assert(late instanceof TimeoutError && late.deadline === 5_000 && late.url === `${ORIGIN}/films/2`);
  await clock.tickAsync(15_000);
  assert(await outcomes[2] instanceof TimeoutError);
  const again = controller.fetch(FilmResource.get, { id: "1" }).catch((reason: unknown) => reason);
  controller.cleanup();
  assert(isEnding(await again));
  assertEquals([clock.pending, api.calls.filter(({ state }) => state === "open").length], [0, 0]);
});

Deno.test("15. an interceptor may give up the call that it answers, and leaves no timer", async () => {
  using clock = install();
  const api = fixtures([{
    endpoint: FilmResource.get,
    response: ({ id }) => {
      controller.abort(FilmResource.get, { id });
      return { id };
    },
    delay: 1_000,
  }]);
  using controller = new Controller({ managers: [api] });
  const outcome = await controller.fetch(FilmResource.get, { id: "1" }).catch((reason: unknown) => reason);
  assertEquals([(outcome as Error).name, clock.pending], ["AbortError", 0]);
});

Deno.test("15. polls are answered, too, and managers see what they would see without fixtures", async () => {
  using clock = install();
  const seen: string[] = [];
  const log: Manager = {
    middleware: () => (next) => (action) => {
      seen.push(`${action.type} ${(action as FetchAction).endpoint === live}`);
      return next(action);
    },
  };
  const live = FilmResource.get.extend({ pollFrequency: 1_000 });
  const api = fixtures([{
    endpoint: FilmResource.get,
    response() {
      return { id: "1", title: `Alien ${++this.count}` };
    },
  }], { state: () => ({ count: 0 }) });
  using controller = new Controller({ managers: [log, new PollingManager(), api] });
  controller.subscribe(live, { id: "1" });
  await clock.tickAsync(2_000);
  assertEquals(controller.get(Film, { id: "1" })?.title, "Alien 3");
  controller.unsubscribe(live, { id: "1" });
  await clock.tickAsync(5_000);
  assertEquals(api.calls.length, 3);
  assertEquals(seen.filter((line) => line === "fetch true").length, 3);
});

Deno.test("15. a request that starts anew is answered anew", async () => {
  let count = 0;
  const api = fixtures([{
    endpoint: FilmResource.get,
    delay: 10,
    response: () => ({ id: "1", title: `Alien ${++count}` }),
  }]);
  using clock = install();
  using controller = new Controller({ managers: [api] });
  const film = controller.fetch(FilmResource.get, { id: "1" });
  await clock.tickAsync(5);
  controller.invalidate(FilmResource.get, { id: "1" });
  await clock.tickAsync(10);
  assertEquals([(await film).title, api.calls.map(({ state }) => state)], ["Alien 2", ["aborted", "answered"]]);
});

Deno.test("15. a mutation that a fixture refuses, and nobody handles, is reported as without fixtures", async () => {
  using controller = new Controller({ managers: [fixtures([{ endpoint: FilmResource.update, error: 500 }])] });
  const errors = await uncaught(async () => {
    controller.fetch(FilmResource.update, { id: "1" }, { title: "x" });
    await controller.allSettled();
  });
  assertEquals(errors.map((error) => (error as NetworkError).status), [500]);
});

Deno.test("15. mockInitialState is what a store has in which that was just answered", () => {
  const state = mockInitialState([
    { endpoint: FilmResource.getList, args: [], response: [ALIEN] },
    { endpoint: FilmResource.get, args: [{ id: "2" }], error: 404 },
  ]);
  using controller = new Controller({ use: [hydrate(JSON.parse(JSON.stringify(state)))] });
  assertEquals(controller.getResponse(FilmResource.getList).data?.[0]?.director?.name, "Scott");
  assertEquals((controller.getError(FilmResource.get, { id: "2" }) as NetworkError).status, 404);
  assertThrows(() => mockInitialState([{ endpoint: FilmResource.getList, response: [] }]), EndpointError, "write args");
  assertThrows(() => mockInitialState([{ endpoint: ping, args: [1], response: (n) => ({ pong: n }) }]), EndpointError);
});

Deno.test("15. settled waits for what follows from what came, and for no other controller", async () => {
  const api = fixtures([
    { endpoint: FilmResource.get, response: ({ id }) => ({ id, title: "x" }) },
    { endpoint: ping, delay: Infinity },
  ]);
  using controller = new Controller({ managers: [api] });
  using other = new Controller({ managers: [fixtures([{ endpoint: ping, delay: Infinity }])] });
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

Deno.test("15. settled names what it has waited for too long, and what may be the matter", async () => {
  using controller = new Controller({ managers: [fixtures([{ endpoint: ping, delay: Infinity }])] });
  controller.fetch(ping, 7).catch(() => {});
  const error = await assertRejects(() => settled(controller, { timeout: 20 }), Error, "after 20 ms: ping [7]. Wait");
  assertEquals(error.name, "RejoinError");
  using _ = install();
  await assertRejects(() => settled(controller, { timeout: 20 }), Error, "await clock.tickAsync(ms) first");
});

/** A clock in place until the end of the block. */
function install(): FakeClock & Disposable {
  const clock = new FakeClock();
  return Object.assign(clock, { [Symbol.dispose]: clock.install() });
}
