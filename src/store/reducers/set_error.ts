import { clock } from "../../deps/clock.ts";
import { errorExpiry, policyFor, setBack } from "../freshness.ts";
import { type Patch, patchAt } from "../patch.ts";
import type { Store } from "../store.ts";
import type { CallAction } from "./next_entry.ts";

/** A request failed, or somebody says that it would have. */
export interface SetErrorAction extends CallAction {
  readonly type: "setError";
  readonly error: unknown;
}

/** Keeps the error of a read beside the data that is there; a mutation only loses its layer. */
export function reduceSetError(store: Store, action: SetErrorAction): Patch {
  const { endpoint, args, key, error, seq, date, ticket } = action;
  const patch = patchAt(store, action);
  patch.dropLayers(action);
  if (!endpoint.sideEffect) {
    const entry = store.entries.present(key, endpoint, args);
    const isBehind = ticket?.isBehind === true;
    // A later answer stands, and a later error: what an older request failed with is of no interest.
    const isOvertaken = entry.hasResult && entry.seq > seq ||
      entry.error !== undefined && entry.errorSeq > seq && !isBehind;
    if (!isOvertaken) {
      const errorPolicy = policyFor(endpoint, store.defaults, error);
      // As an answer: who has refused may not yet have done what was sent before, or it was expired since it was asked for.
      const isOld = errorPolicy !== "soft" && (isBehind || seq < entry.staleSeq);
      const isTooEarly = isOld && isBehind && store.sequence.hasMutations();
      patch.addEntry({
        ...entry,
        args,
        error: error === undefined || error === null
          ? new Error(`The request failed with ${error}`, { cause: error })
          : error,
        errorPolicy,
        errorSeq: seq,
        // Both by the clock of the error, which may have been set back since the answer.
        fetchedAt: entry.hasResult ? entry.fetchedAt + setBack(entry) : date,
        expiresAt: isOld ? 0 : errorExpiry(endpoint, store.defaults, date),
        mark: isOld && !isTooEarly ? entry.mark + 1 : entry.mark,
        lead: clock.lead(),
      }, isTooEarly);
    }
  }
  return patch.seal();
}
