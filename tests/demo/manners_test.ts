/** The behaviour that users expect of any application: nothing that they entered is lost. */
import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { Cinema, type FilmJson } from "./cinema.ts";

const scrollOf = (page: Page, pane: string) => page.locator(`[data-scroll=${pane}]`).evaluate((one) => one.scrollTop);
const scrollTo = (page: Page, pane: string, top: number) =>
  page.locator(`[data-scroll=${pane}]`).evaluate((one, top) => one.scrollTop = top, top);
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute("data-turn") ?? "");

Deno.test("Cinema's manners", async (t) => {
  await using cinema = await Cinema.start();
  await using visit = await cinema.open("/films");
  const { page } = visit;
  const { results } = await cinema.films("");
  await visit.seesList(results.map(({ id }) => id));

  await t.step("while one types, the old rows stay", async () => {
    const answer = Promise.withResolvers<void>();
    await page.route("**/api/films?search=*", async (route) => {
      await answer.promise;
      await route.continue();
    });
    await page.fill("input[name=search]", "godfather");
    await page.locator(".scroll.waits[aria-busy=true]").waitFor();
    assertEquals(await visit.rows.count(), 24);
    assertEquals(await page.locator("[data-place=list] .bone").count(), 0);
    answer.resolve();
    await visit.seesList((await cinema.films("search=godfather")).results.map(({ id }) => id));
    assertEquals(await page.locator(".waits").count(), 0);
    await page.fill("input[name=search]", "");
    await visit.seesList(results.map(({ id }) => id));
    await page.unroute("**/api/films?search=*");
  });

  await t.step(
    "next, next, back: the focus stays on the button, the scroll comes back, and nothing is asked",
    async () => {
      await page.selectOption("[data-place=list] select[name=genre]", "western");
      const pages = await Promise.all([1, 2].map((number) => cinema.films(`genre=western&page=${number}`)));
      const ids = pages.map(({ results }) => results.map(({ id }) => id));
      await visit.seesList(ids[0]!);
      await scrollTo(page, "list", 500);
      await page.locator("[data-turn=next]").focus();
      await page.keyboard.press("Enter");
      await visit.seesList(ids[1]!);
      assertEquals(await scrollOf(page, "list"), 0);
      // There is no third page, so its button is disabled.
      assertEquals(await focused(page), "prev");
      const asked = visit.requests.length;
      await page.goBack();
      await visit.seesList(ids[0]!);
      await page.waitForFunction(() => document.querySelector("[data-scroll=list]")?.scrollTop === 500);
      await page.goForward();
      await visit.seesList(ids[1]!);
      await page.goBack();
      await visit.seesList(ids[0]!);
      assertEquals(visit.requests.slice(asked), []);
    },
  );

  await t.step("the order by one's own rating follows", async () => {
    await page.goto(new URL("/films?sort=-rating", cinema.server.url).href);
    await visit.rows.nth(23).waitFor();
    const last = Number(await visit.rows.nth(20).getAttribute("data-film"));
    await visit.row(last).locator("a").click();
    await page.locator(".film .stars label").nth(4).click();
    await page.waitForFunction(
      (id) => document.querySelector<HTMLElement>("[data-place=list] li[data-film]")?.dataset.film === id,
      String(last),
    );
    await visit.seesList((await cinema.films("sort=-rating")).results.map(({ id }) => id));
  });

  await t.step("what was deleted can be put back, with its number and its rating", async () => {
    const before = await visit.rows.first().getAttribute("data-film");
    const film = await cinema.ask<FilmJson>(`/api/films/${before}`);
    assertEquals(film.rating, 5);
    await page.getByRole("button", { name: "Delete this film" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("was deleted.").waitFor();
    await visit.row(film.id).waitFor({ state: "detached" });
    const isInList = () => document.activeElement?.closest("[data-place=list]") !== null;
    assertEquals(await page.evaluate(isInList), true, "the focus went with the film");
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByText("is back.").waitFor();
    await visit.row(film.id).getByLabel("You gave 5 of 5 stars").waitFor();
    assertEquals(await cinema.ask<FilmJson>(`/api/films/${film.id}`), film);
    await visit.seesList((await cinema.films("sort=-rating")).results.map(({ id }) => id));
  });

  await t.step("a form keeps what was typed, and leads to the first fault", async () => {
    visit.expectsFailures = true;
    await page.getByRole("link", { name: "Add a film" }).click();
    const form = page.locator(".new-film");
    await form.getByLabel("Director").fill("Jacques Tati");
    await form.getByLabel("Genre").selectOption("comedy");
    await page.locator(".brand").click();
    await form.waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Add a film" }).click();
    assertEquals(await form.getByLabel("Director").inputValue(), "Jacques Tati");
    assertEquals(await form.getByLabel("Genre").inputValue(), "comedy");
    await form.getByLabel("Title").fill("   ");
    await form.getByRole("button", { name: "Add it" }).click();
    await page.getByText("It must have 1 to 200 characters.").waitFor();
    const title = form.getByLabel("Title");
    assertEquals(await title.getAttribute("aria-invalid"), "true");
    assertEquals(await title.evaluate((field) => field === document.activeElement), true, "the focus fell");
    const says = await title.getAttribute("aria-describedby");
    assertEquals(await page.locator(`#${says}`).textContent(), "It must have 1 to 200 characters.");
    assertEquals(visit.problems.filter((problem) => !problem.includes("422")), []);
  });

  await t.step("the keyboard gets past the list in one step", async () => {
    await page.goto(cinema.server.url);
    await visit.rows.nth(23).waitFor();
    await page.keyboard.press("Tab");
    assertEquals(await page.evaluate(() => document.activeElement?.textContent), "Skip the list");
    await page.keyboard.press("Enter");
    assertEquals(await page.evaluate(() => document.activeElement?.id), "beside");
  });
});
