/** The page for eyes and ears: nothing moves by itself, nothing is too wide, axe finds nothing. */
import { assertEquals } from "@std/assert";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { startServer } from "../../demo/server.ts";
import { Cinema, DESKTOP, PHONE, type Visit } from "./cinema.ts";
import { type Screen, screensOf } from "./screens.ts";
import { takeShifts, watchShifts } from "./shifts.ts";

/**
 * The violations that axe finds in the page or a part of it, of any impact. The dark page differs only in its colours.
 * All posters have the same markup, so only the first ones are checked; the others are removed meanwhile, because axe
 * walks through all of them.
 */
async function findings({ page }: Visit, part?: string): Promise<string[]> {
  await page.evaluate(axe.source);
  const wall = await page.evaluateHandle(() => {
    const [first, ...others] = document.querySelectorAll(".part");
    others.forEach((part) => part.remove());
    return { putBack: () => first?.after(...others) };
  });
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const { violations } = await page.evaluate(
      ({ part, isDark }) =>
        (globalThis as unknown as { axe: typeof axe }).axe.run({ include: part ?? document }, {
          resultTypes: ["violations"],
          iframes: false,
          preload: false,
          ...(isDark && { runOnly: ["color-contrast"] }),
        }),
      { part, isDark: colorScheme === "dark" },
    );
    for (const { id, impact, nodes } of violations) {
      const targets = nodes.slice(0, 3).map(({ target }) => target.join(" ")).join(", ");
      found.push(`${colorScheme}: ${impact} ${id}, ${nodes.length} times: ${targets}`);
    }
  }
  await wall.evaluate(({ putBack }) => putBack());
  await wall.dispose();
  return found;
}

/** Elements that are wider than their container. Code may be, because it scrolls. */
async function tooWide(page: Page): Promise<string[]> {
  return await page.evaluate(() =>
    [...document.querySelectorAll("html, body, main, .scroll, .detail-pane, .bar, dialog[open]")]
      .filter((one) => one.scrollWidth > one.clientWidth + 1)
      .map((one) => `<${one.localName} class="${one.className}"> is ${one.scrollWidth} px wide`)
  );
}

Deno.test("Cinema's screens, measured", async (t) => {
  await using cinema = await Cinema.start();
  // A slow server does not render the list. Its placeholder must have the size of the list.
  const slow = await startServer({ port: 0, database: ":memory:", latency: 150 });
  const byPath = Map.groupBy(await screensOf(cinema), ({ path }) => path);
  try {
    for (const [width, viewport] of [["desktop", DESKTOP], ["phone", PHONE]] as const) {
      for (const [path, screens] of byPath) {
        await t.step(`${width}, ${path}: moves nothing while it loads, and has nothing for axe to find`, async () => {
          await using visit = await cinema.open("about:blank", viewport);
          visit.expectsFailures = screens.some(({ isRefused }) => isRefused);
          await visit.page.addInitScript(watchShifts);
          await visit.page.goto(new URL(path, slow.url).href);
          for (const screen of screens) await look(visit, screen, width === "phone");
        });
      }
    }
  } finally {
    await slow.close();
  }
});

async function look(visit: Visit, { name, arrive, part }: Screen, isPhone: boolean): Promise<void> {
  const { page } = visit;
  await arrive(page);
  assertEquals([name, await takeShifts(visit)], [name, []]);
  assertEquals([name, await findings(visit, part)], [name, []]);
  if (!isPhone) return;
  await page.setViewportSize({ width: 320, height: 640 });
  assertEquals([name, await tooWide(page)], [name, []]);
  await page.setViewportSize(PHONE);
  await takeShifts(visit);
}
