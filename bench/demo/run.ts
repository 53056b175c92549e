/**
 * The demo as a page that somebody opens on a phone: `deno task bench --demo`. Its first list beside that of a page
 * written by hand, the longest task while the wall is scrolled, and the heap after thousands of clicks.
 *
 * @module
 */
import { build, stop } from "esbuild";
import { brotliCompressSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import { Backend } from "../../demo/backend.ts";
import { Database } from "../../demo/database.ts";
import { deliver } from "../../demo/deliver.ts";
import { startServer } from "../../demo/server.ts";
import { launch } from "../../tests/support/browser.ts";
import { formatRatio, formatTime, renderTable } from "../report.ts";
import { median } from "../statistics.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** So many times slower than this machine: what Lighthouse takes for a phone. */
const SLOWDOWN = 4;
/** Fast 3G, as the browser's own devtools have it: ms, and bytes a second. */
const NETWORK = { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 };
const SCREEN = { width: 1280, height: 860 };
/** The first list may take so many times what it takes the page written by hand. */
const GOAL_LIST = 1.25;
/** Script that comes before the first list, in bytes. */
const GOAL_SCRIPT = 45_000;
/** In ms. */
const GOAL_TASK = 50;

/** Pages that are compared. The last one is Cinema where nobody renders it first. */
const PAGES = ["by hand", "Cinema", "Cinema, rendered in the browser only"] as const;
type PageName = typeof PAGES[number];

/** When a page shows its list, and when it answers, in ms. */
interface Times {
  readonly list: number;
  readonly alive: number;
}

interface Load extends Times {
  /** Of scripts, when it shows its list, in bytes as they travel. */
  readonly arrived: number;
}

/** What a page keeps after so many clicks. */
interface Heap {
  readonly clicks: number;
  readonly bytes: number;
  readonly nodes: number;
  readonly listeners: number;
}

/** All that was measured. */
export interface DemoFigures {
  readonly version: string;
  /** Script that the page names, in bytes of brotli. */
  readonly scripts: Readonly<Record<PageName, number>>;
  readonly loads: readonly Readonly<Record<PageName, Load>>[];
  /** The longest task of each scroll from top to bottom, in ms. */
  readonly tasks: readonly number[];
  readonly heaps: readonly Heap[];
}

/** Loads each page so often, in turns, scrolls as often, and clicks so many times. */
export async function measureDemo(
  clicks: number,
  samples: number,
  log: (sentence: string) => void = () => {},
): Promise<DemoFigures> {
  const usual = { port: 0, database: ":memory:", watch: false };
  const [ours, late, hand] = [
    await startServer({ ...usual, latency: 0 }),
    // A server with a latency renders nothing.
    await startServer({ ...usual, latency: 1 }),
    await serveByHand(),
  ];
  const urls: Record<PageName, string> = {
    "by hand": hand.url,
    "Cinema": ours.url,
    "Cinema, rendered in the browser only": late.url,
  };
  const browser = await launch();
  try {
    const scripts = Object.fromEntries(
      await Promise.all(PAGES.map(async (name) => [name, await scriptBytes(urls[name])])),
    ) as Record<PageName, number>;
    const loads: Record<PageName, Load>[] = [];
    for (let turn = 0; turn < samples; turn++) {
      const found: Partial<Record<PageName, Load>> = {};
      for (let at = 0; at < PAGES.length; at++) {
        const name = PAGES[(at + turn) % PAGES.length]!;
        const { list, alive, arrived } = found[name] = await inPage(browser, urls[name], load);
        const when = `list ${list.toFixed()} ms, with ${kilobytes(arrived)} of script; alive ${alive.toFixed()} ms`;
        log(`load ${turn + 1}/${samples}, ${name}: ${when}`);
      }
      loads.push(found as Record<PageName, Load>);
    }
    const tasks: number[] = [];
    for (let turn = 0; turn < samples; turn++) {
      const longest = await inPage(browser, ours.url, scroll);
      log(`scroll ${turn + 1}/${samples}: longest task ${longest.toFixed(1)} ms`);
      tasks.push(longest);
    }
    const heaps = await inPage(browser, ours.url, (page, devtools, url) => click(page, devtools, url, clicks, log));
    return { version: browser.version(), scripts, loads, tasks, heaps };
  } finally {
    await browser.close();
    await Promise.all([ours.close(), late.close(), hand.close()]);
  }
}

/** A page with a profile of its own, that has not been anywhere yet. */
async function inPage<T>(
  browser: Browser,
  url: string,
  use: (page: Page, devtools: CDPSession, url: string) => Promise<T>,
): Promise<T> {
  const context: BrowserContext = await browser.newContext({ viewport: SCREEN });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    const devtools = await context.newCDPSession(page);
    return await use(page, devtools, url);
  } finally {
    await context.close();
  }
}

