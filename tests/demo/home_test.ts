/** The part below the stage, and the behaviour that users expect of any application. */
import { assert, assertEquals } from "@std/assert";
import { Cinema, DESKTOP, type FilmJson, PHONE } from "./cinema.ts";
import { PNG } from "./screens.ts";

Deno.test("Cinema, below the stage", async (t) => {
  await using cinema = await Cinema.start();
  // The first page takes the server long. The others come well before its deadline.
  await (await fetch(cinema.server.url)).text();
  await using visit = await cinema.open("/");
  const { page } = visit;
  await page.waitForFunction(() => document.querySelectorAll(".tile").length === 3_201);
  const { results } = await cinema.films("");
  const [, second] = results as [FilmJson, FilmJson];
  await t.step("the list that the server has rendered asks for nothing", () => {
    // The browser may fetch the next page, which the server does not wait for at its deadline.
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
    // The user is signed in now, so the button has another text.
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
