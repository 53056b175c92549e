import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type BrowserFigures, measureBrowser, renderBrowser, type Sample } from "../../bench/browser/run.ts";

Deno.test("bench: pages render the rows that a write concerns, ours as the floor", async () => {
  const { turns } = await measureBrowser(300, 1);
  for (const sample of Object.values(turns[0]!)) {
    const renders = Object.values(sample).map((reading) => reading.renders);
    assertEquals(renders, [1, 100, 300]);
    assert(Object.values(sample).every((reading) => reading.milliseconds > 0));
  }
});

Deno.test("bench: a figure of pages is reached, or missed by its time or by its renderings", () => {
  const sample = (milliseconds: number, renders = 1): Sample => {
    const reading = { milliseconds, renders };
    return { "one row": reading, "shared user": reading, "first mount": reading };
  };
  const line = (ours: Sample, plain: Sample, situation: string) => {
    const figures: BrowserFigures = { version: "1", rows: 5000, turns: [{ ours, plain, copies: plain }] };
    return renderBrowser(figures).split("\n").find((text) => text.trim().startsWith(situation))!;
  };
  assertStringIncludes(line(sample(1.5), sample(1), "one row"), "reached");
  assertStringIncludes(line(sample(1.52), sample(1), "shared user"), "MISSED: 1.52");
  assertStringIncludes(line(sample(1, 2), sample(1), "first mount"), "MISSED: other renders");
});
