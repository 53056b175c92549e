/**
 * Rows in a real browser: `deno task bench browser`. Compares our hook with plain Preact components that read signals,
 * and with the hooks of peers.
 *
 * Each sample is a new page with its own profile, and the pages take turns, so that a disturbance of the machine hits
 * all alike. The mount is therefore the first of its page, as users see it, and not a warm one. A figure is the
 * processor time of the page's main thread, without layout and paint.
 *
 * Before each measurement the page collects its garbage with `gc()`, as a page with enough memory does. A collection by
 * the devtools would signal low memory: the heap then gets so little room that the next full collection falls into the
 * measurement of whichever page keeps a little more. It takes 30 ms, half a mount.
 *
 * @module
 */
import { build, type BuildOptions, type Plugin, stop } from "esbuild";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { denoSpecifiers } from "../../scripts/deno_specifiers.ts";
import { launch } from "../../tests/support/browser.ts";
import { installPeers, versionOf } from "../peers.ts";
import { median } from "../statistics.ts";
import type { Meter } from "./meter.ts";
import { PEER_PAGES } from "./peer_pages.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const HERE = `${ROOT}bench/browser/`;
const OWN = ["ours", "plain"] as const;
const PEERS = Object.keys(PEER_PAGES) as (keyof typeof PEER_PAGES)[];

/** The name of a page. */
export type AppName = typeof OWN[number] | keyof typeof PEER_PAGES;

/** The situations: in a page that was just opened, and in one whose code has run for a while. */
const SITUATIONS = [
  "first mount",
  "one row",
  "shared user",
  "one row, aged",
  "shared user, aged",
  "next mount",
] as const;
type Situation = typeof SITUATIONS[number];

/** The largest allowed ratio of our time to that of `plain`. */
export const BROWSER_WALLS: Readonly<Partial<Record<Situation, number>>> = {
  "first mount": 1.5,
  "one row, aged": 1.5,
  "shared user, aged": 1.3,
};

/**
 * How often a page repeats short operations: for a figure at first, to age, and for a figure after that. It ages until
 * the engine has optimized the code; before that, a figure shows how much code is interpreted.
 */
const COUNTS = {
  first: { rows: 60, users: 5 },
  writes: { rows: 200, users: 20 },
  ageing: { rows: 30_000, users: 500 },
  agedWrites: { rows: 2_000, users: 100 },
};

/** The cost of one operation: ms of processor time, and renderings. */
export interface Reading {
  readonly milliseconds: number;
  readonly renders: number;
}

/** The figures of one page. */
export type Sample = Readonly<Record<Situation, Reading>>;

/** All figures of one run in a browser. */
export interface BrowserFigures {
  readonly version: string;
  readonly rows: number;
  /** For each turn a sample of each app; peers only if they can be installed. */
  readonly turns: readonly Readonly<Partial<Record<AppName, Sample>>>[];
}

/** Opens `samples` pages of each app, in turns. */
export async function measureBrowser(rows: number, samples: number, counts = COUNTS): Promise<BrowserFigures> {
  const scripts = await bundlePages();
  const names = Object.keys(scripts) as AppName[];
  const browser = await launch(undefined, ["--js-flags=--expose-gc"]);
  try {
    const turns: Partial<Record<AppName, Sample>>[] = [];
    for (let turn = 0; turn < samples; turn++) {
      const found: Partial<Record<AppName, Sample>> = {};
      // Each turn begins with another app.
      for (let at = 0; at < names.length; at++) {
        const name = names[(at + turn) % names.length]!;
        found[name] = await sample(browser, scripts[name]!, rows, counts);
      }
      turns.push(found);
    }
    return { version: browser.version(), rows, turns };
  } finally {
    await browser.close();
  }
}

async function sample(browser: Browser, script: string, rows: number, counts: typeof COUNTS): Promise<Sample> {
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
    const read = async (act: Extract<keyof Meter, "mount" | `write${string}`>, count: number): Promise<Reading> => {
      await page.evaluate(() => (globalThis as unknown as { gc(): void }).gc());
      const before = await worked();
      const [renders, done] = await page.evaluate(
        async ([act, count]) => [await meter[act](count), meter.done] as const,
        [
          act,
          count,
        ] as const,
      );
      const milliseconds = (await worked() - before) / done;
      await page.evaluate(() => meter.check());
      if (errors.length > 0) throw errors[0];
      return { milliseconds, renders };
    };
    await page.addScriptTag({ content: script });
    await page.evaluate((rows) => meter.prepare(rows), rows);
    const mount = await read("mount", 1);
    await read("writeRows", counts.first.rows);
    const row = await read("writeRows", counts.writes.rows);
    await read("writeUsers", counts.first.users);
    const user = await read("writeUsers", counts.writes.users);
    await read("writeRows", counts.ageing.rows);
    await read("writeUsers", counts.ageing.users);
    return {
      "first mount": mount,
      "one row": row,
      "shared user": user,
      "one row, aged": await read("writeRows", counts.agedWrites.rows),
      "shared user, aged": await read("writeUsers", counts.agedWrites.users),
      "next mount": await read("mount", 1),
    };
  } finally {
    await context.close();
  }
}

