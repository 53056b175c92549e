import { assertEquals, assertRejects } from "@std/assert";
import { TimeoutError } from "../../mod.ts";
import { readBody } from "../../src/http/read_body.ts";
import { request } from "../support/request.ts";
import { FakeClock, flush } from "../support/clock.ts";
import { FaultFetch } from "../support/fault_fetch.ts";
import { countListeners } from "../support/listeners.ts";

const url = "https://api.example.com/files";
const bytes = (count: number): Uint8Array<ArrayBuffer> => new Uint8Array(count);
const text = (response: Response): Promise<string> => readBody(response, "text", { method: "POST", url });
const stream = (response: Response): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> =>
  Promise.resolve(response.body as ReadableStream<Uint8Array<ArrayBuffer>>);

function formOf(file: Blob): FormData {
  const form = new FormData();
  form.set("file", file);
  return form;
}

// Bodies of which no more than 32,768 bytes are sent: 2 s at the slowest rate.
const large: readonly (readonly [string, () => BodyInit])[] = [
  ["a Blob", () => new Blob([bytes(32_768)])],
  ["FormData", () => formOf(new Blob([bytes(32_764)]))],
];

for (const [name, body] of large) {
  Deno.test(`request gives ${name} the time that its size takes, and then counts silence`, async () => {
    const clock = new FakeClock();
    using _clock = clock.install();
    using _api = new FaultFetch(() => new Response("stored")).script({ never: "reply" }).install();
    const rejected = assertRejects(
      () => request(url, { method: "POST", body: body() }, { deadline: 1_000, parseResponse: text }),
      TimeoutError,
      "nothing moved for 1000 ms",
    );
    let settled = false;
    rejected.then(() => settled = true);
    await clock.tickAsync(2_999);
    assertEquals(settled, false);
    await clock.tickAsync(1);
    await rejected;
    assertEquals(clock.pending, 0);
  });

  Deno.test(`request lets the answer to ${name} take longer than the deadline while it moves`, async () => {
    const clock = new FakeClock();
    using _clock = clock.install();
    const api = new FaultFetch(() => new Response("stored")).script({ drip: { bytes: 1, every: 999 } });
    using _api = api.install();
    const answer = request(url, { method: "POST", body: body() }, { deadline: 1_000, parseResponse: text });
    await clock.tickAsync(6 * 999);
    assertEquals(await answer, "stored");
    assertEquals([clock.pending, api.openBodies, api.listeners], [0, 0, 0]);
  });
}

Deno.test("request takes the headers of an answer for a sign of life", async () => {
  const clock = new FakeClock();
  using _clock = clock.install();
  using _api = new FaultFetch(() => new Response("stored")).script({ replyDelay: 999, drip: { bytes: 6, every: 999 } })
    .install();
  const body = new Blob();
  const answer = request(url, { method: "POST", body }, { deadline: 1_000, parseResponse: text });
  await clock.tickAsync(2 * 999);
  assertEquals(await answer, "stored");
});

Deno.test("request says half duplex for a stream that is sent, as the Fetch standard wants it", async () => {
  const said: unknown[] = [];
  for (const body of [new Blob(["x"]).stream(), "x"]) {
    await request(url, { method: "POST", body }, {
      fetchResponse(_url, init) {
        said.push((init as { duplex?: string }).duplex);
        return Promise.resolve(new Response());
      },
      parseResponse: text,
    });
  }
  assertEquals(said, ["half", undefined]);
});

Deno.test("request counts silence in a stream that is sent", async () => {
  const clock = new FakeClock();
  using _clock = clock.install();
  const api = new FaultFetch(async (got) => new Response(await got.text()));
  using _api = api.install();
  let source!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (source = controller) });
  const answer = request(url, { method: "POST", body }, { deadline: 1_000, parseResponse: text });
  for (const letter of ["a", "b", "c"]) {
    await clock.tickAsync(999);
    source.enqueue(new TextEncoder().encode(letter));
  }
  source.close();
  assertEquals(await answer, "abc");
  assertEquals(clock.pending, 0);
});

