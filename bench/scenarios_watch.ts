/**
 * Readers of single rows, one for each row: the cost of mounting them, and of telling those that a write concerns.
 *
 * @module
 */
import type { Contestant, ShowIssue, Store } from "./contestant.ts";
import { changesOf, filledStore, having, type TimedScenario, times } from "./scenario.ts";
import type { Workload } from "./workload.ts";

function watchAll(store: Store, workload: Workload, show: ShowIssue): (() => void)[] {
  return times(workload.n, (index) => store.watchIssue!(workload.issueId(index), show));
}

/** A store with one reader for each row, and a count of their calls. */
async function watchedStore(contestant: Contestant, workload: Workload) {
  const store = await filledStore(contestant, workload);
  const shown = { count: 0 };
  // Returned with the store, because a peer may hold its readers weakly.
  const readers = watchAll(store, workload, () => shown.count++);
  return { store, shown, readers };
}

/** Fails if a batch has told other readers than it should, because then it has not done the same work. */
function expectShown(contestant: Contestant, count: number, expected: number): void {
  if (count !== expected) throw new Error(`${contestant.name} has told ${count} readers in place of ${expected}.`);
}

/** The scenarios, in the order in which they run. */
export const WATCH_SCENARIOS: readonly TimedScenario[] = [
  {
    name: "mount",
    about: "mount a reader for each row",
    family: "propagation",
    unit: "ns",
    heavy: true,
    supports: having("watchIssue"),
    start: (contestant, workload) => (operations) => {
      const stores = times(operations, () => {
        const store = contestant.createStore();
        store.writeIssues(workload.issues());
        return store;
      });
      const readers: unknown[] = [];
      return () => {
        let count = 0;
        for (const store of stores) readers.push(watchAll(store, workload, () => count++));
        expectShown(contestant, count, operations * workload.n);
        return count;
      };
    },
  },
  {
    name: "notify-one",
    about: "write one entity, its one reader of N is told",
    family: "propagation",
    unit: "ns",
    heavy: false,
    supports: having("watchIssue"),
    async start(contestant, workload) {
      const { store, shown } = await watchedStore(contestant, workload);
      const changes = changesOf(workload);
      return (operations) => {
        const batch = changes(operations);
        return () => {
          shown.count = 0;
          for (const change of batch) store.writeIssue(change);
          expectShown(contestant, shown.count, operations);
          return shown.count;
        };
      };
    },
  },
  {
    name: "notify-user",
    about: "write a user that 100 of N readers show",
    family: "propagation",
    unit: "ns",
    heavy: false,
    supports: having("watchIssue"),
    async start(contestant, workload) {
      const { store, shown } = await watchedStore(contestant, workload);
      const rowsOf = new Map<string, number>();
      for (let row = 0; row < workload.n; row++) {
        rowsOf.set(workload.userId(row), (rowsOf.get(workload.userId(row)) ?? 0) + 1);
      }
      let counter = 0;
      return (operations) => {
        const batch: { id: string; name: string }[] = times(operations, () => {
          counter++;
          return JSON.parse(JSON.stringify({ id: workload.userId(counter * 7919), name: `renamed ${counter}` }));
        });
        const expected = batch.reduce((sum, { id }) => sum + rowsOf.get(id)!, 0);
        return () => {
          shown.count = 0;
          for (const change of batch) store.writeUser(change);
          expectShown(contestant, shown.count, expected);
          return shown.count;
        };
      };
    },
  },
];
