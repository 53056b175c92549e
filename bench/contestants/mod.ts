/**
 * All contestants by name. Each is loaded only by the process that measures it.
 *
 * @module
 */
import type { Contestant } from "../contestant.ts";

const LOADERS = {
  "ours": async () => (await import("./ours.ts")).ours,
  "ours-busy": async () => (await import("./ours.ts")).oursBusy,
  "normalizr": async () => (await import("./normalizr.ts")).normalizrContestant,
  "data-client": async () => (await import("./data_client.ts")).dataClient,
  "tanstack": async () => (await import("./tanstack.ts")).tanstack,
  "apollo": async () => (await import("./apollo.ts")).apollo,
  "raw-map": async () => (await import("./raw_map.ts")).rawMap,
  "raw-signals": async () => (await import("./raw_signals.ts")).rawSignals,
} satisfies Record<string, () => Promise<Contestant>>;

/** The name of a contestant. */
export type ContestantName = keyof typeof LOADERS;

/** Ours first, then the peers, then the floors. */
export const CONTESTANT_NAMES = Object.keys(LOADERS) as ContestantName[];

/** Loads one contestant. */
export function loadContestant(name: ContestantName): Promise<Contestant> {
  return LOADERS[name]();
}
