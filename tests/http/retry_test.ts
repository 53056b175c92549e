import { assert, assertEquals, assertInstanceOf, assertRejects, assertStrictEquals } from "@std/assert";
import { NetworkError } from "../../src/errors/network_error.ts";
import { ParseError } from "../../src/errors/parse_error.ts";
import { TimeoutError } from "../../mod.ts";
import { readAs, request, type RequestOptions } from "../support/request.ts";
import { FakeClock, flush } from "../support/clock.ts";
import { type Fault, FaultFetch, type Handler } from "../support/fault_fetch.ts";
import { startFaultServer } from "../support/fault_server.ts";
import { countListeners } from "../support/listeners.ts";

const url = "https://api.example.com/articles/5";
const json = (response: Response): Promise<unknown> => readAs(response, "json", { method: "GET", url });
const text = (response: Response): Promise<string> => readAs(response, "text", { method: "GET", url });
const ok: Handler = () => Response.json({ id: "5" });
const key = { "Idempotency-Key": "order 7" };

/** A clock and a network for one test, which writes down when it was called; at the end nothing may be left of either. */
function setUp(handler: Handler, ...script: readonly Fault[]): Net {
  const clock = new FakeClock();
  const times: number[] = [];
  const api = new FaultFetch((got) => {
    times.push(clock.elapsed);
    return handler(got);
  }).script(...script);
  const restore = [clock.install(), api.install()];
  return {
    clock,
    api,
    times,
    [Symbol.dispose]() {
      for (const fn of restore) fn();
      assertEquals([clock.pending, api.open, api.openBodies, api.listeners], [0, 0, 0, 0], "something was left");
    },
  };
}

interface Net extends Disposable {
  readonly clock: FakeClock;
  readonly api: FaultFetch;
  /** When each request reached the server, in ms. */
  readonly times: readonly number[];
}

/** A server that refuses so often, and then does as it is asked. */
function refuses(times: number, status: number, headers: Record<string, string> = {}): Handler {
  let left = times;
  return (got) => left-- > 0 ? Response.json({}, { status, headers }) : ok(got);
}

/** Sends with two retries, and lets time pass until it is settled. */
async function outcome(
  net: Net,
  init: RequestInit = {},
  options: Partial<RequestOptions<unknown>> = {},
): Promise<readonly ["value" | "error", unknown]> {
  const settled = request(url, init, { retry: 2, parseResponse: json, ...options })
    .then((value) => ["value", value] as const, (error) => ["error", error] as const);
  await net.clock.runAll();
  return await settled;
}

for (const status of [400, 401, 403, 404, 408, 409, 410, 412, 422, 425, 429, 500, 501, 502, 503, 504, 505, 511]) {
  const retried = [408, 429, 502, 503, 504].includes(status);
  Deno.test(`request ${retried ? "tries a GET again" : "does not try again"} after ${status}`, async () => {
    using net = setUp(refuses(1, status));
    const [kind, value] = await outcome(net);
    assertEquals([kind, net.api.calls.length], retried ? ["value", 2] : ["error", 1]);
    if (!retried) assertEquals([(value as NetworkError).status, (value as NetworkError).attempts], [status, 1]);
  });
}

const broken: readonly (readonly [string, Fault])[] = [
  ["the connection breaks before the server has it", { lost: "request" }],
  ["the connection breaks before the answer", { lost: "reply" }],
  ["the connection breaks in the body", { cutBody: 3 }],
  ["fetch throws synchronously", { throw: { value: new TypeError("offline") } }],
];

for (const [name, fault] of broken) {
  Deno.test(`request tries a GET again when ${name}`, async () => {
    using net = setUp(ok, fault, fault);
    assertEquals(await outcome(net), ["value", { id: "5" }]);
    assertEquals(net.api.calls.length, 3);
  });

  Deno.test(`request does not try a POST without idempotency key again when ${name}`, async () => {
    using net = setUp(ok, fault);
    const [, error] = await outcome(net, { method: "POST", body: "{}" });
    assertInstanceOf(error, NetworkError);
    assertEquals([error.attempts, net.api.calls.length], [1, 1]);
  });
}

