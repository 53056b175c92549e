import { assert, assertEquals } from "@std/assert";
import { Cinema, type FilmJson } from "./cinema.ts";

Deno.test("Cinema, a second visitor", async (t) => {
  await using cinema = await Cinema.start();
  const { results } = await cinema.films("");
  const [first, second, third, fourth] = results as [FilmJson, FilmJson, FilmJson, FilmJson];
  const write = async (method: string, id: number, body?: object): Promise<void> => {
    const response = await fetch(new URL(`/api/films/${id}`, cinema.server.url), {
      method,
      ...body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } },
    });
    await response.body?.cancel();
    assert(response.ok);
  };
  await using here = await cinema.open("/");
  const { page } = here;
  await page.waitForFunction(() => document.querySelectorAll(".tile").length === 3_201);
  await page.locator(".visit .live.on").waitFor();

  await t.step("in another window: what they write is here without a request, and runs one poster", async () => {
    await using there = await cinema.open(`/films/${first.id}`);
    await there.rows.nth(23).waitFor();
    await there.page.waitForFunction(() => document.querySelector("#app[data-live]") !== null);
    while (there.connections === 0) await there.page.waitForTimeout(50);
    const asked = here.requests.length;
    const runs = () => page.locator(".tile").evaluateAll((all) => all.map((tile) => Number(tile.dataset.renders)));
    const before = await runs();
    await there.page.locator(".stars label").nth(3).click();
    await here.row(first.id).getByLabel("You gave 4 of 5 stars").waitFor();
    const after = await runs();
    assertEquals(after.filter((count, index) => count !== before[index]).length, 1);
    assertEquals(here.requests.slice(asked), []);

    await page.locator(`.tile[data-film="${second.id}"]`).click();
    await there.row(second.id).getByLabel("You gave 1 of 5 stars").waitFor();
    const written = there.requests.filter((request) => !request.startsWith("GET"));
    assertEquals(written, [`PATCH /api/films/${first.id}`]);
  });

  await t.step("what is typed stays while others write the same film", async () => {
    await here.row(third.id).locator("a").click();
    await page.getByRole("button", { name: "Edit the title" }).click();
    const field = page.getByLabel("Title", { exact: true });
    await field.fill("Half a tit");
    await write("PATCH", third.id, { title: "Renamed elsewhere", rating: 5 });
    await here.row(third.id).getByText("Renamed elsewhere").waitFor();
    await page.waitForFunction(() => document.querySelectorAll(".film .stars .on").length === 5);
    assertEquals(await field.inputValue(), "Half a tit");
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { level: 1, name: "Renamed elsewhere" }).waitFor();
  });

  await t.step("cable out, cable in: one request, and nothing blinks", async () => {
    await page.context().setOffline(true);
    await page.waitForFunction(() => !navigator.onLine);
    await write("PATCH", fourth.id, { title: "While you were away" });
    await write("PATCH", first.id, { rating: 1 });
    const asked = here.requests.length;
    const { connections } = here;
    await page.evaluate(() => {
      const rows: number[] = [];
      const look = () => {
        rows.push(document.querySelectorAll("[data-place=list] li[data-film]").length);
        requestAnimationFrame(look);
      };
      look();
      Object.assign(globalThis, { rows });
    });
    await page.context().setOffline(false);
    await here.row(fourth.id).getByText("While you were away").waitFor();
    await here.row(first.id).getByLabel("You gave 1 of 5 stars").waitFor();
    // The page requested nothing but the stream, however often it tried while the network was off.
    assertEquals([here.requests.slice(asked), here.connections > connections], [[], true]);
    assertEquals([...new Set(await page.evaluate(() => (globalThis as unknown as { rows: number[] }).rows))], [24]);
  });

  await t.step("a film that is deleted elsewhere while it is open says so, and is gone from the list", async () => {
    here.expectsFailures = true;
    await write("DELETE", third.id);
    await page.getByText("It is not in the collection").waitFor();
    await here.row(third.id).waitFor({ state: "detached" });
    const strange = here.problems.filter((problem) => !/status of 404|INTERNET_DISCONNECTED/.test(problem));
    assertEquals(strange, []);
  });
});
