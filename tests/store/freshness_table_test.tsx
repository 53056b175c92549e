import { mount, settled } from "../support/dom.ts";
import { assert, assertEquals } from "@std/assert";
import { Controller, Endpoint, type EndpointOptions, Entity, ExpiryStatus, schema } from "@rejoin/data";
import { AsyncBoundary, DataProvider, useCache, useFetch, useLive, useSuspense } from "@rejoin/data/preact";
import { FakeClock } from "../support/clock.ts";
import { Server } from "../preact/_cinema.tsx";

/** The first table of the page about freshness with these columns: by state, what each reader does. */
async function readTable(): Promise<Map<string, Map<string, string>>> {
  const page = await Deno.readTextFile(new URL("../../docs/freshness.md", import.meta.url));
  const cells = (line: string) => line.split("|").slice(1, -1).map((cell) => cell.trim());
  const lines = page.split("\n");
  const head = lines.findIndex((line) => cells(line)[0] === "state");
  const [, ...columns] = cells(lines[head]!);
  const table = new Map<string, Map<string, string>>();
  for (let at = head + 2; lines[at]!.startsWith("|"); at++) {
    const [state, ...row] = cells(lines[at]!);
    table.set(state!, new Map(row.map((cell, index) => [columns[index]!.replaceAll("`", ""), cell])));
  }
  return table;
}

class Studio extends Entity {
  id = "";
  name = "";
  pk() {
    return this.id;
  }
  static key = "Studio";
}

/** A film that a list tells too little of, where it has neither plot nor studio. */
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

const ALIEN = { id: "1", title: "Alien", plot: "Nobody hears", studio: { id: "7", name: "Fox" } };
const ONE = { id: "1" };

/** One film in one state: a controller, a server that answers never, and a clock. */
class Stage {
  readonly clock: FakeClock;
  readonly server = new Server();
  readonly controller = new Controller();
  readonly get;
  readonly list = new Endpoint(() => Promise.resolve([ALIEN]), { name: "list", schema: [Film] });

  constructor(clock: FakeClock, policy: Omit<EndpointOptions, "schema" | "sideEffect"> = {}) {
    this.clock = clock;
    this.get = new Endpoint(this.server.handle<[params: { id: string }]>("get"), {
      name: "get",
      schema: Film,
      ...policy,
    });
  }

  answered(): void {
    this.controller.setResponse(this.get, ONE, ALIEN);
  }
  listed(): void {
    this.controller.setResponse(this.list, [ALIEN]);
  }
  failed(): void {
    this.controller.setError(this.get, ONE, new Error("refused"));
  }
  asked(): void {
    this.controller.fetch(this.get, ONE).catch(() => {});
  }
  pass(ms: number): void {
    this.clock.tick(ms);
  }
  remove(removed: typeof Film | typeof Studio, id: string): void {
    const remove = new Endpoint(() => Promise.resolve({}), {
      name: "remove",
      schema: new schema.Invalidate(removed),
      sideEffect: true,
    });
    this.controller.setResponse(remove, { id });
  }
}

interface State {
  readonly policy?: Omit<EndpointOptions, "schema" | "sideEffect">;
  /** What happened before anybody read it. */
  readonly before?: (stage: Stage) => void;
  /** What happens while it is mounted. */
  readonly mounted?: (stage: Stage) => void;
}

const soft = { errorPolicy: () => "soft" as const };
const expire = ({ controller, get }: Stage) => controller.expireAll(get);
const invalidate = ({ controller, get }: Stage) => controller.invalidate(get, ONE);
const fresh = (stage: Stage) => stage.answered();
const stale = (stage: Stage) => (stage.answered(), stage.pass(60_000));
const failedOver = (stage: Stage) => (stage.answered(), stage.failed());

