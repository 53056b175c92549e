import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  Controller,
  Endpoint,
  Entity,
  explain,
  type Explanation,
  history,
  hydrate,
  NetworkError,
  Query,
  schema,
  stateOf,
} from "@rejoin/data";
import { FakeClock, flush } from "../support/clock.ts";
import { Wire } from "../support/wire.ts";

class Studio extends Entity {
  id = "";
  name = "";
  pk() {
    return this.id;
  }
  static key = "Studio";
}
class Film extends Entity {
  id = "";
  title = "";
  plot: string | undefined = undefined;
  studio = Studio.fromJS();
  pk() {
    return this.id;
  }
  static key = "Film";
  static schema = { studio: Studio };
  static validate(record: { plot?: string }) {
    return record.plot === undefined ? "no plot" : undefined;
  }
}
const ALIEN = { id: "1", title: "Alien", plot: "…", studio: { id: "7", name: "Fox" } };
const ONE = { id: "1" };

function start(hasHistory = true) {
  const clock = new FakeClock();
  const restore = clock.install();
  const wire = new Wire();
  const controller = new Controller({ use: hasHistory ? [history()] : [] });
  const get = new Endpoint(wire.fn<[args: { id: string }]>("get"), { name: "get", schema: Film });
  const list = new Endpoint(wire.fn("list"), { name: "list", schema: [Film] });
  const remove = new Endpoint(wire.fn<[args: { id: string }]>("remove"), {
    name: "remove",
    schema: new schema.Invalidate(Studio),
    sideEffect: true,
  });
  return { clock, wire, controller, get, list, remove, [Symbol.dispose]: restore };
}
type It = ReturnType<typeof start>;

/** What happened; then state, source, shown, would fetch, in flight, the action and its subject. */
const CASES: Readonly<Record<string, readonly [(it: It) => unknown, ...expected: unknown[]]>> = {
  "nothing": [() => {}, "missing", "nothing", false, true, false, undefined],
  "an answer": [
    (it) => it.controller.setResponse(it.get, ONE, ALIEN),
    "fresh",
    "answer",
    true,
    false,
    false,
    "setResponse of get",
  ],
  "a list": [
    (it) => it.controller.setResponse(it.list, [ALIEN]),
    "fresh",
    "records",
    true,
    false,
    false,
    "setResponse of list",
  ],
  "a set": [(it) => it.controller.set(Film, ONE, ALIEN), "fresh", "records", true, false, false, "set of Film"],
  "time": [
    (it) => (it.controller.setResponse(it.get, ONE, ALIEN), it.clock.tick(60_000)),
    "stale",
    "answer",
    true,
    true,
    false,
    "setResponse of get",
  ],
  "expire": [
    (it) => (it.controller.setResponse(it.get, ONE, ALIEN), it.controller.expire(it.get, ONE)),
    "stale",
    "answer",
    true,
    true,
    false,
    "expire of undefined",
  ],
  "expireAll over a list": [
    (
      it,
    ) => (it.controller.setResponse(it.list, [ALIEN]),
      explain(it.controller, it.get, ONE),
      it.controller.expireAll(it.get)),
    "stale",
    "records",
    true,
    true,
    false,
    "expire of undefined",
  ],
  "invalidate": [
    (it) => (it.controller.setResponse(it.get, ONE, ALIEN), it.controller.invalidate(it.get, ONE)),
    "invalid",
    "nothing",
    false,
    true,
    false,
    "invalidate of undefined",
  ],
  "an error after an invalidation": [
    (
      it,
    ) => (it.controller.setResponse(it.get, ONE, ALIEN),
      it.controller.invalidate(it.get, ONE),
      it.controller.setError(it.get, ONE, new Error("refused"))),
    "failed",
    "nothing",
    false,
    false,
    false,
    "setError of get",
  ],
  "a reset": [
    (it) => (it.controller.setResponse(it.get, ONE, ALIEN), it.controller.resetEntireStore()),
    "missing",
    "nothing",
    false,
    true,
    false,
    "reset of undefined",
  ],
  "a reset, of what never was there": [
    (it) => it.controller.resetEntireStore(),
    "missing",
    "nothing",
    false,
    true,
    false,
    undefined,
  ],
  "another state in the place of its own": [
    (it) => (it.controller.setResponse(it.get, ONE, ALIEN), hydrate(it.controller, {})),
    "missing",
    "nothing",
    false,
    true,
    false,
    "replace of undefined",
  ],
  "a state that brought it": [
    (
      it,
    ) => (it.controller.setResponse(it.get, ONE, ALIEN), hydrate(it.controller, stateOf(it.controller))),
    "fresh",
    "answer",
    true,
    false,
    false,
    "replace of undefined",
  ],
  "an answer after a reset": [
    (it) => (it.controller.resetEntireStore(), it.controller.setResponse(it.get, ONE, ALIEN)),
    "fresh",
    "answer",
    true,
    false,
    false,
    "setResponse of get",
  ],
  "an error": [
    (it) => it.controller.setError(it.get, ONE, new Error("refused")),
    "failed",
    "nothing",
    false,
    false,
    false,
    "setError of get",
  ],
  "an error over data": [
    (it) => (it.controller.setResponse(it.get, ONE, ALIEN), it.controller.setError(it.get, ONE, new Error("refused"))),
    "failed",
    "answer",
    true,
    false,
    false,
    "setError of get",
  ],
  "a request": [(it) => void it.controller.fetch(it.get, ONE), "missing", "nothing", false, false, true, undefined],
  "a record that its class refuses": [
    (it) => it.controller.set(Film, ONE, { id: "1", studio: { id: "7" } }),
    "incomplete",
    "records",
    false,
    true,
    false,
    "set of Film",
  ],
  "a required record that was deleted": [
    (it) => (it.controller.setResponse(it.get, ONE, ALIEN), it.controller.setResponse(it.remove, { id: "7" }, "7")),
    "incomplete",
    "answer",
    false,
    true,
    false,
    "setResponse of remove",
  ],
};

