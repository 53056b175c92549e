import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type BrowserFigures, measureBrowser, renderBrowser, type Sample } from "../../bench/browser/run.ts";

Deno.test("bench: pages render the rows that a write concerns, ours as the floor and as TanStack", async () => {
  const { turns } = await measureBrowser(300, 1, {
    first: { rows: 5, users: 1 },
    writes: { rows: 10, users: 2 },
    ageing: { rows: 10, users: 1 },
  });
  const { "data-client": dataClient, ...exact } = turns[0]!;
  assert(Object.keys(exact).length >= 3);
  for (const sample of Object.values(exact)) {
    assertEquals(Object.values(sample).map((reading) => reading.renders), [300, 1, 100, 1, 100, 300]);
    assert(Object.values(sample).every((reading) => reading.milliseconds > 0));
  }
  // Its state is one, and who reads any of it is rendered.
  if (dataClient !== undefined) assertEquals(dataClient["one row"].renders, 300);
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