const STATES: Readonly<Record<string, State | readonly State[]>> = {
  "nothing known": {},
  "fresh": { before: fresh },
  "fresh in a list, never asked for by itself": { before: (stage) => stage.listed() },
  "stale in a list, never asked for by itself": { before: (stage) => (stage.listed(), stage.pass(60_000)) },
  "stale": { before: stale },
  "became stale by time, mounted": { before: fresh, mounted: (stage) => stage.pass(60_000) },
  "marked stale by `expire`": { before: (stage) => (stage.answered(), expire(stage)) },
  "marked stale by `expire`, mounted": [
    { before: fresh, mounted: expire },
    { before: (stage) => stage.listed(), mounted: expire },
  ],
  "stale, `invalidIfStale`": { policy: { invalidIfStale: true }, before: stale },
  "became stale by time, mounted, `invalidIfStale`": {
    policy: { invalidIfStale: true },
    before: fresh,
    mounted: (stage) => stage.pass(60_000),
  },
  "marked stale by `expire`, mounted, `invalidIfStale`": {
    policy: { invalidIfStale: true },
    before: fresh,
    mounted: expire,
  },
  "invalidated": [
    { before: (stage) => (stage.answered(), invalidate(stage)) },
    { before: (stage) => (stage.listed(), invalidate(stage)) },
    { before: (stage) => (stage.failed(), invalidate(stage)) },
  ],
  "invalidated, mounted": [
    { before: fresh, mounted: invalidate },
    { before: (stage) => stage.listed(), mounted: ({ controller, get }) => controller.invalidateAll(get) },
  ],
  "the record was deleted": { before: (stage) => (stage.answered(), stage.remove(Film, "1")) },
  "the record was deleted, mounted": [
    { before: fresh, mounted: (stage) => stage.remove(Film, "1") },
    { before: (stage) => stage.listed(), mounted: (stage) => stage.remove(Film, "1") },
  ],
  "the record is incomplete for its class": {
    before: ({ controller }) => controller.set(Film, ONE, { title: "Alien", studio: { id: "7", name: "Fox" } }),
  },
  "a required nested record was deleted, mounted": { before: fresh, mounted: (stage) => stage.remove(Studio, "7") },
  "an error and no data, hard or soft": [
    { before: (stage) => stage.failed() },
    { policy: soft, before: (stage) => stage.failed() },
  ],
  "invalidated, and an error since, hard or soft": [
    { before: (stage) => (stage.answered(), invalidate(stage), stage.failed()) },
    { policy: soft, before: (stage) => (stage.answered(), invalidate(stage), stage.failed()) },
  ],
  "an error and no data, after its time": [
    { before: (stage) => (stage.failed(), stage.pass(1_000)) },
    { policy: soft, before: (stage) => (stage.failed(), stage.pass(1_000)) },
  ],
  "a hard error over data": { before: failedOver },
  "a hard error over data, mounted": { before: fresh, mounted: (stage) => stage.failed() },
  "a hard error over data, after its time": { before: (stage) => (failedOver(stage), stage.pass(1_000)) },
  "a soft error over data": [
    { policy: soft, before: failedOver },
    { policy: soft, before: fresh, mounted: (stage) => stage.failed() },
  ],
  "a soft error over data, after its time": {
    policy: soft,
    before: (stage) => (failedOver(stage), stage.pass(1_000)),
  },
  "in flight, nothing known": { before: (stage) => stage.asked() },
  "in flight, stale": { before: (stage) => (stale(stage), stage.asked()) },
  "in flight, fresh": { before: (stage) => (stage.answered(), stage.asked()) },
  "in flight, invalidated": { before: (stage) => (stage.answered(), stage.asked(), invalidate(stage)) },
  "in flight after an error without data": { before: (stage) => (stage.failed(), stage.asked()) },
};

type Film1 = { readonly title?: string } | undefined;
const shown = (film: Film1) => film === undefined ? "nothing" : film.title === "Alien" ? "data" : `${film.title}?`;

const HOOKS: Readonly<Record<string, (stage: Stage) => string>> = {
  useSuspense: ({ get }) => shown(useSuspense(get, ONE)),
  useLive: ({ get }) => shown(useLive(get, ONE)),
  useFetch: ({ get }) => {
    const promise = useFetch(get, ONE)!;
    promise.then(() => {}, () => {});
    return promise.status === "fulfilled" ? shown(promise.value) : promise.status === "pending" ? "waits" : "error";
  },
  useCache: ({ get }) => shown(useCache(get, ONE)),
};

