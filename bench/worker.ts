/**
 * One process for one contestant and one scenario. It ages itself, says that it is ready, and then takes one sample for
 * each line that it reads. It ends when its input ends.
 *
 * @module
 */
import process from "node:process";
import { createInterface } from "node:readline";
import type { Contestant } from "./contestant.ts";
import { type ContestantName, loadContestant } from "./contestants/mod.ts";
import { age } from "./age.ts";
import { collectGarbage } from "./garbage.ts";
import { hasRows, type HeapScenario, type TimedScenario, times } from "./scenario.ts";
import { familyOf, findScenario, takesPart } from "./scenarios.ts";
import { type Ids, makeWorkload, type Workload } from "./workload.ts";

/** The task of a worker: its only argument, as JSON. */
export interface WorkerTask {
  readonly contestant: ContestantName;
  readonly scenario: string;
  readonly n: number;
  readonly ids: Ids;
}

/** The messages of a worker, one line of JSON each. */
export type WorkerMessage =
  | { readonly kind: "ready"; readonly operations: number }
  | { readonly kind: "sample"; readonly value: number }
  | { readonly kind: "unsupported" };

/** A shorter batch would measure the resolution of the clock, and caches that a collection has left cold. */
const SHORTEST_BATCH_MS = 10;
/**
 * The first batches of a heavy scenario are not counted, because engines still optimize in them, at different speeds.
 */
const WARM_UPS = 10;
/** How often a batch is tried before it counts as long enough, because one try may have waited for a processor. */
const TRIES = 3;
/**
 * The rows of a batch whose operations each need their own list. All contestants get the same number, because garbage
 * collection is part of the figure.
 */
const ROWS_IN_HEAVY_BATCH = 10_000;
const MOST_OPERATIONS = 5_000_000;

/** Kept alive, because an engine drops optimized code of classes of which no object lives. */
export let aged: unknown;
/** Kept alive while its heap is measured. */
export let held: unknown;

function say(message: WorkerMessage): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

async function work(task: WorkerTask): Promise<void> {
  const contestant = await loadContestant(task.contestant);
  const scenario = findScenario(task.scenario);
  if (!takesPart(contestant, scenario)) return say({ kind: "unsupported" });

  const workload = makeWorkload(hasRows(familyOf(scenario)) ? task.n : 1, task.ids);
  aged = hasRows(familyOf(scenario)) ? await age(contestant, workload) : undefined;

  const { operations, sample } = scenario.unit === "ns"
    ? await timeSampler(scenario, contestant, workload)
    : heapSampler(scenario, contestant, workload);
  say({ kind: "ready", operations });
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === "sample") say({ kind: "sample", value: sample() });
  }
}

interface Sampler {
  readonly operations: number;
  sample(): number;
}

async function timeSampler(
  scenario: TimedScenario,
  contestant: Contestant,
  workload: Workload,
): Promise<Sampler> {
  const prepare = await scenario.start(contestant, workload);
  const time = (operations: number): number => {
    const batch = prepare(operations);
    collectGarbage();
    const start = performance.now();
    const done = batch();
    const milliseconds = performance.now() - start;
    if (done <= 0) throw new Error(`${contestant.name} has done nothing in ${scenario.name}.`);
    return milliseconds;
  };
  const samplerOf = (operations: number) => ({ operations, sample: () => time(operations) * 1e6 / operations });
  if (scenario.heavy) {
    const rows = ROWS_IN_HEAVY_BATCH;
    const operations = Math.max(1, Math.floor(rows / (scenario.rows ?? workload.n)));
    for (let i = 0; i < WARM_UPS; i++) time(operations);
    return samplerOf(operations);
  }
  let operations = 1;
  const fastest = () => Math.min(...times(TRIES, () => time(operations)));
  let milliseconds = fastest();
  while (milliseconds < SHORTEST_BATCH_MS && operations < MOST_OPERATIONS) {
    operations = Math.min(
      MOST_OPERATIONS,
      Math.ceil(operations * Math.min(10, 1.5 * SHORTEST_BATCH_MS / milliseconds)),
    );
    milliseconds = fastest();
  }
  return samplerOf(operations);
}

function heapSampler(scenario: HeapScenario, contestant: Contestant, workload: Workload): Sampler {
  const response = workload.issues();
  const entities = new Set(response.flatMap(({ id, user, labels }) => [
    `Issue ${id}`,
    `User ${user.id}`,
    ...labels.map((label) => `Label ${label.id}`),
  ])).size;
  const heapUsed = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const sample = () => {
    const before = heapUsed();
    held = scenario.fill(contestant, response);
    const bytes = heapUsed() - before;
    held = undefined;
    return bytes / entities;
  };
  // The first filling also allocates code and caches, which are needed only once.
  sample();
  return { operations: 1, sample };
}

await work(JSON.parse(process.argv[2]!));
process.exit(0);
