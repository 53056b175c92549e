import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { Cinema, DESKTOP, type FilmJson, PHONE, type Visit } from "./cinema.ts";

const WALL = 3_201;

/** Waits for all posters of the wall, and returns them. */
async function seesWall(page: Page): Promise<void> {
  await page.waitForFunction((all) => document.querySelectorAll(".tile").length >= all, WALL);
}

const tile = (page: Page, id: number) => page.locator(`.tile[data-film="${id}"]`);

/** The number of renderings that the page shows after a change. */
async function costOf(page: Page, change: () => Promise<void>): Promise<number> {
  const cost = page.locator(".cost");
  const before = await cost.getAttribute("data-renders");
  await change();
  await page.locator(`.cost:not([data-renders="${before}"])`).waitFor();
  return Number(await cost.getAttribute("data-runs"));
}

/** How often each poster has rendered, as it counts itself. */
async function tileRuns(page: Page): Promise<Map<string, number>> {
  return new Map(
    await page.locator(".tile").evaluateAll((all) =>
      all.map((tile) => [tile.getAttribute("data-film") ?? "", Number(tile.getAttribute("data-renders"))] as const)
    ),
  );
}

/** The colour of a name in the design. */
async function colour(page: Page, name: string): Promise<string> {
  return await page.evaluate((name) => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = `var(--${name})`;
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }, name);
}

async function turn(page: Page, mode: string): Promise<void> {
  const turned = page.waitForResponse((response) => response.url().endsWith("/api/server"));
  await page.locator(`.handle input[value=${mode}]`).check({ force: true });
  await turned;
}

/** Clicks faster than the server can answer. */
async function clickAll(page: Page, selectors: readonly string[]): Promise<void> {
  await page.evaluate((selectors) => {
    for (const selector of selectors) document.querySelector<HTMLElement>(selector)?.click();
  }, selectors);
}

const tileOf = ({ id }: FilmJson) => `.tile[data-film="${id}"]`;

const settled = (page: Page) => page.waitForFunction(() => document.querySelector(".pending") === null);

/** The requests of a visit since an earlier moment. */
const since = (visit: Visit, start: number) => visit.requests.slice(start);