for (const [name, [happen, ...expected]] of Object.entries(CASES)) {
  Deno.test(`explain tells why a read is as it is after ${name}`, () => {
    using it = start();
    happen(it);
    const told = explain(it.controller, it.get, ONE);
    const because = told.because && `${told.because.type} of ${told.because.name}`;
    assertEquals([told.state, told.source, told.isShown, told.wouldFetch, told.isInFlight, because], expected);
    assertEquals(structuredClone(told), told, "plain data");
    assertStringIncludes(told.text, `"get" is ${told.state}`);
    // What it says is what a reader does.
    if (!told.isInFlight) {
      const before = it.wire.calls.length;
      Promise.resolve(it.controller.fetchIfStale(it.get, ONE)).catch(() => {});
      assertEquals(it.wire.calls.length > before, told.wouldFetch);
    }
  });
}

Deno.test("explain names class, row, field and reason of what is missing", () => {
  using it = start();
  const gapOf = (told: Explanation) => told.gap && { ...told.gap };
  it.controller.set(Film, ONE, { id: "1", studio: { id: "7" } });
  const refused = { entity: "Film", pk: "1", path: "", field: undefined, reason: "no plot" };
  assertEquals(gapOf(explain(it.controller, it.get, ONE)), refused);
  it.controller.set(Film, ONE, { id: "1", plot: "…" });
  assertEquals(gapOf(explain(it.controller, it.get, ONE)), undefined);
  it.controller.setResponse(it.remove, { id: "7" }, "7");
  const told = explain(it.controller, it.get, ONE);
  assertEquals([told.gap?.entity, told.gap?.pk, told.gap?.field], ["Film", "1", "studio"]);
  assertStringIncludes(
    told.text,
    'Film "1" does not satisfy its class: "studio" is required, but Studio "7" is not there',
  );
  const page = new Endpoint(() => Promise.resolve({}), { name: "page", schema: { film: { best: Film }, count: 0 } });
  it.controller.setResponse(page, { film: { best: ALIEN }, count: 1 });
  const removeFilm = new Endpoint((_: { id: string }) => Promise.resolve({}), {
    name: "removeFilm",
    schema: new schema.Invalidate(Film),
    sideEffect: true,
  });
  it.controller.setResponse(removeFilm, ONE, "1");
  const gone = explain(it.controller, page);
  assertEquals([gone.state, gone.gap?.path, gone.gap?.reason], ["missing", "film.best", "it is not there"]);
  assertEquals([gone.because?.type, gone.because?.name], ["setResponse", "removeFilm"]);
});

Deno.test("explain says of what a pending delete hides that it is waited for, and not asked for", async () => {
  using it = start();
  const { controller, get, wire } = it;
  const erase = new Endpoint(wire.fn<[args: { id: string }]>("erase"), {
    name: "erase",
    schema: new schema.Invalidate(Film),
    sideEffect: true,
    getOptimisticResponse: (_snapshot: unknown, args: { id: string }) => args,
  });
  controller.setResponse(get, ONE, ALIEN);
  controller.setError(get, ONE, new Error("refused"));
  const answer = controller.fetch(erase, ONE).catch(() => {});
  const { state, wouldFetch, isShown, because, text } = explain(controller, get, ONE);
  assertEquals([state, wouldFetch, isShown, because], ["missing", false, false, undefined]);
  assertStringIncludes(text, "a pending mutation takes it away");
  await flush();
  await wire.last.fail(new Error("no"));
  await answer;
  assertEquals(explain(controller, get, ONE).state, "failed");
});

Deno.test("explain knows no causes without a history, and no more than the last thousand with it", () => {
  using relaxed = start(false);
  relaxed.controller.setResponse(relaxed.get, ONE, ALIEN);
  assertEquals(explain(relaxed.controller, relaxed.get, ONE).because, undefined);
  assertEquals(explain(relaxed.controller, relaxed.get, ONE).state, "fresh");
  using it = start();
  it.controller.setResponse(it.get, ONE, ALIEN);
  for (let i = 0; i < 999; i++) it.controller.set(Studio, "7", { id: "7", name: `name ${i}` });
  assert(explain(it.controller, it.get, ONE).because !== undefined);
  it.controller.set(Studio, "7", { id: "7", name: "last" });
  assertEquals(explain(it.controller, it.get, ONE).because, undefined);
});