Deno.test("request tries GET and HEAD again, and other methods only with an idempotency key", async () => {
  for (const method of ["GET", "get", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
    for (const headers of [{}, key, new Headers(key), Object.entries(key)]) {
      using net = setUp(refuses(1, 503));
      await outcome(net, { method, headers }, { parseResponse: text });
      const repeats = /get|head/i.test(method) || new Headers(headers).has("idempotency-key");
      assertEquals(net.api.calls.length, repeats ? 2 : 1, `${method} ${JSON.stringify(headers)}`);
    }
  }
});

Deno.test("request rejects with the last failure, which says how many attempts there were", async () => {
  using net = setUp(refuses(9, 503), {}, { lost: "request" });
  const [, error] = await outcome(net);
  assertInstanceOf(error, NetworkError);
  assertEquals([error.status, error.attempts, net.api.calls.length], [503, 3, 3]);
  assertEquals(error.message, `GET ${url} failed: 503`);
  assertEquals([error.body, error.method, error.url], [{}, "GET", url]);
  assertEquals(await error.response?.json(), {});
});

Deno.test("request keeps the cause of the last failure where no answer came", async () => {
  const last = new TypeError("offline");
  using net = setUp(ok, { lost: "request" }, { reject: { value: 1 } }, { reject: { value: last } });
  const [, error] = await outcome(net);
  assertInstanceOf(error, NetworkError);
  assertEquals([error.message, error.attempts], [`GET ${url} failed: offline`, 3]);
  assertStrictEquals(error.cause, last);
});

Deno.test("request prints nothing about its retries", async () => {
  const names = ["log", "info", "warn", "error", "debug"] as const;
  const replaced = names.map((name) => console[name]);
  const printed: unknown[] = [];
  for (const name of names) console[name] = (...said) => void printed.push(said);
  try {
    using net = setUp(refuses(9, 503));
    await outcome(net);
  } finally {
    names.forEach((name, at) => console[name] = replaced[at]!);
  }
  assertEquals(printed, []);
});

const counts: readonly (readonly [number | false | undefined, number])[] = [
  [undefined, 1], // a test has its clock in place
  [false, 1],
  [0, 1],
  [-1, 1],
  [NaN, 1],
  [1, 2],
  [2, 3],
  [5, 6],
];

for (const [retry, expected] of counts) {
  Deno.test(`request sends ${expected} times with retry: ${retry} on the clock of a test`, async () => {
    using net = setUp(refuses(9, 503));
    await outcome(net, {}, { retry });
    assertEquals(net.api.calls.length, expected);
  });
}

Deno.test("request goes on until the deadline would pass with retry: Infinity", async () => {
  using net = setUp(() => new Response(null, { status: 503 }));
  const [, error] = await outcome(net, {}, { retry: Infinity });
  // 150 + 300 + … + 9,600 ms, and the next wait would take 19,200.
  assertEquals([(error as NetworkError).attempts, net.times.at(-1)], [8, 150 * 127]);
});

Deno.test("request tries twice again where no test has its clock in place", async () => {
  await using server = await startFaultServer();
  const at = `${server.origin}/flaky?times=9&retry-after=0`;
  const error = await assertRejects(() => request(at, {}, { parseResponse: json }), NetworkError);
  assertEquals([error.attempts, server.requests.length], [3, 3]);
});

for (const [drawn, times] of [[0, [0, 0, 0]], [0.5, [0, 150, 450]], [0.75, [0, 225, 675]]] as const) {
  Deno.test(`request waits ${times[1]} and ${times[2] - times[1]} ms when chance gives ${drawn}`, async () => {
    using net = setUp(refuses(9, 503));
    net.clock.draw(() => drawn);
    await outcome(net);
    assertEquals(net.times, times);
  });
}

// What a server at the first second of 2024 says, and how long that is.
const waits: readonly (readonly [string, number])[] = [
  ["2", 2_000],
  ["0", 0],
  ["Mon, 01 Jan 2024 00:00:02 GMT", 2_000],
  ["Sun, 31 Dec 2023 23:59:00 GMT", 0],
  ["soon", 150],
];

for (const [value, ms] of waits) {
  for (const status of [429, 503]) {
    Deno.test(`request waits ${ms} ms after ${status} with Retry-After: ${value}`, async () => {
      using net = setUp(refuses(1, status, { "retry-after": value }));
      assertEquals(await outcome(net), ["value", { id: "5" }]);
      assertEquals(net.times, [0, ms]);
    });
  }
}

Deno.test("request waits as a real server asks it to, to the millisecond", async () => {
  await using server = await startFaultServer();
  for (const status of [408, 429, 502, 503, 504]) {
    const clock = new FakeClock();
    using _ = clock.install();
    server.clear();
    const at = `${server.origin}/flaky?times=1&status=${status}&retry-after=7`;
    const answer = request(at, {}, { retry: 2, parseResponse: json });
    // One timer is the deadline, the other the wait.
    while (clock.pending < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    await clock.tickAsync(6_999);
    assertEquals([clock.pending, server.requests.length], [2, 1]);
    await clock.tickAsync(1);
    assertEquals(await answer, { ok: true });
    assertEquals([clock.pending, server.requests.length], [0, 2]);
  }
});

for (const value of ["30", "31", "99999999999", "Mon, 01 Jan 2024 00:01:00 GMT"]) {
  Deno.test(`request rejects at once when Retry-After: ${value} is beyond its deadline`, async () => {
    using net = setUp(refuses(1, 429, { "retry-after": value }));
    const [, error] = await outcome(net);
    assertInstanceOf(error, NetworkError);
    assertEquals([error.status, error.attempts, error.headers?.get("retry-after")], [429, 1, value]);
    assertEquals([net.api.calls.length, net.clock.elapsed], [1, 0]);
  });
}

Deno.test("request settles without a deadline, too, when a server asks for a century", async () => {
  using net = setUp(refuses(1, 429, { "retry-after": "3155760000" }));
  assertInstanceOf((await outcome(net, {}, { deadline: Infinity }))[1], NetworkError);
});

Deno.test("request does not begin a wait that its deadline would end", async () => {
  using net = setUp(refuses(9, 503), { replyDelay: 900 });
  const [, error] = await outcome(net, {}, { deadline: 1_000 });
  assertEquals([(error as NetworkError).attempts, net.clock.elapsed], [1, 900]);
});

Deno.test("request reckons what is left of its deadline from time that passes, not from the wall clock", async () => {
  for (const jump of [-86_400_000, 86_400_000]) {
    using net = setUp(refuses(1, 503), { replyDelay: 10 });
    const answer = request(url, {}, { retry: 2, parseResponse: json });
    net.clock.jump(jump);
    await net.clock.runAll();
    assertEquals(await answer, { id: "5" });
  }
});

Deno.test("request bounds all attempts and waits by one deadline, and its TimeoutError counts them", async () => {
  using net = setUp(refuses(9, 503), {}, {}, { never: "reply" });
  const [, error] = await outcome(net, {}, { deadline: 5_000 });
  assertInstanceOf(error, TimeoutError);
  assertEquals([error.attempts, net.clock.elapsed], [3, 5_000]);
  assert(error.message.startsWith(`GET ${url} gave no complete answer within 5000 ms, in 3 attempts. If`));
});

Deno.test("request has one attempt to tell of when the first one times out", async () => {
  using net = setUp(ok, { never: "reply" });
  const [, error] = await outcome(net);
  assertInstanceOf(error, TimeoutError);
  assertEquals([error.attempts, error.message.includes("attempt"), net.api.calls.length], [1, false, 1]);
});

Deno.test("request ends its wait at once when its caller aborts, with the signal's reason", async () => {
  for (const where of ["init", "options"] as const) {
    using net = setUp(refuses(9, 503));
    const controller = new AbortController();
    const listeners = countListeners(controller.signal);
    const { signal } = controller;
    const answer = where === "init"
      ? request(url, { signal }, { retry: 2, parseResponse: json })
      : request(url, {}, { retry: 2, parseResponse: json, signal });
    const reason = answer.catch((error) => error);
    await flush();
    assertEquals([net.clock.pending, net.api.calls.length], [2, 1], "it waits");
    const left = { left: "the page" };
    controller.abort(left);
    assertEquals([net.clock.pending, listeners.count], [0, 0]);
    assertStrictEquals(await reason, left);
    await net.clock.tickAsync(60_000);
    assertEquals(net.api.calls.length, 1);
  }
});

const bodies: readonly (readonly [string, () => BodyInit, RegExp])[] = [
  ["text", () => '{"a":1}', /^\{"a":1\}$/],
  ["URLSearchParams", () => new URLSearchParams({ a: "1" }), /^a=1$/],
  ["bytes", () => new Uint8Array([97, 98]), /^ab$/],
  ["a Blob", () => new Blob(["blob"]), /^blob$/],
  ["FormData", () => {
    const form = new FormData();
    form.set("title", "New");
    return form;
  }, /name="title"\r\n\r\nNew/],
];

for (const [name, body, expected] of bodies) {
  Deno.test(`request sends ${name} whole at each attempt`, async () => {
    using net = setUp(refuses(2, 503));
    assertEquals(await outcome(net, { method: "POST", headers: key, body: body() }), ["value", { id: "5" }]);
    const sent = await Promise.all(net.api.calls.map(({ request }) => request.text()));
    assertEquals(sent.map((one) => expected.test(one)), [true, true, true]);
  });
}

Deno.test("request never sends a stream again", async () => {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(new Uint8Array([97]));
  }
  for (const body of [new Blob(["stream"]).stream(), chunks()]) {
    using net = setUp(refuses(1, 503));
    let sent = 0;
    const init = { method: "PUT", headers: key, body: body as BodyInit };
    const [, error] = await outcome(net, init, {
      fetchResponse() {
        sent++;
        return Promise.reject(new NetworkError({ method: "PUT", url, status: 503 }));
      },
    });
    assertEquals([(error as NetworkError).attempts, sent], [1, 1]);
  }
});

Deno.test("request gives a Blob the time of its size at each attempt, and counts the wait as silence", async () => {
  const init = { method: "PUT", headers: key, body: new Blob([new Uint8Array(32_768)]) };
  {
    using net = setUp(refuses(1, 503), { replyDelay: 2_900 }, { replyDelay: 2_900 });
    assertEquals((await outcome(net, init, { deadline: 1_000 }))[0], "value");
  }
  using net = setUp(refuses(1, 503, { "retry-after": "2" }));
  const [, error] = await outcome(net, init, { deadline: 1_000 });
  assertEquals([(error as NetworkError).status, net.clock.elapsed], [503, 0]);
});

Deno.test("request does not try again when an answer came that cannot be read", async () => {
  using net = setUp(() => new Response("<p>"));
  assertInstanceOf((await outcome(net))[1], ParseError);
  assertEquals(net.api.calls.length, 1);
});

Deno.test("request does not try again whatever parseResponse throws of its own", async () => {
  for (const thrown of [new NetworkError({ method: "GET", url, status: 503 }), new TypeError("a bug"), null]) {
    using net = setUp(ok);
    assertEquals(await outcome(net, {}, { parseResponse: () => Promise.reject(thrown) }), ["error", thrown]);
    assertEquals(net.api.calls.length, 1);
  }
});

Deno.test("request does not try again whatever else fetchResponse throws", async () => {
  for (const thrown of [new DOMException("mine", "AbortError"), new TypeError("a bug"), undefined]) {
    using net = setUp(ok);
    let sent = 0;
    const fetchResponse = (): Promise<Response> => Promise.reject((sent++, thrown));
    assertEquals(await outcome(net, {}, { fetchResponse }), ["error", thrown]);
    assertEquals(sent, 1);
  }
});

Deno.test("request passes an error of the app's own class on as it is, tried again or not", async () => {
  class BusyError extends NetworkError {}
  using net = setUp(ok);
  const thrown = Array.from({ length: 3 }, () => Object.freeze(new BusyError({ method: "GET", url, status: 503 })));
  let sent = 0;
  const [, error] = await outcome(net, {}, { fetchResponse: () => Promise.reject(thrown[sent++]) });
  assertStrictEquals(error, thrown[2]);
});

Deno.test("request gives each attempt an init of its own: what an override writes into it is for that attempt", async () => {
  using net = setUp(refuses(2, 503));
  const init = { headers: new Headers({ accept: "text/plain" }) };
  await outcome(net, init, {
    fetchResponse: async (to, sent) => {
      (sent.headers as Headers).append("x-signature", "one");
      const response = await fetch(to, sent);
      if (response.ok) return response;
      // Its body is not read: whoever tries again lets it go.
      throw new NetworkError({ method: "GET", url: to, status: response.status, response });
    },
  });
  assertEquals(net.api.calls.map(({ request }) => request.headers.get("x-signature")), ["one", "one", "one"]);
  assertEquals([...init.headers], [["accept", "text/plain"]]);
});

Deno.test("request makes its init once for all attempts", async () => {
  using net = setUp(refuses(2, 503));
  let made = 0;
  const answer = request(url, () => ({ headers: { "x-made": String(++made) } }), { retry: 2, parseResponse: json });
  await net.clock.runAll();
  assertEquals(await answer, { id: "5" });
  assertEquals([made, net.api.calls.length], [1, 3]);
});

Deno.test("request does not try a stream again that was handed out and broke then", async () => {
  using net = setUp(ok, { cutBody: 3 });
  const answer = request(url, {}, {
    retry: 2,
    stream: true,
    parseResponse: (response) => Promise.resolve(response.body),
  });
  const error = await assertRejects(async () => await new Response(await answer).text(), NetworkError);
  assertEquals([error.attempts, net.api.calls.length], [1, 1]);
});

Deno.test("request tries again over real connections that break, and lets all of them go", async () => {
  await using server = await startFaultServer();
  // A reset first: on a connection that was used before, platforms try again by themselves.
  for (const fault of ["reset", "cut", "wrong-length", "bad-gzip"]) {
    const clock = new FakeClock();
    using _ = clock.install();
    server.clear();
    const at = `${server.origin}/flaky?times=2&fault=${fault}`;
    let isSettled = false;
    const answer = request(at, {}, { retry: 2, parseResponse: json }).finally(() => isSettled = true);
    for (; !isSettled; await new Promise((resolve) => setTimeout(resolve, 1))) {
      if (clock.pending > 1) await clock.tickAsync(300);
    }
    assertEquals(await answer, { ok: true });
    assertEquals(server.requests.length, 3);
    await server.settled();
  }
});
