import { assertEquals } from "@std/assert";
import {
  Controller,
  type ControllerOptions,
  Endpoint,
  Entity,
  explain,
  hydrate,
  snapshotOf,
  type State,
  stateOf,
} from "@rejoin/data";
import { type CallContext, remember, remembered } from "@rejoin/data/extend";
import { FakeClock } from "../support/clock.ts";

class Article extends Entity {
  id = "";
  title = "";
  pk() {
    return this.id;
  }
  static key = "Article";
}

const DAY = 86_400_000;
const ONE = { id: "1" };

function start(options: ControllerOptions = {}) {
  let calls = 0;
  const get = new Endpoint(async ({ id }: { id: string }) => await Promise.resolve({ id, title: `${++calls}` }), {
    name: "get",
    schema: Article,
  });
  const controller = new Controller({ ...options, strict: true });
  const isFresh = () => {
    const { expiresAt } = controller.getResponse(get, ONE);
    const { wouldFetch } = explain(controller, get, ONE);
    assertEquals(wouldFetch, expiresAt <= clockOf.now());
    return !wouldFetch;
  };
  return { controller, get, isFresh, calls: () => calls };
}
let clockOf: FakeClock;

Deno.test("13.C11 a wall clock that is set back keeps nothing fresh for longer: what has passed counts", async () => {
  for (const jump of [-DAY, -60_000, -1_000, -1]) {
    const clock = clockOf = new FakeClock();
    using _ = clock.install();
    const { controller, get, isFresh, calls } = start();
    await controller.fetch(get, ONE);
    clock.jump(jump);
    assertEquals([isFresh(), controller.getResponse(get, ONE).expiresAt - clock.now()], [true, 60_000]);
    assertEquals(controller.getResponseMeta(get, ONE).fetchedAt, clock.now());
    clock.tick(59_999);
    assertEquals([isFresh(), snapshotOf(controller).getResponse(get, ONE).expiresAt - clock.now()], [true, 1]);
    clock.tick(1);
    assertEquals(isFresh(), false);
    await controller.fetchIfStale(get, ONE);
    assertEquals([isFresh(), calls()], [true, 2]);
  }
});

Deno.test("13.C11 set back by as much as has passed is no time that has not passed", async () => {
  const clock = clockOf = new FakeClock();
  using _ = clock.install();
  const { controller, get, isFresh } = start();
  await controller.fetch(get, ONE);
  assertEquals(isFresh(), true);
  clock.tick(60_000);
  clock.jump(-60_000);
  assertEquals(isFresh(), false);
});

Deno.test("13.C11 sleep counts: the wall has gone on while nothing else has", async () => {
  const clock = clockOf = new FakeClock();
  using _ = clock.install();
  const { controller, get, isFresh } = start();
  await controller.fetch(get, ONE);
  clock.jump(60_000);
  assertEquals(isFresh(), false);
  clock.jump(-60_000);
  assertEquals(isFresh(), true, "it was no sleep");
});

Deno.test("13.C11 a record that is set, one in a list, an error, and an answer that holds still age alike", async () => {
  const clock = clockOf = new FakeClock();
  using _ = clock.install();
  const { controller, get, isFresh } = start();
  controller.set(Article, ONE, { title: "set" });
  clock.jump(-DAY);
  assertEquals(isFresh(), true);
  clock.tick(60_000);
  assertEquals(isFresh(), false);
  const getList = new Endpoint(async () => await Promise.resolve([ONE]), { name: "getList", schema: [Article] });
  await controller.fetch(getList);
  clock.jump(-DAY);
  clock.tick(59_999);
  assertEquals(isFresh(), true);
  clock.tick(1);
  assertEquals(isFresh(), false);
  controller.setError(get, ONE, new Error("down"));
  clock.jump(-DAY);
  assertEquals(isFresh(), true, "the error keeps it from being asked");
  clock.tick(1_000);
  assertEquals(isFresh(), false);
  let answers = 0;
  const sameAgain = {
    fetchReply: async (context: CallContext) => {
      const unchanged = remembered(context).memo !== undefined;
      return await remember(context, { value: [ONE], memo: ++answers, unchanged });
    },
  };
  const renewed = getList.extend({ name: "renewed", ...(sameAgain as object) });
  await controller.fetch(renewed);
  clock.jump(-DAY);
  clock.tick(30_000);
  await controller.fetch(renewed);
  clock.jump(-DAY);
  assertEquals([controller.getResponse(renewed).expiresAt - clock.now(), answers], [60_000, 2]);
});

