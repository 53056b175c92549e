import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { check } from "../../bench/check.ts";
import { checkCalls } from "../../bench/check_calls.ts";
import { checkDepth } from "../../bench/check_depth.ts";
import type { CallFunctions, Contestant, ShowIssue, Store } from "../../bench/contestant.ts";
import { CONTESTANT_NAMES, loadContestant } from "../../bench/contestants/mod.ts";
import { MAKE_READY } from "../../bench/families.ts";
import { GOALS, goalsFor, GROWTHS } from "../../bench/goals.ts";
import { readOptions } from "../../bench/options.ts";
import { type Cell, formatRatio, formatTime, ratioOf, renderReport, verdictsOn } from "../../bench/report.ts";
import { hasRows } from "../../bench/scenario.ts";
import { familyOf, findScenario, SCENARIOS, takesPart } from "../../bench/scenarios.ts";
import { makeKnots } from "../../bench/scenarios_depth.ts";
import { renderSizes, sizeOf } from "../../bench/size.ts";
import { type Ids, makeWorkload } from "../../bench/workload.ts";

for (const name of CONTESTANT_NAMES) {
  Deno.test(`bench: ${name} passes its check, fresh and aged, and runs every scenario of rows once`, async (t) => {
    const contestant = await loadContestant(name);
    // Apollo puts the name of the type before each id: it has one shape of them, and its ageing takes seconds.
    const shapes: readonly Ids[] = name === "apollo" ? ["int"] : ["int", "string"];
    for (const ids of shapes) {
      await t.step(`ids ${ids}`, async () => {
        const workload = makeWorkload(50, ids);
        await MAKE_READY.store(contestant, workload);
        const taken = SCENARIOS.filter((scenario) => hasRows(familyOf(scenario)) && takesPart(contestant, scenario));
        assert(taken.length >= 3);
        for (const scenario of taken) {
          if (scenario.unit === "ns") {
            const prepare = await scenario.start(contestant, workload);
            assert(prepare(1)() > 0, scenario.name);
            assert(prepare(3)() > 0, `${scenario.name}, a second batch`);
          } else {
            assert(scenario.fill(contestant, workload.issues()) !== undefined, scenario.name);
          }
        }
      });
    }
  });
}

Deno.test("bench: who declares endpoints passes its check and runs every scenario of calls once", async () => {
  let runs = 0;
  for (const name of CONTESTANT_NAMES) {
    const contestant = await loadContestant(name);
    for (const scenario of SCENARIOS) {
      if (familyOf(scenario) !== "calls" || scenario.unit !== "ns" || !takesPart(contestant, scenario)) continue;
      await MAKE_READY.calls(contestant, makeWorkload(1, "int"));
      assert((await scenario.start(contestant, makeWorkload(1, "int")))(2)() > 0, `${name}, ${scenario.name}`);
      runs++;
    }
  }
  assertEquals(runs, 12);
});

Deno.test("bench: who only tells readers is measured in propagation and nowhere else", async () => {
  for (const name of ["tanstack", "apollo"] as const) {
    const contestant = await loadContestant(name);
    const taken = SCENARIOS.filter((scenario) => takesPart(contestant, scenario)).map((scenario) => scenario.name);
    assertEquals(taken, ["mount", "notify-one", "notify-user"]);
  }
});

Deno.test("bench: deep data passes its check, and each of its scenarios runs once at full depth", async () => {
  const ours = await loadContestant("ours");
  checkDepth("ours", () => ours.createDepthStore!(), "chain", 500);
  checkDepth("ours", () => ours.createDepthStore!(), "comb", 500);
  const deep = SCENARIOS.filter((scenario) => familyOf(scenario) === "depth");
  assertEquals(deep.length, 10);
  for (const scenario of deep) {
    assert(scenario.unit === "ns" && (await scenario.start(ours, makeWorkload(1, "int")))(1)() > 0, scenario.name);
  }
});

Deno.test("bench: a chain and a comb nest as many knots as they say", () => {
  assertEquals(makeKnots("chain", 2, 7), { id: "1", value: 1, next: { id: "2", value: 7 } });
  assertEquals(makeKnots("comb", 4, 7), {
    id: "1",
    value: 2,
    tooth: { id: "2", value: 2 },
    next: { id: "3", value: 7, tooth: { id: "4", value: 4 } },
  });
});

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

/** A contestant whose stores are changed in some way. */
function spoiled(real: Contestant, change: (store: Store) => Partial<Store>): Contestant {
  return {
    ...real,
    createStore() {
      const store = real.createStore();
      return Object.assign(store, change(store));
    },
  };
}

