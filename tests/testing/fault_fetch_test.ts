import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { type Fault, FaultFetch, flush } from "@rejoin/data/testing";

const url = "https://api.example.com/articles/5";
const text = async (api: FaultFetch, init?: RequestInit): Promise<string> => await (await api.fetch(url, init)).text();

/** A `FaultFetch` over a server that counts its calls and answers `abcdef`. */
function counting(...script: readonly Fault[]): { api: FaultFetch; effects: string[] } {
  const effects: string[] = [];
  const api = new FaultFetch((request) => {
    effects.push(`${request.method} ${new URL(request.url).pathname}`);
    return new Response("abcdef", { status: 201, headers: { "x-a": "b" } });
  });
  return { api: api.script(...script), effects };
}

Deno.test("FaultFetch answers as its handler does, at the address that was asked for", async () => {
  const { api, effects } = counting();
  const response = await api.fetch(url, { method: "PUT", body: "sent" });
  assertEquals([response.status, response.url, response.headers.get("x-a")], [201, url, "b"]);
  assertEquals([await response.text(), effects], ["abcdef", ["PUT /articles/5"]]);
  assertEquals([api.calls.length, api.calls[0]!.state, await api.calls[0]!.request.text()], [1, "answered", "sent"]);
  assertEquals(api.open, 0);
});

Deno.test("FaultFetch rejects with a TypeError what fetch refuses", async () => {
  const { api, effects } = counting();
  await assertRejects(() => api.fetch("/relative"), TypeError);
  await assertRejects(() => api.fetch(url, { method: "GET", body: "x" }), TypeError);
  assertEquals(effects, []);
});

Deno.test("FaultFetch breaks the connection when its handler throws", async () => {
  const api = new FaultFetch(() => {
    throw new Error("crashed");
  });
  const error = await assertRejects(() => api.fetch(url), TypeError, "the handler threw Error: crashed");
  assertEquals([(error.cause as Error).message, api.calls[0]!.state], ["crashed", "failed"]);
});

for (const stage of ["request", "reply"] as const) {
  const effect = stage === "reply" ? 1 : 0;
  Deno.test(`FaultFetch loses the ${stage}: ${effect === 1 ? "after" : "without"} the effect`, async () => {
    const { api, effects } = counting({ lost: stage });
    await assertRejects(() => api.fetch(url), TypeError, "connection lost");
    assertEquals([effects.length, api.calls[0]!.state], [effect, "failed"]);
  });

  Deno.test(`FaultFetch never settles when the ${stage} hangs, until it is aborted`, async () => {
    const { api, effects } = counting({ never: stage });
    const controller = new AbortController();
    const answer = api.fetch(url, { signal: controller.signal }).catch((reason) => reason);
    await flush();
    assertEquals([effects.length, api.open], [effect, 1]);
    controller.abort("left");
    assertEquals(await answer, "left");
    assertEquals([api.open, api.calls[0]!.state], [0, "aborted"]);
  });

  Deno.test(`FaultFetch holds the ${stage} until the test releases it`, async () => {
    const { api, effects } = counting({ hold: stage });
    const answer = text(api);
    await flush();
    assertEquals(api.held.map((held) => [held.stage, held.request.url]), [[stage, url]]);
    assertEquals(effects.length, effect);
    api.held[0]!.release();
    assertEquals([await answer, effects.length, api.held.length], ["abcdef", 1, 0]);
  });
}

Deno.test("FaultFetch holds request and reply one after the other", async () => {
  const { api, effects } = counting({ hold: "both" });
  const answer = text(api);
  await flush();
  assertEquals([effects.length, api.held[0]!.stage], [0, "request"]);
  api.held[0]!.release();
  await flush();
  assertEquals([effects.length, api.held[0]!.stage, api.held.length], [1, "reply", 1]);
  api.held[0]!.release();
  assertEquals(await answer, "abcdef");
});

Deno.test("FaultFetch fails what it holds, with a broken connection or with any value", async () => {
  const { api } = counting({ hold: "reply" }, { hold: "reply" }, { hold: "reply" });
  const answers = [text(api), text(api), text(api)].map((answer) => answer.catch((error) => error));
  await flush();
  api.held[2]!.fail(undefined);
  api.held[1]!.fail("mine");
  api.held[0]!.fail();
  const [broken, mine, nothing] = await Promise.all(answers);
  assert(broken as unknown instanceof TypeError);
  assertEquals([mine, nothing], ["mine", undefined]);
});

Deno.test("FaultFetch releases all that it holds in any order", async () => {
  const api = new FaultFetch((request) => new Response(new URL(request.url).pathname));
  api.always(() => true, { hold: "reply" });
  const seen: string[] = [];
  const answers = ["/a", "/b", "/c"].map(async (path) => {
    seen.push(await (await api.fetch(`https://api.example.com${path}`)).text());
  });
  await flush();
  api.releaseAll([2, 0, 1]);
  await Promise.all(answers);
  assertEquals(seen, ["/c", "/a", "/b"]);
});

