/**
 * What takes part, each loaded apart.
 *
 * @module
 */
import type { Contestant } from "../contestant.ts";

/** Names on the command line. */
export type ContestantName = "ours" | "raw-signals";

/** Loads one of them. */
export async function loadContestant(name: ContestantName): Promise<Contestant> {
  return name === "ours" ? (await import("./ours.ts")).ours : (await import("./raw_signals.ts")).rawSignals;
}