Deno.test("explain of null, a query, a mutation and odd names", () => {
  using it = start();
  const inactive = explain(it.controller, it.get, null);
  assertEquals([inactive.endpoint, inactive.state, inactive.key, inactive.wouldFetch], ["get", "inactive", "", false]);
  const all = new Query(new schema.All(Film));
  assertEquals([explain(it.controller, all).state, explain(it.controller, all).wouldFetch], ["missing", false]);
  it.controller.setResponse(it.list, [ALIEN]);
  assertEquals([explain(it.controller, all).state, explain(it.controller, all).expiresAt], ["fresh", null]);
  assertEquals(explain(it.controller, it.remove, { id: "7" }).wouldFetch, false);
  for (const id of ["__proto__", "constructor", "toString"]) {
    assertEquals(explain(it.controller, it.get, { id }).state, "missing");
    assertEquals(explain(it.controller, it.get, { id }).gap?.pk, id);
  }
  assertEquals(it.controller.store.sequence.size, 0);
});

Deno.test("explain names the reset, not what it took away, also of what was read, an error, and without a schema", () => {
  using it = start();
  const { controller } = it;
  const bare = new Endpoint(() => Promise.resolve("text"), { name: "bare" });
  for (const type of ["reset", "replace"]) {
    controller.setResponse(it.get, ONE, ALIEN);
    controller.getResponse(it.get, ONE);
    controller.setResponse(bare, "text");
    controller.setError(it.get, { id: "2" }, new Error("refused"));
    if (type === "reset") controller.resetEntireStore();
    else hydrate(controller, {});
    const told = [
      explain(controller, it.get, ONE),
      explain(controller, bare),
      explain(controller, it.get, { id: "2" }),
    ];
    for (const { state, because } of told) assertEquals([state, String(because?.type)], ["missing", type]);
  }
  controller.setResponse(bare, "again");
  assertEquals(explain(controller, bare).because?.type, "setResponse");
});

Deno.test("explain tells what the app's code throws, and throws none of it", () => {
  using it = start();
  const odd = [new TypeError("no title"), "text", undefined, null];
  for (const thrown of odd) {
    const titles = new Query(new schema.All(Film), () => {
      throw thrown;
    });
    const page = new Endpoint(() => Promise.resolve({}), { name: "page", schema: { films: [Film], titles } });
    it.controller.setResponse(it.list, [ALIEN]);
    it.controller.setResponse(page, { films: [ALIEN] });
    for (const told of [explain(it.controller, titles), explain(it.controller, page)]) {
      assertEquals([told.state, told.isShown, told.wouldFetch, told.gap], ["failed", false, false, undefined]);
      assertEquals(structuredClone(told), told);
      assertStringIncludes(
        told.text,
        thrown === odd[0] ? "it failed with TypeError: no title" : "it failed with Error",
      );
    }
  }
});

Deno.test("explain describes an error as plain data, whatever it is", () => {
  using it = start();
  const error = new NetworkError({ method: "GET", url: "https://api.test/films/1", status: 503 });
  it.controller.setError(it.get, ONE, error);
  const told = explain(it.controller, it.get, ONE);
  assertEquals([told.error?.name, told.error?.status], ["NetworkError", 503]);
  for (const odd of [null, 5, "text", Symbol("s"), Object.create(null)]) {
    it.controller.setError(it.get, { id: "2" }, odd);
    assertEquals(explain(it.controller, it.get, { id: "2" }).state, "failed");
  }
});

Deno.test("getResponseMeta tells when data came, what failed, and whether it is asked for", async () => {
  using it = start();
  assertEquals(it.controller.getResponseMeta(it.get, null), {
    data: undefined,
    expiryStatus: 3,
    expiresAt: Infinity,
    fetchedAt: undefined,
    error: undefined,
    isInFlight: false,
  });
  const asked = it.controller.fetch(it.get, ONE);
  assertEquals(it.controller.getResponseMeta(it.get, ONE).isInFlight, true);
  it.clock.tick(5);
  await it.wire.last.reply(ALIEN);
  const film = await asked;
  const { fetchedAt, error, isInFlight, data, expiresAt } = it.controller.getResponseMeta(it.get, ONE);
  assertEquals([fetchedAt, expiresAt, error, isInFlight], [it.clock.now(), it.clock.now() + 60_000, undefined, false]);
  assert(data === film);
  const soft = it.get.extend({ errorPolicy: () => "soft" });
  const failure = new Error("down");
  it.controller.setError(soft, ONE, failure);
  assertEquals([it.controller.getError(soft, ONE), it.controller.getResponseMeta(soft, ONE).error], [
    undefined,
    failure,
  ]);
  it.controller.setResponse(it.list, [{ ...ALIEN, id: "2" }]);
  assertEquals(
    it.controller.getResponseMeta(it.get, { id: "2" }).fetchedAt,
    it.clock.now(),
    "of the record in the list",
  );
  assertEquals(it.controller.getResponseMeta(it.get, { id: "9" }).fetchedAt, undefined);
});