Deno.test("FaultFetch lets go of what it holds when the caller aborts", async () => {
  const { api } = counting({ hold: "reply" });
  const controller = new AbortController();
  const answer = api.fetch(url, { signal: controller.signal }).catch((reason) => reason);
  await flush();
  controller.abort("left");
  assertEquals([await answer, api.held.length], ["left", 0]);
});

for (const value of [undefined, null, "text", 0, new Error("own")]) {
  Deno.test(`FaultFetch rejects with ${String(value)}, and throws it, without an effect`, async () => {
    const { api, effects } = counting({ reject: { value } }, { throw: { value } });
    assertStrictEquals(await api.fetch(url).then(() => "answered", (error) => error), value);
    let thrown: unknown = "nothing";
    try {
      api.fetch(url);
    } catch (error) {
      thrown = error;
    }
    assertStrictEquals(thrown, value);
    assertEquals([effects.length, api.open, ...api.calls.map(({ state }) => state)], [0, 0, "failed", "failed"]);
  });
}

Deno.test("FaultFetch hangs in the body after so many bytes, until it is aborted", async () => {
  const { api } = counting({ hangBody: 4 });
  const controller = new AbortController();
  const reader = (await api.fetch(url, { signal: controller.signal })).body!.getReader();
  assertEquals(new TextDecoder().decode((await reader.read()).value), "abcd");
  const next = reader.read().then(() => "more", (reason) => reason);
  assertEquals(await Promise.race([next, flush()]), undefined);
  controller.abort("left");
  assertEquals(await next, "left");
});

Deno.test("FaultFetch cuts the body after so many bytes", async () => {
  const { api } = counting({ cutBody: 2 });
  const reader = (await api.fetch(url)).body!.getReader();
  assertEquals(new TextDecoder().decode((await reader.read()).value), "ab");
  await assertRejects(() => reader.read(), TypeError, "connection lost (body)");
});

Deno.test("FaultFetch leaves a body whole that is shorter than its fault", async () => {
  const { api } = counting({ cutBody: 6 }, { hangBody: 100 });
  assertEquals([await text(api), await text(api)], ["abcdef", "abcdef"]);
});

Deno.test("FaultFetch answers after the abort when it is deaf", async () => {
  const { api } = counting({ deaf: true, hold: "reply" });
  const controller = new AbortController();
  const answer = text(api, { signal: controller.signal });
  await flush();
  controller.abort("left");
  await flush();
  assertEquals(api.open, 1);
  api.releaseAll();
  assertEquals(await answer, "abcdef");
});

Deno.test("FaultFetch ends a body that nobody reads when it is cancelled or aborted", async () => {
  const { api } = counting();
  await (await api.fetch(url, { signal: new AbortController().signal })).body!.cancel();
  const controller = new AbortController();
  const response = await api.fetch(url, { signal: controller.signal });
  controller.abort("left");
  assertEquals(await response.text().catch((reason) => reason), "left");
});

Deno.test("FaultFetch takes the last rule that matches, then the script, then none", async () => {
  const { api, effects } = counting({ reject: { value: "script" } });
  const get = (path: string, method = "GET"): Promise<unknown> =>
    api.fetch(`https://api.example.com${path}`, { method }).then(() => "ok", (error) => error);
  api.always("/articles", { reject: { value: "path" } });
  api.always("PATCH /articles", { reject: { value: "method and path" } });
  api.once((request) => request.url.endsWith("/9"), { reject: { value: "function" } });
  assertEquals([
    await get("/articles"),
    await get("/articles/5"),
    await get("/articles/5", "PATCH"),
    await get("/articles/9"),
    await get("/articles/9"),
    await get("/articlesque"),
    await get("/users"),
  ], ["path", "path", "method and path", "function", "path", "script", "ok"]);
  api.heal();
  assertEquals([await get("/articles"), effects.length], ["ok", 2]);
});

Deno.test("FaultFetch.install replaces the global fetch until it is disposed of", async () => {
  const before = globalThis.fetch;
  const { api, effects } = counting();
  {
    using _ = api.install();
    await (await fetch(url)).body?.cancel();
  }
  assertEquals(effects.length, 1);
  assertStrictEquals(globalThis.fetch, before);
});

Deno.test("FaultFetch takes its time by the timers of the platform, drips bodies, and is aborted on its way", async () => {
  const { api, effects } = counting({ delay: 10, replyDelay: 10 }, { drip: { bytes: 4, every: 5 } }, { delay: 1e9 });
  const start = performance.now();
  assertEquals([await text(api), performance.now() - start > 18], ["abcdef", true]);
  const reader = (await api.fetch(url)).body!.getReader(), chunks: string[] = [];
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(new TextDecoder().decode(next.value));
  }
  assertEquals(chunks, ["abcd", "ef"]);
  const leaving = new AbortController(), left = text(api, { signal: leaving.signal }).catch((reason) => reason);
  await flush();
  leaving.abort("left");
  assertEquals([await left, effects.length], ["left", 2]);
});
