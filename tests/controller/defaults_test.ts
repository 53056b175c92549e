import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  Controller,
  Endpoint,
  Entity,
  type ErrorPolicy,
  ExpiryStatus,
  NetworkError,
  RestEndpoint,
  type RestGenerics,
  TimeoutError,
} from "@rejoin/data";
import { FakeClock } from "../support/clock.ts";
import { FaultFetch } from "../support/fault_fetch.ts";

class Article extends Entity {
  id = "";
  title = "";
  pk() {
    return this.id;
  }
  static key = "Article";
}

const getArticle = new Endpoint(({ id }: { id: string }) => Promise.resolve({ id, title: "Hello" }), {
  name: "getArticle",
  schema: Article,
});
const failing = new Endpoint((_: { id: string }) => Promise.reject(new Error("no")), {
  name: "failing",
  schema: Article,
});
const restArticle = new RestEndpoint({ urlPrefix: "https://api.test", path: "/articles/:id", schema: Article });

function start() {
  const clock = new FakeClock();
  const restore = clock.install();
  return { clock, now: () => clock.now(), [Symbol.dispose]: restore };
}

/** How long an answer is fresh, in ms. */
async function freshFor(controller: Controller, endpoint: typeof getArticle): Promise<number> {
  const before = Date.UTC(2024, 0, 1);
  await controller.fetch(endpoint, { id: "1" }).catch(() => {});
  return controller.getResponse(endpoint, { id: "1" }).expiresAt - before;
}

Deno.test("data and errors are fresh as long as the endpoint says, else the controller, else a minute and a second", async () => {
  using _ = start();
  const defaults = { dataExpiryLength: 5_000, errorExpiryLength: 300 };
  assertEquals(await freshFor(new Controller(), getArticle), 60_000);
  assertEquals(await freshFor(new Controller({ defaults }), getArticle), 5_000);
  assertEquals(await freshFor(new Controller({ defaults }), getArticle.extend({ dataExpiryLength: 7_000 })), 7_000);
  assertEquals(await freshFor(new Controller({ defaults }), getArticle.extend({ dataExpiryLength: 0 })), 0);
  assertEquals(await freshFor(new Controller({ defaults: {} }), getArticle), 60_000);
  assertEquals(
    await freshFor(new Controller({ defaults: { dataExpiryLength: Infinity } }), getArticle),
    Infinity,
  );
  assertEquals(await freshFor(new Controller(), failing), 1_000);
  assertEquals(await freshFor(new Controller({ defaults }), failing), 300);
  assertEquals(await freshFor(new Controller({ defaults }), failing.extend({ errorExpiryLength: 0 })), 0);
});

Deno.test("what is set by hand is fresh as long as the controller says", () => {
  using time = start();
  const controller = new Controller({ defaults: { dataExpiryLength: 5_000 } });
  controller.set(Article, { id: "1" }, { title: "By hand" });
  assertEquals(controller.getResponse(getArticle, { id: "1" }).expiresAt, time.now() + 5_000);
});

Deno.test("stale data is hidden where the endpoint says so, else where the controller does", () => {
  using time = start();
  const statusOf = (controller: Controller, endpoint: typeof getArticle) => {
    controller.setResponse(endpoint, { id: "1" }, { id: "1", title: "Hello" });
    time.clock.tick(60_000);
    return controller.getResponse(endpoint, { id: "1" }).expiryStatus;
  };
  const hiding = () => new Controller({ defaults: { invalidIfStale: true } });
  assertEquals(statusOf(new Controller(), getArticle), ExpiryStatus.Valid);
  assertEquals(statusOf(hiding(), getArticle), ExpiryStatus.InvalidIfStale);
  assertEquals(statusOf(hiding(), getArticle.extend({ invalidIfStale: false })), ExpiryStatus.Valid);
  assertEquals(statusOf(new Controller(), getArticle.extend({ invalidIfStale: true })), ExpiryStatus.InvalidIfStale);
});

