// What a server has rendered, in a real browser: nothing is asked for again, nothing of the document changes.
import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import type { Browser, Page } from "playwright-core";
import type { Controller } from "@rejoin/data";
import { schema } from "@rejoin/data";
import { ControllerProvider } from "@rejoin/data/preact";
import { renderPage, renderPageToStream, stateScript } from "@rejoin/data/ssr";
import { launch } from "../support/browser.ts";
import { hostileController, hostileState } from "../support/hostile_state.ts";
import { runs } from "../support/property.ts";
import { bundle } from "./_bundle.ts";
import { App, Person } from "./_ssr_app.tsx";
import { Island, ISLANDS } from "./_ssr_islands.tsx";
import type { HydratedPage } from "./_ssr_page.tsx";

/** What would break out, or come out changed, if anything could. */
const TEXT =
  `</script><script>document.title="broken"</script><!-- <script> \u2028 \u0000 & " ' ]]> \ud83d\ude00 \ud800`;
/** Deeper than anybody nests on purpose, and less than the 512 elements at which parsers of HTML begin to flatten. */
const DEPTH = 200;

interface Reply {
  readonly id: string;
  readonly text: string;
  readonly by: unknown;
  readonly replies: readonly Reply[];
}

function threadOf(depth: number): Reply {
  let thread: Reply = { id: `c${depth}`, text: "the last", by: "gone", replies: [] };
  for (let at = depth - 1; at >= 0; at--) {
    thread = { id: `c${at}`, text: `Reply ${at} <b>&`, by: { id: "ada", name: "Ada" }, replies: [thread] };
  }
  return thread;
}

/** The API, the pages, and the script of the pages. */
class Site implements AsyncDisposable {
  /** What the API was asked. */
  readonly asked: string[] = [];
  readonly origin: string;
  /** When the slow one is answered, and how. */
  slow = Promise.resolve();
  answer: () => void = () => {};
  /** How long a page may take, in ms. */
  deadline = Infinity;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  /** Which script the pages have. */
  script = "_ssr_page.tsx";

  constructor(readonly scripts: ReadonlyMap<string, { readonly code: string }>) {
    this.#server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => this.#handle(request));
    this.origin = `http://127.0.0.1:${this.#server.addr.port}`;
  }

