// Browsers hide the target of a redirect, so their own rules apply. No request is sent twice to find it out.
import { assertEquals } from "@std/assert";
import { launch } from "../support/browser.ts";
import { pageWith, scriptOf } from "../support/page.ts";
import { bundle } from "./_bundle.ts";
import type { RedirectsPage } from "./_redirects_page.ts";

Deno.test("in a browser a redirect is followed by the platform, with one request to each address", async () => {
  const script = (await bundle("_redirects_page.ts")).get("_redirects_page.ts")!;
  const asked: string[] = [];
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ method, url, headers }) => {
    const { pathname } = new URL(url);
    if (pathname === "/script") return scriptOf(script.code);
    if (pathname === "/") return pageWith("/script");
    asked.push(`${method} ${pathname}`);
    const status = /^\/moved\/(\d+)$/.exec(pathname)?.[1];
    if (status === undefined) return Response.json({ method, key: headers.get("x-api-key") });
    return new Response(null, { status: Number(status), headers: { location: "/there" } });
  });
  await using browser = await launch();
  const page = await browser.newPage();
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  await page.goto(`http://127.0.0.1:${server.addr.port}/`);
  await page.waitForFunction("globalThis.redirectsPage");
  const send = (method: string, status: number, redirect?: RequestRedirect): Promise<unknown> =>
    page.evaluate(
      ([method, status, redirect]) =>
        (globalThis as unknown as { redirectsPage: RedirectsPage }).redirectsPage.send(method, status, redirect),
      [method, status, redirect] as const,
    );

  for (const [method, status, then] of [["GET", 302, "GET"], ["POST", 303, "GET"], ["POST", 307, "POST"]] as const) {
    asked.length = 0;
    assertEquals(await send(method, status), { method: then, key: "k" });
    assertEquals(asked, [`${method} /moved/${status}`, `${then} /there`]);
  }
  assertEquals(said, [], "asking whether redirects are shown says nothing");

  asked.length = 0;
  assertEquals(await send("GET", 302, "error"), ["NetworkError", null]);
  assertEquals(await send("GET", 302, "manual"), ["NetworkError", 0]);
  assertEquals(asked, ["GET /moved/302", "GET /moved/302"]);
});
