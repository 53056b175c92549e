/** Rules 33 and 34 on real connections: every call settles, with an error that tells what happened. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { Controller, Entity, NetworkError, ParseError, RestEndpoint, TimeoutError, typed } from "@rejoin/data";
import { empty, serve } from "../support/api.ts";
import { head, type Raw, serveRaw } from "../support/raw_server.ts";

class Film extends Entity {
  id = "";
  static override key = "Film";
}
const GOOD = '{"id":"1"}';
/** Connections stay open, which is the purpose of these tests. */
const test = (name: string, fn: () => Promise<void>) =>
  Deno.test({ name, fn, sanitizeResources: false, sanitizeOps: false });
// deno-lint-ignore no-explicit-any -- with any method
const at = (urlPrefix: string, more: object = {}): any =>
  new RestEndpoint({ urlPrefix, path: "/films/:id", schema: Film, ...more });

const faults: readonly {
  what: string;
  raw: Raw;
  error: typeof NetworkError | typeof ParseError | typeof TimeoutError;
}[] = [
  { what: "closes at once", raw: { text: "" }, error: NetworkError },
  { what: "says nothing", raw: { text: "", end: "hang" }, error: TimeoutError },
  { what: "hangs in the head", raw: { text: "HTTP/1.1 200 OK\r\n", end: "hang" }, error: TimeoutError },
  { what: "is no HTTP", raw: { text: "220 smtp.test ready\r\n" }, error: NetworkError },
  { what: "hangs in the body", raw: { text: head(50) + '{"id', end: "hang" }, error: TimeoutError },
  { what: "breaks in the body", raw: { text: head(50) + '{"id' }, error: NetworkError },
  { what: "drips without end", raw: { chunks: [head(5000), ...Array(400).fill("x")], every: 10 }, error: TimeoutError },
  { what: "sends HTML", raw: { text: head(6, "text/html") + "<html>" }, error: ParseError },
  { what: "sends broken JSON", raw: { text: head(4) + '{"id' }, error: ParseError },
  {
    what: "refuses, and hangs in the body",
    raw: { text: head(50, "text/plain", "503 Busy") + "bu", end: "hang" },
    error: TimeoutError,
  },
];
for (const { what, raw, error } of faults) {
  test(`rule 33: a server that ${what}: ${error.name}, in time, and the next call works`, async () => {
    let isGood = false;
    await using server = serveRaw(() => isGood ? { text: head(GOOD.length) + GOOD } : raw);
    // The random wait before the second attempt is at most 600 ms, and ends before the longer deadline.
    const get = at(server.urlPrefix, { deadline: error === TimeoutError ? 300 : 2e4, retry: 1 });
    const start = performance.now();
    await assertRejects(() => get({ id: "1" }), error);
    assert(performance.now() - start < 1e4);
    isGood = true;
    assertEquals(await at(server.urlPrefix)({ id: "1" }), { id: "1" });
  });
}
test("rule 33: random faults of the wire: every call of a controller settles in time", async () => {
  let seed = 7;
  const random = (n: number) => (seed = (seed * 1664525 + 1013904223) >>> 0) % n;
  await using server = serveRaw(() =>
    random(3) ? faults[random(faults.length)]!.raw : { text: head(GOOD.length) + GOOD }
  );
  using c = new Controller();
  const start = performance.now(), update = at(server.urlPrefix, { method: "PATCH", deadline: 200 });
  const calls = Array.from(
    { length: 60 },
    (_, id) =>
      id % 3 ? c.fetch(at(server.urlPrefix, { deadline: 200, retry: random(3) }), { id }) : c.fetch(update, { id }, {}),
  );
  const outcomes = await Promise.allSettled(calls);
  for (const one of outcomes) {
    if (one.status === "rejected") {
      assert([NetworkError, ParseError, TimeoutError].some((E) => one.reason instanceof E), String(one.reason));
    }
  }
  assert(performance.now() - start < 2e4);
  await c.allSettled();
});
test("rule 33: reads are tried twice more after 408, 429, 502 to 504 and no answer; other statuses and mutations never", async () => {
  for (const [status, times] of [[408, 3], [429, 3], [502, 3], [503, 3], [504, 3], [500, 1], [404, 1]] as const) {
    await using server = serve(() => new Response("no", { status, headers: { "retry-after": "0" } }));
    const error = await assertRejects(() => at(server.urlPrefix)({ id: "1" }), NetworkError);
    assertEquals([error.status, server.asked.length], [status, times]);
    await assertRejects(() => at(server.urlPrefix, { method: "PUT" })({ id: "1" }, {}), NetworkError);
    assertEquals(server.asked.length, times + 1);
  }
  for (
    const [more, times] of [[{ retry: 0 }, 1], [{ retry: false }, 1], [{ retry: NaN }, 1], [{ retry: 4 }, 5]] as const
  ) {
    await using server = serve(() => new Response("no", { status: 503, headers: { "retry-after": "0" } }));
    await assertRejects(() => at(server.urlPrefix, more)({ id: "1" }), NetworkError);
    assertEquals(server.asked.length, times);
  }
});
test("rule 33, case 13: whatever is a read is tried again: QUERY, HEAD, and a POST with sideEffect: false", async () => {
  for (
    const options of [{ method: "QUERY" }, { method: "HEAD", schema: undefined }, { method: "POST", sideEffect: false }]
  ) {
    let count = 0;
    await using server = serve(() =>
      ++count < 3 ? new Response("no", { status: 503, headers: { "retry-after": "0" } }) : { id: "1" }
    );
    const read = at(server.urlPrefix, { body: typed<object>(), ...options });
    await read({ id: "1" }, { q: 1 });
    assertEquals(server.asked.length, 3, options.method);
  }
});
test("rule 33, case 15: Retry-After in seconds, fractions and dates; what would end after the deadline is not waited for", async () => {
  const date = new Date(Date.now() + 1000).toUTCString();
  // The upper bounds tell seconds from milliseconds, and leave time for a slow machine.
  for (const [after, least] of [["0.05", 50], ["0", 0], [date, 0], ["soon", 0]] as const) {
    let count = 0;
    await using server = serve(() =>
      ++count === 1 ? new Response("no", { status: 503, headers: { "retry-after": after } }) : { id: "1" }
    );
    const start = performance.now();
    await at(server.urlPrefix)({ id: "1" });
    const took = performance.now() - start;
    assert(took >= least && took < 20_000, `${after}: ${took}`);
  }
  await using server = serve(() => new Response("no", { status: 503, headers: { "retry-after": "100" } }));
  // The error is the refusal, and not the deadline.
  await assertRejects(() => at(server.urlPrefix, { deadline: 2e4 })({ id: "1" }), NetworkError);
});
test("rule 33: a blob that breaks off, and then a server that is silent, end at the deadline", async () => {
  await using server = serveRaw((n) => n > 1 ? { text: "", end: "hang" } : { text: head(50, "image/png") + "x" });
  const get = at(server.urlPrefix, { schema: undefined, content: "blob", deadline: 900 });
  await assertRejects(() => Promise.race([get({ id: "1" }), new Promise((go) => setTimeout(go, 2e4))]), TimeoutError);
});
test("rule 33: one deadline from getRequestInit to process", async () => {
  await using server = serve(() => ({ id: "1" }));
  const never = () => new Promise<never>(() => {});
  for (const name of ["getRequestInit", "getHeaders", "fetchResponse", "parseResponse", "process"]) {
    const get = at(server.urlPrefix, { deadline: 60, [name]: never });
    await assertRejects(() => get({ id: "1" }), TimeoutError, undefined, name);
  }
  assertEquals(await at(server.urlPrefix, { deadline: Infinity })({ id: "1" }), { id: "1" });
});
test("rule 33: for streams only silence counts; a stream that breaks or falls silent fails", async () => {
  const part = "x".repeat(10);
  const drip = (count: number, end?: "hang"): Raw => ({
    chunks: [head(100, "text/plain"), ...Array(count).fill(part)],
    every: 200,
    ...end && { end },
  });
  // Deno forgets the signal of a `fetch` whose Response was collected.
  const held: Response[] = [];
  const hold: typeof fetch = async (...args) => held[held.push(await fetch(...args)) - 1]!;
  const read = async (raw: Raw, content: string): Promise<number> => {
    await using server = serveRaw(() => raw);
    const options = { urlPrefix: server.urlPrefix, path: "/file", deadline: 1500, retry: 0, fetchResponse: hold };
    const answer: unknown = await new RestEndpoint({ ...options, content: content as "stream" })();
    if (answer instanceof Blob) return answer.size;
    if (answer instanceof ArrayBuffer) return answer.byteLength;
    let size = 0;
    for await (const chunk of answer as ReadableStream<Uint8Array>) size += chunk.length;
    return size;
  };
  await using server = serve(() => new Response("0123456789"));
  const open = new RestEndpoint({ urlPrefix: server.urlPrefix, path: "/file", deadline: 1500, content: "stream" });
  const reader = (await open()).getReader(), rest = new Promise((go) => setTimeout(go, 2000));
  // All at once, so that the deadline can be long.
  await Promise.all(["stream", "blob", "arrayBuffer"].flatMap((content) => [
    read(drip(10), content).then((size) => assertEquals(size, 100, content)),
    assertRejects(() => read(drip(3, "hang"), content), TimeoutError, undefined, content),
  ]));
  await assertRejects(() => read(drip(3), "blob"), NetworkError);
  await rest;
  assertEquals((await reader.read()).value?.length, 10, "the reader may rest");
  await reader.cancel();
});
test("files: a form, a blob and a stream go up", async () => {
  await using server = serve(async ({ path }, request) =>
    path === "/form"
      ? { name: ((await request.formData()).get("file") as File).name }
      : { size: (await request.blob()).size }
  );
  const up = (path: string, body: unknown) =>
    new RestEndpoint({ urlPrefix: server.urlPrefix, path, method: "POST", body: typed<unknown>(), deadline: 1000 })(
      body,
    );
  const form = new FormData();
  form.set("file", new File(["four"], "alien.png"));
  assertEquals(await up("/form", form), { name: "alien.png" });
  assertEquals(await up("/blob", new Blob(["four"])), { size: 4 });
  let sent = 0;
  const slow = new ReadableStream({
    async pull(controller) {
      await new Promise((go) => setTimeout(go, 250));
      if (++sent > 5) controller.close();
      else controller.enqueue(new Uint8Array(10));
    },
  });
  assertEquals(await up("/stream", slow), { size: 50 }, "slower than the deadline, and never silent");
});
test("rule 33: a server that takes a stream and says nothing: TimeoutError", async () => {
  await using server = serveRaw(() => ({ text: "", end: "hang" }));
  const up = at(server.urlPrefix, { path: "/up", method: "POST", body: typed<unknown>(), deadline: 200 });
  let why: unknown;
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new Uint8Array(10)),
    cancel: (reason) => void (why = reason),
  });
  await assertRejects(() => up(body), TimeoutError);
  assert(why instanceof TimeoutError, "the app's stream is cancelled");
});
test("replies: by content type without schema; content says otherwise; none is null", async () => {
  const replies: [Response, Partial<{ content: "json" | "text" | "blob" | "arrayBuffer" }>, unknown][] = [
    [Response.json({ a: 1 }), {}, { a: 1 }],
    [new Response('{"a":1}', { headers: { "content-type": "application/problem+json" } }), {}, { a: 1 }],
    [new Response("a,b", { headers: { "content-type": "text/csv" } }), {}, "a,b"],
    [new Response('{"a":1}', { headers: { "content-type": "text/plain" } }), { content: "json" }, { a: 1 }],
    [Response.json({ a: 1 }), { content: "text" }, '{"a":1}'],
    [empty(), {}, null],
    [new Response("\ufeff{}", { headers: { "content-type": "application/json" } }), {}, {}],
  ];
  for (const [reply, options, expected] of replies) {
    await using server = serve(() => reply);
    assertEquals(await new RestEndpoint({ urlPrefix: server.urlPrefix, path: "/x", ...options })(), expected);
  }
  await using server = serve(() =>
    new Response(new Uint8Array(3), { headers: { "content-type": "application/vnd.openxmlformats-officedocument.x" } })
  );
  const blob = await new RestEndpoint({ urlPrefix: server.urlPrefix, path: "/x" })() as Blob;
  assertEquals([blob.size, blob.type], [3, "application/vnd.openxmlformats-officedocument.x"]);
});
test("rule 34: NetworkError has status, response and body; case 23: several JSON values are named", async () => {
  await using server = serve(({ path }) =>
    path === "/films/1"
      ? Response.json({ errors: { title: "taken" } }, { status: 422 })
      : new Response('{"a":1}\n{"a":2}', { headers: { "content-type": "application/json" } })
  );
  const { status, body, code, response } = await assertRejects(() => at(server.urlPrefix)({ id: "1" }), NetworkError);
  assertEquals([status, body, code, response?.status], [422, { errors: { title: "taken" } }, 602, 422]);
  const parse = await assertRejects(() => at(server.urlPrefix)({ id: "2" }), ParseError, "several JSON values");
  assert(parse.message.includes('content: "text"'));
});
test("an abort ends a call at once, with the reason of its signal, of the endpoint or of its init", async () => {
  await using server = serveRaw(() => ({ text: "", end: "hang" }));
  for (const place of ["signal", "requestInit"]) {
    const abort = new AbortController(), { signal } = abort;
    const call = at(server.urlPrefix, place === "signal" ? { signal } : { requestInit: { signal } })({ id: "1" });
    abort.abort(new Error("changed my mind"));
    await assertRejects(() => call, Error, "changed my mind");
    await assertRejects(() => at(server.urlPrefix, { signal })({ id: "1" }), Error, "changed my mind");
  }
});
test("rule 33: after an abort in the wait before an attempt nothing is sent", async () => {
  const abort = new AbortController();
  const response = new Response("", { headers: { "retry-after": "0.03" } }), { signal } = abort;
  let attempts = 0;
  const fetchResponse = () => {
    attempts++;
    throw new NetworkError(602, [], undefined, { status: 503, response });
  };
  const call = at("https://a.example.com", { signal, fetchResponse })({ id: "1" });
  setTimeout(() => abort.abort(), 5);
  await assertRejects(() => call);
  await new Promise((go) => setTimeout(go, 60));
  assertEquals(attempts, 1);
});
