/**
 * Our figures beside the peers' and the floors', in one run. Only ratios within a run mean something.
 *
 * For each runtime, shape of ids, size and scenario every contestant gets a process of its own; the processes check and
 * age themselves, then give one sample each in turn, so that what disturbs the machine disturbs all alike.
 *
 * @module
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measureBrowser, renderBrowser } from "./browser/run.ts";
import { measureStart, renderStart } from "./browser/startup.ts";
import { measureDemo, renderDemo } from "./demo/run.ts";
import { measurePromises, renderPromises } from "./promises.ts";
import { measureFeatures, measureSizes, renderFeatures, renderSizes } from "./size.ts";
import { parallel } from "./parallel.ts";
import { type ContestantName, loadContestant } from "./contestants/mod.ts";
import { bundleWorker, denoLauncher, type Launcher, nodeLauncher, startWorker, type Worker } from "./host.ts";
import { HELP, type Options, readOptions } from "./options.ts";
import { type Cell, figuresOf, renderReport } from "./report.ts";
import { GROWTHS } from "./goals.ts";
import type { Family, FamilyOfRows } from "./scenario.ts";
import { familyOf, findScenario, takesPart } from "./scenarios.ts";
import { DEPTH } from "./scenarios_depth.ts";
import type { Ids } from "./workload.ts";

/** Who has taken so long in a round gives no more than {@linkcode FEWEST_SAMPLES}. */
const PATIENCE_MS = 15_000;
const FEWEST_SAMPLES = 3;

interface Group {
  readonly launcher: Launcher;
  readonly ids: Ids;
  readonly n: number;
  readonly scenario: string;
}

interface Collected {
  readonly operations: number[];
  readonly rounds: number[][];
}

