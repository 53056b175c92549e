/**
 * The scenarios. Each prepares a batch of operations with everything that should not be timed (parsing JSON, filling a
 * store), and returns the function to time.
 *
 * @module
 */
import type { Contestant } from "./contestant.ts";
import {
  changesOf,
  everybody,
  type Family,
  filledStore,
  having,
  type Scenario,
  type TimedScenario,
  times,
} from "./scenario.ts";
import { BULK_SCENARIOS } from "./scenarios_bulk.ts";
import { WATCH_SCENARIOS } from "./scenarios_watch.ts";

const withPureFunctions = (contestant: Contestant) => contestant.pure !== undefined;

/** Writes single rows, of all or of `among`. */
function writingOne({ name, about, among }: { name: string; about: string; among?: number }): TimedScenario {
  return {
    name,
    about,
    unit: "ns",
    heavy: false,
    supports: everybody,
    async start(contestant, workload) {
      const store = await filledStore(contestant, workload);
      const changes = changesOf(workload, among && Math.min(among, workload.n));
      return (operations) => {
        // A read first, so that no node is still dirty from an earlier batch.
        store.readIssues();
        const batch = changes(operations);
        return () => {
          for (const change of batch) store.writeIssue(change);
          return operations;
        };
      };
    },
  };
}

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
    async start(contestant, workload) {
      const store = await filledStore(contestant, workload);
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
    async start(contestant, workload) {
      const store = await filledStore(contestant, workload);
      const titles = new Map<number, string>();
      const perWrite = Math.max(1, Math.floor(workload.n / 100));
      let counter = 0;
      return (operations) => {
        const responses = times(operations, () => {
          // Each response keeps the changes of earlier ones, so that it differs from the store in 1 % and not in 2 %.
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
  writingOne({ name: "write-one", about: "write one entity" }),
  writingOne({ name: "write-few", about: "write one of the same 100 entities", among: 100 }),
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
    about: "read the list again, nothing changed, by endpoint and arguments",
    unit: "ns",
    heavy: false,
    supports: everybody,
    async start(contestant, workload) {
      const store = await filledStore(contestant, workload);
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
    async start(contestant, workload) {
      const store = await filledStore(contestant, workload);
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
    async start(contestant, workload) {
      const store = await filledStore(contestant, workload);
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
  ...WATCH_SCENARIOS,
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
  {
    name: "heap-watched",
    about: "bytes per entity, list written and each row shown by a reader",
    unit: "bytes",
    supports: having("watchIssue"),
    fill(contestant, response) {
      const store = contestant.createStore();
      store.writeIssues(response);
      const show = () => {};
      return [store, response.map((issue) => store.watchIssue!(issue.id, show))];
    },
  },
  ...BULK_SCENARIOS,
];

/** Finds a scenario by name. */
export function findScenario(name: string): Scenario {
  const found = SCENARIOS.find((scenario) => scenario.name === name);
  if (found === undefined) throw new Error(`There is no scenario "${name}".`);
  return found;
}

/** The family of a scenario. */
export function familyOf(scenario: Scenario): Family {
  return scenario.family ?? "store";
}

/** Whether a contestant supports a scenario. */
export function takesPart(contestant: Contestant, scenario: Scenario): boolean {
  return scenario.supports(contestant);
}
