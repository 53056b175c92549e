/**
 * Bulk operations that were, or easily become, far worse than linear. Only this library takes part; each goal is a
 * tenth of the time of the first release.
 *
 * @module
 */
import type { Contestant } from "./contestant.ts";
import type { TimedScenario } from "./scenario.ts";

const ABOUT: Readonly<Record<string, readonly [about: string, isHeavy: boolean]>> = {
  "push-1000": ["push 1,000 items onto a list of 8,000, in one reply", true],
  "beside-lists": ["a write while an optimistic create is pending beside 2,000 lists", false],
  "under-request": ["a reply of 200 rows while a request hangs under which 80,000 records were written", true],
  "append-member": ["append one to a member of 8,000 pks", true],
  "confirm-create": ["confirm an optimistic create beside 100,000 records", true],
  "expire-one": ["expire one of 20,000 keys", false],
  "optimistic-4000": ["4,000 pending optimistic edits, the list read after each", true],
};

/** The scenarios, in the order in which they run. */
export const BULK_SCENARIOS: readonly TimedScenario[] = Object.entries(ABOUT).map(([name, [about, heavy]]) => ({
  name,
  about,
  family: "bulk",
  unit: "ns",
  heavy,
  // With this number a batch of a heavy scenario is one operation.
  ...heavy && { rows: 10_000 },
  supports: (contestant: Contestant) => contestant.loadBulk !== undefined,
  start: async (contestant: Contestant) => (await contestant.loadBulk!())[name]!(),
}));
