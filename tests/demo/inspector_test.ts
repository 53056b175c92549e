/** Cinema is inspected with the panel that is available to any app. */
import { assertEquals } from "@std/assert";
import { Cinema, PHONE } from "./cinema.ts";

Deno.test("Cinema's switch brings the inspector: what runs", async () => {
  await using cinema = await Cinema.start();
  const { results: [film] } = await cinema.films("");
  await using visit = await cinema.open(`/films/${film!.id}`);
  const { page } = visit;
  await visit.row(film!.id).waitFor();
  const loaded = await page.evaluate(() => performance.getEntriesByType("resource").length);
  const toggle = page.getByRole("switch", { name: "Inspector" });
  await toggle.check();
  const panel = page.locator("rejoin-inspector section");
  await panel.waitFor();
  const later = await page.evaluate(() => performance.getEntriesByType("resource").length);
  assertEquals(later > loaded, true, "it is loaded when it is wanted");

  await panel.getByRole("button", { name: "Changes" }).click();
  await page.locator(".stars label").nth(3).click();
  await panel.getByText("FilmRow").first().waitFor();
  assertEquals(await panel.getByText("FilmRow ×").count(), 0, "rows that did not run are counted");
  await page.setViewportSize(PHONE);
  const { height } = (await panel.boundingBox())!;
  assertEquals(height <= PHONE.height / 3, true, `${height} px of a phone`);
  await toggle.uncheck();
  await page.locator("rejoin-inspector").waitFor({ state: "detached" });
});