Deno.test("13.C11 a state of a clock that is ahead, or that was set back since, is not younger than what comes now", async () => {
  const clock = clockOf = new FakeClock();
  using _ = clock.install();
  const server = start();
  clock.jump(DAY);
  await server.controller.fetch(server.get, ONE);
  const ahead: State = JSON.parse(JSON.stringify(stateOf(server.controller)));
  clock.jump(-DAY);
  const page = start({ use: [hydrate(ahead)] });
  assertEquals(page.isFresh(), true);
  clock.tick(59_999);
  assertEquals(page.isFresh(), true);
  clock.tick(1);
  assertEquals(page.isFresh(), false);
  // The server itself says it by its present clock.
  const before = start();
  await before.controller.fetch(before.get, ONE);
  clock.jump(-DAY);
  clock.tick(30_000);
  const state: State = JSON.parse(JSON.stringify(stateOf(before.controller)));
  const meta = [Object.values(state.meta)[0]!, state.entitiesMeta.Article!["1"]!];
  for (const { fetchedAt, expiresAt } of meta) {
    assertEquals([fetchedAt, expiresAt], [clock.now() - 30_000, clock.now() + 30_000]);
  }
});

Deno.test("13.C11 an error of a clock that is ahead keeps its key no longer from being asked than one of here", async () => {
  const clock = clockOf = new FakeClock();
  using _ = clock.install();
  const gone = new Endpoint((_: typeof ONE) => Promise.reject<never>(new Error("gone")), {
    name: "gone",
    schema: Article,
  });
  const there = new Controller();
  clock.jump(DAY);
  await there.fetch(gone, ONE).catch(() => {});
  const ahead: State = JSON.parse(JSON.stringify(stateOf(there)));
  clock.jump(-DAY);
  const here = new Controller({ use: [hydrate(ahead)] });
  assertEquals(here.getResponse(gone, ONE).expiresAt, clock.now() + 1_000);
});

Deno.test("13.C11 what was never fresh is never fresh, through JSON too", async () => {
  const clock = clockOf = new FakeClock();
  using _ = clock.install();
  const { controller, get } = start();
  const never = get.extend({ dataExpiryLength: -Infinity });
  await controller.fetch(never, ONE);
  const again = start({ use: [hydrate(JSON.parse(JSON.stringify(stateOf(controller))))] });
  assertEquals(again.isFresh(), false);
});

Deno.test("13.C11 for ever is for ever, through every clock and through JSON", async () => {
  const clock = clockOf = new FakeClock();
  using _ = clock.install();
  const { controller, get } = start();
  const ever = get.extend({ dataExpiryLength: Infinity });
  await controller.fetch(ever, ONE);
  for (const jump of [DAY, -2 * DAY, 900 * DAY]) {
    clock.jump(jump);
    clock.tick(DAY);
    assertEquals(controller.getResponse(ever, ONE).expiresAt, Infinity);
    const again = start({ use: [hydrate(JSON.parse(JSON.stringify(stateOf(controller))))] });
    assertEquals(again.controller.getResponse(get, ONE).expiresAt, Infinity);
    assertEquals(JSON.parse(JSON.stringify(stateOf(again.controller))).entitiesMeta.Article["1"].expiresAt, null);
  }
});

Deno.test("13.C11 an answer is as old as it is, also after it could not be fetched again by a clock that was set back", async () => {
  const clock = clockOf = new FakeClock();
  using _ = clock.install();
  const { controller, get } = start();
  const soft = get.extend({ errorPolicy: () => "soft" as const });
  await controller.fetch(soft, ONE);
  clock.tick(5_000);
  clock.jump(-DAY);
  controller.setError(soft, ONE, new Error("503"));
  clock.tick(2_000);
  assertEquals(controller.getResponseMeta(soft, ONE).fetchedAt, clock.now() - 7_000);
  clock.jump(-DAY);
  assertEquals(controller.getResponseMeta(soft, ONE).fetchedAt, clock.now() - 7_000);
});