/** Opens a page on a slow machine with a slow network, and waits until it has come to life. */
async function load(page: Page, devtools: CDPSession, url: string): Promise<Load> {
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", NETWORK);
  const arrivals = arrivalsOf(devtools);
  await page.addInitScript(() => {
    const times: { list?: number; alive?: number } = {};
    Object.assign(globalThis, { times });
    const look = (): void => {
      const now = performance.now();
      if (document.querySelector("[data-place=list] li[data-film]")) times.list ??= now;
      // Preact keeps on the element what it has drawn there, or taken over.
      const root = document.querySelector("#app");
      if (times.list !== undefined && root && "__k" in root) times.alive ??= now;
      if (times.alive === undefined) requestAnimationFrame(look);
    };
    look();
  });
  await page.goto(url, { waitUntil: "commit" });
  await page.waitForFunction(() => (globalThis as unknown as { times: Partial<Times> }).times.alive !== undefined);
  const times = await page.evaluate((): Times => {
    const { list, alive } = (globalThis as unknown as { times: Times }).times;
    // What is in the document is not on the screen before the style sheets are there.
    const painted = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
    return { list: Math.max(list, painted), alive };
  });
  return { ...times, arrived: arrivals.until(times.list) };
}

/** Counts the scripts that come from here on. */
function arrivalsOf(devtools: CDPSession): { until(ms: number): number } {
  let start: number | undefined;
  const scripts = new Set<string>();
  const parts: { readonly at: number; readonly bytes: number }[] = [];
  devtools.on("Network.requestWillBeSent", ({ requestId, type, timestamp }) => {
    start ??= timestamp;
    if (type === "Script") scripts.add(requestId);
  });
  devtools.on("Network.dataReceived", ({ requestId, timestamp, encodedDataLength }) => {
    if (scripts.has(requestId)) parts.push({ at: (timestamp - start!) * 1_000, bytes: encodedDataLength });
  });
  return { until: (ms) => parts.reduce((sum, { at, bytes }) => at <= ms ? sum + bytes : sum, 0) };
}

async function openStage(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.waitForFunction(() => document.querySelectorAll(".tile").length === 3_201);
  await page.locator("[aria-labelledby=best-rated] li[data-film]").first().waitFor({ state: "attached" });
}

/**
 * Turns the wheel over the wall, a notch in each frame, from its top to its end; resolves with the longest task meanwhile,
 * in ms for which the page's own thread had a processor.
 */
