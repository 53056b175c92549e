import { mergeRecords } from "../normalize/record.ts";
import type { EntityRecord, Plan } from "../schemas/plan.ts";

/** One write of a record; without members: its deletion. */
export interface TailWrite {
  readonly place: number;
  readonly plan: Plan;
  readonly incoming: EntityRecord | undefined;
}

/**
 * The writes of one record that are later than the oldest request in flight, and what was there before them. A late
 * reply is put in at its place, and the tail is merged again. At rest there is none: the record is one object.
 *
 * ```
 * base ──▶ write 3 ──▶ (late reply 4) ──▶ write 5 ──▶ what readers see
 * ```
 */
export interface Tail {
  readonly base: EntityRecord | undefined;
  /** In order of place. */
  readonly writes: readonly TailWrite[];
}

/** A tail with one more write, after those of the same place. */
export function withWrite(tail: Tail, write: TailWrite): Tail {
  let at = tail.writes.length;
  while (at > 0 && tail.writes[at - 1]!.place > write.place) at--;
  return { base: tail.base, writes: tail.writes.toSpliced(at, 0, write) };
}

/** The record that a tail amounts to; `undefined` when it is deleted. */
export function mergeTail(tail: Tail): EntityRecord | undefined {
  let record = tail.base;
  for (const write of tail.writes) record = mergeWrite(record, write);
  return record;
}

/** A tail without the writes that nothing in flight can come before; `undefined` when nothing is left. */
export function foldTail(tail: Tail, oldestInFlight: number): Tail | undefined {
  const { writes } = tail;
  let { base } = tail;
  let folded = 0;
  while (folded < writes.length && writes[folded]!.place < oldestInFlight) base = mergeWrite(base, writes[folded++]!);
  if (folded === 0) return tail;
  return folded === writes.length ? undefined : { base, writes: writes.slice(folded) };
}

/** A record after one more write. */
export function mergeWrite(record: EntityRecord | undefined, write: TailWrite): EntityRecord | undefined {
  return write.incoming === undefined ? undefined : mergeRecords(write.plan, record, write.incoming);
}