const CALLS: Readonly<Record<string, (stage: Stage) => Promise<string>>> = {
  fetchIfStale: async ({ controller, get }) => {
    const given = controller.fetchIfStale(get, ONE);
    if (!(given instanceof Promise)) return shown(given);
    let outcome = "waits";
    given.then(() => outcome = "data later", () => outcome = "error");
    await settled();
    return outcome;
  },
  getResponse: async ({ controller, get }) => {
    const { data, expiryStatus } = controller.getResponse(get, ONE);
    const status = Object.entries(ExpiryStatus).find(([, value]) => value === expiryStatus)![0];
    const error = controller.getError(get, ONE) === undefined ? "" : ", error";
    return await Promise.resolve(`${shown(data)}, ${status}${error}`);
  },
};

function View({ read }: { readonly read: () => string }) {
  return <>{read()}</>;
}

/** What a reader does in a state, in the words of the table. */
async function observe({ policy, before, mounted }: State, reader: string): Promise<string> {
  const clock = new FakeClock();
  using _clock = clock.install();
  const stage = new Stage(clock, policy);
  const { controller, server } = stage;
  using _controller = controller;
  const call = CALLS[reader];
  before?.(stage);
  if (call !== undefined) {
    // As a component that is mounted: somebody has read it.
    if (mounted !== undefined) controller.getResponse(stage.get, ONE);
    mounted?.(stage);
    const asked = server.asked.length;
    const does = await call(stage);
    return server.asked.length > asked ? `${does}, asks` : does;
  }
  const asked = server.asked.length;
  await using app = mount(
    <DataProvider controller={controller}>
      <AsyncBoundary fallback="waits" errorComponent={() => <>error</>}>
        <View read={() => HOOKS[reader]!(stage)} />
      </AsyncBoundary>
    </DataProvider>,
  );
  await settled();
  if (mounted !== undefined) {
    assertEquals([app.text, server.asked.length], ["data", asked], "mounted with fresh data");
    mounted(stage);
    await settled();
    // Of what was deleted somebody may leave the page first: who stays asks a task later.
    await stage.clock.tickAsync(0);
    await settled();
  }
  const asks = server.asked.length > asked;
  // What was asked for is wanted: nothing that is shown instead has given it up.
  for (const request of server.asked.slice(asked)) assert(!request.isAborted, `${reader} gave its request up`);
  assert(server.asked.length <= asked + 1, `${reader} asked more than once`);
  return asks ? `${app.text}, asks` : app.text;
}

Deno.test("the table on the page about freshness has every state and every reader", async () => {
  const table = await readTable();
  assertEquals([...table.keys()], Object.keys(STATES));
  const readers = ["useSuspense", "useFetch", "useCache", "fetchIfStale", "getResponse"];
  for (const row of table.values()) assertEquals([...row.keys()], readers);
});

for (const [name, states] of Object.entries(STATES)) {
  Deno.test(`as the page about freshness says it: ${name}`, async () => {
    const row = (await readTable()).get(name);
    assert(row !== undefined);
    const expected = new Map([...row, ["useLive", row.get("useSuspense")!]]);
    for (const state of [states].flat() as State[]) {
      const observed = new Map<string, string>();
      // useLive needs to know how often; it asks when the last answer is that old, which is later than the test.
      const live = { ...state, policy: { ...state.policy, pollFrequency: 10_000_000 } };
      for (const reader of expected.keys()) {
        observed.set(reader, await observe(reader === "useLive" ? live : state, reader));
      }
      assertEquals(observed, expected);
    }
  });
}

Deno.test("what a provider says for endpoints that say nothing themselves counts for its hooks", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  const stage = new Stage(clock);
  let provided: Controller | undefined;
  const Fill = () => null;
  await using app = mount(
    <DataProvider
      defaults={{ dataExpiryLength: 5, invalidIfStale: true }}
      managers={[{ init: (controller) => void (provided = controller) }]}
    >
      <Fill />
    </DataProvider>,
  );
  provided!.setResponse(stage.get, ONE, ALIEN);
  const { expiresAt } = provided!.getResponse(stage.get, ONE);
  assertEquals(expiresAt, clock.now() + 5);
  clock.tick(5);
  assertEquals(provided!.getResponse(stage.get, ONE).expiryStatus, ExpiryStatus.InvalidIfStale);
  assertEquals(app.text, "");
});