async function scroll(page: Page, devtools: CDPSession, url: string): Promise<number> {
  await openStage(page, url);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  const wall = page.locator(".wall");
  await wall.hover();
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories: ["toplevel", "disabled-by-default-devtools.timeline"] });
  for (let isEnd = false; !isEnd;) {
    await page.mouse.wheel(0, 120);
    isEnd = await wall.evaluate(async (wall) => {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      return wall.scrollTop + wall.clientHeight >= wall.scrollHeight - 1;
    });
  }
  const trace: { traceEvents: readonly TraceEvent[] } = JSON.parse(String(await browser.stopTracing()));
  return longestTask(trace.traceEvents);
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** In µs for which the thread had a processor. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Of the threads on which pages run, in ms. */
function longestTask(events: readonly TraceEvent[]): number {
  const threads = new Set(
    events.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = events.filter(({ name, pid, tid }) => /RunTask$/.test(name) && threads.has(`${pid} ${tid}`));
  if (tasks.length === 0) throw new Error("The trace has no tasks: this browser names them in another way.");
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000;
}

/** What somebody can press or change, who presses and changes everything. */
const TARGETS = "a[href^='/'], button:enabled, input:enabled:not([type=file]), select";

/** Clicks at random, always the same; what the page keeps after a tenth of it, and after all. */
async function click(
  page: Page,
  devtools: CDPSession,
  url: string,
  clicks: number,
  log: (sentence: string) => void,
): Promise<Heap[]> {
  await openStage(page, url);
  await devtools.send("Performance.enable");
  const heaps: Heap[] = [];
  const tenth = Math.ceil(clicks / 10);
  for (let done = 0; done < clicks;) {
    const some = Math.min(100, (done < tenth ? tenth : clicks) - done);
    await page.evaluate(clickAround, { targets: TARGETS, count: some, seed: done + 1 });
    done += some;
    if (done % 1_000 === 0) log(`${done.toLocaleString("en")} clicks`);
    if (done !== tenth && done !== clicks) continue;
    await page.evaluate(() => document.querySelector<HTMLElement>("dialog[open] button")?.click());
    await page.evaluate(() => document.querySelector<HTMLElement>(".brand")?.click());
    await page.locator(".handle input[value=good]").dispatchEvent("click");
    await page.waitForFunction(() => document.querySelector(".pending, [aria-busy=true]") === null);
    heaps.push(await heapOf(devtools, done));
  }
  return heaps;
}

/** Runs in the page. */
async function clickAround({ targets, count, seed }: { targets: string; count: number; seed: number }): Promise<void> {
  let state = seed * 0x9e3779b9;
  const random = (below: number): number => {
    state = Math.imul(state ^ state >>> 15, state | 1);
    state ^= state + Math.imul(state ^ state >>> 7, state | 61);
    return ((state ^ state >>> 14) >>> 0) % below;
  };
  for (let clicked = 0; clicked < count; clicked++) {
    const all = document.querySelectorAll<HTMLElement>(targets);
    const one = all[random(all.length)];
    if (one instanceof HTMLSelectElement) {
      one.selectedIndex = random(one.options.length);
      one.dispatchEvent(new Event("change", { bubbles: true }));
    } else if (one instanceof HTMLInputElement && /^(text|search)$/.test(one.type)) {
      one.value = "a star is born".slice(0, random(6));
      one.dispatchEvent(new Event("input", { bubbles: true }));
    } else one?.click();
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}

async function heapOf(devtools: CDPSession, clicks: number): Promise<Heap> {
  // What the first pass finds dead may have kept more alive.
  for (let pass = 0; pass < 3; pass++) await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devtools.send("Runtime.getHeapUsage");
  const { metrics } = await devtools.send("Performance.getMetrics");
  const of = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? NaN;
  return { clicks, bytes: usedSize, nodes: of("Nodes"), listeners: of("JSEventListeners") };
}

/** The scripts that a page names, as a host packs them for years. */
async function scriptBytes(url: string): Promise<number> {
  const html = await (await fetch(url)).text();
  const scripts = [...html.matchAll(/<(?:script type="module" src|link rel="modulepreload" href)="([^"]+)"/g)];
  const sizes = scripts.map(async ([, path]) => {
    const script = await (await fetch(new URL(path!, url))).arrayBuffer();
    return brotliCompressSync(new Uint8Array(script)).length;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

const HTML = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Cinema by hand</title>
    <link rel="stylesheet" href="/cinema.css">
    <script type="module" src="/by_hand.js"></script>
  </head>
  <body><div id="app"></div></body>
</html>`;

/** The page written by hand, with the demo's API and style sheet, delivered as the demo is. */
async function serveByHand(): Promise<{ url: string; close(): Promise<void> }> {
  const database = new Database(":memory:");
  const backend = new Backend(database);
  const files: Record<string, readonly [type: string, content: string | Uint8Array<ArrayBuffer>]> = {
    "/": ["text/html", HTML],
    "/by_hand.js": ["text/javascript", await bundleByHand()],
    "/cinema.css": ["text/css", await Deno.readTextFile(`${ROOT}demo/cinema.css`)],
  };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/api/")) return await deliver(request, await backend.answer(request));
    const file = files[pathname];
    if (!file) return new Response("There is nothing here", { status: 404 });
    return await deliver(request, new Response(file[1], { headers: { "content-type": file[0] } }), true);
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    async close() {
      backend.events.close();
      await server.shutdown();
      database.close();
    },
  };
}

async function bundleByHand(): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const { outputFiles: [file] } = await build({
      entryPoints: [`${ROOT}bench/demo/by_hand.tsx`],
      absWorkingDir: ROOT,
      bundle: true,
      minify: true,
      format: "esm",
      target: "es2022",
      jsx: "automatic",
      jsxImportSource: "preact",
      write: false,
      plugins: [{
        name: "no-router",
        // All that a poster wants of it is where the application is.
        setup: ({ onLoad }) =>
          onLoad({ filter: /demo\/app\/route\.ts$/ }, () => ({ contents: `export const ROOT = "/";` })),
      }],
    });
    return new Uint8Array(file!.contents);
  } finally {
    await stop();
  }
}

const kilobytes = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} kB`;

/** The tables as text: medians, and of the ratios the median of those within each turn. */
export function renderDemo({ version, scripts, loads, tasks, heaps }: DemoFigures): string {
  const of = (name: PageName, member: keyof Load) => median(loads.map((load) => load[name][member]));
  const ratioOf = (name: PageName) => median(loads.map((load) => load[name].list / load["by hand"].list));
  const verdict = (isReached: boolean, found: string) => isReached ? "reached" : `MISSED: ${found}`;
  const pages = PAGES.map((name) => [
    name,
    kilobytes(scripts[name]),
    kilobytes(of(name, "arrived")),
    formatTime(of(name, "list") * 1e6),
    formatRatio(ratioOf(name)),
    formatTime(of(name, "alive") * 1e6),
    name === "Cinema"
      ? `  ${verdict(ratioOf(name) <= GOAL_LIST, ratioOf(name).toPrecision(3))}, ≤ ${GOAL_LIST} × by hand; ` +
        `${verdict(of(name, "arrived") <= GOAL_SCRIPT, kilobytes(of(name, "arrived")))}, ≤ ${
          kilobytes(GOAL_SCRIPT)
        } before`
      : "",
  ]);
  const longest = Math.max(...tasks);
  const kept = heaps.map(({ clicks, bytes, nodes, listeners }) => [
    `${clicks.toLocaleString("en")} clicks`,
    `${(bytes / 1e6).toFixed(1)} MB`,
    nodes.toLocaleString("en"),
    listeners.toLocaleString("en"),
  ]);
  return [
    `== Cinema in Chromium ${version}; processor ${SLOWDOWN} × slower, Fast 3G, ${loads.length} loads each`,
    "",
    ...renderTable(
      [["", "scripts, brotli", "come before", "first list", "÷ by hand", "comes to life", ""], ...pages],
      1,
    ),
    "",
    `== The wall, scrolled from top to end, processor ${SLOWDOWN} × slower, ${tasks.length} times`,
    "",
    `  longest task ${formatTime(longest * 1e6)}, median of the scrolls ${formatTime(median(tasks) * 1e6)}: ${
      verdict(longest <= GOAL_TASK, formatTime(longest * 1e6))
    }, ≤ ${GOAL_TASK} ms`,
    "",
    "== What the page keeps after clicks at random, garbage collected",
    "",
    ...renderTable([["", "heap", "nodes", "listeners"], ...kept]),
  ].join("\n");
}
