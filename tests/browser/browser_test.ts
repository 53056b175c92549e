import { assert, assertEquals } from "@std/assert";
import type { Browser, Page } from "playwright-core";
import { launch } from "../support/browser.ts";
import { pageWith, scriptOf } from "../support/page.ts";
import { type Bundle, bundle, inPageOf } from "./_bundle.ts";
import type { TestPage } from "./_page.tsx";

/** Serves the pages, and films when the test releases them. */
class Site implements AsyncDisposable {
  /** The ids of films whose client disconnected before the response. */
  readonly left: string[] = [];
  /** The ids of the requested films. */
  readonly asked: string[] = [];
  readonly #answers = new Map<string, () => void>();
  readonly #changed: (() => void)[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(readonly bundles: ReadonlyMap<string, Bundle>) {
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      (request) => this.#handle(request),
    );
  }

  #handle(request: Request): Response | Promise<Response> {
    const { pathname } = new URL(request.url);
    const script = this.bundles.get(pathname.slice(1));
    if (script !== undefined) return scriptOf(script.code);
    if (!pathname.startsWith("/films/")) return pageWith(`${pathname}.tsx`);
    const id = pathname.slice("/films/".length);
    this.asked.push(id);
    const { promise, resolve } = Promise.withResolvers<Response>();
    let isAnswered = false;
    request.signal.addEventListener("abort", () => {
      if (!isAnswered) this.left.push(id);
      this.#tell();
      resolve(new Response());
    });
    this.#answers.set(id, () => {
      isAnswered = true;
      resolve(Response.json({ id, title: `Film ${id}` }));
    });
    this.#tell();
    return promise;
  }

  #tell(): void {
    for (const changed of this.#changed.splice(0)) changed();
  }

  /** Waits for a number of requests and of disconnected clients. */
  async until({ asked = 0, left = 0 }): Promise<void> {
    while (this.asked.length < asked || this.left.length < left) {
      await new Promise<void>((resolve) => this.#changed.push(resolve));
    }
  }

  answer(id: string): void {
    this.#answers.get(id)!();
  }

  async open(browser: Browser, name: string): Promise<Page & AsyncDisposable> {
    const context = await browser.newContext();
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const errors: unknown[] = [];
    page.on("pageerror", (error) => errors.push(error));
    await page.goto(`http://127.0.0.1:${this.#server.addr.port}/${name}`);
    await page.waitForSelector("main *", { state: "attached" });
    return Object.assign(page, {
      [Symbol.asyncDispose]: async () => {
        await context.close();
        assertEquals(errors, []);
      },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const answer of this.#answers.values()) answer();
    await this.#server.shutdown();
  }
}

const inPage = inPageOf<TestPage>();

Deno.test("in a browser", async (t) => {
  const bundles = await bundle("_page.tsx", "_compat_page.tsx");
  await using browser = await launch();

  await t.step(
    "a route that is left while it waits aborts its request on the server, and the next one is shown",
    async () => {
      await using site = new Site(bundles);
      await using page = await site.open(browser, "_page");
      await inPage(page, (test) => test.go("1"));
      await site.until({ asked: 1 });
      await page.waitForSelector("#wait");
      assert(await page.locator("form").isHidden());
      await inPage(page, (test) => test.go(undefined));
      await site.until({ left: 1 });
      await page.waitForSelector("#home");
      assertEquals(await page.locator("#wait").count(), 0);
      await inPage(page, (test) => test.go("2"));
      await site.until({ asked: 2 });
      site.answer("2");
      assertEquals(await page.locator("h1").textContent(), "Film 2");
      assertEquals(site.left, ["1"]);
    },
  );

  await t.step("a route that is left at once aborts its request on the server", async () => {
    await using site = new Site(bundles);
    await using page = await site.open(browser, "_page");
    await inPage(page, async (test) => {
      test.go("1");
      await Promise.resolve();
      test.go("2");
      await Promise.resolve();
      test.go("3");
    });
    while (!site.asked.includes("3")) await site.until({ asked: site.asked.length + 1 });
    site.answer("3");
    assertEquals(await page.locator("h1").textContent(), "Film 3");
    // Requests that are aborted before the browser sends them never reach the server.
    await site.until({ left: site.asked.length - 1 });
    assertEquals(site.left, site.asked.filter((id) => id !== "3"));
  });

  await t.step("the focus, the text and the state of what was hidden are there again", async () => {
    await using site = new Site(bundles);
    await using page = await site.open(browser, "_page");
    await page.click("#count");
    await page.fill("#name", "Ann");
    await inPage(page, (test) => test.go("1"));
    await site.until({ asked: 1 });
    await page.waitForSelector("#wait");
    await inPage(page, () => new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    assertEquals(await page.evaluate(() => document.activeElement === document.body), true);
    site.answer("1");
    await page.waitForSelector("h1");
    assertEquals(await page.evaluate(() => document.activeElement?.id), "name");
    assertEquals(await page.inputValue("#name"), "Ann");
    assertEquals(await page.textContent("#count"), "1");
  });

  await t.step(
    "an app without preact/compat keeps the meaning of onChange, and has none of it in its bundle",
    async () => {
      await using site = new Site(bundles);
      await using page = await site.open(browser, "_page");
      await page.locator("#name").pressSequentially("Ann");
      assertEquals(await inPage(page, ({ changes }) => [...changes]), []);
      await page.keyboard.press("Tab");
      assertEquals(await inPage(page, ({ changes }) => [...changes]), ["Ann"]);
      const { inputs } = bundles.get("_page.tsx")!;
      assert(inputs.some((file) => file.includes("preact/hooks")), inputs.join());
      assertEquals(inputs.filter((file) => file.includes("compat")), []);
    },
  );

  await t.step("of a hundred rows exactly those of what changed are rendered", async () => {
    await using site = new Site(bundles);
    await using page = await site.open(browser, "_page");
    await inPage(page, (test) => test.fill());
    assertEquals(await inPage(page, (test) => test.write("Film", "7", { title: "Seven" })), [1, 1]);
    assertEquals(await inPage(page, (test) => test.write("Genre", "g", { name: "Comedy" })), [12, 12]);
    assertEquals(await inPage(page, (test) => test.write("Film", "unseen", { title: "x" })), [0, 0]);
    assertEquals(await page.locator("li", { hasText: "Comedy" }).count(), 12);
  });

  await t.step("in an app with preact/compat, an AsyncBoundary catches before a Suspense above it", async () => {
    await using site = new Site(bundles);
    await using page = await site.open(browser, "_compat_page");
    await site.until({ asked: 1 });
    await page.waitForSelector("#wait");
    assertEquals(await page.locator("#suspense").count(), 0);
    await page.locator("#name").pressSequentially("Ann");
    // Shows that compat is active in this page.
    assertEquals(await inPage(page, ({ changes }) => [...changes]), ["A", "An", "Ann"]);
    site.answer("1");
    assertEquals(await page.locator("h1").textContent(), "Film 1");
    assertEquals(site.asked, ["1"]);
  });
});
