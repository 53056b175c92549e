import { assert, assertEquals, assertMatch } from "@std/assert";
import { Cinema, type FilmJson, PHONE, ran } from "./cinema.ts";

Deno.test("Cinema in a browser", async (t) => {
  await using cinema = await Cinema.start();

  await t.step("browse: genre, order, search, pages, and back", async () => {
    await using visit = await cinema.open("/");
    const { page } = visit;
    const { results } = await cinema.films("");
    await visit.seesList(results.map(({ id }) => id));
    assertEquals(await page.locator(".count").textContent(), "3,201 films");
    assertEquals(await page.locator("select[name=genre] option").count(), 13);

    await page.selectOption("select[name=genre]", "western");
    const westerns = await cinema.films("genre=western");
    await visit.seesList(westerns.results.map(({ id }) => id));
    assertEquals(await page.locator(".count").textContent(), "36 films");
    assertMatch(page.url(), /\?genre=western$/);

    await page.selectOption("select[name=sort]", "title");
    await visit.seesList((await cinema.films("genre=western&sort=title")).results.map(({ id }) => id));

    await page.click("[data-turn=next]");
    await visit.seesList((await cinema.films("genre=western&sort=title&page=2")).results.map(({ id }) => id));
    assert(await page.locator("[data-turn=next]").isDisabled());

    await page.fill("input[name=search]", "the m");
    await visit.seesList((await cinema.films("genre=western&sort=title&search=the+m")).results.map(({ id }) => id));

    await page.goBack();
    await visit.seesList((await cinema.films("genre=western&sort=title&page=2")).results.map(({ id }) => id));
    assertEquals(await page.inputValue("input[name=search]"), "");
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await visit.seesList(results.map(({ id }) => id));
    assertEquals(await page.inputValue("select[name=genre]"), "");
    const lists = visit.requests.filter((request) => request.startsWith("GET /api/films?"));
    assertEquals(lists.length, new Set(lists).size, "a list that was fresh was asked for again");
  });

  await t.step("open a film: shown from the list, with its director's others", async () => {
    await using visit = await cinema.open("/");
    const { page } = visit;
    const film = (await cinema.films("")).results.find(({ director }) => director?.name === "Christopher Nolan");
    assert(film?.director);
    await visit.row(film.id).locator("a").click();
    await page.getByRole("heading", { level: 1, name: film.title }).waitFor();
    assertEquals(new URL(page.url()).pathname, `/films/${film.id}`);
    assertEquals(await page.title(), `${film.title} · Cinema`);
    assertEquals(await visit.row(film.id).locator("a").getAttribute("aria-current"), "true");

    const others = (await cinema.films(`director=${film.director.id}&sort=-releaseDate&perPage=100`)).results
      .filter(({ id }) => id !== film.id);
    const cards = page.locator("[data-place=others] li[data-film]");
    await cards.nth(others.length - 1).waitFor();
    assertEquals(
      await cards.evaluateAll((all) => all.map((card) => Number(card.getAttribute("data-film")))),
      others.map(({ id }) => id),
    );
    assertEquals(visit.requests.filter((request) => request.startsWith("GET /api/films/")), []);

    await page.locator(".by a").click();
    await visit.rows.nth(others.length).waitFor();
    assertEquals(await visit.rows.count(), others.length + 1);
    await page.getByRole("button", { name: /^Films by Christopher Nolan/ }).click();
    await visit.rows.nth(23).waitFor();
  });

  await t.step("an address opens a film without the list's help, and one that is not there says so", async () => {
    const { results: [film] } = await cinema.films("search=casablanca");
    await using visit = await cinema.open(`/films/${film?.id}`);
    await visit.page.getByRole("heading", { level: 1, name: "Casablanca" }).waitFor();

    await using lost = await cinema.open("/films/999999");
    lost.expectsFailures = true;
    await lost.page.getByText("It is not in the collection").waitFor();
    await lost.page.getByRole("link", { name: "To all films" }).click();
    await lost.rows.nth(23).waitFor();
    assertEquals(new URL(lost.page.url()).pathname, "/films");
  });

  await t.step("rate: one PATCH, every place follows, only what shows it runs", async () => {
    const { results: [film] } = await cinema.films("");
    assert(film);
    await using visit = await cinema.open(`/films/${film.id}`);
    const { page } = visit;
    await visit.rows.nth(23).waitFor();
    const before = await visit.renders();
    const asked = visit.requests.length;

    await page.locator(".stars label").nth(3).click();
    await visit.row(film.id).getByLabel("You gave 4 of 5 stars").waitFor();
    assertEquals(await page.locator(".stars .on").count(), 4);
    await page.locator(".pending").first().waitFor({ state: "detached" });
    // One rendering for the click and one for the reply, because a pending change has another colour.
    assertEquals(ran(before, await visit.renders()), { [film.id]: 2 });
    assertEquals(visit.requests.slice(asked), [`PATCH /api/films/${film.id}`]);
    assertEquals(visit.bodies, [{ rating: 4 }]);

    await page.goto(cinema.server.url);
    await page.locator(`[data-place=home] [aria-labelledby=rated-by-you] li[data-film="${film.id}"]`).waitFor();

    await visit.row(film.id).locator("a").click();
    await page.getByRole("button", { name: "Clear" }).click();
    await visit.row(film.id).getByLabel("You gave 4 of 5 stars").waitFor({ state: "detached" });
    // The page shows the change before the server has it.
    await page.locator(".pending").first().waitFor({ state: "detached" });
    assertEquals((await cinema.ask<FilmJson>(`/api/films/${film.id}`)).rating, null);
  });

  await t.step("edit a title: list, page and shelves in one frame, one PATCH, one row runs", async () => {
    const film = (await cinema.films("")).results.find(({ director }) => director?.name === "Christopher Nolan");
    assert(film?.director);
    await using visit = await cinema.open("/");
    const { page } = visit;
    await visit.row(film.id).locator("a").click();
    const others = page.locator("[data-place=others] li[data-film]");
    await others.first().waitFor();
    const other = Number(await others.first().getAttribute("data-film"));
    // The shelf of another film of the same director also contains this film.
    await others.first().locator("a").click();
    await page.locator(`[data-place=others] li[data-film="${film.id}"]`).waitFor();
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: film.title }).waitFor();

    const title = `${film.title}, retitled <b>&amp;`;
    const before = await visit.renders();
    const asked = visit.requests.length;
    await page.evaluate((id) => {
      const frames: string[][] = [];
      const text = (selector: string) => document.querySelector(selector)?.textContent ?? "";
      const look = () => {
        frames.push([text(`[data-place=list] li[data-film="${id}"] strong`), text("[data-place=film] .poster b")]);
        requestAnimationFrame(look);
      };
      look();
      Object.assign(globalThis, { frames });
    }, film.id);
    await page.getByRole("button", { name: "Edit the title" }).click();
    await page.getByLabel("Title", { exact: true }).fill(title);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: title }).waitFor();

    assertEquals(await visit.row(film.id).locator("strong").textContent(), title);
    assertEquals(await page.title(), `${title} · Cinema`);
    const frames = await page.evaluate(() => (globalThis as unknown as { frames: string[][] }).frames);
    for (const [list, poster] of frames) assertEquals(list, poster, "one frame showed two titles");
    assertEquals(visit.requests.slice(asked), [`PATCH /api/films/${film.id}`]);
    assertEquals(visit.bodies, [{ title }]);
    await page.locator(".edit-title").waitFor({ state: "detached" });
    assertEquals(ran(before, await visit.renders()), { [film.id]: 2 });

    await page.locator(`[data-place=others] li[data-film="${other}"] a`).click();
    const card = page.locator(`[data-place=others] li[data-film="${film.id}"] strong`);
    await card.waitFor();
    assertEquals(await card.textContent(), title);
    assertEquals(visit.requests.slice(asked), [`PATCH /api/films/${film.id}`], "nothing was loaded again");
  });

  await t.step("an edit that is given up or refused changes nothing", async () => {
    const film = (await cinema.films("")).results[7];
    assert(film);
    await using visit = await cinema.open(`/films/${film.id}`);
    visit.expectsFailures = true;
    const { page } = visit;
    await page.locator("#app[data-live]").waitFor();
    await page.getByRole("button", { name: "Edit the title" }).click();
    await page.getByLabel("Title", { exact: true }).fill("Something else");
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { level: 1, name: film.title }).waitFor();

    await page.getByRole("button", { name: "Edit the title" }).click();
    await page.getByLabel("Title", { exact: true }).fill("   ");
    await page.keyboard.press("Enter");
    await page.getByText("A film needs a title.").waitFor();
    assertEquals(visit.bodies, []);

    await page.route(
      "**/api/films/*",
      (route) =>
        route.request().method() === "PATCH"
          ? route.fulfill({ status: 409, contentType: "application/json", body: '{"message":"Somebody else has it"}' })
          : route.fallback(),
    );
    await page.getByLabel("Title", { exact: true }).fill("Something else");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Somebody else has it").waitFor();
    assertEquals(await page.getByLabel("Title", { exact: true }).inputValue(), "Something else");
    assertEquals(await visit.row(film.id).locator("strong").textContent(), film.title);
  });

  await t.step("delete: asks first, then it is gone from every place", async () => {
    const film = (await cinema.films("genre=horror")).results[2];
    assert(film);
    await using visit = await cinema.open("/?genre=horror");
    const { page } = visit;
    await visit.row(film.id).locator("a").click();
    await page.getByRole("button", { name: "Delete this film" }).click();
    await page.getByRole("button", { name: "Keep it" }).click();
    assertEquals(await visit.row(film.id).count(), 1);

    await page.getByRole("button", { name: "Delete this film" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText(`“${film.title}” was deleted.`).waitFor();
    await visit.seesList((await cinema.films("genre=horror")).results.map(({ id }) => id));
    assertEquals(await page.locator(".count").textContent(), "218 films");
    assertEquals(new URL(page.url()).pathname, "/films");
    assertEquals(visit.requests.filter((request) => request.includes(`/api/films/${film.id}`)), [
      `DELETE /api/films/${film.id}`,
    ]);
    assertEquals(
      (await cinema.ask<{ message: string }>(`/api/films/${film.id}`)).message,
      `There is no film ${film.id}`,
    );
  });

  await t.step("add: what the server refuses is said at its field; what it takes is in the list at once", async () => {
    await using visit = await cinema.open("/?sort=-id");
    visit.expectsFailures = true;
    const { page } = visit;
    await visit.rows.nth(23).waitFor();
    const { total } = await cinema.films("");
    await page.getByRole("link", { name: "Add a film" }).click();
    const form = page.locator(".new-film");
    await form.getByLabel("Title").fill("   ");
    await page.getByRole("button", { name: "Add it" }).click();
    await page.getByText("It must have 1 to 200 characters.").waitFor();

    await form.getByLabel("Title").fill("Playtime");
    await form.getByLabel("Director").fill("Jacques Tati");
    await form.getByLabel("Genre").selectOption("comedy");
    await form.getByLabel("Released").fill("1967-12-16");
    await form.getByLabel("Minutes").fill("124");
    await page.getByRole("button", { name: "Add it" }).click();
    await page.getByRole("heading", { level: 1, name: "Playtime" }).waitFor();
    const { results } = await cinema.films("sort=-id");
    assertEquals(results[0]?.title, "Playtime");
    await visit.seesList(results.map(({ id }) => id));
    assertEquals(await page.locator(".count").textContent(), `${(total + 1).toLocaleString("en")} films`);
    assertEquals(
      await page.locator(".kicker").innerText().then((text) => text.split("\n")[0]),
      "Comedy · 1967 · 2 h 4 min",
    );
    await page.getByText("No other film of theirs is in this collection.").waitFor();
    assertEquals(visit.problems.filter((problem) => !problem.includes("422")), []);
  });

  await t.step("on a phone: one thing at a time, nothing wider than the screen", async () => {
    await using visit = await cinema.open("/films", PHONE);
    const { page } = visit;
    await visit.rows.nth(23).waitFor();
    assertEquals(await visit.scrollsSideways(), false);
    await visit.rows.nth(20).scrollIntoViewIfNeeded();
    const scrolled = await page.locator(".scroll").evaluate((list) => list.scrollTop);
    assert(scrolled > 300);

    await visit.rows.nth(20).locator("a").click();
    await page.getByRole("heading", { level: 1 }).waitFor();
    assertEquals(await visit.rows.nth(20).isVisible(), false);
    const focused = () => page.evaluate(() => document.activeElement?.closest("li, section")?.className);
    assertEquals(await focused(), "detail-pane", "the focus went away with the list");
    assertEquals(await visit.scrollsSideways(), false);
    await page.getByRole("button", { name: "Edit the title" }).click();
    assertEquals(await visit.scrollsSideways(), false);
    await page.keyboard.press("Escape");

    await page.getByRole("link", { name: "‹ All films" }).click();
    await visit.rows.nth(20).locator("a").waitFor();
    assertEquals(await page.locator(".scroll").evaluate((list) => list.scrollTop), scrolled);
    assertEquals(await focused(), "row", "the focus did not come back");
  });

  await t.step("a second server on its port says so, in words, and leaves with 1", async () => {
    const { port } = new URL(cinema.server.url);
    const second = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "demo/server.ts", "--port", port, "--database", ":memory:"],
      env: { NO_COLOR: "1" },
    }).output();
    assertEquals(second.code, 1);
    const said = new TextDecoder().decode(second.stderr);
    assertMatch(said, new RegExp(`Port ${port} is taken`));
    assertMatch(said, new RegExp(`--port ${Number(port) + 1 > 65_535 ? 3535 : Number(port) + 1}`));
    assert(!/^\s+at /m.test(said), said);
  });
});

Deno.test("the server's command: first start, its words, wrong options", async (t) => {
  const run = (...args: string[]) =>
    new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "demo/server.ts", ...args],
      env: { NO_COLOR: "1" },
      stdout: "piped",
      stderr: "piped",
    });
  await t.step("says where it is; ends by a signal", async () => {
    await using child = run("--port", "0", "--database", ":memory:").spawn();
    let said = "";
    let page = "";
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      said += chunk;
      const url = /Cinema is at (http:\S+)/.exec(said)?.[1];
      if (!url || page) continue;
      page = await (await fetch(url)).text();
      child.kill("SIGTERM");
    }
    const { code } = await child.status;
    assertEquals(code, 0);
    assertMatch(said, /^Cinema is at .*\nIts database is :memory:/);
    assertMatch(page, /<title>Cinema/);
  });

  await t.step("wrong options are told, not traced", async () => {
    for (const args of [["--prot", "80"], ["--port", "eighty"]]) {
      const { code, stderr } = await run(...args).output();
      const said = new TextDecoder().decode(stderr);
      assertEquals(code, 1);
      assertMatch(said, /--port <number>/);
      assert(!/^\s+at /m.test(said), said);
    }
  });
});
