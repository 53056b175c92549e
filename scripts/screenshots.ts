/**
 * Takes screenshots of the demo's main screens into dist/screenshots/, at desktop and phone size, light and dark: `deno
 * task demo:screenshots`
 *
 * @module
 */
import { Cinema, DESKTOP, PHONE } from "../tests/demo/cinema.ts";
import { screensOf } from "../tests/demo/screens.ts";

const FOLDER = new URL("../dist/screenshots/", import.meta.url);

/** Ratings of a user, so that stars, shelf and bars have something to show. */
const GIVEN = [5, 4, 5, 3, 2, 4, 5, 1, 3];

async function takeAll(): Promise<void> {
  await Deno.remove(FOLDER, { recursive: true }).catch(() => {});
  await Deno.mkdir(FOLDER, { recursive: true });
  await using cinema = await Cinema.start();
  const { results } = await cinema.films("");
  for (const [place, rating] of GIVEN.entries()) {
    const answer = await fetch(new URL(`/api/films/${results[place * 2]!.id}`, cinema.server.url), {
      method: "PATCH",
      body: JSON.stringify({ rating }),
      headers: { "content-type": "application/json" },
    });
    await answer.body?.cancel();
  }
  const byPath = Map.groupBy(await screensOf(cinema), ({ path }) => path);
  for (const [width, viewport] of [["desktop", DESKTOP], ["phone", PHONE]] as const) {
    for (const [path, screens] of byPath) {
      await using visit = await cinema.open(path, viewport, { reducedMotion: "reduce" });
      visit.expectsFailures = screens.some(({ isRefused }) => isRefused);
      for (const { name, arrive } of screens) {
        await arrive(visit.page);
        await visit.rests();
        for (const colorScheme of ["light", "dark"] as const) {
          await visit.page.emulateMedia({ colorScheme });
          const file = `${name}-${width}-${colorScheme}.png`;
          await Deno.writeFile(new URL(file, FOLDER), await visit.page.screenshot());
          console.log(file);
        }
      }
    }
  }
}

if (import.meta.main) {
  await takeAll();
  console.log(`The screens are in ${decodeURIComponent(FOLDER.pathname)}`);
}
