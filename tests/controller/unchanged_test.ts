/**
 * What an endpoint may say beside a value: that the answer is the one that is there already.
 *
 * @module
 */
import { assert, assertEquals, assertNotStrictEquals, assertRejects, assertStrictEquals } from "@std/assert";
import {
  Endpoint,
  EndpointError,
  Entity,
  hydrate,
  type Manager,
  onCommit,
  OvertakenError,
  schema,
  stateOf,
  TimeoutError,
} from "@rejoin/data";
import { type CallContext, recall, remember, remembered, type RememberedReply } from "@rejoin/data/extend";
import { PatientController as Controller } from "../support/patient_controller.ts";
import { Patch } from "../../src/store/patch.ts";
import { watch } from "../../src/store/watch.ts";
import { FakeClock, flush } from "../support/clock.ts";
import { Wire } from "../support/wire.ts";

class User extends Entity {
  id = "";
  name = "";
  pk() {
    return this.id;
  }
  static key = "User";
}

class Film extends Entity {
  id = "";
  title = "";
  director: User | undefined = undefined;
  pk() {
    return this.id;
  }
  static key = "Film";
  static schema = { director: User };
}

const LUCAS = { id: "1", name: "George Lucas" };
const films = () => [
  { id: "4", title: "A New Hope", director: { ...LUCAS } },
  { id: "1", title: "The Phantom Menace", director: { ...LUCAS } },
];

/** One call that waits for the test. */
interface Waiting {
  readonly context: ReturnType<typeof remembered> & { recall(name: string): unknown };
  reply(reply: RememberedReply): Promise<void>;
  fail(reason: unknown): Promise<void>;
}

/** An endpoint whose calls say more than a value. */
function talking<S>(name: string, schema: S) {
  const calls: Waiting[] = [];
  const endpoint = new Endpoint((): Promise<unknown> => Promise.reject(new Error("fetchReply is called instead")), {
    name,
    schema: schema as typeof Film[],
  });
  Object.defineProperty(endpoint, "fetchReply", {
    value: (context: CallContext) =>
      new Promise<unknown>((resolve, reject) => {
        recall(context, "version");
        calls.push({
          context: { ...remembered(context), recall: (name) => recall(context, name) },
          reply: (reply) => (resolve((async () => reply && await remember(context, reply))()), flush()),
          fail: (reason) => (reject(reason), flush()),
        });
      }),
  });
  return { endpoint, calls, last: () => calls.at(-1)! };
}

/** A controller in which the list of films has been answered once, with the memo "v1". */
async function setUp(options: ConstructorParameters<typeof Controller>[0] = {}) {
  const clock = new FakeClock();
  const restore = clock.install();
  const controller = new Controller(options);
  const { endpoint: list, calls, last } = talking("films", [Film]);
  const first = controller.fetch(list);
  await last().reply({ value: films(), memo: "v1" });
  const data = await first;
  const wire = new Wire();
  const get = new Endpoint(wire.fn<[id: string]>("get"), { name: "get", schema: Film });
  const rename = new Endpoint(wire.fn<[id: string, title: string]>("rename"), {
    name: "rename",
    schema: Film,
    sideEffect: true,
  });
  const state = () => controller.getResponse(list);
  return { clock, controller, list, calls, last, data, wire, get, rename, state, [Symbol.dispose]: restore };
}

/** How often schemas of a store were walked: what is not normalized is not put. */
function countPuts(run: () => void | Promise<void>): Promise<number> {
  const { process } = Film;
  let count = 0;
  Film.process = function (this: typeof Film, ...args: Parameters<typeof process>) {
    count++;
    return process.apply(this, args);
  } as typeof process;
  return Promise.resolve(run()).then(() => count).finally(() => Film.process = process);
}

Deno.test("a call gets no memo at first, then what its last reply asked to remember", async () => {
  using given = await setUp();
  const { controller, list, calls, last } = given;
  assertEquals([calls[0]!.context.memo, calls[0]!.context.isCurrent], [undefined, false]);
  const second = controller.fetch(list);
  assertEquals([last().context.memo, last().context.isCurrent], ["v1", true]);
  await last().reply({ value: undefined, memo: "v2", unchanged: true });
  await second;
  controller.fetch(list);
  assertEquals([last().context.memo, last().context.isCurrent], ["v2", true]);
});