Deno.test("bench: the check finds a contestant that tells too many readers, or too few", async () => {
  const real = await loadContestant("raw-map");
  const watch = (store: Store, id: string, show: ShowIssue) =>
    Object.getPrototypeOf(store).watchIssue.call(store, id, show);
  const deaf = spoiled(real, () => ({
    watchIssue(id, show) {
      show(this.readIssues!().find((row) => row.id === id)!);
      return () => {};
    },
  }));
  assertThrows(() => check(deaf, "int"), Error, "after a new title the readers of []");
  const shouting = spoiled(real, (store) => ({
    watchIssue: (id, show) => watch(store, id, (row) => (show(row), show(row))),
  }));
  assertThrows(() => check(shouting, "int"), Error, "after mounting");
  const immortal = spoiled(real, (store) => ({
    watchIssue(id, show) {
      watch(store, id, show);
      return () => {};
    },
  }));
  assertThrows(() => check(immortal, "int"), Error, "after its reader has gone");
});

Deno.test("bench: a batch that tells other readers than it should ends the measurement", async () => {
  const real = await loadContestant("raw-map");
  const silent = spoiled(
    real,
    (store) => ({ watchIssue: (id) => store.watchIssue!.call(real.createStore(), id, () => {}) }),
  );
  const scenario = findScenario("notify-one");
  assert(scenario.unit === "ns");
  await assertRejects(async () => void (await scenario.start(silent, makeWorkload(50, "int")))(1)());
});

Deno.test("bench: the check finds keys that collide and addresses that are wrong", async () => {
  const real = await (await loadContestant("ours")).loadCalls!();
  checkCalls("ours", real);
  const colliding: CallFunctions = { ...real, key: () => "the same" };
  assertThrows(() => checkCalls("colliding", colliding), Error, "the number of keys of a thousand calls is 501");
  const lost: CallFunctions = { ...real, listUrl: (params) => real.listUrl({ ...params, state: "" }) };
  assertThrows(() => checkCalls("lost", lost), Error, "lost: the search of a list");
});

Deno.test("bench: the check of depth finds a store that overlooks a change in the innermost", async () => {
  const ours = await loadContestant("ours");
  const blind = () => {
    const store = ours.createDepthStore!();
    let isWritten = false;
    return Object.assign(
      store,
      {
        write: ((write) => (root) => {
          if (!isWritten) write(root);
          isWritten = true;
        })(store.write),
      } satisfies Pick<typeof store, "write">,
    );
  };
  assertThrows(
    () => checkDepth("blind", blind, "chain", 10),
    Error,
    "blind: a chain of 10: knot 10 is not as it was sent",
  );
});

function cell(contestant: Cell["contestant"], rounds: number[][], more: Partial<Cell> = {}): Cell {
  return {
    runtime: "deno",
    runtimeLabel: "Deno",
    ids: "int",
    n: 10_000,
    scenario: "write-one",
    contestant,
    operations: rounds.map(() => 1),
    rounds,
    ...more,
  };
}

Deno.test("bench: ratios are taken within a round", () => {
  // The machine was ten times slower in the second round; both felt it.
  const ours = cell("ours", [[2, 2, 2], [20, 20, 20], [2, 2, 2]]);
  const floor = cell("raw-map", [[1, 1, 1], [10, 10, 10], [1, 1, 1]]);
  assertAlmostEquals(ratioOf(ours, floor), 2);
  const report = renderReport([ours, floor], true);
  assertStringIncludes(report, "N = 10,000");
  assertStringIncludes(report, "÷ raw-map");
  assertEquals(formatRatio(1.2), "~1.2");
  assertEquals(formatRatio(0.123), "0.12");
  assertEquals([formatTime(3.14159), formatTime(25_000), formatTime(1.5e8)], ["3.14 ns", "25.0 µs", "150 ms"]);
});

Deno.test("bench: a goal is reached, missed, or open when nobody is there to compare with", () => {
  const ours = cell("ours", [[8]]);
  const summary = (...others: Cell[]) =>
    renderReport([ours, ...others]).split("\n").find((line) => /write-one/.test(line))!;
  assertStringIncludes(summary(cell("raw-signals", [[3.2]])), "reached");
  assertStringIncludes(summary(cell("raw-signals", [[1.9]])), "MISSED: 4.21 × raw-signals");
  assertStringIncludes(summary(cell("raw-map", [[1]])), "open: no raw-signals");
  assertEquals(verdictsOn(cell("ours", [[8]], { n: 1000 }), []), []);
  const warm = cell("ours", [[5000]], { scenario: "read-warm", n: 1000 });
  assertEquals(verdictsOn(warm, []).map(({ found }) => found), [5000]);
});

Deno.test("bench: what must not grow is compared between two sizes of one condition", () => {
  const small = cell("ours", [[1]], { n: 1000 });
  const report = (large: number) => renderReport([small, cell("ours", [[large]], { n: 100_000 })]);
  assert(/N = 100000 costs 1\.5 × N = 1000.*reached/.test(report(1.5)));
  assert(/N = 100000 costs 3\.0 × N = 1000.*MISSED/.test(report(3)));
  assert(!renderReport([small]).includes("Growth"));
});

