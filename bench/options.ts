/**
 * What `deno task bench` can be told.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { CONTESTANT_NAMES, type ContestantName } from "./contestants/mod.ts";
import type { Runtime } from "./host.ts";
import { familyOf, SCENARIOS } from "./scenarios.ts";
import type { Family, FamilyOfRows } from "./scenario.ts";
import type { Ids } from "./workload.ts";

/** The chosen run. */
export interface Options {
  readonly runtimes: readonly Runtime[];
  readonly ids: readonly Ids[];
  /** Rows of the list, by family. */
  readonly sizes: Readonly<Record<FamilyOfRows, readonly number[]>>;
  readonly scenarios: readonly string[];
  readonly contestants: readonly ContestantName[];
  /** Processes per contestant and scenario. */
  readonly rounds: number;
  /** Samples per process. */
  readonly samples: number;
  /** A table per scenario with everybody's figures, beside the summary. */
  readonly details: boolean;
  /** Only what an app has to load, in bytes. */
  readonly size: boolean;
  /** Only what it costs to start a page. */
  readonly startup: boolean;
  /** How often a page of the demo is clicked; only the demo is measured. `undefined`: it is not. */
  readonly demo: number | undefined;
  /** How many rows a page shows; only pages are measured. `undefined`: none are. */
  readonly browser: number | undefined;
  /** Everything, at every size: what is left out elsewhere because it takes long. */
  readonly full: boolean;
  readonly json: string | undefined;
  readonly bundle: string | undefined;
}

const SCENARIO_NAMES = SCENARIOS.map((scenario) => scenario.name);
const FAMILIES: readonly Family[] = ["store", "propagation", "calls", "depth", "bulk"];
/** The two functions alone have no goal. */
const DEFAULT_SCENARIOS = SCENARIO_NAMES.filter((name) => name !== "normalize" && name !== "denormalize");
const FULL_SIZES = "1000,10000,100000";
/** What telling one reader costs must not grow with them: the goal is about the first and the last. */
const READERS = "100,1000,10000";

/** The text of `--help`. */
export const HELP = `deno task bench [options]

  --runtime node|deno|both    where the contestants run (default: both)
  --ids int|string|both       ids "1" or "x-1" (default: int)
  --n 1000,10000,100000       rows of the list (default: 10000; for propagation ${READERS})
  --scenarios a,b|all         of ${lines(SCENARIO_NAMES)},
                              or all of ${FAMILIES.join(", ")} (default: all but the functions alone)
  --contestants a,b           of ${CONTESTANT_NAMES.join(", ")} (default: all)
  --rounds 1                  processes per contestant and scenario
  --samples 5                 samples per process
  --full                      all scenarios, ids and sizes, 3 rounds, 9 samples, unless said otherwise: some hours
  --details                   also everybody's medians and quartiles, scenario by scenario
  --size                      only the bytes that an app loads
  --browser                   only rows in a real browser, --n of them (default: 5000)
  --startup                   only what it costs to start a page, on a processor 4 × slower
  --demo                      only the demo: its first list, its wall, its heap after --n clicks (default: 10000)
  --json file                 write every figure to a file
  --bundle folder             only write the bundle that Node runs, for a profiler, and say how it is started
  --help`;

/** Breaks a list of names into lines of the help. */
function lines(names: readonly string[]): string {
  const broken: string[] = [""];
  for (const [index, name] of names.entries()) {
    const text = index === names.length - 1 ? name : `${name}, `;
    if (broken.at(-1)!.length + text.length > 80) broken.push("");
    broken[broken.length - 1] += text;
  }
  return broken.map((line) => line.trimEnd()).join(`\n${" ".repeat(30)}`);
}

/** Reads the command line; throws an error whose message is meant for the person who wrote it. */
export function readOptions(args: string[]): Options | "help" {
  const { values } = parseArgs({
    args,
    options: {
      runtime: { type: "string", default: "both" },
      ids: { type: "string" },
      n: { type: "string" },
      scenarios: { type: "string" },
      contestants: { type: "string", default: CONTESTANT_NAMES.join(",") },
      rounds: { type: "string" },
      samples: { type: "string" },
      full: { type: "boolean", default: false },
      details: { type: "boolean", default: false },
      size: { type: "boolean", default: false },
      browser: { type: "boolean", default: false },
      startup: { type: "boolean", default: false },
      demo: { type: "boolean", default: false },
      json: { type: "string" },
      bundle: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  const { full } = values;
  return {
    runtimes: chosen("runtime", values.runtime, ["node", "deno"], "both"),
    ids: chosen("ids", values.ids ?? (full ? "both" : "int"), ["int", "string"], "both"),
    sizes: {
      store: sizesOf(values.n ?? (full ? FULL_SIZES : "10000")),
      propagation: sizesOf(values.n ?? READERS),
    },
    scenarios: scenariosOf(values.scenarios ?? (full ? "all" : DEFAULT_SCENARIOS.join(","))),
    contestants: chosen("contestants", values.contestants, CONTESTANT_NAMES, "all"),
    rounds: wholeNumber("rounds", values.rounds ?? (full ? "3" : "1")),
    samples: wholeNumber("samples", values.samples ?? (full ? "9" : "5")),
    full,
    details: values.details || full,
    size: values.size,
    startup: values.startup,
    demo: values.demo ? wholeNumber("n", values.n ?? "10000") : undefined,
    browser: values.browser ? wholeNumber("n", values.n ?? "5000") : undefined,
    json: values.json,
    bundle: values.bundle,
  };
}

/** Names of scenarios and of families, in the order in which they are run. */
function scenariosOf(text: string): string[] {
  const names: readonly string[] = chosen("scenarios", text, [...SCENARIO_NAMES, ...FAMILIES], "all");
  return SCENARIOS.filter((scenario) => names.includes(scenario.name) || names.includes(familyOf(scenario)))
    .map((scenario) => scenario.name);
}

function sizesOf(text: string): number[] {
  return text.split(",").map((size) => wholeNumber("n", size));
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