Deno.test("an unchanged reply normalizes nothing, tells nobody, keeps identity, and makes the answer young", async () => {
  using given = await setUp();
  const { clock, controller, list, last, data, state } = given;
  let told = 0;
  watch(controller.store, controller.store.response(list, [], list.key()), () => told++);
  const before = state();
  clock.jump(50_000);
  const puts = await countPuts(async () => {
    const second = controller.fetch(list);
    await last().reply({ value: undefined, memo: "v1", unchanged: true });
    assertStrictEquals(await second, data);
  });
  assertEquals([puts, told], [0, 0]);
  assertStrictEquals(state().data, data);
  assertEquals(state().expiresAt, before.expiresAt + 50_000);
  const meta = stateOf(controller);
  assertEquals(meta.meta[list.key()]!.fetchedAt, clock.now());
  assertEquals(meta.entitiesMeta.Film!["4"], { fetchedAt: clock.now(), expiresAt: clock.now() + 60_000 });
  assertEquals(meta.entitiesMeta.User!["1"], { fetchedAt: clock.now(), expiresAt: clock.now() + 60_000 });
});

Deno.test("an unchanged reply clears the error that is kept beside the answer", async () => {
  using given = await setUp();
  const { controller, list, last } = given;
  const failing = controller.fetch(list);
  await last().fail(new Error("no network"));
  await assertRejects(() => failing, Error, "no network");
  assert(controller.getError(list) !== undefined);
  const again = controller.fetch(list);
  await last().reply({ value: undefined, memo: "v1", unchanged: true });
  await again;
  assertEquals(controller.getError(list), undefined);
});

Deno.test("what another write has changed since is written again: by read() where there is one", async () => {
  using given = await setUp();
  const { controller, list, last, calls, state } = given;
  controller.set(Film, { id: "4" }, { title: "Star Wars" });
  const second = controller.fetch(list);
  assertEquals([last().context.memo, last().context.isCurrent], ["v1", false]);
  await last().reply({ value: undefined, memo: "v1", unchanged: true, read: () => Promise.resolve(films()) });
  await second;
  assertEquals(state().data?.[0]?.title, "A New Hope");
  assertEquals(calls.length, 2);
  controller.fetch(list);
  assertEquals(last().context.isCurrent, true);
});

Deno.test("a change between request and unchanged reply makes one more call, without memo, in the same flight", async () => {
  using given = await setUp();
  const { controller, list, last, calls, state } = given;
  const second = controller.fetch(list);
  assertEquals(last().context.isCurrent, true);
  controller.set(User, { id: "1" }, { name: "somebody else" });
  await last().reply({ value: undefined, memo: "v1", unchanged: true });
  assertEquals(calls.length, 3);
  assertStrictEquals(controller.fetch(list) instanceof Promise, true);
  assertEquals(calls.length, 3, "it is joined");
  assertEquals([last().context.memo, last().context.isCurrent], [undefined, false]);
  await last().reply({ value: films(), memo: "v2" });
  assertEquals((await second)[0]?.director?.name, "George Lucas");
  assertEquals(state().data?.[0]?.director?.name, "George Lucas");
});

Deno.test("equal writes, and records of other tables, do not count as a change", async () => {
  class Studio extends Entity {
    id = "";
    pk() {
      return this.id;
    }
    static key = "Studio";
  }
  using given = await setUp();
  const { controller, list, last } = given;
  controller.set(Film, { id: "4" }, films()[0]!);
  controller.set(Studio, { id: "1" }, { id: "1" });
  controller.fetch(list);
  assertEquals(last().context.isCurrent, true);
});

const remove = new Endpoint((): Promise<unknown> => Promise.resolve(), {
  name: "remove",
  schema: new schema.Invalidate(Film),
  sideEffect: true,
});

for (
  const [what, change] of [
    ["an added record", (c: Controller) => c.set(Film, { id: "5" }, { id: "5", title: "The Empire Strikes Back" })],
    ["a replaced record", (c: Controller) => c.set(Film, { id: "1" }, { title: "Episode I" })],
    ["a removed record", (c: Controller) => c.setResponse(remove, { id: "1" })],
    [
      "an invalidated answer",
      (c: Controller, list: { key(): string }) => c.invalidateAll({ testKey: (key) => key === list.key() }),
    ],
  ] as const
) {
  Deno.test(`${what} is a change`, async () => {
    using given = await setUp();
    const { controller, list, last } = given;
    change(controller, list);
    controller.fetch(list);
    assertEquals([last().context.memo, last().context.isCurrent], ["v1", false]);
  });
}