/** The medians of all pages, and the median of the ratios within each turn. */
export function summarize({ turns }: BrowserFigures): Record<Situation, Record<string, Reading & { ratio: number }>> {
  const names = Object.keys(turns[0]!) as AppName[];
  const found = SITUATIONS.map((situation) => {
    const ofApp = names.map((name) => {
      const readings = turns.map((turn) => turn[name]![situation]);
      const floors = turns.map((turn) => turn.plain![situation]);
      return [name, {
        milliseconds: median(readings.map(({ milliseconds }) => milliseconds)),
        renders: median(readings.map(({ renders }) => renders)),
        ratio: median(readings.map(({ milliseconds }, turn) => milliseconds / floors[turn]!.milliseconds)),
      }] as const;
    });
    return [situation, Object.fromEntries(ofApp)] as const;
  });
  return Object.fromEntries(found) as Record<Situation, Record<string, Reading & { ratio: number }>>; // of all situations
}

/** Prints the figures. */
export function renderBrowser(figures: BrowserFigures): string {
  const { version, rows, turns } = figures, lines = [`Chromium ${version}, ${rows} rows, ${turns.length} pages each`];
  for (const [situation, ofApp] of Object.entries(summarize(figures))) {
    const wall = BROWSER_WALLS[situation as Situation], { ours } = ofApp;
    lines.push(`${situation}${wall ? `: ${ours!.ratio <= wall ? "reached" : "MISSED"} (wall ${wall})` : ""}`);
    for (const [name, { milliseconds, renders, ratio }] of Object.entries(ofApp)) {
      const time = `${milliseconds.toPrecision(3)} ms`.padStart(10);
      lines.push(`  ${name.padEnd(12)} ${time}  ${ratio.toPrecision(3).padStart(5)} x plain  ${renders} renders`);
    }
  }
  return lines.join("\n");
}

let bundled: ReturnType<typeof makePages> | undefined;

/** Bundles each app as it would be served, once per process. Peers that cannot be installed here are missing. */
export function bundlePages(): Promise<Partial<Record<AppName, string>>> {
  return bundled ??= makePages();
}

async function makePages(): Promise<Partial<Record<AppName, string>>> {
  const folder = await mkdtemp(join(tmpdir(), "rejoin-pages-"));
  try {
    await installPeers(folder);
    const scripts: Partial<Record<AppName, string>> = {};
    for (const name of OWN) scripts[name] = await bundle({ entryPoints: [`${HERE}${name}.tsx`] });
    for (const name of PEERS) {
      const { needs, code } = PEER_PAGES[name];
      if (await versionOf(needs, folder) === undefined) continue;
      scripts[name] = await bundle(
        { stdin: { contents: code, resolveDir: HERE, loader: "tsx" } },
        [fromFolder(folder)],
      );
    }
    return scripts;
  } finally {
    await stop();
    await rm(folder, { recursive: true });
  }
}

async function bundle(entry: BuildOptions, plugins: readonly Plugin[] = []): Promise<string> {
  const { outputFiles } = await build({
    ...entry,
    absWorkingDir: ROOT,
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2023",
    jsx: "automatic",
    jsxImportSource: "preact",
    define: { "process.env.NODE_ENV": '"production"' },
    write: false,
    plugins: [...plugins, production, denoSpecifiers],
  });
  return outputFiles![0]!.text;
}

/** Resolves our package as its `production` condition does. */
const production: Plugin = {
  name: "production",
  setup: (build) => build.onResolve({ filter: /^@rejoin\/data$/ }, () => ({ path: `${ROOT}core.ts` })),
};

/** Resolves peers in the folder where they were installed, and Preact here, also in place of React. */
function fromFolder(folder: string): Plugin {
  const JSX = "@babel/runtime/helpers/jsx";
  return {
    name: "from-folder",
    setup(build) {
      build.onResolve(
        { filter: /^@(data-client|tanstack)\// },
        ({ path, kind, importer }) =>
          importer.startsWith(folder) ? undefined : build.resolve(path, { kind, resolveDir: folder, importer: folder }),
      );
      build.onResolve({ filter: /^(preact|react|react-dom)(\/|$)/ }, ({ path, kind, pluginData }) => {
        if (pluginData === fromFolder) return undefined;
        const preact = path.replace(/^react(-dom)?$/, "preact/compat").replace(/^react\//, "preact/");
        return build.resolve(preact, { kind, resolveDir: ROOT, pluginData: fromFolder });
      });
      // Babel's own helper makes React elements by hand, which Preact cannot render.
      build.onResolve({ filter: new RegExp(`^${JSX}$`) }, () => ({ path: JSX, namespace: "preact" }));
      build.onLoad({ filter: /./, namespace: "preact" }, () => ({
        contents: `import { createElement } from "preact";
          export default (type, props, key, ...children) => createElement(type, { ...props, key }, ...children);`,
        resolveDir: ROOT,
      }));
    },
  };
}
