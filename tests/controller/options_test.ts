import { assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import {
  atMost,
  Controller,
  Endpoint,
  EndpointError,
  Entity,
  hydrate,
  type Manager,
  memory,
  RejoinError,
  resource,
  stateOf,
} from "@rejoin/data";
import { FakeClock } from "../support/clock.ts";

class Article extends Entity {
  id = "";
  title = "";
  pk() {
    return this.id;
  }
  static key = "Article";
}

Deno.test("13.C6 a manager whose init throws leaves none of those before it running", () => {
  const clock = new FakeClock();
  using _ = clock.install();
  const log: string[] = [];
  const manager = (name: string, init: () => void = () => {}): Manager => ({
    init: () => {
      log.push(`init ${name}`);
      init();
    },
    cleanup: () => void log.push(`cleanup ${name}`),
  });
  const failure = new Error("no socket");
  const thrown = assertThrows(
    () =>
      new Controller({
        use: [memory({ bound: atMost(5) })],
        managers: [
          manager("one"),
          manager("two", () => {
            throw failure;
          }),
          manager("three"),
        ],
      }),
  );
  assertStrictEquals(thrown, failure);
  assertEquals(log, ["init one", "init two", "cleanup one"]);
  assertEquals([clock.pending, clock.idle], [0, 0]);
});

Deno.test("13.C6 a manager that stops the controller in its init is stopped with it", () => {
  const log: string[] = [];
  const controller = new Controller({
    managers: [
      { init: (controller) => controller.cleanup(), cleanup: () => void log.push("cleanup") },
      { init: () => void log.push("init"), cleanup: () => void log.push("never begun") },
    ],
  });
  controller.cleanup();
  assertEquals(log, ["cleanup"]);
});

Deno.test("13.C6 a controller begins with nothing where its state is null; nothing takes the place of what is known but a state", () => {
  assertEquals(Object.keys(stateOf(new Controller({ use: [hydrate(null)] })).entities), []);
  const partial = { entities: null, endpoints: null, meta: null } as never;
  assertEquals(Object.keys(stateOf(new Controller({ use: [hydrate(partial)] })).entities), []);
  for (const wrong of ['{"entities":{}}', 5, true, [], null, undefined]) {
    const begin = () => new Controller({ use: [hydrate(wrong as never)] });
    if (wrong !== null && wrong !== undefined) assertThrows(begin, RejoinError, "Cannot read a state");
    const controller = new Controller();
    controller.set(Article, { id: "1" }, { title: "One" });
    assertThrows(() => hydrate(controller, wrong as never), RejoinError, "Cannot read a state");
    assertEquals(controller.get(Article, { id: "1" })?.title, "One");
  }
});

Deno.test("13.C6 a policy that is no number of ms is a typed error before anything is sent", async () => {
  let calls = 0;
  const ask = async () => await Promise.resolve({ id: "1", title: `${++calls}` });
  for (const option of ["dataExpiryLength", "errorExpiryLength"]) {
    for (const wrong of ["5", NaN, {}, true, 5n]) {
      const policy = { [option]: wrong } as { dataExpiryLength: number };
      const get = new Endpoint(ask, { name: "get", schema: Article, ...policy });
      const save = get.extend({ name: "save", sideEffect: true });
      const controller = new Controller();
      for (const endpoint of [get, save]) {
        const error = await assertRejects(() => controller.fetch(endpoint), EndpointError, option);
        assertEquals(error.endpoint, endpoint.name);
      }
      await assertRejects(async () => await controller.fetchIfStale(get), EndpointError, option);
      const { get: read } = resource({ urlPrefix: "http://127.0.0.1:1", path: "/a/:id", schema: Article, ...policy });
      await assertRejects(() => controller.fetch(read, { id: "1" }), EndpointError, option);
      assertThrows(() => new Controller({ defaults: policy }), EndpointError, option);
    }
  }
  assertEquals(calls, 0);
  const wrong = new Endpoint(ask, { name: "get", schema: Article, dataExpiryLength: "5" as never });
  await assertRejects(() => new Controller().fetch(wrong), EndpointError, 'dataExpiryLength "5" of "get"');
  assertEquals(calls, 0);
  class Slow extends Endpoint<[], { id: string; title: string }> {
    override dataExpiryLength = "5" as never;
  }
  await assertRejects(() => new Controller().fetch(new Slow(ask, { name: "slow" })), EndpointError, "dataExpiryLength");
});

Deno.test("13.C6 a policy of Infinity, of 0 or below it is one", async () => {
  for (const [dataExpiryLength, isFresh] of [[Infinity, true], [0, false], [-5, false]] as const) {
    const get = new Endpoint(async () => await Promise.resolve(5), { name: "get", dataExpiryLength });
    const controller = new Controller({ defaults: { dataExpiryLength, errorExpiryLength: 0 } });
    await controller.fetch(get);
    assertEquals(controller.getResponse(get).expiresAt > Date.now(), isFresh);
  }
});