Deno.test("an answer that makes an All known, and has no row, is as good a ground as any", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  const controller = new Controller();
  const { endpoint, last } = talking("none", { films: [Film], all: new schema.All(User) });
  const first = controller.fetch(endpoint);
  await last().reply({ value: { films: [], all: [] }, memo: "v1" });
  await first;
  controller.fetch(endpoint);
  assertEquals(last().context.isCurrent, true);
});

Deno.test("a record that a mutation left as it was, but marked stale, is a change: the next answer makes it young", async () => {
  using given = await setUp();
  const { clock, controller, list, last, rename, wire } = given;
  const silent = rename.extend({ readReply: () => ({ value: films()[0], stale: true }) });
  const call = controller.fetch(silent, "4", "A New Hope");
  await wire.last.reply("");
  await call;
  assertEquals(stateOf(controller).entitiesMeta.Film!["4"]!.expiresAt, 0);
  const second = controller.fetch(list);
  assertEquals(last().context.isCurrent, false);
  await last().reply({ value: undefined, memo: "v1", unchanged: true, read: () => Promise.resolve(films()) });
  await second;
  assertEquals(stateOf(controller).entitiesMeta.Film!["4"]!.expiresAt, clock.now() + 60_000);
});

Deno.test("a layer over the records is no change, and stays where it is", async () => {
  using given = await setUp();
  const { controller, list, last, rename, wire, state } = given;
  const second = controller.fetch(list);
  controller.fetch(
    rename.extend({ getOptimisticResponse: (_: unknown, id: string, title: string) => ({ id, title }) }),
    "4",
    "Star Wars",
  );
  assertEquals(state().data?.[0]?.title, "Star Wars");
  await last().reply({ value: undefined, memo: "v1", unchanged: true });
  await second;
  assertEquals(state().data?.[0]?.title, "Star Wars");
  await wire.last.fail();
  assertEquals(state().data?.[0]?.title, "A New Hope");
});

Deno.test("an unchanged reply behind a mutation leaves the answer stale, as any other does", async () => {
  using given = await setUp();
  const { controller, list, last, rename, wire, state } = given;
  controller.fetch(rename, "9", "Solo").catch(() => {});
  const second = controller.fetch(list);
  await last().reply({ value: undefined, memo: "v1", unchanged: true });
  await second;
  assertEquals(state().expiresAt, 0);
  const { mark } = controller.store.entries.get(list.key(), list)!;
  await wire.last.fail();
  assertEquals(
    controller.store.entries.get(list.key(), list)!.mark,
    mark + 1,
    "it is asked again when that has settled",
  );
});

Deno.test("an answer that was expired while its unchanged reply was on the way stays stale", async () => {
  using given = await setUp();
  const { controller, list, last, state } = given;
  const second = controller.fetch(list);
  controller.expireAll(list);
  await last().reply({ value: undefined, memo: "v1", unchanged: true });
  await second;
  assertEquals(state().expiresAt, 0);
});

Deno.test("an older request in flight is put in before the unchanged reply, not over it", async () => {
  using given = await setUp();
  const { controller, list, last, get, wire, state } = given;
  const older = controller.fetch(get, "4");
  const second = controller.fetch(list);
  assertEquals(last().context.isCurrent, false, "what it brings may have to be written under this");
  await last().reply({ value: undefined, memo: "v1", unchanged: true, read: () => Promise.resolve(films()) });
  await second;
  await wire.last.reply({ id: "4", title: "Star Wars", director: "1" });
  await older;
  assertEquals(state().data?.[0]?.title, "A New Hope");
});

Deno.test("an answer over which a later write lies is not what is stored", async () => {
  using given = await setUp();
  const { controller, list, last, rename, wire, state } = given;
  const second = controller.fetch(list);
  const renamed = controller.fetch(rename, "4", "Star Wars");
  await wire.last.reply({ id: "4", title: "Star Wars" });
  await renamed;
  await last().reply({ value: films(), memo: "v2" });
  await second;
  assertEquals(state().data?.[0]?.title, "Star Wars");
  // The server renames it back: what was remembered is right again, and what is stored is not.
  const third = controller.fetch(list);
  assertEquals([last().context.memo, last().context.isCurrent], ["v2", false]);
  await last().reply({ value: undefined, memo: "v2", unchanged: true, read: () => Promise.resolve(films()) });
  await third;
  assertEquals(state().data?.[0]?.title, "A New Hope");
});

