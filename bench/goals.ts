/**
 * What we want to reach, and whether a run has reached it. A ratio of 1.3 stands for "not slower": less is noise.
 *
 * @module
 */
import type { ContestantName } from "./contestants/mod.ts";
import type { Runtime } from "./host.ts";
import type { Ids } from "./workload.ts";

/** One figure to reach. */
export interface Goal {
  /** The highest figure: a ratio where there is a `to`, else ns or bytes. */
  readonly atMost: number;
  /** Whose figure ours is divided by. */
  readonly to?: ContestantName;
  /** Where it counts; in every runtime when it is left out. */
  readonly runtime?: Runtime;
  /** For which shape of ids; for all when it is left out. */
  readonly ids?: Ids;
  /** Whether it counts for any number of rows, and not for 10,000 alone. */
  readonly anySize?: true;
}

/** The number of rows that goals are about, unless they say more. */
export const GOAL_SIZE = 10_000;

const MILLISECOND = 1e6;
const MICROSECOND = 1e3;

const twiceAsFast: readonly Goal[] = [{ atMost: 0.5, to: "data-client", anySize: true }];
const rewrite: readonly Goal[] = [
  { atMost: 0.6, to: "data-client", ids: "int" },
  { atMost: 0.4, to: "data-client", ids: "string" },
  { atMost: 1, to: "raw-signals" },
];
const deepWrite: readonly Goal[] = [{ atMost: 50 * MILLISECOND, anySize: true }];
const deepRead: readonly Goal[] = [{ atMost: 120 * MILLISECOND, anySize: true }];

/** A tenth of what it was in the first release. */
const bulk = (milliseconds: number): readonly Goal[] => [{ atMost: milliseconds * MILLISECOND, anySize: true }];

/** By the name of a scenario. */
export const GOALS: Readonly<Record<string, readonly Goal[]>> = {
  "write-empty": [
    { atMost: 0.25, to: "data-client" },
    { atMost: 0.5, to: "normalizr", runtime: "node" },
    { atMost: 1.6, to: "raw-signals" },
  ],
  "write-same": rewrite,
  "write-1pct": rewrite,
  "same-body": [{ atMost: MILLISECOND }],
  "write-one": [{ atMost: 2.5, to: "raw-signals" }],
  "read-cold": [
    { atMost: 0.65, to: "raw-signals", runtime: "node" },
    { atMost: 1.3, to: "raw-signals", runtime: "deno" },
  ],
  "read-warm-root": [{ atMost: 0.1 * MICROSECOND, anySize: true }],
  "read-warm": [{ atMost: 0.25 * MICROSECOND, anySize: true }],
  "read-after-1": [{ atMost: 0.05, to: "raw-map" }, { atMost: 25 * MICROSECOND }],
  "sorted-after-1": [{ atMost: 1.3, to: "raw-map" }],
  "mount": [{ atMost: 1.3, to: "raw-signals" }],
  "notify-one": [
    { atMost: 1.4, to: "raw-signals", runtime: "node" },
    { atMost: 2, to: "raw-signals", runtime: "deno" },
  ],
  "notify-user": [
    { atMost: 1, to: "raw-signals", runtime: "node" },
    { atMost: 2.4, to: "raw-signals", runtime: "deno" },
  ],
  "heap-stored": [{ atMost: 500, runtime: "node" }],
  "heap-read": [{ atMost: 1000, runtime: "node" }],
  "heap-watched": [{ atMost: 1500, runtime: "node" }],
  "declare": twiceAsFast,
  "declare-and-key": twiceAsFast,
  "key": twiceAsFast,
  "key-search": twiceAsFast,
  "url": twiceAsFast,
  "url-search": twiceAsFast,
  "push-1000": bulk(130),
  "beside-lists": bulk(0.12),
  "append-member": bulk(6),
  "confirm-create": bulk(4.3),
  "expire-one": bulk(0.036),
  "chain-write": deepWrite,
  "comb-write": deepWrite,
  "chain-read": deepRead,
  "comb-read": deepRead,
};

/** How a cost may grow with the rows. */
export interface Growth {
  readonly scenario: string;
  readonly from: number;
  readonly to: number;
  /** How many times the cost at `from` it may be at `to`. */
  readonly atMost: number;
}

/** What is to cost the same, however much there is. */
export const GROWTHS: readonly Growth[] = [
  { scenario: "write-one", from: 1000, to: 100_000, atMost: 2 },
  { scenario: "write-few", from: 1000, to: 100_000, atMost: 2 },
  { scenario: "notify-one", from: 100, to: 10_000, atMost: 2 },
];

/** The goals of a row under one condition. */
export function goalsFor(scenario: string, condition: { runtime: Runtime; ids: Ids; n: number }): readonly Goal[] {
  return (GOALS[scenario] ?? []).filter((goal) =>
    (goal.runtime ?? condition.runtime) === condition.runtime &&
    (goal.ids ?? condition.ids) === condition.ids &&
    (goal.anySize === true || condition.n === GOAL_SIZE)
  );
}
