import { assert, assertEquals } from "@std/assert";
import { launch } from "../support/browser.ts";
import { pageWith, scriptOf } from "../support/page.ts";
import { bundle } from "./_bundle.ts";
import type { ReadTwice } from "./_conditional_page.ts";

/** A server that sends a page, and films with a version to any origin. It records the requests for films. */
function serve(code: string) {
  const seen: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/page.js") return scriptOf(code);
    if (pathname !== "/films") return pageWith("/page.js");
    const condition = request.headers.get("if-none-match");
    seen.push(`${request.method} ${condition}`);
    const headers = {
      etag: '"1"',
      "access-control-allow-origin": "*",
      "access-control-allow-headers": "If-None-Match",
      "access-control-expose-headers": "ETag",
      "cache-control": "no-cache",
    };
    if (request.method === "OPTIONS") return new Response(null, { status: 204, headers });
    // Without our condition the browser's cache adds its own, and hides the 304.
    return condition === '"1"'
      ? new Response(null, { status: 304, headers })
      : Response.json([{ id: "1" }], { headers });
  });
  return { seen, origin: `http://127.0.0.1:${server.addr.port}`, [Symbol.asyncDispose]: () => server.shutdown() };
}

Deno.test("in a browser: a condition within the origin, no preflight elsewhere, and the same objects everywhere", async () => {
  const { code } = (await bundle("_conditional_page.ts")).get("_conditional_page.ts")!;
  await using site = serve(code);
  await using api = serve(code);
  await using browser = await launch();
  const page = await browser.newPage();
  await page.goto(site.origin);
  await page.waitForFunction("globalThis.readTwice");
  const read = async (server: typeof api, crossOrigin: boolean) => {
    server.seen.length = 0;
    const same = await page.evaluate(
      ([origin, crossOrigin]) => (globalThis as unknown as { readTwice: ReadTwice }).readTwice(origin, crossOrigin),
      [server.origin, crossOrigin] as const,
    );
    assert(same, "the second answer is the first");
    return server.seen;
  };
  assertEquals(await read(site, false), ["GET null", 'GET "1"']);
  const elsewhere = await read(api, false);
  assertEquals(elsewhere.filter((line) => line.startsWith("OPTIONS")), []);
  assertEquals(elsewhere.length, 2);
  assertEquals((await read(api, true)).filter((line) => line.startsWith("OPTIONS")).length, 1);
});