  #handle({ url }: Request): Response | Promise<Response> {
    const { pathname } = new URL(url);
    if (pathname === "/page.js") {
      return new Response(this.scripts.get(this.script)!.code, { headers: { "content-type": "text/javascript" } });
    }
    if (!pathname.startsWith("/api/")) return this.#page(pathname);
    this.asked.push(pathname);
    switch (pathname) {
      case "/api/comments":
        return Response.json([threadOf(DEPTH), { id: "x", text: "alone", by: null, replies: [] }]);
      case "/api/people/ada":
        return Response.json({ id: "ada", name: "Ada", born: "1815-12-10T00:00:00Z" });
      case "/api/people/bob":
        return Response.json({ id: "bob", name: "Bob" });
      case "/api/people/slow":
        return this.slow.then(() => Response.json({ id: "slow", name: "Slow" }));
      case "/api/text":
        return Response.json(TEXT);
    }
    return Response.json({ message: "nobody" }, { status: 404 });
  }

  async #page(path: string): Promise<Response> {
    const nonce = crypto.randomUUID();
    let isFirst = true;
    const render = (controller: Controller) => {
      if (isFirst) controller.set(new schema.Invalidate(Person), { id: "gone" });
      isFirst = false;
      if (path !== "/islands") return <App origin={this.origin} path={path} controller={controller} />;
      return (
        <ControllerProvider controller={controller}>
          {ISLANDS.map((id) => (
            <article key={id}>
              <h2>static</h2>
              <div data-island={id}>
                <Island origin={this.origin} id={id} />
              </div>
            </article>
          ))}
        </ControllerProvider>
      );
    };
    const options = { nonce, deadline: this.deadline };
    const headers = {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'self'; img-src data:; script-src 'nonce-${nonce}'`,
    };
    const documentOf = (html: string) =>
      `<!doctype html><meta charset="utf-8"><title>whole</title><link rel="icon" href="data:,">` +
      `<script type="module" nonce="${nonce}" src="/page.js"></script><body><div id="app">${html}</div></body>`;
    if (path === "/stream") {
      const { body, status } = await renderPageToStream(render, { ...options, document: documentOf });
      return new Response(body, { headers: { ...headers, "x-status": String(status) } });
    }
    const { html, script, status } = await renderPage(render, options);
    // Browsers say in the console when it is the status of the page itself.
    return new Response(documentOf(html) + script, { headers: { ...headers, "x-status": String(status) } });
  }

  async open(browser: Browser, path: string, isLater?: (page: Page) => Promise<void>) {
    // One that a test has left open goes on asking.
    for (const context of browser.contexts()) await context.close();
    const page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    const said: string[] = [];
    page.on("console", (message) => said.push(message.text()));
    page.on("pageerror", (error) => said.push(String(error)));
    await page.addInitScript(() => {
      const violations: string[] = [];
      Object.assign(globalThis, { violations });
      document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
        violations.push(`${violatedDirective} ${blockedURI}`);
      });
    });
    const response = await page.goto(this.origin + path, { waitUntil: "commit" });
    await isLater?.(page);
    await page.waitForLoadState();
    // Effects have run, and a request that one of them makes has left.
    await page.waitForSelector("html.alive", { state: "attached" });
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))));
    const asked = this.asked.splice(0);
    return Object.assign(page, { status: Number(response!.headers()["x-status"]), asked, said });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.answer();
    await this.#server.shutdown();
  }
}

const hydrated = () => (globalThis as unknown as { hydrated: HydratedPage }).hydrated;

const scripts = await bundle(
  "_ssr_page.tsx",
  "_ssr_compat_page.tsx",
  "_ssr_islands_page.tsx",
  "_ssr_compat_islands_page.tsx",
);

Deno.test("what a server has rendered, in a browser", async (t) => {
  await using site = new Site(scripts);
  // It is closed first: a server waits for those who have not read all of a page.
  await using browser = await launch();

  await t.step("hydration asks for nothing and changes nothing, under a strict policy", async () => {
    const page = await site.open(browser, "/");
    assertEquals(page.asked.toSorted(), [
      "/api/comments",
      "/api/people/ada",
      "/api/people/bob",
      "/api/people/none",
      "/api/text",
    ]);
    assertEquals(site.asked, []);
    assertEquals(await page.evaluate(hydrated), { changes: [], violations: [] });
    assertEquals([page.said, page.status, await page.title()], [[], 404, "whole"]);
    assertEquals(await page.locator("h1").textContent(), "Ada, born 1815");
    assertEquals(await page.locator("p").allTextContents(), ["Bob", "NetworkError", "deleted"]);
    await page.locator("main > .count").click();
    assertEquals(await page.locator("main > .count").textContent(), "1");
    await page.close();
  });

  await t.step(
    "what an error boundary shows is made anew, and what it failed with is not asked for again",
    async () => {
      const page = await site.open(browser, "/failing");
      assertEquals([page.status, page.asked.length], [404, new Set(page.asked).size]);
      const { changes, violations } = await page.evaluate(hydrated);
      assertEquals([violations, page.said], [[], []]);
      // Preact gives up what is in the same element when a component fails while it is hydrated.
      assert(
        changes.length > 0 && changes.every((change) => change.startsWith("childList SECTION")),
        changes.join("\n"),
      );
      assertEquals(await page.locator("section").innerText(), "Failing\nNetworkError0");
      await page.locator("section .count").click();
      assertEquals(await page.locator("section").innerText(), "Failing\nNetworkError1");
      await page.close();
    },
  );

  for (const compat of [false, true]) {
    const withCompat = compat ? ", with preact/compat" : "";

    await t.step(
      `what was not there in time is asked for by the browser, once, and shown in its place${withCompat}`,
      async () => {
        site.script = compat ? "_ssr_compat_page.tsx" : "_ssr_page.tsx";
        ({ promise: site.slow, resolve: site.answer } = Promise.withResolvers<void>());
        site.deadline = 1_500;
        const page = await site.open(browser, "/late");
        assertEquals(page.asked.filter((path) => path === "/api/people/slow").length, 2);
        const { changes, violations } = await page.evaluate(hydrated);
        assertEquals([violations, page.said, await page.locator(".wait").count()], [[], [], 1]);
        assert(await page.locator(".wait").isVisible());
        assert(await page.locator(".beside").isHidden());
        // What was there is not touched: what waits is mounted before its fallback, and hidden.
        assert(changes.every((change) => /^(childList MAIN|attributes P style) /.test(change)), changes.join("\n"));
        assert(!changes.some((change) => change.includes("H1")), changes.join("\n"));
        site.answer();
        await page.waitForSelector(".slow");
        assertEquals(await page.locator(".wait").count(), 0);
        assertEquals(await page.locator(".beside, .slow, .inside").allTextContents(), ["beside", "Slow 0", "inside"]);
        assert(await page.locator(".beside").isVisible());
        await page.locator(".slow").click();
        assertEquals(await page.locator(".slow").textContent(), "Slow 1");
        assertEquals(site.asked, []);
        await page.close();
      },
    );

    await t.step(`15. each of several islands has what was there, and asks for what was not${withCompat}`, async () => {
      site.script = compat ? "_ssr_compat_islands_page.tsx" : "_ssr_islands_page.tsx";
      ({ promise: site.slow, resolve: site.answer } = Promise.withResolvers<void>());
      site.deadline = 1_500;
      const page = await site.open(browser, "/islands");
      // The server has asked for each of three, and the browser for the one that it has not got.
      assertEquals(page.asked.toSorted(), ["ada", "bob", "slow", "slow"].map((id) => `/api/people/${id}`));
      const texts = () =>
        page.locator("[data-island]").evaluateAll((all) => all.map((it) => (it as HTMLElement).innerText));
      assertEquals([page.said, await texts()], [[], ["adaAda 0", "Wait …", "bobBob 0", "Wait …"]]);
      // What the server has sent is what is there, and what is hidden beside it.
      assertEquals(await page.locator(".wait").count(), 2);
      await page.locator(".bob").click();
      site.answer();
      await page.waitForFunction(() => document.querySelectorAll("button.slow").length === 2);
      await page.locator("button.slow").last().click();
      assertEquals(await texts(), ["adaAda 0", "slowSlow 0", "bobBob 1", "slowSlow 1"]);
      assertEquals([await page.locator(".wait").count(), site.asked, page.said], [0, [], []]);
      await page.close();
    });
  }
  site.script = "_ssr_page.tsx";

  await t.step("a page that comes part by part is hydrated as if it had come at once", async () => {
    ({ promise: site.slow, resolve: site.answer } = Promise.withResolvers<void>());
    site.deadline = Infinity;
    const page = await site.open(browser, "/stream", async (page) => {
      // The rest of the page is there before the slow part is.
      await page.waitForSelector(".row-wait, circle.wait", { state: "attached" });
      assertEquals(await page.locator("h1").textContent(), "Ada, born 1815");
      assertEquals(await page.locator("html.alive").count(), 0);
      site.answer();
    });
    assertEquals([page.asked.length, page.said], [new Set(page.asked).size, []]);
    assertEquals(await page.evaluate(hydrated), { changes: [], violations: [] });
    const found = await page.evaluate(() => ({
      row: document.querySelector("table > tbody > tr > td.row")?.textContent,
      circle: document.querySelector("svg > circle")?.namespaceURI,
      templates: document.querySelectorAll("template, script:not([type])").length,
      comments: document.querySelector("#app")!.innerHTML.includes("<!--"),
      swap: "$rejoin" in globalThis,
    }));
    const circle = "http://www.w3.org/2000/svg";
    assertEquals(found, { row: "Slow", circle, templates: 0, comments: false, swap: false });
    await page.locator("main > .count").click();
    assertEquals(await page.locator("main > .count").textContent(), "1");
    await page.close();
  });

  await t.step("nothing in the data breaks out of its element, as the browser reads it", async () => {
    const page = await browser.newPage();
    const count = runs(300, 10_000);
    for (let done = 0; done < count; done += 100) {
      const scripts = fc.sample(hostileState, 100).map((state) => stateScript(hostileController(state)));
      const bad = await page.evaluate((scripts) =>
        scripts.filter((script) => {
          const { head, body } = new DOMParser().parseFromString(
            `<!doctype html><body>${script}<b>after</b>`,
            "text/html",
          );
          const [element, after] = body.children;
          if (head.childNodes.length + body.childNodes.length !== 2 || after?.outerHTML !== "<b>after</b>") return true;
          return element!.outerHTML !== script || JSON.parse(element!.textContent!).version === undefined;
        }), scripts);
      assertEquals(bad, []);
    }
    await page.close();
  });
});
