/**
 * What is measured. A scenario prepares a batch of operations, with everything that they need and that is not theirs
 * (parsing JSON, filling a store), and gives back the function to be timed.
 *
 * @module
 */
import type { Contestant, Store } from "./contestant.ts";
import type { RawIssue, Workload } from "./workload.ts";

/** Runs a prepared batch once; what it returns keeps the engine from dropping the work. */
export type Batch = () => number;

interface AnyScenario {
  readonly name: string;
  /** For the head of its table. */
  readonly about: string;
  /** Whether a contestant can take part. */
  supports(contestant: Contestant): boolean;
}

/** Measured by the clock: nanoseconds for one operation. */
export interface TimedScenario extends AnyScenario {
  readonly unit: "ns";
  /** Whether the preparation of one operation costs memory in proportion to the rows. */
  readonly heavy: boolean;
  /** Sets up what all batches share and gives back the maker of batches. */
  start(contestant: Contestant, workload: Workload): (operations: number) => Batch;
}

/** Measured by what the heap has more afterwards: bytes for each entity. */
export interface HeapScenario extends AnyScenario {
  readonly unit: "bytes";
  /** Gives back everything that the figure is to hold; the response itself is kept elsewhere and not counted. */
  fill(contestant: Contestant, response: RawIssue[]): unknown;
}

/** One thing that is measured. */
export type Scenario = TimedScenario | HeapScenario;

const everybody = () => true;
const withPureFunctions = (contestant: Contestant) => contestant.pure !== undefined;

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** A store with both lists in it, read once, as a page has it. */
function filledStore(contestant: Contestant, workload: Workload): Store {
  const store = contestant.createStore();
  store.writeProjects(workload.projects());
  store.writeIssues(workload.issues());
  store.readProjects();
  store.readIssues();
  return store;
}

/** Single changes of rows that lie far apart, with titles that no row has. */
function changesOf(workload: Workload): (count: number) => { id: string; title: string }[] {
  let counter = 0;
  return (count) =>
    times(count, () => {
      counter++;
      const row = (counter * 7919) % workload.n;
      // Parsed, so that the title is a flat string like one that came over the wire.
      return JSON.parse(
        JSON.stringify({ id: workload.issueId(row), title: `${WORDS[counter % WORDS.length]} ${counter}` }),
      );
    });
}
const WORDS = ["stale", "cache", "window", "after", "layer", "missing", "type", "error"];

