import { assert, assertEquals, assertRejects } from "@std/assert";
import { type Logged, startFaultServer } from "./fault_server.ts";

Deno.test("FaultServer answers each of its routes as its table says", async (t) => {
  await using server = await startFaultServer();
  const page = "<!DOCTYPE html>\n<title>Sign in</title>\n<h1>Sign in to the hotel's network</h1>\n";
  const json = "application/json";
  const html = "text/html; charset=utf-8";
  const whole: readonly (readonly [string, number, string | null, string])[] = [
    ["/json", 200, json, '{"ok":true}'],
    ["/delay?ms=1", 200, json, '{"ok":true}'],
    ["/drip?ms=1&chunks=3", 200, json, "[1,2,3]"],
    ["/204", 204, null, ""],
    ["/205", 205, null, ""],
    ["/empty", 200, json, ""],
    ["/html", 200, html, page],
    ["/html-as-json", 200, json, page],
    ["/no-type", 200, null, '{"ok":true}'],
    ["/text", 200, "text/plain", "just text"],
    ["/json-as-text", 200, "text/plain", '{"ok":true}'],
    ["/problem", 422, "application/problem+json", '{"title":"Invalid","detail":"title is empty"}'],
    ["/truncated", 200, json, '{"ok":tr'],
    ["/500", 500, json, '{"error":"broken"}'],
    ["/404", 404, html, page],
    ["/status/418", 418, json, '{"status":418}'],
    ["/nowhere", 404, html, page],
    ["/constructor", 404, html, page],
  ];
  for (const [path, status, type, body] of whole) {
    await t.step(path, async () => {
      const response = await fetch(server.origin + path);
      assertEquals([response.status, response.headers.get("content-type"), await response.text()], [
        status,
        type,
        body,
      ]);
    });
  }
  await t.step("/bom", async () => {
    const bytes = new Uint8Array(await (await fetch(`${server.origin}/bom`)).arrayBuffer());
    assertEquals([...bytes.slice(0, 4)], [0xef, 0xbb, 0xbf, "{".charCodeAt(0)]);
  });
  await t.step("/binary", async () => {
    const bytes = new Uint8Array(await (await fetch(`${server.origin}/binary`)).arrayBuffer());
    assertEquals([...bytes], [0xff, 0xfe, 0x00, 0x80]);
  });
  for (const path of ["/cut", "/wrong-length", "/bad-gzip"]) {
    await t.step(path, async () => {
      const response = await fetch(server.origin + path);
      assertEquals(response.status, 200);
      await assertRejects(() => response.text(), TypeError);
    });
  }
  await t.step("/reset", async () => {
    await assertRejects(() => fetch(`${server.origin}/reset`), TypeError);
  });
});

Deno.test("FaultServer hangs in headers and in the body until its client goes", async () => {
  await using server = await startFaultServer();
  const controller = new AbortController();
  const { signal } = controller;
  const hanging = fetch(`${server.origin}/hang`, { signal }).catch((reason) => reason);
  const bodies = await Promise.all(
    ["/hang-body", "/500-hang"].map((path) => fetch(server.origin + path, { signal })),
  );
  assertEquals(bodies.map(({ status }) => status), [200, 500]);
  while (server.requests.length < 3) await new Promise((resolve) => setTimeout(resolve, 1));
  assertEquals(server.open, 3);
  const texts = bodies.map((response) => response.text().catch((reason) => reason));
  controller.abort("left");
  assertEquals([await hanging, ...await Promise.all(texts)], ["left", "left", "left"]);
  await server.settled();
  assertEquals(server.open, 0);
});

Deno.test("FaultServer breaks what hangs when it is closed", async () => {
  const server = await startFaultServer();
  const body = await fetch(`${server.origin}/hang-body`);
  const reading = assertRejects(() => body.text(), TypeError);
  await server.close();
  await reading;
});

