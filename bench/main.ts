/**
 * Our figures in Node beside a floor written by hand, `raw-signals`: `deno task bench [scenario…]`.
 *
 * Each contestant has a process of its own for each scenario, and the processes take their samples in turns: what
 * disturbs the machine disturbs all alike. Only ratios within a round mean something; printed is their median.
 * `deno task bench browser` measures rows in Chromium instead, `deno task bench size` bytes.
 *
 * @module
 */
import { measureBrowser, renderBrowser } from "./browser/run.ts";
import type { ContestantName } from "./contestants/mod.ts";
import { measureDemo, renderDemo } from "./demo/run.ts";
import { type Launcher, startWorker, withNode } from "./host.ts";
import { familyOf, findScenario, SCENARIOS } from "./scenarios.ts";
import { measureSizes, renderSizes } from "./size.ts";
import { median } from "./statistics.ts";

/** The walls: ours ÷ raw-signals at 10,000 rows; `ns`, `ms` and `bytes` are ours alone. */
const WALLS: Readonly<Record<string, readonly [most: number, unit?: "ns" | "ms" | "bytes"]>> = {
  "write-empty": [1.2],
  "write-same": [1],
  "write-one": [2.5],
  "read-cold": [0.8],
  "read-warm": [300, "ns"],
  "read-after-1": [0.01],
  mount: [1.3],
  "notify-one": [1.4],
  "notify-user": [1],
  "heap-stored": [300, "bytes"],
  "heap-read": [750, "bytes"],
  "heap-watched": [1100, "bytes"],
  "push-1000": [30, "ms"],
  "beside-lists": [0.1, "ms"],
  "under-request": [30, "ms"],
  "append-member": [30, "ms"],
  "confirm-create": [30, "ms"],
  "optimistic-4000": [1000, "ms"],
  "expire-one": [2, "ms"],
};
const ROUNDS = Number(Deno.env.get("ROUNDS") ?? 3);
const SAMPLES = Number(Deno.env.get("SAMPLES") ?? 7);
const N = 10_000;
const DIVISORS = { ns: 1, ms: 1e6, bytes: 1 };

/** One round: the median of each contestant; `undefined` where one cannot take part. */
export async function measure(
  launcher: Launcher,
  scenario: string,
  contestants: readonly ContestantName[],
): Promise<(number | undefined)[]> {
  const workers = [];
  for (const contestant of contestants) {
    const worker = await startWorker(launcher, { contestant, scenario, n: N, ids: "int" });
    workers.push({ worker, samples: [] as number[] });
  }
  for (let sample = 0; sample < SAMPLES; sample++) {
    // Another one begins each time: the first after a pause may find the clock of the processor low.
    for (const { worker, samples } of sample % 2 ? workers : workers.toReversed()) {
      if (worker) samples.push(await worker.sample());
    }
  }
  for (const { worker } of workers) await worker?.close();
  return workers.map(({ samples }) => samples.length ? median(samples) : undefined);
}

async function benchNode(given: readonly string[]): Promise<void> {
  const named = given.length ? given : Object.keys(WALLS);
  const names = named.flatMap((name) =>
    name === "bulk" ? SCENARIOS.filter((one) => familyOf(one) === "bulk").map((one) => one.name) : [name]
  );
  await withNode(async (launcher) => {
    console.log(`${launcher.label}, ${N} rows, medians of ${ROUNDS} rounds of ${SAMPLES} samples`);
    for (const name of names) {
      const { about } = findScenario(name), [most, unit] = WALLS[name] ?? [Infinity];
      const rounds = [];
      for (let round = 0; round < ROUNDS; round++) {
        rounds.push(await measure(launcher, name, unit ? ["ours"] : ["ours", "raw-signals"]));
      }
      const figure = median(rounds.map(([ours = NaN, floor = 1]) => unit ? ours / DIVISORS[unit] : ours / floor));
      const isReached = figure <= most;
      if (!isReached) Deno.exitCode = 1;
      console.log(
        `${isReached ? "reached" : "MISSED "} ${name.padEnd(16)} ${figure.toPrecision(3).padStart(8)} ${
          (unit ?? "x").padEnd(5)
        } (wall ${most})  ${about}`,
      );
    }
  });
}

if (import.meta.main) {
  const [first] = Deno.args;
  if (first === "size") console.log(renderSizes(await measureSizes()));
  else if (first === "demo") console.log(renderDemo(await measureDemo(SAMPLES)));
  else if (first === "browser") console.log(renderBrowser(await measureBrowser(5000, SAMPLES)));
  else await benchNode(Deno.args);
}