/** All scenarios, in the order in which they are run. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: "write-empty",
    about: "write the list into an empty store",
    unit: "ns",
    heavy: true,
    supports: everybody,
    start: (contestant, workload) => (operations) => {
      const stores = times(operations, () => contestant.createStore());
      const responses = times(operations, () => workload.issues());
      return () => {
        for (let i = 0; i < operations; i++) stores[i]!.writeIssues(responses[i]!);
        return stores.length;
      };
    },
  },
  {
    name: "write-same",
    about: "write an equal list again (fresh JSON)",
    unit: "ns",
    heavy: true,
    supports: everybody,
    start(contestant, workload) {
      const store = filledStore(contestant, workload);
      return (operations) => {
        const responses = times(operations, () => workload.issues());
        return () => {
          for (const response of responses) store.writeIssues(response);
          return operations;
        };
      };
    },
  },
  {
    name: "write-1pct",
    about: "write the list with 1 % of its titles changed",
    unit: "ns",
    heavy: true,
    supports: everybody,
    start(contestant, workload) {
      const store = filledStore(contestant, workload);
      const titles = new Map<number, string>();
      const perWrite = Math.max(1, Math.floor(workload.n / 100));
      let counter = 0;
      return (operations) => {
        const responses = times(operations, () => {
          // Each response keeps what the ones before it have changed: 1 % differs from the store, and not 2 %.
          for (let change = 0; change < perWrite; change++) {
            counter++;
            titles.set((counter * 7919) % workload.n, `changed ${counter}`);
          }
          return workload.issuesWith(titles);
        });
        return () => {
          for (const response of responses) store.writeIssues(response);
          return operations;
        };
      };
    },
  },
  {
    name: "write-one",
    about: "write one entity",
    unit: "ns",
    heavy: false,
    supports: everybody,
    start(contestant, workload) {
      const store = filledStore(contestant, workload);
      const changes = changesOf(workload);
      return (operations) => {
        // What an earlier batch has changed is read first, so that nothing is left marked from it.
        store.readIssues();
        const batch = changes(operations);
        return () => {
          for (const change of batch) store.writeIssue(change);
          return operations;
        };
      };
    },
  },
  {
    name: "read-cold",
    about: "read the list, joined, for the first time",
    unit: "ns",
    heavy: true,
    supports: everybody,
    start: (contestant, workload) => (operations) => {
      const stores = times(operations, () => {
        const store = contestant.createStore();
        store.writeIssues(workload.issues());
        return store;
      });
      return () => {
        let rows = 0;
        for (const store of stores) rows += store.readIssues().length;
        return rows;
      };
    },
  },
  {
    name: "read-warm",
    about: "read the list again, nothing changed",
    unit: "ns",
    heavy: false,
    supports: everybody,
    start(contestant, workload) {
      const store = filledStore(contestant, workload);
      return (operations) => () => {
        let rows = 0;
        for (let i = 0; i < operations; i++) rows += store.readIssues().length;
        return rows;
      };
    },
  },
  {
    name: "read-after-1",
    about: "write one entity, read the list",
    unit: "ns",
    heavy: false,
    supports: everybody,
    start(contestant, workload) {
      const store = filledStore(contestant, workload);
      const changes = changesOf(workload);
      return (operations) => {
        const batch = changes(operations);
        return () => {
          let rows = 0;
          for (const change of batch) {
            store.writeIssue(change);
            rows += store.readIssues().length;
          }
          return rows;
        };
      };
    },
  },
  {
    name: "sorted-after-1",
    about: "write one entity, read all sorted by title",
    unit: "ns",
    heavy: false,
    supports: everybody,
    start(contestant, workload) {
      const store = filledStore(contestant, workload);
      const changes = changesOf(workload);
      store.readSorted();
      return (operations) => {
        const batch = changes(operations);
        return () => {
          let rows = 0;
          for (const change of batch) {
            store.writeIssue(change);
            rows += store.readSorted().length;
          }
          return rows;
        };
      };
    },
  },
  {
    name: "normalize",
    about: "the function alone: response to tables",
    unit: "ns",
    heavy: true,
    supports: withPureFunctions,
    start: (contestant, workload) => (operations) => {
      const responses = times(operations, () => workload.issues());
      const results: unknown[] = [];
      return () => {
        for (const response of responses) results.push(contestant.pure!.normalize(response));
        return results.length;
      };
    },
  },
  {
    name: "denormalize",
    about: "the function alone: tables to the joined list",
    unit: "ns",
    heavy: true,
    supports: withPureFunctions,
    start: (contestant, workload) => (operations) => {
      const tables = times(operations, () => contestant.pure!.normalize(workload.issues()));
      return () => {
        let rows = 0;
        for (const table of tables) rows += contestant.pure!.denormalize(table).length;
        return rows;
      };
    },
  },
  {
    name: "heap-stored",
    about: "bytes per entity, list written",
    unit: "bytes",
    supports: everybody,
    fill(contestant, response) {
      const store = contestant.createStore();
      store.writeIssues(response);
      return store;
    },
  },
  {
    name: "heap-read",
    about: "bytes per entity, list written and read once",
    unit: "bytes",
    supports: everybody,
    fill(contestant, response) {
      const store = contestant.createStore();
      store.writeIssues(response);
      return [store, store.readIssues()];
    },
  },
];

/** The scenario of a name. */
export function findScenario(name: string): Scenario {
  const found = SCENARIOS.find((scenario) => scenario.name === name);
  if (found === undefined) throw new Error(`There is no scenario "${name}".`);
  return found;
}
