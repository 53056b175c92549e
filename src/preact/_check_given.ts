import type { checkGiven as look } from "../dev/preact_checks.ts";
import { check } from "../errors/checks.ts";

/** In development: refuses what a hook can do nothing with, and says what to write. */
export function checkGiven(...given: Parameters<typeof look>): void {
  check<typeof look>("given", ...given);
}