Deno.test("request rejects with TimeoutError when a stream that is sent falls silent", async () => {
  const clock = new FakeClock();
  using _clock = clock.install();
  using _api = new FaultFetch(async (got) => new Response(await got.text())).install();
  let cancelled: unknown;
  const body = new ReadableStream<Uint8Array>({ cancel: (reason) => void (cancelled = reason) });
  const answer = request(url, { method: "POST", body }, { deadline: 1_000, parseResponse: text });
  const rejected = assertRejects(() => answer, TimeoutError, "nothing moved");
  await clock.tickAsync(1_000);
  assertEquals(cancelled, await rejected);
});

Deno.test("request lets a stream that was handed out rest as long as its reader likes", async () => {
  const clock = new FakeClock();
  using _clock = clock.install();
  const api = new FaultFetch(() => new Response("abc")).script({ drip: { bytes: 1, every: 999 } });
  using _api = api.install();
  const { signal } = new AbortController();
  const listeners = countListeners(signal);
  const body = await request(url, { signal }, { deadline: 1_000, stream: true, parseResponse: stream });
  const reader = body.getReader();
  for (const letter of ["a", "b", "c"]) {
    assertEquals(clock.pending, 0, "nobody waits, nothing counts");
    await clock.tickAsync(86_400_000);
    const chunk = reader.read();
    await clock.tickAsync(999);
    assertEquals(new TextDecoder().decode((await chunk).value), letter);
  }
  assertEquals((await reader.read()).done, true);
  assertEquals([clock.pending, listeners.count, api.openBodies, api.listeners], [0, 0, 0, 0]);
});

Deno.test("request errors a stream that was handed out when its reader waits for a silent server", async () => {
  const clock = new FakeClock();
  using _clock = clock.install();
  const api = new FaultFetch(() => new Response("abc")).script({ hangBody: 1, deaf: true });
  using _api = api.install();
  const { signal } = new AbortController();
  const listeners = countListeners(signal);
  const body = await request(url, { signal }, { deadline: 1_000, stream: true, parseResponse: stream });
  const reader = body.getReader();
  await reader.read();
  const rejected = assertRejects(() => reader.read(), TimeoutError, "nothing moved for 1000 ms");
  await clock.tickAsync(1_000);
  await rejected;
  assertEquals([clock.pending, listeners.count, api.openBodies], [0, 0, 0]);
});

Deno.test("request keeps following its signal while a stream is out, and lets go when it is cancelled", async () => {
  const clock = new FakeClock();
  using _clock = clock.install();
  const api = new FaultFetch(() => new Response("abc"));
  api.always(() => true, { hangBody: 1 });
  using _api = api.install();
  const controller = new AbortController();
  const listeners = countListeners(controller.signal);
  const options = { stream: true, parseResponse: stream };
  const cancelled = await request(url, { signal: controller.signal }, options);
  await cancelled.cancel();
  assertEquals([listeners.count, api.openBodies, api.listeners], [0, 0, 0]);

  const aborted = await request(url, { signal: controller.signal }, options);
  assertEquals(listeners.count, 1);
  const reader = aborted.getReader();
  await reader.read();
  const waiting = reader.read().catch((reason) => reason);
  controller.abort("left");
  assertEquals(await waiting, "left");
  await flush();
  assertEquals([clock.pending, listeners.count, api.openBodies, api.listeners], [0, 0, 0, 0]);
});

Deno.test("request keeps address and status of an answer that it guards", async () => {
  using _api = new FaultFetch(() => new Response("x", { status: 201, headers: { "x-a": "b" } })).install();
  const seen = await request(url, {}, {
    stream: true,
    parseResponse: async (response) => {
      await response.text();
      return [response.url, response.status, response.headers.get("x-a"), response.redirected];
    },
  });
  assertEquals(seen, [url, 201, "b", false]);
});
