/** Plots show the figures that are quoted, and the pictures are those of the figures. */
import { assert, assertEquals } from "@std/assert";
import * as esbuild from "esbuild";
import figures from "../../bench/figures.json" with { type: "json" };
import { plots } from "../../bench/plots.ts";
import { GROUPS, sizeOf } from "../../bench/size.ts";
import { ROOT } from "../repo/module_graph.ts";

/** The cells of the rows of a table, by the first cell of the row. */
function tableOf(readme: string, head: string): Map<string, string[]> {
  const lines = readme.slice(readme.indexOf(head)).split("\n").slice(2);
  const rows = lines.slice(0, lines.findIndex((line) => !line.startsWith("|")));
  return new Map(rows.map((line) => {
    const [name = "", ...cells] = line.slice(1, -1).split("|").map((cell) => cell.trim());
    return [name, cells];
  }));
}

function cellOf(ratio: number | null): string {
  if (ratio === null) return "–";
  // As the bench prints it: 0.000089, not 8.9e-5.
  return ratio >= 0.0001 ? String(ratio) : ratio.toFixed(6);
}

Deno.test("17. the figures of the plots are those of README.md", async () => {
  const readme = await Deno.readTextFile(`${ROOT}README.md`);
  const store = tableOf(readme, "|                                    | ours, Node 20");
  const page = tableOf(readme, "|                                           |    ours | renders");
  const { store: { rows }, page: { rows: pageRows } } = figures;
  assertEquals([rows.length, pageRows.length], [store.size, page.size]);
  for (const row of rows) {
    assertEquals(store.get(row.name)?.slice(1, 3), [cellOf(row.normalizr), cellOf(row["data-client"])], row.name);
  }
  for (const row of pageRows) {
    assertEquals(
      page.get(row.name)?.slice(3, 5),
      [cellOf(row["TanStack Query"]), cellOf(row["data-client"])],
      row.name,
    );
  }
});

Deno.test("17. our size in the plot is what an app loads", async () => {
  try {
    const { brotli } = await sizeOf(GROUPS["app with hooks"]![0]!.code, ROOT);
    const said = figures.sizes.rows[0]!.brotli;
    assert(
      Math.abs(said - brotli / 1000) < 1,
      `bench/figures.json says ${said} kB: write ${(brotli / 1000).toFixed(1)}`,
    );
  } finally {
    await esbuild.stop();
  }
});

Deno.test("17. the pictures are those of the figures", async () => {
  for (const [name, plot] of plots()) {
    assertEquals(await Deno.readTextFile(`${ROOT}docs/pictures/plot-${name}.svg`), plot, "run deno task plots");
  }
});
