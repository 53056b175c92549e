/**
 * Cinema on a slow phone: `deno task bench demo`. Its first list beside that of a page written by hand, and the longest
 * task while its wall is scrolled.
 *
 * @module
 */
import { build, stop } from "esbuild";
import { brotliCompressSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import type { Browser, CDPSession, Page } from "playwright-core";
import { createBackend } from "../../demo/backend.ts";
import { Database } from "../../demo/database.ts";
import { deliver } from "../../demo/deliver.ts";
import { startServer } from "../../demo/server.ts";
import { denoSpecifiers } from "../../scripts/deno_specifiers.ts";
import { launch } from "../../tests/support/browser.ts";
import { median } from "../statistics.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** So many times slower than this machine. */
const SLOWDOWN = 4;
/** Fast 3G, as the browser's own devtools have it: ms, and bytes a second. */
const NETWORK = { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 };
const VIEWPORT = { width: 1280, height: 860 };
/** The first list may take so many times what it takes the page by hand, and a task so many ms. */
const WALLS = { list: 1.25, task: 50 };

/** The page by hand; Cinema where the browser draws everything; Cinema as it is, whose server renders the list. */
const PAGES = ["by hand", "Cinema, drawn by the browser", "Cinema, rendered by the server"] as const;
type PageName = typeof PAGES[number];

/** When a page shows its list, in ms, and its text. */
interface Load {
  readonly list: number;
  readonly text: string;
}

/** All that was measured. */
export interface DemoFigures {
  readonly version: string;
  /** Scripts that a page loads before its list, in bytes of brotli. */
  readonly scripts: Readonly<Record<PageName, number>>;
  readonly loads: readonly Readonly<Record<PageName, Load>>[];
  /** The longest task of each scroll over the wall, in ms. */
  readonly tasks: readonly number[];
}

/** Opens each page so often, in turns, and scrolls the wall as often. */
export async function measureDemo(samples: number): Promise<DemoFigures> {
  // A server with a latency renders nothing.
  const servers = [
    await serveByHand(),
    await startServer({ port: 0, database: ":memory:", latency: 1 }),
    await startServer({ port: 0, database: ":memory:" }),
  ];
  const urlOf = (name: PageName) => servers[PAGES.indexOf(name)]!.url;
  const browser = await launch();
  try {
    const loads = [], tasks = [];
    for (let turn = 0; turn < samples; turn++) {
      const found: Partial<Record<PageName, Load>> = {};
      // Another one begins each time.
      for (let at = 0; at < PAGES.length; at++) {
        const name = PAGES[(at + turn) % PAGES.length]!;
        found[name] = await inPage(browser, (page, devtools) => load(page, devtools, urlOf(name)));
      }
      loads.push(found as Record<PageName, Load>); // all three
      tasks.push(await inPage(browser, (page) => scroll(page, urlOf(PAGES[2]))));
    }
    const sizes = await Promise.all(PAGES.map(async (name) => [name, await scriptsOf(urlOf(name))]));
    return { version: browser.version(), scripts: Object.fromEntries(sizes), loads, tasks };
  } finally {
    await browser.close();
    for (const server of servers) await server.close();
  }
}

/** A page with a profile of its own, that has not been anywhere yet. */
async function inPage<T>(browser: Browser, use: (page: Page, devtools: CDPSession) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    return await use(page, await context.newCDPSession(page));
  } finally {
    await context.close();
  }
}

async function load(page: Page, devtools: CDPSession, url: string): Promise<Load> {
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", NETWORK);
  await page.addInitScript(() => {
    const look = (): void => {
      if (document.querySelector("[data-place=list] li[data-film]")) performance.mark("list");
      else requestAnimationFrame(look);
    };
    look();
  });
  await page.goto(url, { waitUntil: "commit" });
  await page.waitForFunction(() =>
    ["list", "first-contentful-paint"].every((name) => performance.getEntriesByName(name).length) &&
    document.querySelectorAll("select[name=genre] option").length > 1
  );
  return await page.evaluate(() => {
    // What is in the document is not on the screen before the style sheets are there.
    const times = ["list", "first-contentful-paint"].map((name) => performance.getEntriesByName(name)[0]!.startTime);
    return { list: Math.max(...times), text: document.querySelector<HTMLElement>("[data-place=list]")!.innerText };
  });
}

/**
 * Turns the wheel over the wall, a notch in each frame, from its top to its end; the longest task meanwhile. It is the
 * time for which the thread had a processor, so many times: the emulation holds a thread by the clock on the wall, which
 * counts what else runs on this machine, too. `PerformanceObserver` counts that as well.
 */
