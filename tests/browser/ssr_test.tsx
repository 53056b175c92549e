/** Server rendering and the inspector in a real browser, under a strict Content-Security-Policy. */
import { assert, assertEquals } from "@std/assert";
import type { Browser } from "playwright-core";
import type { Controller } from "@rejoin/data";
import { renderPage, renderPageToStream } from "@rejoin/data/ssr";
import { launch } from "../support/browser.ts";
import { scriptOf } from "../support/page.ts";
import { bundle } from "./_bundle.ts";
import { App } from "./_ssr_page.tsx";

/** A text that would end the script or change, if escaping were wrong. */
const TEXT = `</script><script>document.title="broken"</script><!-- <script> \u2028 & " ' ]]> \ud83d\ude00`;

/** A server with the API, the pages, and their script. */
async function startSite() {
  const { code } = (await bundle("_ssr_page.tsx")).get("_ssr_page.tsx")!;
  const asked: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async ({ url }) => {
    const { pathname, origin } = new URL(url), id = pathname.split("/").at(-1)!;
    if (pathname === "/page.js") return scriptOf(code);
    if (pathname.startsWith("/api/")) {
      asked.push(id);
      if (id === "slow") await new Promise((go) => setTimeout(go, 800));
      return Response.json({ id, title: id === "1" ? TEXT : `Film ${id}`, at: "1979-05-25" });
    }
    const nonce = crypto.randomUUID(),
      render = (controller: Controller) => <App origin={origin} controller={controller} />;
    const document = (html: string) =>
      `<!doctype html><meta charset="utf-8"><title>whole</title><link rel="icon" href="data:,">` +
      `<script type="module" nonce="${nonce}" src="/page.js"></script><body><div id="app">${html}</div></body>`;
    const headers = {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'self'; img-src data:; script-src 'nonce-${nonce}'`,
    };
    if (pathname === "/stream") {
      return new Response((await renderPageToStream(render, { nonce, document })).body, { headers });
    }
    const { html, script } = await renderPage(render, { nonce, deadline: pathname === "/late" ? 300 : 10_000 });
    return new Response(document(html) + script, { headers });
  });
  return { server, asked, origin: `http://127.0.0.1:${server.addr.port}` };
}

async function open(browser: Browser, url: string, isPhone = false) {
  const page = await browser.newPage(isPhone ? { viewport: { width: 390, height: 780 } } : {});
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  await page.addInitScript(() => {
    document.addEventListener("DOMContentLoaded", () => {
      Object.assign(globalThis, { before: document.querySelector("#app p") });
    });
  });
  await page.goto(url);
  await page.waitForSelector("html.alive", { state: "attached" });
  await page.evaluate(() => new Promise((go) => requestAnimationFrame(() => setTimeout(go, 100))));
  return { page, said };
}
const html = `<main><b>Film 2</b><p id="film1">TEXT 1979</p><p id="filmslow">Film slow 1979</p>` +
  `<svg viewBox="0 0 10 10"><circle r="5" stroke-width="2"></circle></svg></main>`;

Deno.test("pages from a server, in a browser", async (t) => {
  const { server, asked, origin } = await startSite();
  await using browser = await launch();
  await using _ = server;

  for (const path of ["/whole", "/stream"]) {
    await t.step(`${path}: hydration asks for nothing, changes no element, and breaks no policy`, async () => {
      asked.length = 0;
      const { page, said } = await open(browser, origin + path);
      assertEquals(said, []);
      assertEquals(asked.sort(), ["1", "2", "slow"]);
      const seen = await page.evaluate((text) => ({
        html: document.querySelector("#app")!.innerHTML,
        text: document.querySelector("#film1")!.textContent === `${text} 1979`,
        isSame: document.querySelector("#film1") === (globalThis as unknown as { before: Element }).before,
        circle: document.querySelector("circle")!.namespaceURI,
        title: document.title,
        left: document.querySelectorAll("template").length,
      }), TEXT);
      assert(seen.text && seen.isSame, JSON.stringify(seen));
      assertEquals(seen.html.replace(/(?<="film1">).*(?= 1979<\/p><p)/s, "TEXT"), html);
      assertEquals([seen.circle, seen.title, seen.left], ["http://www.w3.org/2000/svg", "whole", 0]);
      await page.evaluate(() => (globalThis as unknown as { change(): void }).change());
      await page.waitForFunction(() => document.querySelector("#film1")!.textContent === "changed 1979");
      await page.close();
    });
  }

  await t.step("/late: what was not there in time is asked for by the browser, and only that", async () => {
    asked.length = 0;
    const { page, said } = await open(browser, `${origin}/late`);
    await page.waitForSelector("#filmslow");
    // On a slow machine other films may miss the deadline as well.
    assertEquals([said, asked.filter((id) => id === "slow").length], [[], 2]);
    assertEquals(await page.locator("#app i").count(), 0);
    await page.close();
  });

  await t.step(
    "the inspector takes a third of a phone at most, and is used by keyboard, under a strict policy",
    async () => {
      const { page, said } = await open(browser, `${origin}/whole`, true);
      await page.evaluate(() => void (globalThis as unknown as { inspect(): unknown }).inspect());
      const panel = page.locator("rejoin-inspector section"), box = (await panel.boundingBox())!;
      assert(box.height <= 780 / 3 && box.width === 390 && box.y + box.height === 780, JSON.stringify(box));
      await page.locator("rejoin-inspector button").first().focus();
      for (const key of ["Tab", "Tab", "Enter"]) await page.keyboard.press(key);
      await page.evaluate(() => (globalThis as unknown as { change(): void }).change());
      const run = page.locator("rejoin-inspector tr", { hasText: "Film 1" }).locator("button").first();
      await run.focus();
      const lit = (await page.locator("rejoin-inspector .light").boundingBox())!;
      const place = (await page.locator("#film1").boundingBox())!;
      assert(Math.abs(lit.x - place.x) < 2 && Math.abs(lit.y - place.y) < 2, JSON.stringify([lit, place]));
      await page.keyboard.press("Escape");
      assertEquals(await panel.count(), 0);
      assertEquals(
        await page.evaluate(() => document.querySelector("rejoin-inspector")!.shadowRoot!.activeElement?.textContent),
        "Rejoin",
      );
      assertEquals(said, []);
      await page.close();
    },
  );
});