Deno.test("FaultServer logs and echoes method, path, headers and body", async () => {
  await using server = await startFaultServer();
  const init = { method: "PATCH", headers: { "X-Token": "t", "content-type": "application/json" }, body: '{"a":"é"}' };
  const echoed: Logged = await (await fetch(`${server.origin}/echo?a=1&b=%2F`, init)).json();
  assertEquals([echoed.method, echoed.path, echoed.origin], ["PATCH", "/echo?a=1&b=%2F", server.origin]);
  assertEquals([echoed.headers["x-token"], echoed.body], ["t", '{"a":"é"}']);
  assertEquals(server.requests, [echoed]);
  server.clear();
  assertEquals(server.requests, []);
});

Deno.test("FaultServer redirects within an origin and to its second one", async () => {
  await using server = await startFaultServer();
  assert(server.origin !== server.otherOrigin);
  const end = async (query: string, init?: RequestInit): Promise<Logged> =>
    await (await fetch(`${server.origin}/redirect?${query}`, init)).json();
  assertEquals((await end("to=same")).origin, server.origin);
  assertEquals((await end("to=other")).origin, server.otherOrigin);
  const kept = await end("to=other&status=307", { method: "POST", body: "x" });
  assertEquals([kept.method, kept.body], ["POST", "x"]);
});

Deno.test("FaultServer redirects as often, and to whatever, it is told", async () => {
  await using server = await startFaultServer();
  const many: Logged = await (await fetch(`${server.origin}/redirect?count=3`)).json();
  assertEquals([many.path, server.requests.length], ["/echo", 4]);
  const there: Logged = await (await fetch(`${server.origin}/redirect?to=other&path=/echo?a=1`)).json();
  assertEquals([there.path, there.origin], ["/echo?a=1", server.otherOrigin]);
  for (const [given, location] of [["ftp:x", "ftp:x"], ["", null]] as const) {
    const answer = await fetch(`${server.origin}/redirect?location=${given}`, { redirect: "manual" });
    await answer.body?.cancel();
    assertEquals([answer.status, answer.headers.get("location")], [302, location]);
  }
});

Deno.test("FaultServer is flaky as often as it is told", async () => {
  await using server = await startFaultServer();
  const ask = async (query: string): Promise<unknown> => {
    const answer = await fetch(`${server.origin}/flaky?${query}`);
    await answer.body?.cancel();
    return [answer.status, answer.headers.get("retry-after")];
  };
  assertEquals(await ask("times=2&status=429&retry-after=5"), [429, "5"]);
  assertEquals(await ask("times=2&status=429&retry-after=5"), [429, "5"]);
  assertEquals(await ask("times=2&status=429&retry-after=5"), [200, null]);
  assertEquals(await ask(""), [503, null]);
  const cut = await fetch(`${server.origin}/flaky?fault=cut`);
  await assertRejects(() => cut.text(), TypeError);
  assertEquals(await ask("fault=cut"), [200, null]);
});

Deno.test("FaultServer gives what no route is for to its fallback", async () => {
  await using server = await startFaultServer({
    fallback: async (request) =>
      new Response(`${request.method} ${new URL(request.url).pathname} ${await request.text()}`, {
        status: 201,
        headers: { "x-mine": "yes" },
      }),
  });
  const response = await fetch(`${server.otherOrigin}/mine`, { method: "POST", body: "sent" });
  assertEquals([response.status, response.headers.get("x-mine")], [201, "yes"]);
  assertEquals(await response.text(), "POST /mine sent");
  assertEquals(await (await fetch(`${server.origin}/mine`)).text(), "GET /mine ");
});

Deno.test("FaultServer answers 500 when its fallback throws", async () => {
  await using server = await startFaultServer({
    fallback: () => {
      throw new Error("crashed");
    },
  });
  const response = await fetch(`${server.origin}/mine`);
  assertEquals([response.status, await response.text()], [500, "the fallback threw Error: crashed"]);
});
