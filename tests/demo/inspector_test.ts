/** Cinema is inspected with the panel that any app may have. */
import { assertEquals } from "@std/assert";
import { Cinema } from "./cinema.ts";

Deno.test("16 Cinema's switch brings the inspector: what runs, and where a film stands", async () => {
  await using cinema = await Cinema.start();
  const { results: [film] } = await cinema.films("");
  await using visit = await cinema.open(`/films/${film!.id}`);
  const { page } = visit;
  await visit.row(film!.id).waitFor();
  const loaded = await page.evaluate(() => performance.getEntriesByType("resource").length);
  const toggle = page.getByRole("switch", { name: "Inspector" });
  await toggle.check();
  const panel = page.getByRole("region", { name: "Rejoin inspector" });
  await panel.waitFor();
  const later = await page.evaluate(() => performance.getEntriesByType("resource").length);
  assertEquals(later > loaded, true, "it is loaded when it is wanted");

  await page.locator(".stars label").nth(3).click();
  await page.locator("rejoin-inspector .box.ran", { hasText: "FilmRow" }).first().waitFor({ state: "attached" });
  await panel.getByRole("listitem").filter({ hasText: `PATCH /api/films/${film!.id}` }).filter({ hasText: "done" })
    .waitFor();

  await panel.getByRole("tab", { name: "Store" }).click();
  await panel.getByRole("button", { name: /^Film, / }).click();
  await panel.getByRole("searchbox").fill(film!.title);
  await panel.getByRole("row", { name: new RegExp(`^${film!.id} `) }).first().hover();
  for (const place of ["FilmRow", "FilmDetail", "RateStars"]) {
    await page.locator("rejoin-inspector .box.lit", { hasText: place }).first().waitFor({ state: "attached" });
  }

  await toggle.uncheck();
  await page.locator("rejoin-inspector").waitFor({ state: "detached" });
});
