/**
 * The form of a scenario.
 *
 * @module
 */
import type { Contestant, Store } from "./contestant.ts";
import type { RawIssue, Workload } from "./workload.ts";

/** Runs a prepared batch once. Its result keeps the engine from removing the work. */
export type Batch = () => number;

/** Prepares a batch of `operations` operations. */
export type Prepare = (operations: number) => Batch;

/**
 * What a scenario measures: stores of rows, readers of rows, or bulk operations.
 */
export type Family = FamilyOfRows | "bulk";

/** The families that work on rows, with a choice of their number and the shape of their ids. */
export type FamilyOfRows = "store" | "propagation";

/** Whether a family works on rows. */
export function hasRows(family: Family): family is FamilyOfRows {
  return family === "store" || family === "propagation";
}

interface AnyScenario {
  readonly name: string;
  /** The title of its table. */
  readonly about: string;
  /** `store` by default. */
  readonly family?: Family;
  /** Whether a contestant can take part. */
  supports(contestant: Contestant): boolean;
}

/** A scenario that measures time: nanoseconds for one operation. */
export interface TimedScenario extends AnyScenario {
  readonly unit: "ns";
  /** Whether the preparation of one operation costs memory in proportion to the rows. */
  readonly heavy: boolean;
  /** How many rows one operation works on, if not all of the workload. */
  readonly rows?: number;
  /** Sets up what all batches share, and returns the function that prepares a batch. */
  start(contestant: Contestant, workload: Workload): Prepare | Promise<Prepare>;
}

/** A scenario that measures heap: bytes for each entity. */
export interface HeapScenario extends AnyScenario {
  readonly unit: "bytes";
  /** Returns everything whose memory counts. The response itself is kept elsewhere and does not count. */
  fill(contestant: Contestant, response: RawIssue[]): unknown;
}

/** A scenario. */
export type Scenario = TimedScenario | HeapScenario;

/** For scenarios that every store supports. */
export const everybody = (): boolean => true;

/** For scenarios that need a member which not every store has. */
export function having(member: keyof Store): (contestant: Contestant) => boolean {
  return (contestant) => contestant.createStore()[member] !== undefined;
}

/** Makes a list of `count` values. */
export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** A store with both lists, read once, after the requests that a page usually has made. */
export async function filledStore(contestant: Contestant, workload: Workload): Promise<Store> {
  const store = contestant.createStore();
  store.writeProjects(workload.projects());
  store.writeIssues(workload.issues());
  store.readIssues();
  await store.overlap?.(workload);
  // Writes the server's values again over what those requests have changed.
  store.writeProjects(workload.projects());
  store.writeIssues(workload.issues());
  store.readProjects();
  store.readIssues();
  return store;
}

const WORDS = ["stale", "cache", "window", "after", "layer", "missing", "type", "error"];

/** Makes changes of single rows, far apart, of all rows or of `among` rows. No row has such a title yet. */
export function changesOf(
  workload: Workload,
  among: number = workload.n,
): (count: number) => { id: string; title: string }[] {
  const distance = Math.floor(workload.n / among);
  let counter = 0;
  return (count) =>
    times(count, () => {
      counter++;
      const row = (counter * 7919) % among * distance;
      // Parsed from JSON, so that the title is a flat string like one from the network.
      return JSON.parse(
        JSON.stringify({ id: workload.issueId(row), title: `${WORDS[counter % WORDS.length]} ${counter}` }),
      );
    });
}
