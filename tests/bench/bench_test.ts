import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { age } from "../../bench/age.ts";
import { check } from "../../bench/check.ts";
import type { Contestant } from "../../bench/contestant.ts";
import { CONTESTANT_NAMES, loadContestant } from "../../bench/contestants/mod.ts";
import { readOptions } from "../../bench/options.ts";
import { type Cell, formatRatio, formatTime, ratioOf, renderReport } from "../../bench/report.ts";
import { SCENARIOS } from "../../bench/scenarios.ts";
import { type Ids, makeWorkload } from "../../bench/workload.ts";

for (const name of CONTESTANT_NAMES) {
  Deno.test(`bench: ${name} passes its check, fresh and aged, and runs every scenario once`, async (t) => {
    const contestant = await loadContestant(name);
    for (const ids of ["int", "string"] as const satisfies readonly Ids[]) {
      await t.step(`ids ${ids}`, () => {
        const workload = makeWorkload(100, ids);
        check(contestant, ids);
        age(contestant, workload);
        check(contestant, ids);
        for (const scenario of SCENARIOS) {
          if (!scenario.supports(contestant)) continue;
          if (scenario.unit === "ns") assert(scenario.start(contestant, workload)(1)() > 0, scenario.name);
          else assert(scenario.fill(contestant, workload.issues()) !== undefined, scenario.name);
        }
      });
    }
  });
}

Deno.test("bench: the workload is the same each time and has the stated shape", () => {
  const workload = makeWorkload(1000, "int");
  const issues = workload.issues();
  assertEquals(issues, makeWorkload(1000, "int").issues());
  assertEquals(issues.length, 1000);
  assertEquals(new Set(issues.map((issue) => issue.user.id)).size, 10);
  assertEquals(new Set(issues.flatMap((issue) => issue.labels.map((label) => label.id))).size, 50);
  assertEquals(Math.max(...issues.map((issue) => issue.labels.length)), 3);
  assertEquals(issues[0]?.id, "1");
  assertEquals(makeWorkload(10, "string").issues()[0]?.id, "x-1");
  assertEquals(workload.issuesWith(new Map([[3, "other"]]))[3], { ...issues[3]!, title: "other" });
});

Deno.test("bench: the check finds a contestant that shows old data, and one that breaks a promise", async () => {
  const real = await loadContestant("raw-map");
  const forgetful: Contestant = {
    ...real,
    createStore: () => Object.assign(real.createStore(), { writeIssue: () => {} }),
  };
  assertThrows(() => check(forgetful, "int"), Error, "row 41");
  const copying = await loadContestant("normalizr");
  const boasting: Contestant = { ...copying, promises: { ...copying.promises, identity: true } };
  assertThrows(() => check(boasting, "int"), Error, "another list");
});

Deno.test("bench: ratios are taken within a round", () => {
  const cell = (contestant: Cell["contestant"], rounds: number[][]): Cell => ({
    runtime: "deno",
    runtimeLabel: "Deno",
    ids: "int",
    n: 100,
    scenario: "write-one",
    contestant,
    operations: [1, 1, 1],
    rounds,
  });
  // The machine was ten times slower in the second round; both felt it.
  const ours = cell("ours", [[2, 2, 2], [20, 20, 20], [2, 2, 2]]);
  const floor = cell("raw-map", [[1, 1, 1], [10, 10, 10], [1, 1, 1]]);
  assertAlmostEquals(ratioOf(ours, floor), 2);
  const report = renderReport([ours, floor]);
  assert(report.includes("N = 100") && report.includes("÷ raw-map"), report);
  assertEquals(formatRatio(1.2), "~1.2");
  assertEquals(formatRatio(0.123), "0.12");
  assertEquals([formatTime(3.14159), formatTime(25_000), formatTime(1.5e8)], ["3.14 ns", "25.0 µs", "150 ms"]);
});

Deno.test("bench: the command line is read, and a wrong choice is named", () => {
  const options = readOptions(["--runtime", "node", "--ids", "both", "--n", "1000,10_000", "--scenarios", "all"]);
  assert(options !== "help");
  assertEquals(options.runtimes, ["node"]);
  assertEquals(options.ids, ["int", "string"]);
  assertEquals(options.sizes, [1000, 10_000]);
  assertEquals(options.scenarios.length, SCENARIOS.length);
  assertThrows(() => readOptions(["--ids", "uuid"]), Error, "--ids uuid: choose of int, string, both.");
  assertThrows(() => readOptions(["--n", "0"]), Error, "--n 0");
});