Deno.test("the controller's errorPolicy goes after an endpoint's own, and before that of all RestEndpoints", () => {
  class LenientEndpoint<O extends RestGenerics> extends RestEndpoint<O> {
    override errorPolicy(): ErrorPolicy {
      return "soft";
    }
  }
  const refused = new NetworkError({ method: "GET", url: "https://api.test", status: 403 });
  const broken = new NetworkError({ method: "GET", url: "https://api.test", status: 503 });
  const lenient = new LenientEndpoint({ urlPrefix: "https://api.test", path: "/articles/:id", schema: Article });
  const isShown = (
    policy: ((error: unknown) => ErrorPolicy | undefined) | undefined,
    endpoint: typeof restArticle,
    error: Error,
  ) => {
    const controller = new Controller({ defaults: { ...(policy && { errorPolicy: policy }) } });
    controller.setResponse(endpoint, { id: "1" }, { id: "1", title: "Hello" });
    controller.setError(endpoint, { id: "1" }, error);
    const shown = controller.getError(endpoint, { id: "1" });
    assert(shown === undefined || shown === error);
    return shown !== undefined;
  };
  const hard = () => "hard" as const;
  const soft = () => "soft" as const;
  assertEquals([isShown(undefined, restArticle, refused), isShown(undefined, restArticle, broken)], [true, false]);
  assertEquals([isShown(soft, restArticle, refused), isShown(hard, restArticle, broken)], [false, true]);
  assertEquals(isShown(hard, restArticle.extend({ errorPolicy: soft }) as typeof restArticle, refused), false);
  assertEquals(isShown(hard, lenient as unknown as typeof restArticle, refused), false);
  const undecided = () => undefined;
  assertEquals([isShown(undecided, restArticle, refused), isShown(undecided, restArticle, broken)], [true, false]);
  const throws = () => {
    throw new Error("policy");
  };
  assertEquals(isShown(throws, restArticle, broken), true);
  // An endpoint without a protocol has no policy of its kind.
  assertEquals(isShown(soft, getArticle as unknown as typeof restArticle, refused), false);
});

Deno.test("calls of a controller have its deadline, unless the endpoint has its own; plain calls have neither", async () => {
  using time = start();
  const api = new FaultFetch(() => Response.json({ id: "1" }));
  using _fetch = api.install();
  const silent = new Endpoint((_: { id: string }) => new Promise<never>(() => {}), { name: "silent", schema: Article });
  const controller = new Controller({ defaults: { deadline: 1_000 } });
  const settlesAfter = async (call: () => Promise<unknown>) => {
    api.once("/articles", { never: "reply" });
    let settled = 0;
    const from = time.now();
    const promise = assertRejects(call, TimeoutError).then((error) => (settled = time.now() - from, error));
    while (settled === 0) await time.clock.tickAsync(500);
    return [settled, (await promise).deadline];
  };
  assertEquals(await settlesAfter(() => controller.fetch(restArticle, { id: "1" })), [1_000, 1_000]);
  const patient = restArticle.extend({ deadline: 2_000 });
  assertEquals(await settlesAfter(() => controller.fetch(patient, { id: "1" })), [2_000, 2_000]);
  assertEquals(await settlesAfter(() => restArticle({ id: "1" })), [30_000, 30_000]);
  assertEquals(await settlesAfter(() => controller.fetch(silent, { id: "1" })), [1_000, 1_000]);
  assertEquals([time.clock.pending, controller.store.sequence.size], [0, 0]);
});

Deno.test("calls of a controller are repeated as often as it says, unless the endpoint says it", async () => {
  using time = start();
  const api = new FaultFetch(() => new Response("busy", { status: 503 }));
  using _fetch = api.install();
  const attempts = async (call: () => Promise<unknown>) => {
    let error: NetworkError | undefined;
    call().catch((reason) => error = reason);
    while (error === undefined) await time.clock.tickAsync(1_000);
    return error.attempts;
  };
  const controller = new Controller({ defaults: { retry: 1 } });
  assertEquals(await attempts(() => controller.fetch(restArticle, { id: "1" })), 2);
  assertEquals(await attempts(() => controller.fetch(restArticle.extend({ retry: false }), { id: "2" })), 1);
  assertEquals(await attempts(() => controller.fetch(restArticle.extend({ retry: 3 }), { id: "3" })), 4);
  assertEquals(await attempts(() => restArticle({ id: "4" })), 1);
});

Deno.test("defaults are those that were given, whatever somebody puts on Object.prototype, or into them later", async () => {
  using _ = start();
  const prototype = Object.prototype as { errorExpiryLength?: number };
  const defaults = { dataExpiryLength: 5_000 };
  const bare = new Controller();
  const given = new Controller({ defaults });
  defaults.dataExpiryLength = 7;
  prototype.errorExpiryLength = 5;
  try {
    assertEquals([await freshFor(bare, failing), await freshFor(given, failing)], [1_000, 1_000]);
    assertEquals(await freshFor(given, getArticle), 5_000);
  } finally {
    delete prototype.errorExpiryLength;
  }
});
