/** Cinema as a folder of files, on a host that knows nothing but files. */
import { assert, assertEquals } from "@std/assert";
import { extname } from "node:path";
import type { Page } from "playwright-core";
import { build } from "../../demo/build.ts";
import { launch } from "../support/browser.ts";
import { DESKTOP, Visit } from "./cinema.ts";

const TYPES: Record<string, string> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".map": "application/json",
  ".svg": "image/svg+xml",
};

/** A plain file server with the folder at `/some/where/`: a folder gets a slash and its index, the rest 404.html. */
function serveFiles(folder: URL): Deno.HttpServer<Deno.NetAddr> {
  const read = (path: string) => Deno.readFile(new URL(path, folder)).catch(() => undefined);
  return Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    const path = /^\/some\/where\/(.*)$/.exec(pathname)?.[1];
    if (request.method !== "GET" || path === undefined) return new Response("Only files", { status: 405 });
    const name = path === "" || path.endsWith("/") ? `${path}index.html` : path;
    const isFolder = name === path &&
      await Deno.stat(new URL(path, folder)).then((one) => one.isDirectory, () => false);
    if (isFolder) return new Response(null, { status: 301, headers: { location: `${pathname}/` } });
    const file = await read(name);
    const headers = { "content-type": TYPES[file ? extname(name) : ".html"] ?? "application/octet-stream" };
    return new Response(file ?? await read("404.html"), { status: file ? 200 : 404, headers });
  });
}

const seesWall = (page: Page) => page.waitForFunction(() => document.querySelectorAll(".tile").length >= 3_201);
const settled = (page: Page) => page.waitForFunction(() => document.querySelector(".pending") === null);
const stars = (page: Page, id: number) => page.locator(`.tile[data-film="${id}"] i`);

Deno.test("Cinema without a server", async (t) => {
  const folder = new URL(`file://${await Deno.makeTempDir({ prefix: "cinema-" })}/`);
  await build(folder);
  const server = serveFiles(folder);
  const browser = await launch();
  const home = `http://127.0.0.1:${server.addr.port}/some/where/`;
  const context = await browser.newContext({ viewport: DESKTOP });
  /** Asks the API as the page does. */
  const ask = (page: Page, path: string) =>
    page.evaluate((url) => fetch(url).then((answer) => answer.json()), home + path);
  const open = async (path: string, own = context): Promise<Visit> => {
    const page = await own.newPage();
    page.setDefaultTimeout(60_000);
    const visit = new Visit(page, home + path, "/some/where");
    await page.goto(visit.start);
    return visit;
  };
  try {
    await using here = await open("");
    const { page } = here;

    await t.step("the first page is there before any script, and its list asks for nothing", async () => {
      const html = await (await fetch(home)).text();
      assertEquals(html.match(/<li class="row" data-film/g)?.length, 24);
      await seesWall(page);
      await page.locator(".visit .live.on").waitFor();
      await page.locator("[aria-labelledby=best-rated] li[data-film]").first().waitFor();
      // What the list shows was there.
      assertEquals(here.requests.filter((request) => !/posters|directors|imdbRating/.test(request)), []);
      assertEquals(await page.locator("a[href^='.'], a[href^='/films']").count(), 0);
    });

    const ids = await here.rows.evaluateAll((rows) => rows.map((row) => Number(row.dataset.film)));
    const [first, second, third, fourth] = ids as [number, number, number, number];

    await t.step("a touch is a write to the worker: one poster, its row, its shelf", async () => {
      await page.locator(`.tile[data-film="${first}"]`).click();
      await here.row(first).getByLabel("You gave 1 of 5 stars").waitFor();
      await settled(page);
      await page.getByText("has one star, here and at the server.").waitFor();
      await page.locator(`[aria-labelledby=rated-by-you] [data-film="${first}"]`).waitFor();
      assertEquals((await ask(page, `api/films/${first}`)).rating, 1);
    });

    await t.step("the handle: refused, it falls back at the stars", async () => {
      here.expectsFailures = true;
      await page.locator(".handle input[value=refuses]").check({ force: true });
      await page.locator(".handle[data-mode=refuses]").waitFor();
      await page.locator(`.tile[data-film="${second}"]`).click();
      await page.getByText("was not rated: it has no stars, as before. The server refuses to write.").waitFor();
      await page.locator(".handle input[value=good]").check({ force: true });
    });

    await t.step("a second page of the same browser is live, both ways", async () => {
      const there = await open("visitor");
      await there.page.locator(".live.on").waitFor();
      await there.page.locator(`li[data-film="${second}"] .stars label`).nth(3).click();
      await here.row(second).getByLabel("You gave 4 of 5 stars").waitFor();
      await page.locator(`.tile[data-film="${third}"]`).click();
      await there.page.locator(`li[data-film="${third}"] .stars .on`).first().waitFor();
      await there.page.close();
    });

    await t.step(
      "a worker that was ended while idle: nothing is lost, and the stream goes on where it was",
      async () => {
        const there = await open("visitor");
        await there.page.locator(".live.on").waitFor();
        const devtools = await context.newCDPSession(page);
        await devtools.send("ServiceWorker.enable");
        const { connections } = here;
        await devtools.send("ServiceWorker.stopAllWorkers");
        await there.page.locator(`li[data-film="${fourth}"] .stars label`).nth(4).click();
        await here.row(fourth).getByLabel("You gave 5 of 5 stars").waitFor();
        assert(here.connections > connections, "the stream did not break");
        await there.page.close();
        assertEquals((await ask(page, `api/films/${first}`)).rating, 1);
      },
    );

    await t.step("another day: what was written is kept, and the page that was written before catches up", async () => {
      await page.locator(`.tile[data-film="${third}"]`).click();
      await settled(page);
      await page.reload();
      await here.row(first).getByLabel("You gave 1 of 5 stars").waitFor();
      await here.row(third).getByLabel("You gave 2 of 5 stars").waitFor();
      await seesWall(page);
      assertEquals(await stars(page, fourth).textContent(), "★★★★★");
    });

    await t.step("a film has an address, also on a host that knows none of it", async () => {
      await here.row(second).locator("a").click();
      await page.locator(`article[data-film="${second}"]`).waitFor();
      assertEquals(page.url(), `${home}films/${second}`);
      for (const viaWorker of [true, false]) {
        const other = await (viaWorker ? context : await browser.newContext()).newPage();
        await other.goto(page.url());
        await other.locator(`article[data-film="${second}"] .facts`).waitFor({ timeout: 60_000 });
        await other.close();
      }
    });

    await t.step("add, and delete with undo", async () => {
      await page.getByRole("link", { name: "Add a film" }).click();
      await page.locator(".new-film").getByLabel("Title").fill("Nowhere at all");
      await page.getByRole("button", { name: "Add it" }).click();
      await page.getByRole("heading", { level: 1, name: "Nowhere at all" }).waitFor();
      await page.getByText("3,202 films").waitFor();
      await page.getByRole("button", { name: "Delete this film" }).click();
      await page.getByRole("button", { name: "Delete", exact: true }).click();
      await page.getByText("3,201 films").waitFor();
      await page.getByRole("button", { name: "Undo", exact: true }).click();
      await page.getByText("3,202 films").waitFor();
    });

    await t.step("nothing but the failures that were asked for is in the console", () => {
      assertEquals(here.problems.filter((problem) => !/status of 403/.test(problem)), []);
    });
  } finally {
    await browser.close();
    await server.shutdown();
    await Deno.remove(folder, { recursive: true });
  }
});