async function main(options: Options): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "rejoin-bench-"));
  try {
    const launchers: Launcher[] = [];
    for (const runtime of options.runtimes) {
      const launcher = runtime === "deno" ? denoLauncher() : await nodeLauncher(folder);
      if (launcher === undefined) console.error("There is no Node here: its half is left out.");
      else launchers.push(launcher);
    }
    const groups = launchers.flatMap((launcher) => groupsOf(launcher, options));
    const cells: Cell[] = [];
    const failures = new Set<string>();
    for (const [index, group] of groups.entries()) {
      cells.push(...await measure(group, options, `[${index + 1}/${groups.length}]`, failures));
    }
    console.log(renderReport(cells, options.details));
    if (options.json !== undefined) await writeFile(options.json, renderJson(cells));
    for (const failure of failures) console.error(`\n${failure}`);
    return failures.size === 0;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What one runtime is to do. Only what has rows is measured at several sizes and with both shapes of ids. */
function groupsOf(launcher: Launcher, { ids, sizes, scenarios, full }: Options): Group[] {
  const inFamily = (family: Family) => scenarios.filter((name) => familyOf(findScenario(name)) === family);
  // The sizes of a scenario come one after the other: what must not grow is compared between them.
  const ofRows = (family: FamilyOfRows) =>
    ids.flatMap((shape) =>
      inFamily(family).flatMap((scenario) => sizes[family].map((n): Group => ({ launcher, ids: shape, n, scenario })))
    );
  const growing = GROWTHS.filter(({ scenario, from, to }) => {
    const ofFamily = sizes[familyOf(findScenario(scenario)) as FamilyOfRows];
    return full && scenarios.includes(scenario) && ofFamily.includes(to) && !ofFamily.includes(from);
  });
  return [
    ...ids.flatMap((shape) =>
      growing.map(({ scenario, from }): Group => ({ launcher, ids: shape, n: from, scenario }))
    ),
    ...ofRows("store"),
    ...ofRows("propagation"),
    ...inFamily("calls").map((scenario): Group => ({ launcher, ids: "int", n: 1, scenario })),
    ...inFamily("bulk").map((scenario): Group => ({ launcher, ids: "int", n: 1, scenario })),
    ...inFamily("depth").map((scenario): Group => ({ launcher, ids: "int", n: DEPTH, scenario })),
  ];
}

async function measure(group: Group, options: Options, position: string, failures: Set<string>): Promise<Cell[]> {
  const { launcher, ids, n, scenario } = group;
  const collected = new Map<ContestantName, Collected>();
  const invited: ContestantName[] = [];
  for (const name of options.contestants) {
    if (takesPart(await loadContestant(name), findScenario(scenario))) invited.push(name);
  }
  for (let round = 0; round < options.rounds; round++) {
    const about = `${position} ${launcher.runtime}, ids ${ids}, N ${n}, ${scenario}, round ${
      round + 1
    }/${options.rounds}`;
    progress(`${about}: starting`);
    const workers = new Map<ContestantName, Worker>();
    // Nothing is timed while the processes age, so they may share the cores; two at a time, as many as there are here.
    await parallel(2, invited, async (contestant) => {
      try {
        const worker = await startWorker(launcher, { contestant, scenario, n, ids });
        if (worker !== undefined) workers.set(contestant, worker);
      } catch (error) {
        failures.add(error instanceof Error ? error.message : String(error));
      }
    });
    const taking = invited.filter((contestant) => workers.has(contestant));
    const samples = new Map(taking.map((contestant) => [contestant, [] as number[]]));
    const spent = new Map<ContestantName, number>();
    for (let sample = 0; sample < options.samples; sample++) {
      progress(`${about}: sample ${sample + 1}/${options.samples}`);
      for (let turn = 0; turn < taking.length; turn++) {
        // Another one begins each time: the first after a pause may find the clock of the processor low.
        const contestant = taking[(turn + sample) % taking.length]!;
        const taken = samples.get(contestant)!;
        const before = spent.get(contestant) ?? 0;
        if (before > PATIENCE_MS && taken.length >= FEWEST_SAMPLES) continue;
        const start = performance.now();
        taken.push(await workers.get(contestant)!.sample());
        spent.set(contestant, before + performance.now() - start);
      }
    }
    for (const contestant of taking) {
      const worker = workers.get(contestant)!;
      await worker.close();
      const ofContestant = collected.get(contestant) ?? { operations: [], rounds: [] };
      ofContestant.operations.push(worker.operations);
      ofContestant.rounds.push(samples.get(contestant)!);
      collected.set(contestant, ofContestant);
    }
  }
  progress("");
  return options.contestants.flatMap((contestant) => {
    const ofContestant = collected.get(contestant);
    if (ofContestant === undefined || ofContestant.rounds.length < options.rounds) return [];
    return [{ runtime: launcher.runtime, runtimeLabel: launcher.label, ids, n, scenario, contestant, ...ofContestant }];
  });
}

/** One line that is written over on a terminal, a line each elsewhere. */
function progress(text: string): void {
  if (Deno.stderr.isTerminal()) Deno.stderr.writeSync(new TextEncoder().encode(`\r\x1b[K${text}`));
  else if (text.endsWith("starting")) console.error(text);
}

function renderJson(cells: readonly Cell[]): string {
  const rows = cells.map((cell) => ({ ...cell, unit: findScenario(cell.scenario).unit, ...figuresOf(cell) }));
  return `${JSON.stringify({ date: new Date().toISOString(), cells: rows }, undefined, 2)}\n`;
}

if (import.meta.main) {
  try {
    const options = readOptions([...Deno.args]);
    if (options === "help") {
      console.log(HELP);
    } else if (options.size) {
      const tables = [renderSizes(await measureSizes()), renderFeatures(await measureFeatures())];
      console.log([...tables, renderPromises(await measurePromises())].join("\n\n"));
    } else if (options.startup) {
      console.log(renderStart(await measureStart(options.samples)));
    } else if (options.demo !== undefined) {
      console.log(renderDemo(await measureDemo(options.demo, options.samples, console.error)));
    } else if (options.browser !== undefined) {
      console.log(renderBrowser(await measureBrowser(options.browser, options.samples)));
    } else if (options.bundle !== undefined) {
      await bundleWorker(options.bundle);
      console.log(
        `node --expose-gc ${options.bundle}/worker.js ` +
          `'{"contestant":"ours","scenario":"write-empty","n":10000,"ids":"int"}' (a sample for each line "sample")`,
      );
    } else if (!await main(options)) {
      Deno.exitCode = 1;
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    Deno.exitCode = 1;
  }
}
