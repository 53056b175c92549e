/** Runs each scenario of the bench with a few rows, so that it keeps working. The figures are ignored. */
import { assert } from "@std/assert";
import { loadContestant } from "../../bench/contestants/mod.ts";
import { SCENARIOS, takesPart } from "../../bench/scenarios.ts";
import { makeWorkload } from "../../bench/workload.ts";

for (const name of ["ours", "raw-signals"] as const) {
  for (const scenario of SCENARIOS) {
    Deno.test(`${name} runs ${scenario.name}`, async () => {
      const contestant = await loadContestant(name), workload = makeWorkload(200, "int");
      if (!takesPart(contestant, scenario)) return;
      if (scenario.unit === "bytes") return void assert(scenario.fill(contestant, workload.issues()) !== undefined);
      const prepare = await scenario.start(contestant, workload);
      assert(prepare(1)() > 0);
    });
  }
}
