/**
 * The form of a scenario.
 *
 * @module
 */
import type { Contestant, Store } from "./contestant.ts";
import type { RawIssue, Workload } from "./workload.ts";

/** Runs a prepared batch once; what it returns keeps the engine from dropping the work. */
export type Batch = () => number;

/** Makes a batch of so many operations. */
export type Prepare = (operations: number) => Batch;

/**
 * What is measured: stores of rows, readers of such rows, or much at once.
 */
export type Family = FamilyOfRows | "bulk";

/** The families whose workload is rows, with sizes and shapes of ids to choose. */
export type FamilyOfRows = "store" | "propagation";

/** Whether the workload is rows. */
export function hasRows(family: Family): family is FamilyOfRows {
  return family === "store" || family === "propagation";
}

interface AnyScenario {
  readonly name: string;
  /** For the head of its table. */
  readonly about: string;
  /** `store` where it is left out. */
  readonly family?: Family;
  /** Whether a contestant can take part. */
  supports(contestant: Contestant): boolean;
}

/** Measured by the clock: nanoseconds for one operation. */
export interface TimedScenario extends AnyScenario {
  readonly unit: "ns";
  /** Whether the preparation of one operation costs memory in proportion to the rows. */
  readonly heavy: boolean;
  /** How many rows one operation is about, where that is not the size of the workload. */
  readonly rows?: number;
  /** Sets up what all batches share and gives back the maker of batches. */
  start(contestant: Contestant, workload: Workload): Prepare | Promise<Prepare>;
}

/** Measured by what the heap has more afterwards: bytes for each entity. */
export interface HeapScenario extends AnyScenario {
  readonly unit: "bytes";
  /** Gives back everything that the figure is to hold; the response itself is kept elsewhere and not counted. */
  fill(contestant: Contestant, response: RawIssue[]): unknown;
}

/** One thing that is measured. */
export type Scenario = TimedScenario | HeapScenario;

/** For scenarios that any store can do. */
export const everybody = (): boolean => true;

/** For scenarios that need something which not every store has. */
export function having(member: keyof Store): (contestant: Contestant) => boolean {
  return (contestant) => contestant.createStore()[member] !== undefined;
}

/** A list of so many values. */
export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** A store with both lists in it, read once, and with the history of requests that a page has behind it. */
export async function filledStore(contestant: Contestant, workload: Workload): Promise<Store> {
  const store = contestant.createStore();
  store.writeProjects(workload.projects());
  store.writeIssues(workload.issues());
  store.readIssues();
  await store.overlap?.(workload);
  // What the requests have left changed is as the server has it again.
  store.writeProjects(workload.projects());
  store.writeIssues(workload.issues());
  store.readProjects();
  store.readIssues();
  return store;
}

const WORDS = ["stale", "cache", "window", "after", "layer", "missing", "type", "error"];

/** Single changes of rows that lie far apart, of all or of so many, with titles that no row has. */
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
      // Parsed, so that the title is a flat string like one that came over the wire.
      return JSON.parse(
        JSON.stringify({ id: workload.issueId(row), title: `${WORDS[counter % WORDS.length]} ${counter}` }),
      );
    });
}
