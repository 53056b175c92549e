import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { NetworkError } from "../../src/errors/network_error.ts";
import { ParseError } from "../../src/errors/parse_error.ts";
import { TimeoutError } from "../../mod.ts";
import { DEFAULT_DEADLINE } from "../../src/http/request.ts";
import { readAs, request } from "../support/request.ts";
import { FakeClock, flush } from "../support/clock.ts";
import { type Fault, FaultFetch, type Handler } from "../support/fault_fetch.ts";
import { countListeners } from "../support/listeners.ts";

const url = "https://api.example.com/articles/5";
const line = { method: "GET", url };
const json = (response: Response): Promise<unknown> => readAs(response, "json", line);
const ok: Handler = () => Response.json({ id: "5" });

/** A clock and a network for one test; at the end nothing may be left of either. */
function setUp(handler: Handler, ...script: readonly Fault[]): { clock: FakeClock; api: FaultFetch } & Disposable {
  const clock = new FakeClock();
  const api = new FaultFetch(handler).script(...script);
  const restore = [clock.install(), api.install()];
  return {
    clock,
    api,
    [Symbol.dispose]() {
      for (const fn of restore) fn();
      assertEquals([clock.pending, api.open, api.openBodies, api.listeners], [0, 0, 0, 0], "something was left");
    },
  };
}

/** How a promise stands, without waiting for it. */
async function outcomeOf(promise: Promise<unknown>): Promise<readonly ["value" | "error" | "open", unknown]> {
  const open = ["open", undefined] as const;
  const settled = promise.then((value) => ["value", value] as const, (error) => ["error", error] as const);
  await flush();
  return await Promise.race([settled, flush().then(() => open)]);
}

Deno.test("request gives what parseResponse reads from the answer", async () => {
  using _ = setUp(ok);
  assertEquals(await request(url, {}, { parseResponse: json }), { id: "5" });
});

Deno.test("request sends method, headers and body of its init", async () => {
  using net = setUp(ok);
  const init = { method: "PATCH", headers: { "x-token": "t" }, body: '{"title":"New"}' };
  await request(url, init, { parseResponse: json });
  const sent = net.api.calls[0]!.request;
  assertEquals([sent.method, sent.headers.get("x-token"), await sent.text()], ["PATCH", "t", '{"title":"New"}']);
});

Deno.test("request makes its init by a function when one is given, also an asynchronous one", async () => {
  using net = setUp(ok);
  const init = async (): Promise<RequestInit> => {
    await Promise.resolve();
    return { method: "DELETE" };
  };
  await request(url, init, { method: "DELETE", parseResponse: json });
  assertEquals(net.api.calls[0]!.request.method, "DELETE");
});

Deno.test("request rejects when the function that makes its init throws, and sends nothing", async () => {
  using net = setUp(ok);
  const noToken = new Error("no token");
  const init = (): RequestInit => {
    throw noToken;
  };
  assertStrictEquals((await outcomeOf(request(url, init, { parseResponse: json })))[1], noToken);
  assertEquals(net.api.calls.length, 0);
});

Deno.test("request is not changed by members that somebody put on Object.prototype", async () => {
  using net = setUp(ok);
  const polluted = Object.prototype as Record<string, unknown>;
  const pollution = {
    method: "DELETE",
    body: "evil",
    signal: AbortSignal.abort(),
    credentials: "include",
    deadline: 0,
  };
  try {
    Object.assign(polluted, pollution);
    await request(url, {}, { parseResponse: json });
  } finally {
    for (const name of Object.keys(pollution)) delete polluted[name];
  }
  const sent = net.api.calls[0]!.request;
  assertEquals([sent.method, sent.body, sent.credentials], ["GET", null, new Request(url).credentials]);
});

Deno.test("request looks fetch up at the call, and calls it once", async () => {
  using net = setUp(ok);
  await request(url, {}, { parseResponse: json });
  assertEquals(net.api.calls.length, 1);
});

// What hangs, and where: each ends at the deadline.
const hangs: readonly (readonly [string, Fault])[] = [
  ["the request is lost on its way", { never: "request" }],
  ["the server has done it and does not answer", { never: "reply" }],
  ["headers come and the body does not", { hangBody: 0 }],
  ["the body stops in the middle", { hangBody: 3 }],
  ["nothing comes and fetch ignores the abort", { never: "reply", deaf: true }],
  ["the body stops and ignores the abort", { hangBody: 3, deaf: true }],
  ["the answer would come just after the deadline", { replyDelay: 30_001 }],
  ["the body drips longer than the deadline", { drip: { bytes: 1, every: 10_000 } }],
];