Deno.test("bench: where the floor grows as well, growing no more than it is no miss", () => {
  const report = (floor: number, large: number, ids: "int" | "string" = "int") =>
    renderReport([
      cell("ours", [[1]], { n: 1000 }),
      cell("ours", [[large]], { n: 100_000 }),
      cell("raw-signals", [[0.1]], { n: 1000, ids }),
      cell("raw-signals", [[floor / 10]], { n: 100_000, ids }),
    ]);
  assert(/costs 3\.0 × N = 1000 +raw-signals 4\.0 × +goal ≤ 2 +no more than raw-signals/.test(report(4, 3)));
  // The noise of a ratio is allowed for.
  assert(/costs 3\.0 × N = 1000 +raw-signals 2\.5 × +goal ≤ 2 +no more than raw-signals/.test(report(2.5, 3)));
  assert(/costs 3\.0 × N = 1000 +raw-signals 2\.0 × +goal ≤ 2 +MISSED/.test(report(2, 3)));
  assert(/costs 1\.5 × N = 1000 +raw-signals 1\.0 × +goal ≤ 2 +reached/.test(report(1, 1.5)));
  // The floor of another shape of ids says nothing.
  assert(/costs 3\.0 × N = 1000 .*MISSED/.test(report(4, 3, "string")));
});

Deno.test("bench: goals are those of the runtime and the ids", () => {
  const of = (runtime: "node" | "deno", ids: Ids) =>
    goalsFor("write-same", { runtime, ids, n: 10_000 }).map(({ to, atMost }) => `${to} ${atMost}`);
  assertEquals(of("node", "int"), ["data-client 0.6", "raw-signals 1"]);
  assertEquals(of("deno", "string"), ["data-client 0.4", "raw-signals 1"]);
  assertEquals(goalsFor("heap-read", { runtime: "deno", ids: "int", n: 10_000 }), []);
});

Deno.test("bench: every goal belongs to a scenario", () => {
  const known = SCENARIOS.map(({ name }) => name);
  assertEquals(Object.keys(GOALS).filter((name) => !known.includes(name)), []);
  assertEquals(GROWTHS.filter(({ scenario }) => !known.includes(scenario)), []);
});

Deno.test("bench: a bundle is weighed without what is external, and a peer that is missing leaves a gap", async () => {
  const folder = new URL("../..", import.meta.url).pathname;
  const used = await sizeOf(`import { h } from "preact"; console.log(h, "x".repeat(3));`, folder);
  assert(used.min > 20 && used.min < 200, `${used.min} bytes`);
  const report = renderSizes([
    { group: "app", name: "ours", size: { min: 12_345, gzip: 4000, brotli: 3000 } },
    { group: "app", name: "a peer", size: undefined },
  ]);
  assert(/ours +12\.3 +4\.0 +3\.0/.test(report), report);
  assert(/a peer +not installed/.test(report), report);
});

Deno.test("bench: the command line is read, and a wrong choice is named", () => {
  const options = readOptions(["--runtime", "node", "--ids", "both", "--n", "1000,10_000", "--scenarios", "all"]);
  assert(options !== "help");
  assertEquals(options.runtimes, ["node"]);
  assertEquals(options.ids, ["int", "string"]);
  assertEquals(options.sizes, { store: [1000, 10_000], propagation: [1000, 10_000] });
  assertEquals(options.scenarios.length, SCENARIOS.length);
  const some = readOptions(["--scenarios", "calls,write-one"]);
  assert(some !== "help");
  assertEquals(some.scenarios, ["write-one", "declare", "declare-and-key", "key", "key-search", "url", "url-search"]);
  const full = readOptions(["--full", "--rounds", "2"]);
  assert(full !== "help");
  assertEquals([full.sizes, full.ids, full.rounds, full.samples, full.details], [
    { store: [1000, 10_000, 100_000], propagation: [100, 1000, 10_000] },
    ["int", "string"],
    2,
    9,
    true,
  ]);
  const readers = readOptions(["--scenarios", "propagation"]);
  assert(readers !== "help");
  assertEquals(readers.scenarios, ["mount", "notify-one", "notify-user"]);
  assertEquals(readers.sizes.propagation, [100, 1000, 10_000]);
  const pages = readOptions(["--browser", "--n", "200"]);
  assertEquals(pages !== "help" && pages.browser, 200);
  assertEquals(readers.browser, undefined);
  assertThrows(() => readOptions(["--scenarios", "sorting"]), Error, "--scenarios sorting: choose of write-empty");
  assertThrows(() => readOptions(["--ids", "uuid"]), Error, "--ids uuid: choose of int, string, both.");
  assertThrows(() => readOptions(["--n", "0"]), Error, "--n 0");
});

Deno.test("bench: every scene of much at once does its work", async (t) => {
  const ours = await loadContestant("ours");
  for (const scenario of SCENARIOS) {
    if (familyOf(scenario) !== "bulk" || scenario.unit !== "ns") continue;
    await t.step(scenario.name, async () => {
      assert(takesPart(ours, scenario));
      const prepare = await scenario.start(ours, makeWorkload(1, "int"));
      assert(prepare(1)() > 0);
      assert(prepare(2)() > 0);
    });
  }
});
