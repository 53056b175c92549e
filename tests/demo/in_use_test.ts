/** What the page does to fingers: nothing moves under one's hand. */
import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { Cinema, DESKTOP, PHONE } from "./cinema.ts";
import { seesFilm, seesHome } from "./screens.ts";
import { takeShifts, watchShifts } from "./shifts.ts";

Deno.test("Cinema in use: nothing moves under one's hand", async (t) => {
  await using cinema = await Cinema.start();
  const { results } = await cinema.films("");
  const ids = results.map(({ id }) => id);
  for (const [width, viewport] of [["desktop", DESKTOP], ["phone", PHONE]] as const) {
    await using visit = await cinema.open("about:blank", viewport);
    // The browser reports each failure that the handle makes.
    visit.expectsFailures = true;
    const { page } = visit;
    await page.addInitScript(watchShifts);
    const goTo = async (path: string, arrive: (page: Page) => Promise<void>): Promise<void> => {
      await page.goto(new URL(path, cinema.server.url).href);
      await arrive(page);
      assertEquals(await takeShifts(visit), []);
    };
    const step = (what: string, act: () => Promise<unknown>) =>
      t.step(`${width}: ${what}`, async () => {
        await act();
        assertEquals(await takeShifts(visit), []);
      });
    /** What somebody opens needs room: what is below goes down, at once, and then nothing moves. */
    const opens = (what: string, act: () => Promise<unknown>) =>
      t.step(`${width}: ${what}`, async () => {
        await act();
        const shifts = await takeShifts(visit);
        assertEquals(shifts.filter(({ isAnswer }) => !isAnswer), []);
      });
    const touch = (place: number) => page.locator(`.tile[data-film="${ids[place]}"]`).click();
    const settled = () => page.waitForFunction(() => document.querySelector(".pending") === null);
    const turn = async (mode: string) => {
      const turned = page.waitForResponse((response) => response.url().endsWith("/api/server"));
      await page.locator(`.handle input[value=${mode}]`).check({ force: true });
      await turned;
    };
    const button = (name: string) => page.getByRole("button", { name, exact: true });

    await goTo("/", seesHome);
    await step("posters are touched", async () => {
      for (const place of [0, 1]) {
        await touch(place);
        await settled();
      }
    });
    await step("the server is slow", async () => {
      await turn("slow");
      for (const place of [2, 3, 4]) await touch(place);
      await settled();
    });
    await step("the server refuses", async () => {
      await turn("refuses");
      await touch(3);
      await page.locator(".touched.fell").waitFor();
      await turn("good");
      await button("Try again").click();
      await settled();
    });
    await step("the server is off", async () => {
      await turn("off");
      await touch(4);
      await page.locator(".touched.fell").waitFor();
      await turn("good");
    });
    await step("a genre gets another name, and back", async () => {
      await button("Rename Western").click();
      await button("Rename Horse opera").click();
      await button("Rename Western").waitFor();
    });
    await step("without Rejoin, and with it again", async () => {
      for (const isPlain of [true, false]) {
        await page.getByRole("switch", { name: "Without Rejoin" }).setChecked(isPlain);
        await page.waitForFunction(
          (isPlain) =>
            document.querySelectorAll(".tile").length === 3_201 &&
            document.querySelector(".tile[data-renders]") !== null &&
            document.querySelector<HTMLInputElement>(".tries input")?.checked === isPlain,
          isPlain,
        );
      }
    });
    await opens("a second visitor comes, rates, and goes", async () => {
      await button("Let a second visitor in").click();
      const pane = page.frameLocator("iframe");
      await pane.getByRole("button", { name: "Rate six films" }).click();
      // Which of the six it is just at depends on how busy the machine is.
      await pane.getByRole("button", { name: /^Rates \d more/ }).waitFor();
      await pane.getByRole("button", { name: "Rate six films" }).waitFor();
      await button("Send the second visitor away").click();
    });
    await opens("what happened is played again", async () => {
      await button("Record").click();
      await page.locator(`.tile[data-film="${ids[2]}"]`).evaluate((tile: HTMLElement) => tile.click());
      await settled();
      await button("Play that again, slowly").click();
      await page.getByText("That was all.").waitFor();
    });
    await step("the best come page by page as one scrolls", async () => {
      const cards = page.locator("[aria-labelledby=best-rated] li[data-film]");
      await page.locator(".detail-pane").hover();
      while (await cards.count() < 36) {
        await page.mouse.wheel(0, 400);
        await visit.rests();
      }
    });

    await goTo(`/films/${ids[5]}`, seesFilm);
    await step("a film gets stars, and loses them", async () => {
      await page.locator(".film .stars label").nth(2).click();
      await settled();
      await button("Clear").click();
      await settled();
    });
    await opens("a title is edited, a film is almost deleted", async () => {
      await button("Edit the title").click();
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Delete this film" }).click();
      await button("Keep it").click();
    });

    await goTo("/films", (page) => page.locator("[data-place=list] li[data-film]").first().waitFor());
    await step("pages are turned", async () => {
      await page.locator("[data-turn=next]").click();
      await visit.seesList((await cinema.films("page=2")).results.map(({ id }) => id));
      await page.locator("[data-turn=prev]").click();
      await visit.seesList(ids);
    });
    await step("the list is another one, with films of the one before", async () => {
      await page.selectOption("[data-place=list] select[name=sort]", "-imdbRating");
      await visit.seesList((await cinema.films("sort=-imdbRating")).results.map(({ id }) => id));
      await page.selectOption("[data-place=list] select[name=genre]", "drama");
      await visit.seesList((await cinema.films("sort=-imdbRating&genre=drama")).results.map(({ id }) => id));
    });
    await step("something is searched, and not found", async () => {
      await page.fill("input[name=search]", "the");
      await visit.seesList(
        (await cinema.films("sort=-imdbRating&genre=drama&search=the")).results.map(({ id }) => id),
      );
      await page.fill("input[name=search]", "zzzz");
      await page.locator("[data-place=list] .empty").waitFor();
      await page.getByRole("link", { name: "Show all films" }).click();
      await visit.seesList(ids);
    });
    await step("a film is opened from the list, and left", async () => {
      await visit.rows.nth(1).locator("a").click();
      await seesFilm(page);
      await page.goBack();
      await visit.seesList(ids);
    });
    assertEquals(visit.problems.filter((problem) => !/status of (403|503)/.test(problem)), []);
  }
});
