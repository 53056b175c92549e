/**
 * The table of docs/comparison.md, measured in one run: `deno task compare`.
 *
 * Sizes are those of bundles, times and heap bytes are medians in Node, and those of pages are medians in Chromium. A
 * dash stands for a peer that cannot be installed or has no such feature.
 *
 * @module
 */
import { measureBrowser, summarize } from "./browser/run.ts";
import { type ContestantName, PEER_NAMES } from "./contestants/mod.ts";
import { withNode } from "./host.ts";
import { measure } from "./main.ts";
import { measureSizes } from "./size.ts";

/** A line of the table: its title, a figure for each library (`undefined` for none), and how to print it. */
interface Line {
  readonly about: string;
  readonly unit: string;
  readonly figures: readonly (number | undefined)[];
}
const LIBRARIES: readonly ContestantName[] = ["ours", ...PEER_NAMES];
const HEADS = ["Rejoin", "`@data-client`", "TanStack Query", "Apollo", "normalizr"];
const NODE: Readonly<Record<string, readonly [about: string, unit: string, divisor: number]>> = {
  "write-empty": ["write 10,000 rows into an empty store", "ms", 1e6],
  "write-same": ["write equal rows again", "ms", 1e6],
  "write-one": ["write one changed row", "µs", 1e3],
  "read-cold": ["read 10,000 rows, cold", "ms", 1e6],
  "read-after-1": ["read the list after one change", "µs", 1e3],
  mount: ["mount 10,000 readers, no page", "ms", 1e6],
  "notify-one": ["change a row, tell its reader of 10,000", "µs", 1e3],
  "heap-watched": ["heap for each record that is shown", "bytes", 1],
};
const BROWSER = {
  "first mount": "mount 5,000 rows in Chromium",
  "one row, aged": "change one of 5,000 rows in Chromium",
};
const ROUNDS = Number(Deno.env.get("ROUNDS") ?? 1), PAGES = Number(Deno.env.get("SAMPLES") ?? 5);

async function sizeLines(): Promise<Line[]> {
  const rows = await measureSizes();
  return ["app with hooks", "resources, no UI", "normalize only"].map((group) => ({
    about: `${group}, brotli`,
    unit: "kB",
    figures: [/^ours/, /^data-client/, /^TanStack/, /^Apollo/, /^normalizr/].map((name) => {
      const size = rows.find((row) => row.group === group && name.test(row.name))?.size;
      return size && size.brotli / 1e3;
    }),
  }));
}
async function nodeLines(): Promise<Line[]> {
  const lines: Line[] = [];
  await withNode(async (launcher) => {
    for (const [scenario, [about, unit, divisor]] of Object.entries(NODE)) {
      const rounds: (number | undefined)[][] = [];
      for (let round = 0; round < ROUNDS; round++) rounds.push(await measure(launcher, scenario, LIBRARIES));
      const figures = LIBRARIES.map((_, at) => {
        const found = rounds.flatMap((round) => round[at] ?? []).toSorted((a, b) => a - b);
        return found.length ? found[found.length >> 1]! / divisor : undefined;
      });
      lines.push({ about, unit, figures });
    }
  });
  return lines;
}
async function browserLines(): Promise<Line[]> {
  const found = summarize(await measureBrowser(5000, PAGES)), names = ["ours", "data-client", "tanstack"];
  const times = Object.entries(BROWSER).map(([situation, about]) => ({
    about,
    unit: "ms",
    figures: names.map((name) => found[situation as keyof typeof BROWSER][name]?.milliseconds),
  }));
  const renders = names.map((name) => found["one row, aged"][name]?.renders);
  return [...times, { about: "renders for it", unit: "", figures: renders }];
}
const cell = (figure: number | undefined): string =>
  figure === undefined
    ? "–"
    : figure >= 100
    ? Math.round(figure).toLocaleString("en")
    : `${Number(figure.toPrecision(figure < 1 ? 2 : 3))}`;

/** Whether a peer has a smaller figure in a line. Such lines come first. */
const isLost = ({ figures: [ours, ...peers] }: Line): boolean =>
  peers.some((peer) => peer !== undefined && peer < ours!);

const lines = [...await sizeLines(), ...await nodeLines(), ...await browserLines()];
const table = [...lines.filter(isLost), ...lines.filter((line) => !isLost(line))].map((
  { about, unit, figures },
) => [unit ? `${about}, ${unit}` : about, ...HEADS.map((_, at) => cell(figures[at]))]);
console.log(
  `Measured on ${new Date().toISOString().slice(0, 10)}; less is better; where a peer has less stands first.\n`,
);
for (const row of [["", ...HEADS], ["---", ...HEADS.map(() => "---:")], ...table]) {
  console.log(`| ${row.join(" | ")} |`);
}
