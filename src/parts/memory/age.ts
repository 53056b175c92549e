import type { Entry } from "../../store/entry.ts";
import type { Slot } from "../../store/slot.ts";

/** A moment, by the counts that tell what came after it. */
export interface Sample {
  /** Time that had passed, in ms. */
  readonly time: number;
  /** How often a view had been asked for. */
  readonly uses: number;
  /** What was written since has a later sequence number. */
  readonly seq: number;
}

/** How long what comes beyond a bound has to be watched, in ms: it is to be rendered first. */
export const SETTLING = 1_000;

/** When something was last said of an answer, by its sequence number. */
export function seqOf({ seq, staleSeq, updateSeq }: Entry): number {
  return Math.max(seq, staleSeq, updateSeq);
}

/** When a record was last asked for, as one class or another, by the count of such. */
export function rankOf({ node: first }: Slot): number {
  let seen = 0;
  for (let node = first; node !== undefined; node = node.sibling) if (node.seen > seen) ({ seen } = node);
  return seen;
}

/** Whether a record was asked for or written after a moment. */
export function isSince(slot: Slot, { uses, seq }: Sample): boolean {
  return slot.stamp.seq > seq || rankOf(slot) > uses;
}
