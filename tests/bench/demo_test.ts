import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type DemoFigures, measureDemo, renderDemo } from "../../bench/demo/run.ts";

Deno.test("bench: the demo is loaded beside the page written by hand, its wall scrolled, its buttons pressed", async () => {
  const { scripts, loads, tasks, heaps } = await measureDemo(20, 1);
  assert(scripts["by hand"] > 0 && scripts["by hand"] < scripts.Cinema);
  for (const { list, alive, arrived } of Object.values(loads[0]!)) assert(list > 0 && alive > 0 && arrived >= 0);
  // What nobody has rendered needs its script.
  assert(loads[0]!["by hand"].arrived > 1_000);
  assert(tasks[0]! > 0);
  assertEquals(heaps.map(({ clicks }) => clicks), [2, 20]);
  assert(heaps.every(({ bytes, nodes, listeners }) => bytes > 0 && nodes > 3_201 && listeners > 0));
});

Deno.test("bench: a figure of the demo is reached, or missed", () => {
  const render = (list: number, task: number, arrived = 45_000) => {
    const load = { list: 1_000, alive: 1_000, arrived };
    const figures: DemoFigures = {
      version: "1",
      scripts: { "by hand": 8_000, "Cinema": 80_000, "Cinema, rendered in the browser only": 80_000 },
      loads: [{
        "by hand": load,
        "Cinema": { list, alive: list, arrived },
        "Cinema, rendered in the browser only": load,
      }],
      tasks: [task],
      heaps: [{ clicks: 10_000, bytes: 5e6, nodes: 1, listeners: 1 }],
    };
    return renderDemo(figures);
  };
  const reached = render(1_250, 50);
  assert(!reached.includes("MISSED"), reached);
  assertEquals(reached.match(/reached/g)?.length, 3);
  assertStringIncludes(render(1_260, 50), "MISSED: 1.26");
  assertStringIncludes(render(1_250, 50, 45_100), "MISSED: 45.1 kB");
  assertStringIncludes(render(1_250, 50.5), "MISSED: 50.5 ms");
  assertStringIncludes(reached, "10,000 clicks");
});
