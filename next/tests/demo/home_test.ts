/** What is below the stage, and what people expect of any application. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { Cinema, DESKTOP, type FilmJson, PHONE } from "./cinema.ts";
import { PNG } from "./screens.ts";

Deno.test("Cinema, below the stage", async (t) => {
  await using cinema = await Cinema.start();
  await using visit = await cinema.open("/");
  const { page } = visit;
  await page.waitForFunction(() => document.querySelectorAll(".tile").length === 3_201);
  const { results } = await cinema.films("");
  const [, second] = results as [FilmJson, FilmJson];
  await t.step("the list that the server has rendered asks for nothing", () => {
    // The page behind it is nothing that a server waits for when its time is up.
    assertEquals(visit.requests.filter((request) => /films$|genres/.test(request)), []);
  });

  for (const [name, viewport] of [["desktop", DESKTOP], ["phone", PHONE]] as const) {
    await t.step(`the first list is on the screen while every script is still under way, ${name}`, async () => {
      const sent = Promise.withResolvers<void>();
      let held = 0;
      await using other = await cinema.open("about:blank", viewport);
      await other.page.route("**/*.js", async (route) => {
        held++;
        await sent.promise;
        await route.continue();
      });
      await other.page.goto(new URL("/films", cinema.server.url).href, { waitUntil: "commit" });
      await other.rows.nth(23).waitFor();
      await other.page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length === 1);
      assert(held > 0);
      assertEquals(await other.page.evaluate(() => "__k" in document.querySelector("#app")!), false);
      sent.resolve();
      await other.page.waitForFunction(() => "__k" in document.querySelector("#app")!);
      assertEquals(other.requests.filter((request) => /films$|films\?page|genres/.test(request)), []);
      assertEquals(other.problems, []);
    });
  }

  await t.step("directors: the header leads from page to page", async () => {
    const names = page.locator("[aria-labelledby=directors] .chip");
    await names.nth(39).waitFor();
    assertEquals(await names.count(), 40);
    await page.getByRole("button", { name: "More directors" }).click();
    await names.nth(79).waitFor();
    assertEquals(new Set(await names.allInnerTexts()).size, 80);
    assertEquals(visit.requests.filter((request) => request.includes("directors")), [
      "GET /api/directors",
      "GET /api/directors?page=2",
    ]);
  });

  await t.step("the best: further on as one scrolls, each film once, no page twice", async () => {
    const cards = page.locator("[aria-labelledby=best-rated] li[data-film]");
    for (const count of [12, 24, 36]) {
      await cards.nth(count - 1).waitFor();
      await page.locator(".more-films").scrollIntoViewIfNeeded();
    }
    await visit.rests();
    const ids = await cards.evaluateAll((all) => all.map((one) => Number(one.dataset.film)));
    assertEquals(new Set(ids).size, ids.length);
    const expected = (await cinema.films(`sort=-imdbRating&perPage=100`)).results.map(({ id }) => id);
    assertEquals(ids.slice(0, 36), expected.slice(0, 36));
    const asked = visit.requests.filter((request) => request.includes("sort=-imdbRating"));
    assertEquals(asked.length, new Set(asked).size);
  });

  await t.step("twelve lines: each is checked code, and lights what it made", async () => {
    const lines = page.locator(".code li");
    await lines.first().waitFor();
    assertEquals(await lines.count(), 12);
    for (let line = 0; line < 12; line++) {
      await lines.nth(line).focus();
      await page.waitForFunction(() => document.querySelector(".lit") !== null);
      await lines.nth(line).blur();
      await page.waitForFunction(() => document.querySelector(".lit") === null);
    }
    assertMatch(await page.locator(".install").innerText(), /npm install @rejoin\/data/);
  });

  await t.step("a picture: who has not signed in is asked, and the upload goes on by itself", async () => {
    visit.expectsFailures = true;
    await visit.row(second.id).locator("a").click();
    const film = page.locator(`article[data-film="${second.id}"]`);
    const file = { name: "poster.png", mimeType: "image/png", buffer: PNG };
    const dialog = page.getByRole("dialog", { name: "Who are you?" });
    await film.locator("input[name=picture]").setInputFiles(file);
    await dialog.getByRole("button", { name: "Not now" }).click();
    await page.getByText("The picture was not taken. Sign in first").waitFor();
    await film.locator("input[name=picture]").setInputFiles(file);
    await dialog.getByLabel("Your name").fill("Ann");
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await film.locator(".poster img").waitFor();
    await visit.row(second.id).locator(".poster img").waitFor();
    assert(await film.locator(".poster img").evaluate((img: HTMLImageElement) => img.decode().then(() => true)));
    // Now it is known who it is.
    await film.getByText("Another picture …").waitFor();
    await film.locator("input[name=picture]").setInputFiles(file);
    await page.waitForFunction(() => document.querySelector<HTMLImageElement>(".film .poster img")?.src.endsWith("?2"));
    assertEquals(await dialog.count(), 0);
    const puts = visit.requests.filter((request) => request.endsWith("/poster") || request.endsWith("/session"));
    assertEquals(puts.map((request) => request.replace(/\d+/, ":id")), [
      "PUT /api/films/:id/poster",
      "PUT /api/films/:id/poster",
      "POST /api/session",
      "PUT /api/films/:id/poster",
      "PUT /api/films/:id/poster",
    ]);
  });

  await t.step("nothing else is in the console", () => {
    assertEquals(visit.problems.filter((problem) => !/status of (401|500)/.test(problem)), []);
  });
});
