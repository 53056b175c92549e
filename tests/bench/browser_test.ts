import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type BrowserFigures, measureBrowser, renderBrowser, type Sample } from "../../bench/browser/run.ts";
import { measureStart, renderStart } from "../../bench/browser/startup.ts";
import { ROOT } from "../repo/module_graph.ts";

/** Renders in each situation, in a page of so many rows, of which a user has a hundred. */
const rendersOf = (rows: number) => [rows, 1, 100, 1, 100, rows];

Deno.test("17. README.md claims the renders that the pages of the bench are held to", async () => {
  const readme = await Deno.readTextFile(`${ROOT}README.md`);
  const table = readme.slice(readme.indexOf("ours | renders |")).split("\n").slice(2);
  const rows = table.slice(0, table.findIndex((line) => !line.startsWith("|")));
  assertEquals(rows.map((row) => Number(row.split("|")[3]!.replace(",", ""))), rendersOf(5_000));
});

Deno.test("bench: pages render the rows that a write concerns, ours as the floor and as TanStack", async () => {
  const { turns } = await measureBrowser(300, 1, {
    first: { rows: 5, users: 1 },
    writes: { rows: 10, users: 2 },
    ageing: { rows: 10, users: 1 },
    agedWrites: { rows: 10, users: 2 },
  });
  const { "data-client": dataClient, ...exact } = turns[0]!;
  assert(Object.keys(exact).length >= 3);
  for (const sample of Object.values(exact)) {
    assertEquals(Object.values(sample).map((reading) => reading.renders), rendersOf(300));
    assert(Object.values(sample).every((reading) => reading.milliseconds > 0));
  }
  // Its state is one, and who reads any of it is rendered.
  if (dataClient !== undefined) assertEquals(dataClient["one row"].renders, 300);
});

Deno.test("17. bench: a page of each starts on a slowed processor, and shows its first rows", async () => {
  const figures = await measureStart(1);
  const { ours, plain } = figures.pages;
  for (const { starts: [start] } of [ours!, plain!]) assert(start!.evaluated > 0 && start!.rendered > 0);
  assert(ours!.bytes > plain!.bytes);
  const [, , head, ...rows] = renderStart(figures).split("\n");
  assertEquals(head!.trim().split(/ {2,}/), ["minified", "evaluated", "100 rows", "together", "pages"]);
  assertEquals(rows.map((row) => row.trim().split(" ")[0]), Object.keys(figures.pages));
});

Deno.test("bench: a figure of pages is reached, or missed by its time or by its renderings", () => {
  const sample = (milliseconds: number, renders = 1): Sample => {
    const reading = { milliseconds, renders };
    return {
      "first mount": reading,
      "one row": reading,
      "shared user": reading,
      "one row, aged": reading,
      "shared user, aged": reading,
      "next mount": reading,
    };
  };
  const line = (ours: Sample, plain: Sample, situation: string) => {
    const figures: BrowserFigures = { version: "1", rows: 5000, turns: [{ ours, plain, copies: plain }] };
    return renderBrowser(figures).split("\n").find((text) => text.trim().startsWith(situation))!;
  };
  assertStringIncludes(line(sample(1.3), sample(1), "one row"), "reached");
  assertStringIncludes(line(sample(1.32), sample(1), "shared user"), "MISSED: 1.32");
  assertStringIncludes(line(sample(1, 2), sample(1), "first mount"), "MISSED: other renders");
});
