/**
 * The contestants, each loaded separately.
 *
 * @module
 */
import type { Contestant } from "../contestant.ts";

const LOADERS = {
  "ours": async () => (await import("./ours.ts")).ours,
  "raw-signals": async () => (await import("./raw_signals.ts")).rawSignals,
  "data-client": async () => (await import("./data_client.ts")).dataClient,
  "tanstack": async () => (await import("./tanstack.ts")).tanstack,
  "apollo": async () => (await import("./apollo.ts")).apollo,
  "normalizr": async () => (await import("./normalizr.ts")).normalizrContestant,
} satisfies Record<string, () => Promise<Contestant>>;

/** The name of a contestant. */
export type ContestantName = keyof typeof LOADERS;

/** Libraries that do a part of what this one does. */
export const PEER_NAMES: readonly ContestantName[] = ["data-client", "tanstack", "apollo", "normalizr"];

/** Loads a contestant. */
export const loadContestant = (name: ContestantName): Promise<Contestant> => LOADERS[name]();
