/**
 * What a page costs before anybody can use it: `deno task bench --startup`. The bundle is evaluated and the first rows
 * are rendered, in Chromium with its processor slowed down as a phone's is.
 *
 * A figure is the time for which the page's own thread had a processor; the pages take turns, each with a profile of its
 * own, so that nothing is compiled already.
 *
 * @module
 */
import type { Browser } from "playwright-core";
import { launch } from "../../tests/support/browser.ts";
import { formatTime, renderTable } from "../report.ts";
import { median } from "../statistics.ts";
import { makeWorkload } from "../workload.ts";
import { type AppName, bundlePages } from "./run.ts";

/** So many times slower than this machine: what Lighthouse takes for a phone. */
const SLOWDOWN = 4;

/** What fits on a screen or two. */
const ROWS = 100;

/** What starting one page took, in ms. */
export interface Start {
  /** To evaluate the bundle, with preact and signals. */
  readonly evaluated: number;
  /** To take the response and render the rows. */
  readonly rendered: number;
}

/** All starts of all pages. */
export interface StartFigures {
  readonly version: string;
  /** Of each page: what its script weighs, minified, in bytes, and its starts. */
  readonly pages: Readonly<Partial<Record<AppName, { readonly bytes: number; readonly starts: readonly Start[] }>>>;
}

/** Starts each page so often, in turns. */
export async function measureStart(samples: number): Promise<StartFigures> {
  const scripts = await bundlePages();
  const names = Object.keys(scripts) as AppName[];
  const starts: Partial<Record<AppName, Start[]>> = {};
  const browser = await launch();
  try {
    for (let turn = 0; turn < samples; turn++) {
      for (let at = 0; at < names.length; at++) {
        const name = names[(at + turn) % names.length]!;
        (starts[name] ??= []).push(await start(browser, scripts[name]!));
      }
    }
    const pages = names.map((name) => [name, { bytes: scripts[name]!.length, starts: starts[name]! }]);
    return { version: browser.version(), pages: Object.fromEntries(pages) };
  } finally {
    await browser.close();
  }
}

async function start(browser: Browser, script: string): Promise<Start> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const errors: unknown[] = [];
    page.on("pageerror", (error) => errors.push(error));
    const devtools = await context.newCDPSession(page);
    await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
    const worked = async () => {
      const { metrics } = await devtools.send("Performance.getMetrics");
      return 1000 * metrics.find(({ name }) => name === "TaskDuration")!.value;
    };
    const response = JSON.stringify(makeWorkload(ROWS, "int").issues());
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
    const before = await worked();
    await page.addScriptTag({ content: script });
    const evaluated = await worked();
    await page.evaluate((text) => meter.start(text), response);
    const rendered = await worked();
    if (errors.length > 0) throw errors[0];
    return { evaluated: evaluated - before, rendered: rendered - evaluated };
  } finally {
    await context.close();
  }
}

/** The table as text: medians. */
export function renderStart({ version, pages }: StartFigures): string {
  const lines = Object.entries(pages).map(([name, { bytes, starts }]) => {
    const of = (read: (start: Start) => number) => formatTime(median(starts.map(read)) * 1e6);
    return [
      name,
      `${(bytes / 1000).toFixed(0)} kB`,
      of(({ evaluated }) => evaluated),
      of(({ rendered }) => rendered),
      of(({ evaluated, rendered }) => evaluated + rendered),
      String(starts.length),
    ];
  });
  return [
    `== Start-up in Chromium ${version}, ${SLOWDOWN} × slower: the bundle, then ${ROWS} rows`,
    "",
    ...renderTable([["", "minified", "evaluated", `${ROWS} rows`, "together", "pages"], ...lines]),
  ].join("\n");
}