Deno.test("a result that was replaced without any record is a change", async () => {
  using given = await setUp();
  const { controller: { store }, controller, list, last } = given;
  const patch = new Patch(store, { seq: store.sequence.take(), fetchedAt: 0, expiresAt: 0 });
  patch.addEntry({ ...store.entries.get(list.key(), list)!, result: ["4"] });
  store.commit(patch.seal(), undefined);
  controller.fetch(list);
  assertEquals([last().context.memo, last().context.isCurrent], ["v1", false]);
});

Deno.test("a list that grew here is a change; the unchanged reply says again what the server has", async () => {
  using _ = new FakeClock().install();
  const controller = new Controller();
  const films = new schema.Collection([Film]);
  const { endpoint: list, last } = talking("list", films);
  const rows = () => Promise.resolve([{ id: "4", title: "A New Hope" }]);
  const ids = () => (controller.getResponse(list).data as unknown as Film[]).map(({ id }) => id);
  const first = controller.fetch(list);
  await last().reply({ value: await rows() as never, memo: "v1" });
  await first;
  const again = controller.fetch(list);
  assertEquals(last().context.isCurrent, true);
  await last().reply({ value: undefined, memo: "v1", unchanged: true });
  await again;
  controller.set(films.push, { id: "5", title: "The Empire Strikes Back" });
  assertEquals(ids(), ["4", "5"]);
  const third = controller.fetch(list);
  assertEquals(last().context.isCurrent, false);
  await last().reply({ value: undefined, memo: "v1", unchanged: true, read: rows });
  await third;
  assertEquals(ids(), ["4"]);
});

Deno.test("an answer that was set by hand has no memo, and a state that leaves the process has none either", async () => {
  using given = await setUp();
  const { controller, list, last } = given;
  assertEquals(JSON.stringify(stateOf(controller)).includes("v1"), false);
  const second = new Controller({ use: [hydrate(JSON.parse(JSON.stringify(stateOf(controller))))] });
  second.fetch(list).catch(() => {});
  assertEquals(last().context.memo, undefined);
  controller.setResponse(list, films());
  controller.fetch(list);
  assertEquals(last().context.memo, undefined);
});

Deno.test("a reset forgets memos and notes", async () => {
  using given = await setUp();
  const { controller, list, last } = given;
  const noted = controller.fetch(list);
  await last().reply({ value: films(), memo: "v1", note: { name: "version", value: 7 } });
  await noted;
  controller.fetch(list).catch(() => {});
  assertEquals(last().context.recall("version"), 7);
  controller.resetEntireStore();
  controller.fetch(list).catch(() => {});
  assertEquals([last().context.memo, last().context.recall("version")], [undefined, undefined]);
});

Deno.test("of two notes the one of the later place stays, whichever came first", async () => {
  using given = await setUp();
  const { controller, list, last } = given;
  const { endpoint: other, last: lastOther } = talking("other", [Film]);
  const early = controller.fetch(list);
  const late = controller.fetch(other);
  await lastOther().reply({ value: [], note: { name: "__proto__", value: "late" } });
  await last().reply({ value: films(), note: { name: "__proto__", value: "early" } });
  await Promise.all([early, late]);
  controller.fetch(list);
  assertEquals(last().context.recall("__proto__"), "late");
  assertEquals(last().context.recall("constructor"), undefined);
});

Deno.test("a reply may say how long it is fresh", async () => {
  using given = await setUp();
  const { clock, controller, list, last, state } = given;
  let call = controller.fetch(list);
  await last().reply({ value: films(), memo: "v1", dataExpiryLength: 5_000 });
  await call;
  assertEquals(state().expiresAt, clock.now() + 5_000);
  call = controller.fetch(list);
  await last().reply({ value: undefined, memo: "v1", unchanged: true, dataExpiryLength: Infinity });
  await call;
  assertEquals(state().expiresAt, Infinity);
});

Deno.test("without a schema the stored value itself is the answer", async () => {
  using _ = new FakeClock().install();
  const controller = new Controller();
  const { endpoint, last } = talking("plain", undefined);
  const first = controller.fetch(endpoint);
  await last().reply({ value: { n: 1 } as never, memo: "v1" });
  const value = await first;
  const second = controller.fetch(endpoint);
  await last().reply({ value: undefined, memo: "v1", unchanged: true });
  assertStrictEquals(await second, value);
  assertEquals(value as unknown, { n: 1 });
});

