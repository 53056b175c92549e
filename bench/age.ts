/**
 * Gives a process the history of a running application before it is measured: other tables, equal and changed
 * refetches, single writes, reads, overlapping requests, readers, more than one store. Without it V8's fast paths
 * flatter a process that has seen one shape only.
 *
 * @module
 */
import type { Contestant, Store } from "./contestant.ts";
import { times } from "./scenario.ts";
import { makeWorkload, type Workload } from "./workload.ts";

/**
 * Ages the code of a contestant. The caller must keep the result while it takes samples: when V8 finds no living object
 * of a hidden class, it drops the class and its optimized code, and each sample would begin with slow code, as in no
 * application.
 */
export async function age(contestant: Contestant, workload: Workload): Promise<unknown> {
  const small = makeWorkload(Math.min(workload.n, 500), workload.ids);
  for (let life = 0; life < 3; life++) await live(contestant, small, 4, 60);
  await live(contestant, workload, 2, 4);
  return await live(contestant, small, 1, 10);
}

async function live(
  contestant: Contestant,
  workload: Workload,
  refetches: number,
  writes: number,
): Promise<unknown> {
  const store = contestant.createStore();
  const { n } = workload;
  store.writeIssues(workload.issues());
  store.writeProjects(workload.projects());
  store.readProjects();
  store.readIssues();
  for (let refetch = 0; refetch < refetches; refetch++) {
    store.writeIssues(workload.issues());
    store.readIssues();
    const titles = new Map<number, string>();
    for (let row = refetch; row < n; row += 20) titles.set(row, `aged ${refetch} ${row}`);
    store.writeIssues(workload.issuesWith(titles));
    store.readIssues();
    store.readSorted();
    store.writeProjects(workload.projects());
    store.readProjects();
    await store.overlap?.(workload);
  }
  const stops = watchSome(store, workload);
  for (let write = 0; write < writes; write++) {
    const row = (write * 7919) % n;
    store.writeIssue({ id: workload.issueId(row), title: `alone ${write}` });
    store.readIssues();
    if (write % 8 === 0) {
      store.writeUser({ id: workload.userId(row), name: `renamed ${write}` });
      store.readIssues();
      store.readSorted();
      store.readProjects();
    }
  }
  // Half of the readers stop. The others live on with the result.
  for (const stop of stops.splice(0, stops.length / 2)) stop();
  const kept: unknown[] = [stops, store, store.readIssues(), store.readSorted(), store.readProjects()];
  if (contestant.pure !== undefined) {
    const { normalize, denormalize } = contestant.pure;
    for (let call = 0; call <= refetches; call++) {
      const normalized = normalize(workload.issues());
      kept.push(normalized, denormalize(normalized));
    }
  }
  return kept;
}

/** Starts readers of up to 200 rows, as many as a page may show. */
function watchSome(store: Store, workload: Workload): (() => void)[] {
  if (store.watchIssue === undefined) return [];
  return times(Math.min(workload.n, 200), (index) => store.watchIssue!(workload.issueId(index), () => {}));
}
