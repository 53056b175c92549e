/**
 * Rows in a real browser: `deno task bench --browser`. Our hook beside plain Preact components that read signals.
 *
 * Each sample is a new page with a profile of its own, and pages take turns: what disturbs the machine disturbs both.
 * So the mount is the first of its page, as people see it, and not one that has been run warm. Layout and paint are the
 * same for both and are not part of any figure.
 *
 * @module
 */
import { build, stop } from "esbuild";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { denoSpecifiers } from "../../scripts/deno_specifiers.ts";
import { launch } from "../../tests/support/browser.ts";
import { formatRatio, formatTime, renderTable } from "../report.ts";
import { median } from "../statistics.ts";
import type { Reading } from "./meter.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const APPS = ["ours", "plain", "copies"] as const;
type AppName = typeof APPS[number];

/** What is measured, and how many renderings it may make. */
const SITUATIONS = ["one row", "shared user", "first mount"] as const;
type Situation = typeof SITUATIONS[number];

/** Ours may take so many times the floor's time, in each situation. */
const GOAL = 1.5;

/** How often a page does what takes little: clocks of browsers are coarse. */
const WARM_UPS = { rows: 60, users: 5 };
const WRITES = { rows: 200, users: 20 };

/** What one page gave. */
export type Sample = Readonly<Record<Situation, Reading>>;

/** All that was measured in a browser. */
export interface BrowserFigures {
  readonly version: string;
  readonly rows: number;
  /** A sample of each app for each turn. */
  readonly turns: readonly Readonly<Record<AppName, Sample>>[];
}

/** Opens so many pages of each app, in turns. */
export async function measureBrowser(rows: number, samples: number): Promise<BrowserFigures> {
  const scripts = await bundlePages();
  const browser = await launch();
  try {
    const turns: Record<AppName, Sample>[] = [];
    for (let turn = 0; turn < samples; turn++) {
      const order = turn % 2 === 0 ? APPS : APPS.toReversed();
      const found: Partial<Record<AppName, Sample>> = {};
      for (const name of order) found[name] = await sample(browser, scripts[name], rows);
      turns.push(found as Record<AppName, Sample>);
    }
    return { version: browser.version(), rows, turns };
  } finally {
    await browser.close();
  }
}

async function sample(browser: Browser, script: string, rows: number): Promise<Sample> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const errors: unknown[] = [];
    page.on("pageerror", (error) => errors.push(error));
    const devtools = await context.newCDPSession(page);
    const collectGarbage = () => devtools.send("HeapProfiler.collectGarbage");
    await page.addScriptTag({ content: script });
    await page.evaluate((rows) => meter.prepare(rows), rows);
    await collectGarbage();
    const mount = await page.evaluate(() => meter.mount());
    await page.evaluate((count) => meter.writeRows(count), WARM_UPS.rows);
    await collectGarbage();
    const row = await page.evaluate((count) => meter.writeRows(count), WRITES.rows);
    await page.evaluate((count) => meter.writeUsers(count), WARM_UPS.users);
    await collectGarbage();
    const user = await page.evaluate((count) => meter.writeUsers(count), WRITES.users);
    if (errors.length > 0) throw errors[0];
    return { "one row": row, "shared user": user, "first mount": mount };
  } finally {
    await context.close();
  }
}

/** The table as text: medians of all pages, and the median of the ratios within each turn. */
export function renderBrowser({ version, rows, turns }: BrowserFigures): string {
  const head = ["", "ours", "renders", "plain", "renders", "÷ plain", "copies", "÷ copies", "  verdict", "goal"];
  const lines = SITUATIONS.map((situation) => {
    const of = (name: AppName, member: keyof Reading) => median(turns.map((turn) => turn[name][situation][member]));
    const ratioTo = (name: AppName) =>
      median(turns.map((turn) => turn.ours[situation].milliseconds / turn[name][situation].milliseconds));
    const ratio = ratioTo("plain");
    const isExact = of("ours", "renders") === of("plain", "renders");
    return [
      situation,
      formatTime(of("ours", "milliseconds") * 1e6),
      of("ours", "renders").toLocaleString("en"),
      formatTime(of("plain", "milliseconds") * 1e6),
      of("plain", "renders").toLocaleString("en"),
      formatRatio(ratio),
      formatTime(of("copies", "milliseconds") * 1e6),
      formatRatio(ratioTo("copies")),
      `  ${ratio <= GOAL && isExact ? "reached" : `MISSED: ${isExact ? ratio.toPrecision(3) : "other renders"}`}`,
      `≤ ${GOAL} × plain, as many renders`,
    ];
  });
  return [
    `== Chromium ${version}, ${rows.toLocaleString("en")} rows of Preact, ${turns.length} pages each`,
    "",
    ...renderTable([head, ...lines], 2),
  ].join("\n");
}

/** Bundles each app as it would be served. */
export async function bundlePages(): Promise<Record<AppName, string>> {
  try {
    const bundles = await Promise.all(APPS.map(async (name) => {
      const { outputFiles } = await build({
        entryPoints: [`${ROOT}bench/browser/${name}.tsx`],
        absWorkingDir: ROOT,
        bundle: true,
        minify: true,
        format: "iife",
        target: "es2023",
        jsx: "automatic",
        jsxImportSource: "preact",
        define: { "process.env.NODE_ENV": '"production"' },
        write: false,
        plugins: [denoSpecifiers],
      });
      return [name, outputFiles[0]!.text] as const;
    }));
    return Object.fromEntries(bundles) as Record<AppName, string>;
  } finally {
    await stop();
  }
}