for (const [name, fault] of hangs) {
  Deno.test(`request rejects with TimeoutError at the deadline when ${name}, and the next call works`, async () => {
    const clock = new FakeClock();
    const api = new FaultFetch(ok).script(fault);
    using _clock = clock.install();
    using _api = api.install();
    const answer = request(url, {}, { parseResponse: json });
    const rejected = assertRejects(() => answer, TimeoutError, `GET ${url} gave no complete answer within 30000 ms`);
    await clock.tickAsync(DEFAULT_DEADLINE - 1);
    assertEquals((await outcomeOf(answer))[0], "open");
    await clock.tickAsync(1);
    assertEquals((await rejected).deadline, 30_000);
    assertEquals([clock.pending, api.listeners], [0, 0]);
    assertEquals(await request(url, {}, { parseResponse: json }), { id: "5" });
  });
}

Deno.test("request counts the time in which its init is made", async () => {
  using net = setUp(ok);
  const answer = request(url, () => new Promise<never>(() => {}), { method: "PUT", parseResponse: json });
  const rejected = assertRejects(() => answer, TimeoutError, `PUT ${url}`);
  await net.clock.tickAsync(30_000);
  await rejected;
  assertEquals(net.api.calls.length, 0);
});

Deno.test("request rejects with TimeoutError when parseResponse never ends", async () => {
  using net = setUp(() => new Response(null));
  const answer = request(url, {}, { parseResponse: () => new Promise<never>(() => {}) });
  const rejected = assertRejects(() => answer, TimeoutError);
  await net.clock.tickAsync(30_000);
  await rejected;
});

Deno.test("request does not wait for what it dropped: an answer after the deadline changes nothing, and is let go", async () => {
  const clock = new FakeClock();
  let cancelled = false;
  const late = new ReadableStream<Uint8Array<ArrayBuffer>>({ cancel: () => void (cancelled = true) });
  const api = new FaultFetch(() => new Response(late)).script({ hold: "reply", deaf: true });
  using _clock = clock.install();
  using _api = api.install();
  let parsed = false;
  const answer = request(url, {}, {
    deadline: 1_000,
    parseResponse: (response) => {
      parsed = true;
      return json(response);
    },
  });
  const rejected = assertRejects(() => answer, TimeoutError);
  await clock.tickAsync(1_000);
  await rejected;
  api.held[0]!.release();
  await flush();
  assertEquals([parsed, cancelled, api.open], [false, true, 0]);
});

Deno.test("request has no bound when the deadline is Infinity", async () => {
  using net = setUp(ok, { replyDelay: 1e9 });
  const answer = request(url, {}, { deadline: Infinity, parseResponse: json });
  await net.clock.tickAsync(1e9 - 1);
  assertEquals((await outcomeOf(answer))[0], "open");
  await net.clock.tickAsync(1);
  assertEquals(await answer, { id: "5" });
});

Deno.test("request is not confused by a wall clock that jumps", async () => {
  using net = setUp(ok, { never: "reply" });
  const answer = request(url, {}, { parseResponse: json });
  const rejected = assertRejects(() => answer, TimeoutError);
  net.clock.jump(86_400_000);
  await net.clock.tickAsync(29_999);
  net.clock.jump(-2 * 86_400_000);
  assertEquals((await outcomeOf(answer))[0], "open");
  await net.clock.tickAsync(1);
  await rejected;
});

// Where an exchange can be when its caller aborts.
const moments: readonly (readonly [string, Fault])[] = [
  ["before headers come", { never: "reply" }],
  ["in the body", { hangBody: 3 }],
  ["and fetch ignores it", { never: "reply", deaf: true }],
  ["and the body ignores it", { hangBody: 3, deaf: true }],
];

for (const [name, fault] of moments) {
  Deno.test(`request rejects with the reason of its signal, untouched, when the caller aborts ${name}`, async () => {
    const clock = new FakeClock();
    using _clock = clock.install();
    using _api = new FaultFetch(ok).script(fault).install();
    for (const reason of [undefined, null, "left", new TypeError("mine"), Object.freeze({})]) {
      const controller = new AbortController();
      const listeners = countListeners(controller.signal);
      const answer = request(url, { signal: controller.signal }, { parseResponse: json });
      const outcome = outcomeOf(answer);
      controller.abort(reason);
      assertStrictEquals((await outcome)[1], controller.signal.reason);
      assertEquals([clock.pending, listeners.count], [0, 0]);
    }
  });
}

Deno.test("request rejects with an AbortError when the caller aborts without a reason", async () => {
  using _ = setUp(ok, { never: "reply" });
  const controller = new AbortController();
  const answer = request(url, { signal: controller.signal }, { parseResponse: json });
  controller.abort();
  const error = await assertRejects(() => answer, DOMException);
  assertEquals(error.name, "AbortError");
});

