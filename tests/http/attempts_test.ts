// deno-lint-ignore-file no-explicit-any require-await
import { Controller, NetworkError, ParseError, RestEndpoint, TimeoutError } from "@rejoin/data";
import { assert, assertEquals, assertNotStrictEquals, assertStrictEquals } from "@std/assert";
import { assertRejected } from "../support/rejected.ts";
import { served, test, Todo, urlPrefix } from "../support/wired.ts";

test("rules 33, 34: deadline, retries, Retry-After, typed errors", async () => {
  const real = globalThis.fetch;
  let replies: any[] = [];
  const urls: any[] = [];
  globalThis.fetch = (async (url: any) => {
    urls.push(url);
    const one = replies.shift();
    if (one instanceof Error) throw one;
    return one ?? new Promise(() => {});
  }) as any;
  try {
    const get: any = new RestEndpoint(
      { urlPrefix: "http://x.test", path: "/a/:id", schema: Todo, deadline: 3000 } as any,
    );
    replies = [
      new Response("", { status: 503, headers: { "retry-after": "0.01" } }),
      new TypeError("down"),
      Response.json({ id: "1" }),
    ];
    assertEquals(await get({ id: 1 }), { id: "1" });
    assertStrictEquals(urls.length, 3);
  } finally {
    globalThis.fetch = real;
  }
  try {
    globalThis.fetch = (async () => {
      const one = replies.shift();
      if (one instanceof Error) throw one;
      return one ?? new Promise(() => {});
    }) as any;
    const get: any = new RestEndpoint(
        { urlPrefix: "http://x.test", path: "/a/:id", schema: Todo, deadline: 50, retry: 0 } as any,
      ),
      c: any = new Controller();
    replies = [Response.json({ why: 1 }, { status: 422 })];
    await assertRejected(
      c.fetch(get, { id: 1 }),
      (e: any) => e instanceof NetworkError && e.status === 422 && (e.body as any).why === 1 && e.code === 602,
    );
    replies = [new Response("<html>", { status: 200 })];
    await assertRejected(c.fetch(get, { id: 2 }), ParseError);
    replies = [];
    await assertRejected(c.fetch(get, { id: 3 }), TimeoutError);
    replies = [new TypeError("down")];
    await assertRejected(c.fetch(get, { id: 4 }), (e: any) => e instanceof NetworkError && e.status === undefined);
  } finally {
    globalThis.fetch = real;
  }
});
test("rule 33: reads are what says so: QUERY, sideEffect: false; Retry-After has fractions", async () => {
  const busy = () => new Response("", { status: 503, headers: { "retry-after": "0.02" } }),
    ask: any = new RestEndpoint({ urlPrefix, path: "/ask", method: "POST", sideEffect: false } as any),
    start = performance.now();
  assertStrictEquals(
    (await served([busy, () => new TypeError("cut"), () => Response.json(1)], async () => {
      assertStrictEquals(await ask({ q: 1 }), 1);
    })).length,
    3,
  );
  assert(performance.now() - start < 900);
  assertStrictEquals(
    (await served([busy], () => assertRejected(ask.extend({ sideEffect: true })({ q: 1 })))).length,
    1,
  );
  assertNotStrictEquals(ask.key({ q: 1 }), ask.key({ q: 2 }));
  assertStrictEquals((new RestEndpoint({ path: "/q", method: "QUERY" }) as any).sideEffect, undefined);
});
