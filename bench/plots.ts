/**
 * Plots of quoted figures, as SVG for docs/comparison.md: `deno task plots` makes them of `figures.json`.
 *
 * @module
 */
import figures from "./figures.json" with { type: "json" };

const FOLDER = new URL("../docs/pictures/", import.meta.url);
const WIDTH = 720;
const LEFT = 290;
const RIGHT = 690;
const ROW = 30;

/** A row of ratios: our time divided by that of each peer; `null` where a peer does not take part. */
interface Ratios {
  readonly name: string;
  readonly [peer: string]: string | number | null;
}

/** Each plot by the name of its file. */
export function plots(): Map<string, string> {
  const { sizes, store, page } = figures;
  return new Map([
    ["sizes", bars("Size of an app with hooks, kB of brotli", sizes.rows)],
    ["store", dots("Our time ÷ theirs, 10,000 rows, Node 20", store.rows, ["normalizr", "data-client"])],
    ["page", dots("Our time ÷ theirs, 5,000 rows in Chromium", page.rows, ["TanStack Query", "data-client"])],
  ]);
}

const STYLE = `<style>
    text { font: 14px system-ui, sans-serif; fill: #1c2430 }
    .s { font-size: 12.5px; fill: #5b6675 }
    .l { stroke: #c3cad4 } .one { stroke: #5b6675; stroke-width: 1.5 }
    .p0 { fill: #2563eb } .p1 { fill: #d97706 } .ours { fill: #2563eb } .theirs { fill: #9aa4b2 }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6e9ef } .s { fill: #a3adbb } .l { stroke: #333c48 } .one { stroke: #a3adbb }
      .p0, .ours { fill: #7fb0ff } .p1 { fill: #f0b45c } .theirs { fill: #5b6675 }
    }
  </style>`;

function svg(label: string, height: number, parts: readonly string[]): string {
  const body = [STYLE, ...parts].map((part) => `  ${part}\n`).join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${label}">\n${body}</svg>\n`;
}

function text(x: number, y: number, words: string, kind = "", anchor = "start"): string {
  return `<text x="${x}" y="${y}" class="${kind}" text-anchor="${anchor}">${words.replaceAll("&", "&amp;")}</text>`;
}

/** Ratios on a logarithmic axis: left of the line at 1 we are faster. */
function dots(title: string, rows: readonly Ratios[], peers: readonly string[]): string {
  const [from, to] = [-5, 1];
  const at = (ratio: number) => LEFT + ((Math.log10(ratio) - from) / (to - from)) * (RIGHT - LEFT);
  const top = 74;
  const bottom = top + rows.length * ROW;
  const parts = [text(20, 24, title)];
  peers.forEach((peer, index) => {
    const x = LEFT + index * 150;
    parts.push(`<circle class="p${index}" cx="${x}" cy="44" r="5" />`, text(x + 11, 48, `÷ ${peer}`, "s"));
  });
  for (let power = from; power <= to; power++) {
    const x = at(10 ** power).toFixed(1);
    parts.push(`<path class="${power === 0 ? "one" : "l"}" d="M${x} ${top - 12} V${bottom}" />`);
    parts.push(text(Number(x), bottom + 18, power === 0 ? "1: the same" : String(10 ** power), "s", "middle"));
  }
  rows.forEach((row, index) => {
    const y = top + index * ROW + 8;
    parts.push(text(20, y + 5, row.name, "s"));
    peers.forEach((peer, which) => {
      const ratio = row[peer];
      if (typeof ratio === "number") {
        parts.push(`<circle class="p${which}" cx="${at(ratio).toFixed(1)}" cy="${y}" r="5" />`);
      }
    });
  });
  parts.push(text(LEFT, bottom + 38, "← we are faster", "s"), text(RIGHT, bottom + 38, "slower →", "s", "end"));
  return svg(title, bottom + 50, parts);
}

/** Sizes beside each other: the shorter, the better. */
function bars(title: string, rows: readonly { readonly name: string; readonly brotli: number }[]): string {
  const most = Math.max(...rows.map(({ brotli }) => brotli));
  const parts = [text(20, 24, title)];
  rows.forEach(({ name, brotli }, index) => {
    const y = 44 + index * ROW;
    const width = (brotli / most) * (RIGHT - LEFT - 50);
    parts.push(text(20, y + 15, name, "s"));
    parts.push(
      `<rect class="${index === 0 ? "ours" : "theirs"}" x="${LEFT}" y="${y}" width="${
        width.toFixed(1)
      }" height="20" rx="3" />`,
    );
    parts.push(text(Math.round(LEFT + width + 8), y + 15, brotli.toFixed(1), "s"));
  });
  return svg(title, 54 + rows.length * ROW, parts);
}

if (import.meta.main) {
  for (const [name, plot] of plots()) await Deno.writeTextFile(new URL(`plot-${name}.svg`, FOLDER), plot);
}
