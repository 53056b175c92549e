/**
 * What a process does before it is measured: it checks what it is to measure, ages, and checks once more.
 *
 * @module
 */
import { age } from "./age.ts";
import { check } from "./check.ts";
import { checkCalls } from "./check_calls.ts";
import { checkDepth } from "./check_depth.ts";
import type { Contestant } from "./contestant.ts";
import type { Family } from "./scenario.ts";
import type { Workload } from "./workload.ts";

async function makeStoresReady(contestant: Contestant, workload: Workload): Promise<unknown> {
  check(contestant, workload.ids);
  const kept = await age(contestant, workload);
  check(contestant, workload.ids);
  return kept;
}

/** Rejects when a check fails. What it gives is to be kept while samples are taken: see {@linkcode age}. */
export const MAKE_READY: Readonly<Record<Family, (contestant: Contestant, workload: Workload) => Promise<unknown>>> = {
  store: makeStoresReady,
  propagation: makeStoresReady,
  async calls({ name, loadCalls }) {
    const calls = await loadCalls!();
    for (let round = 0; round < 3; round++) checkCalls(name, calls);
    return calls;
  },
  // Nothing is compared: each scene says itself when it has not done its work.
  bulk: ({ loadBulk }) => loadBulk!(),
  depth(contestant) {
    const createStore = () => contestant.createDepthStore!();
    for (const count of [2, 50, 1000, 20_000]) {
      checkDepth(contestant.name, createStore, "chain", count);
      checkDepth(contestant.name, createStore, "comb", count);
    }
    return Promise.resolve(createStore);
  },
};