async function scroll(page: Page, url: string): Promise<number> {
  await page.goto(url);
  await page.waitForFunction(() => document.querySelectorAll(".tile").length === 3_201);
  await page.locator("[aria-labelledby=best-rated] li[data-film]").first().waitFor({ state: "attached" });
  const wall = page.locator(".wall"), browser = page.context().browser()!;
  await wall.hover();
  await browser.startTracing(page, { categories: ["toplevel", "disabled-by-default-devtools.timeline"] });
  for (let isEnd = false; !isEnd;) {
    await page.mouse.wheel(0, 120);
    isEnd = await wall.evaluate(async (wall) => {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      return wall.scrollTop + wall.clientHeight >= wall.scrollHeight - 1;
    });
  }
  const { traceEvents } = JSON.parse(String(await browser.stopTracing()));
  return SLOWDOWN * longestTask(traceEvents);
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
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const isPage = ({ name, args }: TraceEvent) => name === "thread_name" && args?.name === "CrRendererMain";
  const threads = new Set(events.filter(isPage).map(threadOf));
  const tasks = events.filter((event) => /RunTask$/.test(event.name) && threads.has(threadOf(event)));
  if (tasks.length === 0) throw new Error("The trace has no tasks: this browser names them in another way.");
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000;
}

/** The scripts that a page names, as a host packs them for years. */
async function scriptsOf(url: string): Promise<number> {
  const html = await (await fetch(url)).text();
  const named = html.matchAll(/<(?:script type="module" src|link rel="modulepreload" href)="([^"]+)"/g);
  const sizes = Array.from(named, async ([, path = ""]) => {
    const script = await (await fetch(new URL(path, url))).arrayBuffer();
    return brotliCompressSync(new Uint8Array(script)).length;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** The page by hand, with the demo's document, API and style sheets, delivered as the demo is. */
async function serveByHand(): Promise<{ url: string; close(): Promise<void> }> {
  const database = new Database(":memory:"), { events, answer } = createBackend(database);
  const demo = (name: string) => Deno.readTextFile(`${ROOT}demo/${name}`);
  const files: Record<string, readonly [type: string, content: string]> = {
    "/": ["text/html", await demo("index.html")],
    "/app/main.js": ["text/javascript", await bundleByHand()],
    "/cinema.css": ["text/css", await demo("cinema.css")],
    "/stage.css": ["text/css", await demo("stage.css")],
    "/icon.svg": ["image/svg+xml", await demo("icon.svg")],
  };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url), file = files[pathname];
    if (pathname.startsWith("/api/")) return await deliver(request, await answer(request));
    if (!file) return new Response("There is nothing here", { status: 404 });
    return await deliver(request, new Response(file[1], { headers: { "content-type": file[0] } }), true);
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    async close() {
      events.close();
      await server.shutdown();
      database.close();
    },
  };
}

async function bundleByHand(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`${ROOT}bench/demo/by_hand.tsx`],
    absWorkingDir: ROOT,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    write: false,
    plugins: [denoSpecifiers],
  });
  await stop();
  return outputFiles[0]!.text;
}

/** The figures as text: medians, and of ratios the median of those within each turn. */
export function renderDemo({ version, scripts, loads, tasks }: DemoFigures): string {
  const lines = [`Chromium ${version}, processor ${SLOWDOWN} x slower, Fast 3G, medians of ${loads.length} loads`];
  const verdict = (figure: number, wall: number) => `${figure <= wall ? "reached" : "MISSED"} (wall ${wall})`;
  for (const name of PAGES) {
    const list = median(loads.map((load) => load[name].list));
    const ratio = median(loads.map((load) => load[name].list / load["by hand"].list));
    const isSame = loads.every((load) => load[name].text === load["by hand"].text);
    lines.push(
      `  ${name.padEnd(32)} first list ${(list / 1_000).toFixed(2)} s  ${ratio.toFixed(2)} x by hand  ` +
        `${(scripts[name] / 1_000).toFixed(1)} kB of scripts  ` +
        `${name === "by hand" ? "" : verdict(ratio, WALLS.list)}${isSame ? "" : " ANOTHER LIST"}`,
    );
  }
  const all = tasks.map((task) => task.toFixed(1)).join(", ");
  lines.push(`  longest task of a scroll over the wall: ${all} ms; ${verdict(median(tasks), WALLS.task)}`);
  return lines.join("\n");
}