Deno.test("request sends nothing when its caller has aborted before", async () => {
  using net = setUp(ok);
  const inInit = AbortSignal.abort("early");
  for (const signals of [[inInit, undefined], [null, inInit], [undefined, inInit]] as const) {
    const init = signals[0] === undefined ? {} : { signal: signals[0] };
    const outcome = await outcomeOf(request(url, init, { signal: signals[1], parseResponse: json }));
    assertEquals(outcome, ["error", "early"]);
  }
  assertEquals(net.api.calls.length, 0);
});

Deno.test("request follows the signal of its options and that of its init", async () => {
  using net = setUp(ok);
  net.api.always(url.slice("https://api.example.com".length), { never: "reply" });
  for (const which of [0, 1] as const) {
    const controllers = [new AbortController(), new AbortController()] as const;
    const counts = controllers.map(({ signal }) => countListeners(signal));
    const answer = request(url, () => ({ signal: controllers[0].signal }), {
      signal: controllers[1].signal,
      parseResponse: json,
    });
    await flush();
    controllers[which].abort(which);
    assertEquals(await outcomeOf(answer), ["error", which]);
    assertEquals(counts.map(({ count }) => count), [0, 0]);
  }
});

Deno.test("request leaves no listener on a signal that serves many calls", async () => {
  using _ = setUp(ok);
  const { signal } = new AbortController();
  const listeners = countListeners(signal);
  const answers = Array.from({ length: 100 }, () => request(url, {}, { signal, parseResponse: json }));
  assertEquals(listeners.count, 100);
  await Promise.all(answers);
  assertEquals(listeners.count, 0);
});

Deno.test("request tells an aborted exchange apart from one that another caller still waits for", async () => {
  using net = setUp(ok);
  net.api.always("/articles", { hold: "reply" });
  const controller = new AbortController();
  const left = request(url, { signal: controller.signal }, { parseResponse: json });
  const stays = request(url, {}, { parseResponse: json });
  await flush();
  controller.abort("left");
  assertEquals(await outcomeOf(left), ["error", "left"]);
  net.api.releaseAll();
  assertEquals(await stays, { id: "5" });
});

Deno.test("request gives method and URL to the error of each refusal, and drops nothing of the body", async () => {
  using _ = setUp(() => Response.json({ detail: "title is empty" }, { status: 422, statusText: "Unprocessable" }));
  const error = await assertRejects(() => request(url, { method: "PUT" }, { parseResponse: json }), NetworkError);
  assertEquals(error.message, `PUT ${url} failed: 422 Unprocessable`);
  assertEquals(error.body, { detail: "title is empty" });
  assertEquals(await error.response?.json(), { detail: "title is empty" });
});

Deno.test("request calls fetchResponse with the URL and an init that inherits from nothing", async () => {
  using net = setUp(ok);
  const given: unknown[] = [];
  const value = await request(url, { method: "PUT", body: "x" }, {
    fetchResponse(to, init) {
      given.push(to, init.method, init.body, Object.getPrototypeOf(init), init.signal instanceof AbortSignal);
      return Promise.resolve(Response.json("mine"));
    },
    parseResponse: json,
  });
  assertEquals([value, net.api.calls.length], ["mine", 0]);
  assertEquals(given, [url, "PUT", "x", null, true]);
});

Deno.test("request passes on what fetchResponse and parseResponse throw, synchronously or not", async () => {
  using _ = setUp(() => new Response(null));
  for (const thrown of [new TypeError("a bug"), null, undefined, "text", 0]) {
    const sync = (): never => {
      throw thrown;
    };
    const async = (): Promise<never> => Promise.reject(thrown);
    for (const fails of [sync, async]) {
      assertEquals(await outcomeOf(request(url, {}, { fetchResponse: fails, parseResponse: json })), ["error", thrown]);
      assertEquals(await outcomeOf(request(url, {}, { parseResponse: fails })), ["error", thrown]);
    }
  }
});

Deno.test("request settles when fetchResponse gives no answer, and sends no second request", async () => {
  using net = setUp(ok);
  const nothing = (): Promise<Response> => undefined as unknown as Promise<Response>;
  const outcome = await outcomeOf(request(url, {}, { fetchResponse: nothing, parseResponse: json }));
  assert(outcome[1] instanceof TypeError);
  assertEquals(net.api.calls.length, 0);
});

Deno.test("request lets an answer go that parseResponse refuses without reading it", async () => {
  using _ = setUp(ok);
  const refused = new ParseError({ ...line, status: 200, expected: "an image" });
  const outcome = await outcomeOf(request(url, {}, { parseResponse: () => Promise.reject(refused) }));
  assertStrictEquals(outcome[1], refused);
});
