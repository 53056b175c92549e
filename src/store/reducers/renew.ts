import { clock } from "../../deps/clock.ts";
import { OvertakenError } from "../../errors/overtaken_error.ts";
import type { AnyEndpoint } from "../../endpoint/interface.ts";
import type { Basis } from "../basis.ts";
import { Patch } from "../patch.ts";
import type { Store } from "../store.ts";
import { addAnswer, type AnswerAction, answerExpiry } from "./next_entry.ts";

/** The server said that a read has the answer that is there: nothing is written, and it is young again. */
export interface RenewAction extends AnswerAction {
  readonly type: "renew";
}

/**
 * Whether an unchanged answer can be taken as it is stored: writing it again would change nothing but how
 * young it is.
 *
 * @param store The store.
 * @param read Endpoint and key.
 * @param basis What the answer stood on when the request was sent.
 * @param seq Where the reply stands in the order of writes.
 */
export function isRenewable(
  store: Store,
  { endpoint, key }: { readonly endpoint: AnyEndpoint; readonly key: string },
  basis: Basis,
  seq: number,
): boolean {
  const entry = store.entries.get(key, endpoint);
  return entry !== undefined && entry.basis === basis && entry.hasResult && !entry.isInvalid && entry.seq <= seq &&
    basis.holds(entry.result) &&
    // Its reply would have to be put in before this one, and the records do not keep what this one would write over it.
    !store.sequence.hasBetween(entry.seq, seq);
}

/**
 * Gives an answer the sequence number and the times of a new reply. Only for what is renewable: nothing is normalized.
 *
 * @throws {OvertakenError} If the answer is not there any more.
 */
export function reduceRenew(store: Store, action: RenewAction): Patch {
  const { endpoint, key, seq, date, reply } = action;
  const patch = new Patch(
    store,
    { seq, fetchedAt: date, expiresAt: answerExpiry(store, action), lead: clock.lead() },
    store.sequence.oldest(),
  );
  const before = store.entries.get(key, endpoint);
  // A middleware has reset the store before it passed the reply on.
  if (before === undefined || !before.hasResult) throw new OvertakenError(endpoint.name, "reset");
  patch.value = patch.result = before.result;
  patch.basis = before.basis?.renewed(reply?.memo, before.result);
  // Of a list that was continued, it is the first page that has not changed.
  const [{ result } = before] = before.pages ?? [];
  addAnswer(store, patch, action, result, false);
  if (before.basis?.holds(before.result)) patch.renewed = before.basis.stamp;
  patch.note = reply?.note;
  return patch.seal();
}
