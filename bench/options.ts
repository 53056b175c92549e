/**
 * What `deno task bench` can be told.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { CONTESTANT_NAMES, type ContestantName } from "./contestants/mod.ts";
import type { Runtime } from "./host.ts";
import { SCENARIOS } from "./scenarios.ts";
import type { Ids } from "./workload.ts";

/** The chosen run. */
export interface Options {
  readonly runtimes: readonly Runtime[];
  readonly ids: readonly Ids[];
  readonly sizes: readonly number[];
  readonly scenarios: readonly string[];
  readonly contestants: readonly ContestantName[];
  /** Processes per contestant and scenario. */
  readonly rounds: number;
  /** Samples per process. */
  readonly samples: number;
  readonly json: string | undefined;
  readonly bundle: string | undefined;
}

const SCENARIO_NAMES = SCENARIOS.map((scenario) => scenario.name);
const DEFAULT_SCENARIOS = ["write-empty", "write-same", "read-cold", "read-after-1"];

/** The text of `--help`. */
export const HELP = `deno task bench [options]

  --runtime node|deno|both    where the contestants run (default: both)
  --ids int|string|both       ids "1" or "x-1" (default: int)
  --n 1000,10000,100000       rows of the list (default: 10000)
  --scenarios a,b|all         of ${SCENARIO_NAMES.join(", ")}
                              (default: ${DEFAULT_SCENARIOS.join(",")})
  --contestants a,b           of ${CONTESTANT_NAMES.join(", ")} (default: all)
  --rounds 3                  processes per contestant and scenario
  --samples 9                 samples per process
  --json file                 write every figure to a file
  --bundle folder             only write the bundle that Node runs, for a profiler, and say how it is started
  --help`;

/** Reads the command line; throws an error whose message is meant for the person who wrote it. */
export function readOptions(args: string[]): Options | "help" {
  const { values } = parseArgs({
    args,
    options: {
      runtime: { type: "string", default: "both" },
      ids: { type: "string", default: "int" },
      n: { type: "string", default: "10000" },
      scenarios: { type: "string", default: DEFAULT_SCENARIOS.join(",") },
      contestants: { type: "string", default: CONTESTANT_NAMES.join(",") },
      rounds: { type: "string", default: "3" },
      samples: { type: "string", default: "9" },
      json: { type: "string" },
      bundle: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  return {
    runtimes: chosen("runtime", values.runtime, ["node", "deno"], "both"),
    ids: chosen("ids", values.ids, ["int", "string"], "both"),
    sizes: values.n.split(",").map((text) => wholeNumber("n", text)),
    scenarios: chosen("scenarios", values.scenarios, SCENARIO_NAMES, "all"),
    contestants: chosen("contestants", values.contestants, CONTESTANT_NAMES, "all"),
    rounds: wholeNumber("rounds", values.rounds),
    samples: wholeNumber("samples", values.samples),
    json: values.json,
    bundle: values.bundle,
  };
}

function chosen<Name extends string>(option: string, text: string, known: readonly Name[], all: string): Name[] {
  if (text === all) return [...known];
  return text.split(",").map((name) => {
    const found = known.find((other) => other === name);
    if (found === undefined) throw new Error(`--${option} ${name}: choose of ${[...known, all].join(", ")}.`);
    return found;
  });
}

function wholeNumber(option: string, text: string): number {
  const number = Number(text.replaceAll("_", ""));
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${option} ${text}: give a number of 1 or more.`);
  return number;
}
