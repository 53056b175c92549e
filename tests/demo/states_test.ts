/** Each failure has a screen, and recovers without a reload. */
import { assertEquals } from "@std/assert";
import movies from "../../demo/data/movies.json" with { type: "json" };
import { startServer } from "../../demo/server.ts";
import { launch } from "../support/browser.ts";
import { Visit } from "./cinema.ts";

Deno.test("Cinema, where nothing is as it should be", async (t) => {
  // The genre stays when its only film is deleted.
  const films = movies.filter((film) => film["Major Genre"] === "Drama").slice(0, 1);
  const server = await startServer({ port: 0, database: ":memory:", films });
  await fetch(new URL("api/films/1", server.url), { method: "DELETE" });
  const browser = await launch();
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  const at = (path: string) => new URL(path, server.url).href;
  const send = async (method: string, path: string, body?: object): Promise<number> => {
    const answer = await fetch(at(path), {
      method,
      ...body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } },
    });
    return Number((await answer.json().catch(() => ({}))).id);
  };
  try {
    const visit = new Visit(page, server.url);
    let id = 0;

    await t.step("no film at all: it says so, and the first one that somebody adds is there by itself", async () => {
      await page.goto(server.url);
      await page.getByText("No film is in this list.").waitFor();
      await page.getByText("0 components on one page").waitFor();
      await page.getByText("None so far").waitFor();
      await page.locator(".live.on").waitFor();
      id = await send("POST", "/api/films", { title: "The first one", genre: "drama", rating: 3 });
      await visit.row(id).waitFor();
      await page.locator(`.tile[data-film="${id}"]`).waitFor();
      await page.getByText("1 component on one page").waitFor();
      assertEquals(visit.problems, []);
    });

    await t.step("deleted elsewhere while it is open, and put back: gone, and there again", async () => {
      await visit.row(id).locator("a").click();
      await page.locator(`article[data-film="${id}"]`).waitFor();
      await send("DELETE", `/api/films/${id}`);
      await page.getByText("It is not in the collection").waitFor();
      await page.getByText("No film is in this list.").waitFor();
      await send("PUT", `/api/films/${id}`, { title: "Back again" });
      await page.getByRole("heading", { level: 1, name: "Back again" }).waitFor();
      await visit.row(id).waitFor();
    });

    await t.step("a server that fails, and then does not: the list comes by itself", async () => {
      let isBroken = true;
      await page.route("**/api/films?sort=title", async (route) => {
        if (isBroken) await route.fulfill({ status: 500, json: { message: "The server made a mistake" } });
        else await route.continue();
      });
      await page.selectOption("[data-place=list] select[name=sort]", "title");
      await page.locator("[data-place=list]").getByText("This did not load").waitFor();
      isBroken = false;
      // Returning to the page or reconnecting fetches it again.
      await page.context().setOffline(true);
      await page.waitForFunction(() => !navigator.onLine);
      await page.context().setOffline(false);
      await visit.row(id).waitFor();
    });

    await t.step("an answer that takes its time: what was there stays, then it says so, then it is there", async () => {
      const answer = Promise.withResolvers<void>();
      await page.route("**/api/films?genre=drama*", async (route) => {
        await answer.promise;
        await route.continue();
      });
      await page.goto("about:blank");
      await page.route(at("/films?genre=drama"), async (route) => {
        const response = await route.fetch();
        // The page as if the server had not rendered it.
        const body = (await response.text()).replace(
          /<div id="app">.*<\/script>(?=\s*<noscript>)/s,
          `<div id="app"></div>`,
        );
        await route.fulfill({ response, body });
      });
      await page.goto(at("/films?genre=drama"));
      await page.locator("[data-place=list] [aria-busy=true]").first().waitFor();
      await page.waitForFunction(() => {
        const still = document.querySelector("[data-place=list] .still");
        return still !== null && getComputedStyle(still).opacity === "1";
      });
      answer.resolve();
      await page.getByText("No film here").waitFor();
      assertEquals(await page.locator("[data-place=list] .still").count(), 0);
    });
  } finally {
    await browser.close();
    await server.close();
  }
});