Deno.test("two shapes of one key have a memo each", async () => {
  using given = await setUp();
  const { controller, list, last } = given;
  const { endpoint: raw, last: lastRaw } = talking("films", undefined);
  assertEquals(raw.key(), list.key());
  controller.fetch(raw);
  assertEquals(lastRaw().context.memo, undefined);
  controller.fetch(list);
  assertEquals(last().context.memo, "v1");
});

Deno.test("`unchanged` of what was never answered is a typed error, and settles", async () => {
  using _ = new FakeClock().install();
  const controller = new Controller();
  const { endpoint, last, calls } = talking("films", [Film]);
  const first = controller.fetch(endpoint);
  await last().reply({ value: undefined, unchanged: true });
  await assertRejects(() => first, EndpointError, 'answered "unchanged", but was given no memo');
  assertEquals(calls.length, 1);
});

Deno.test("a fetchReply that gives nothing, and a read that never ends, settle", async () => {
  using given = await setUp();
  const { clock, controller, list, last } = given;
  const nothing = controller.fetch(list);
  await last().reply(undefined as unknown as RememberedReply);
  await assertRejects(() => nothing, EndpointError, "must give an object");
  controller.set(Film, { id: "4" }, { title: "Star Wars" });
  const endless = assertRejects(() => controller.fetch(list), TimeoutError);
  await last().reply({ value: undefined, memo: "v1", unchanged: true, read: () => new Promise(() => {}) });
  await clock.tickAsync(30_000);
  await endless;
  assertEquals(clock.pending, 0);
});

Deno.test("a mutation is never sent twice, whatever it replies", async () => {
  using _ = new FakeClock().install();
  const controller = new Controller();
  const { endpoint, last, calls } = talking("touch", undefined);
  const touch = Object.defineProperty(endpoint, "sideEffect", { value: true });
  const call = controller.fetch(touch);
  await last().reply({ value: "done" as never, unchanged: true });
  assertEquals(await call as unknown, "done");
  assertEquals([calls.length, last().context.memo], [1, undefined]);
});

Deno.test("middleware see the renewal; one that swallows it leaves the caller with what is stored", async () => {
  const seen: string[] = [];
  const log: Manager = {
    middleware: () => (next) => (action) => {
      seen.push(action.type);
      return action.type === "renew" ? undefined : next(action);
    },
  };
  using given = await setUp({ managers: [log] });
  const { controller, list, last, data, state } = given;
  const before = state().expiresAt;
  const second = controller.fetch(list);
  await last().reply({ value: undefined, memo: "v1", unchanged: true });
  assertStrictEquals(await second, data);
  assertEquals(seen, ["fetch", "setResponse", "fetch", "renew"]);
  assertEquals(state().expiresAt, before);
});

Deno.test("a middleware that resets the store before the renewal: the caller learns it, and nothing is shown", async () => {
  let controller: Controller | undefined = undefined as Controller | undefined;
  const reset: Manager = {
    middleware: () => (next) => (action) => {
      if (action.type === "renew") controller!.resetEntireStore();
      return next(action);
    },
  };
  using given = await setUp({ managers: [reset] });
  controller = given.controller;
  const second = assertRejects(() => controller!.fetch(given.list), OvertakenError, "reset");
  await given.last().reply({ value: undefined, memo: "v1", unchanged: true });
  await second;
  assertEquals(given.state().data, undefined);
});

Deno.test("a middleware that writes before the renewal: the next call does not take the answer for what is stored", async () => {
  let controller: Controller | undefined = undefined as Controller | undefined;
  const meddle: Manager = {
    middleware: () => (next) => (action) => {
      if (action.type === "renew") controller!.set(Film, { id: "4" }, { title: "Star Wars" });
      return next(action);
    },
  };
  using given = await setUp({ managers: [meddle] });
  const { list, last } = given;
  controller = given.controller;
  const second = controller.fetch(list);
  await last().reply({ value: undefined, memo: "v1", unchanged: true });
  assertNotStrictEquals(await second, given.data);
  controller.fetch(list).catch(() => {});
  assertEquals(last().context.isCurrent, false);
});

Deno.test("listeners of commits learn that an answer was renewed, with nothing replaced", async () => {
  using given = await setUp();
  const { controller, list, last } = given;
  const patches: unknown[] = [];
  onCommit(
    controller,
    (patch) => patches.push([patch.records, patch.endpoints.map(({ before, after }) => before === after)]),
  );
  const second = controller.fetch(list);
  await last().reply({ value: undefined, memo: "v1", unchanged: true });
  await second;
  assertEquals(patches, [[[], [true]]]);
});