Deno.test("Cinema, the stage", async (t) => {
  await using cinema = await Cinema.start();
  const { results } = await cinema.films("");
  const [first, second, third, fourth] = results as [FilmJson, FilmJson, FilmJson, FilmJson];
  await using shared = await cinema.open("/");
  const { page: stage } = shared;
  await seesWall(stage);

  await t.step(
    "the wall: a touch runs one poster of 3,201, lights its row and its shelf, and is one request",
    async () => {
      const [visit, page] = [shared, stage];
      assertMatch(await page.locator("h1").innerText(), /^3,201 components on one page/);
      const before = await tileRuns(page);
      const asked = visit.requests.length;
      assertEquals(await costOf(page, () => tile(page, first.id).click()), 1);
      await settled(page);
      assertEquals(since(visit, asked), [`PATCH /api/films/${first.id}`]);
      // The poster is still under the pointer, so it keeps its picture.
      const picture = tile(page, first.id).evaluate((one) => getComputedStyle(one).backgroundImage);
      assertMatch(await picture, /gradient/);
      const after = await tileRuns(page);
      // One rendering for the click and one for the reply.
      assertEquals([...after].filter(([id, runs]) => runs !== before.get(id)), [[String(first.id), 3]]);
      await visit.row(first.id).getByLabel("You gave 1 of 5 stars").waitFor();
      await page.locator(`[aria-labelledby=rated-by-you] [data-film="${first.id}"]`).waitFor();
      await page.getByText("has one star, here and at the server.").waitFor();
      assertEquals((await cinema.ask<FilmJson>(`/api/films/${first.id}`)).rating, 1);
    },
  );

  await t.step("the wall: a film that no list has brought shows its star before the server answers, too", async () => {
    const page = stage;
    const id = Number(await page.locator(".tile").last().getAttribute("data-film"));
    assertEquals(await costOf(page, () => tile(page, id).evaluate((tile) => (tile as HTMLElement).click())), 1);
    await settled(page);
    await page.getByText("has one star, here and at the server.").waitFor();
    assertEquals((await cinema.ask<FilmJson>(`/api/films/${id}`)).rating, 1);
  });

  await t.step("the wall: a genre of 36 is one record", async () => {
    const page = stage;
    assertEquals(await costOf(page, () => page.getByRole("button", { name: "Rename Western" }).click()), 36);
    assertEquals((await page.locator(".marks-of-runs path").getAttribute("d"))?.match(/M/g)?.length, 36);
    await page.getByRole("button", { name: "Rename Horse opera" }).waitFor();
    await page.waitForFunction(() =>
      fetch("/api/genres/western").then((r) => r.json()).then((g) => g.name !== "Western")
    );
    assertEquals(await costOf(page, () => page.getByRole("button", { name: "Rename Horse opera" }).click()), 36);
    await page.getByRole("button", { name: "Rename Western" }).waitFor();
  });

  await t.step("slow, then failing once: all show at once as pending, exactly one falls back", async () => {
    const page = stage;
    await turn(page, "slow");
    // A browser has six connections to a server: these four, the stream of events, and one for the handle.
    const films = results.slice(4, 8);
    const stars = films.map(({ rating }) => rating ?? 0);
    const pending = await colour(page, "pending");
    // All of it runs in the page, because two seconds are too short for a test from outside.
    const seen = await page.evaluate(async (ids) => {
      // The message is shown for some seconds only.
      new MutationObserver((changes) => {
        if (changes.some(({ target }) => (target as Element).matches(".tile[data-fell]"))) {
          Object.assign(globalThis, { hasFallen: true });
        }
      }).observe(document.body, { subtree: true, attributeFilter: ["data-fell"] });
      for (const id of ids) document.querySelector<HTMLElement>(`.tile[data-film="${id}"]`)?.click();
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const given = ids.map((id) => document.querySelector(`[data-place=list] li[data-film="${id}"] .given`));
      const colours = given.map((stars) => stars && getComputedStyle(stars).color);
      const tiles = document.querySelectorAll(".tile.pending").length;
      document.querySelector<HTMLElement>(".handle input[value=fails]")?.click();
      return { colours, tiles };
    }, films.map(({ id }) => id));
    assertEquals(seen, { colours: films.map(() => pending), tiles: 4 });
    await page.waitForFunction(() => "hasFallen" in globalThis);
    await settled(page);
    const now = await Promise.all(films.map(({ id }) => cinema.ask<FilmJson>(`/api/films/${id}`)));
    const kept = now.filter(({ rating }, index) => rating === (stars[index] ?? 0) + 1).length;
    assertEquals(kept, 3, "not exactly one write was refused");
    for (const film of now) {
      const label = film.rating === null ? "no stars" : film.rating === 1 ? "1 star" : `${film.rating} stars`;
      assertMatch(await tile(page, film.id).getAttribute("aria-label") ?? "", new RegExp(`${label}$`));
    }
    // The message names the film whose rating was refused.
    const refused = now.find(({ rating }, index) => rating !== (stars[index] ?? 0) + 1);
    assertEquals(await page.locator(".touched.fell a").innerText(), refused?.title);
    // The handle turns back by itself.
    await page.locator(".handle[data-mode=good]").waitFor();
  });

  await t.step("reordered answers: the page shows what was touched, throughout", async () => {
    const page = stage;
    await turn(page, "reorders");
    const films = results.slice(10, 14);
    const answered: number[] = [];
    page.on("response", (response) => {
      const film = films.findIndex(({ id }) => response.url().endsWith(`/api/films/${id}`));
      if (film >= 0) answered.push(film);
    });
    await clickAll(page, films.map(tileOf));
    await page.evaluate((ids) => {
      const seen: number[] = [];
      const look = () => {
        seen.push(ids.filter((id) => document.querySelector(`.tile[data-film="${id}"] i`)?.textContent === "★").length);
        requestAnimationFrame(look);
      };
      look();
      Object.assign(globalThis, { seen });
    }, films.map(({ id }) => id));
    await settled(page);
    assertEquals(answered.toSorted(), [0, 1, 2, 3]);
    assert(answered.join() !== "0,1,2,3", "nothing was reordered");
    assertEquals([...new Set(await page.evaluate(() => (globalThis as unknown as { seen: number[] }).seen))], [4]);
  });

  await t.step("the wall without Rejoin: everything runs, the picture is the same", async () => {
    const page = stage;
    const picture = () =>
      page.locator(".tile").evaluateAll((all) => all.map((one) => `${one.getAttribute("style")}${one.textContent}`));
    const ours = await picture();
    const loaded = page.waitForResponse((response) => response.url().endsWith("/api/posters"));
    await page.getByRole("switch", { name: "Without Rejoin" }).check();
    await loaded;
    await seesWall(page);
    assertEquals(await picture(), ours);
    assertEquals(await costOf(page, () => tile(page, second.id).click()), WALL);
    await page.waitForFunction(
      (id) => fetch(`/api/films/${id}`).then((r) => r.json()).then((film) => film.rating === 1),
      second.id,
    );
    await page.getByRole("switch", { name: "Without Rejoin" }).uncheck();
    await page.waitForFunction(() => document.querySelector(".cost")?.getAttribute("data-runs") === null);
    await seesWall(page);
  });

  for (const [name, viewport] of [["desktop", DESKTOP], ["phone", PHONE]] as const) {
    await t.step(`${name}: refused at the stars themselves, in words, and tried again`, async () => {
      await using visit = await cinema.open("/", viewport);
      visit.expectsFailures = true;
      const { page } = visit;
      await seesWall(page);
      await turn(page, "refuses");
      await tile(page, third.id).click();
      await page.getByText("was not rated: it has no stars, as before. The server refuses to write.").waitFor();
      assertEquals(await page.locator(".tile.pending").count(), 0);
      assert(await tile(page, third.id).getAttribute("aria-label").then((label) => label?.endsWith("no stars")));

      await page.locator(".touched a").click();
      await page.getByText("Your rating was not kept").waitFor();
      assertEquals(await page.locator(".stars .on").count(), 0);
      assertEquals(await page.locator(".stars input:checked").count(), 0);
      await page.locator(".stars label").nth(3).click();
      await page.locator(".rate .fell button").waitFor();
      await page.goBack();
      await turn(page, "good");
      await page.goForward();
      await page.getByRole("button", { name: "Try again" }).click();
      await page.getByText("Your rating was not kept").waitFor({ state: "detached" });
      await settled(page);
      assertEquals(await page.locator(".stars .on").count(), 4);
      assertEquals((await cinema.ask<FilmJson>(`/api/films/${third.id}`)).rating, 4);
      await page.getByRole("button", { name: "Clear" }).click();
      await settled(page);
      assertEquals(
        await page.evaluate(() => document.activeElement?.closest(".stars") !== null),
        true,
        "the focus fell",
      );
      assertEquals(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
    });
  }

  await t.step("six quick clicks on the stars: sent in turn, the last counts, and no list is read twice", async () => {
    await using visit = await cinema.open(`/films/${fourth.id}?sort=-rating`);
    const { page } = visit;
    await visit.rows.nth(23).waitFor();
    await page.locator(".stars").waitFor();
    await visit.rests();
    const asked = visit.requests.length;
    await clickAll(page, [1, 2, 3, 4, 5, 2].map((star) => `.stars input[value="${star}"]`));
    await page.waitForFunction(() => document.querySelectorAll(".stars .on").length === 2);
    await settled(page);
    await visit.rests();
    const made = since(visit, asked);
    assertEquals(made.slice(0, 6), Array(6).fill(`PATCH /api/films/${fourth.id}`));
    const reads = made.slice(6);
    assertEquals(reads.length, new Set(reads).size, made.join("\n"));
    await visit.seesList((await cinema.films("sort=-rating")).results.map(({ id }) => id));
    assertEquals((await cinema.ask<FilmJson>(`/api/films/${fourth.id}`)).rating, 2);
  });

  await t.step(
    "a server that is off: everything that is shown stays, and what did not load can be tried again",
    async () => {
      await using visit = await cinema.open("/");
      visit.expectsFailures = true;
      const { page } = visit;
      await seesWall(page);
      await turn(page, "off");
      await page.selectOption("[data-place=list] select[name=genre]", "western");
      await page.getByText("The server is off.").first().waitFor();
      assertEquals(await page.locator(".tile").count(), WALL);
      await turn(page, "good");
      await page.getByRole("button", { name: "Try again" }).first().click();
      await visit.seesList((await cinema.films("genre=western")).results.map(({ id }) => id));
    },
  );

  await t.step("an added film is never a row without an address", async () => {
    await using visit = await cinema.open("/new?sort=title");
    const { page } = visit;
    await visit.rows.nth(23).waitFor();
    const answer = Promise.withResolvers<void>();
    await page.route("**/api/films", async (route) => {
      if (route.request().method() === "POST") await answer.promise;
      await route.continue();
    });
    const form = page.locator(".new-film");
    await form.getByLabel("Title").fill("21 Zebras");
    await form.getByRole("button", { name: "Add" }).click();
    await form.getByRole("button", { name: "Adding …" }).waitFor();
    assertEquals(await page.getByText("21 Zebras").count(), 0);
    assertEquals(await page.locator("a[href*='~'], [data-film*='~']").count(), 0);
    answer.resolve();
    await page.getByRole("heading", { level: 1, name: "21 Zebras" }).waitFor();
    const id = Number(new URL(page.url()).pathname.split("/")[2]);
    await visit.seesList((await cinema.films("sort=title")).results.map(({ id }) => id));
    await page.locator(".brand").click();
    await page.waitForFunction((all) => document.querySelectorAll(".tile").length === all, WALL + 1);
    assertEquals(await tile(page, id).getAttribute("title"), "21 Zebras");
  });

  await t.step("by keyboard: one stop for the tab key, arrows, Enter", async () => {
    const page = stage;
    await page.locator(".wall").focus();
    for (const key of ["ArrowDown", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
    const focused = page.locator(".tile:focus");
    const label = await focused.getAttribute("aria-label") ?? "";
    await page.keyboard.press("Enter");
    const next = label.endsWith("no stars") ? "1 star" : `${Number(/(\d) stars?$/.exec(label)?.[1]) + 1} stars`;
    await page.locator(`.tile[aria-label="${label.replace(/no stars$|\d stars?$/, next)}"]:focus`).waitFor();
    await settled(page);
    await page.keyboard.press("Tab");
    assertEquals(await page.evaluate(() => document.activeElement?.closest(".wall")), null, "the wall is a trap");
  });

  await t.step("nothing but the failures that were asked for is in the console", () => {
    assertEquals(shared.problems.filter((problem) => !/status of 5\d\d/.test(problem)), []);
    shared.expectsFailures = true;
  });
});
