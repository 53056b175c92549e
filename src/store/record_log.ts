import { freshRecord, mergedRecord, mergeRecords, wantsMerge } from "../normalize/record.ts";
import type { MemberWalk } from "../normalize/record_target.ts";
import type { EntityRecord, Plan } from "../schemas/plan.ts";
import type { Sequence } from "./sequence.ts";
import type { Stamp } from "./slot.ts";
import { without } from "./unconfirmed.ts";

/** A record, and when it came; `undefined`: unknown or deleted. */
export interface Version {
  readonly record: EntityRecord | undefined;
  readonly stamp: Stamp;
}

/** One write of a record; without members: its deletion. */
export interface LogWrite {
  readonly stamp: Stamp;
  readonly plan: Plan;
  readonly incoming: EntityRecord | undefined;
  /** What it takes away, in place of all else. */
  readonly without?: readonly string[] | undefined;
  /** A pending mutation shows it: the whole record, as it is then. It is no part of the base. */
  readonly isLayer?: true;
}

/**
 * The writes of one record that something older may still precede, and what was there before them. A late reply is put
 * in at its sequence number, what a pending mutation shows at that of the mutation, and the log is folded again. At rest
 * there is none: the record is one object.
 *
 * ```
 * base ──▶ write 3 ──▶ (late reply 4) ──▶ layer 5 ──▶ write 6 ──▶ what readers see
 * ```
 */
export interface RecordLog {
  readonly base: Version;
  /** In order of sequence number. */
  readonly writes: readonly LogWrite[];
}

/** Whether a write with a stamp is later than all of a log, layers not counted. */
export function isLast({ writes }: RecordLog, { seq }: Stamp): boolean {
  return writes.every((write) => write.isLayer || write.stamp.seq <= seq);
}

/**
 * A log with one more write, after those of the same sequence number. Two that stand next to each other are one, where nothing
 * can come between them and their classes merge by the default rule: a record that is written a thousand times while an
 * old request hangs keeps one write.
 *
 * @param sequence Whether a reply may still come between the two.
 */
export function withWrite(
  { base, writes }: RecordLog,
  write: LogWrite,
  sequence: Sequence,
): RecordLog {
  let at = writes.length;
  while (at > 0 && writes[at - 1]!.stamp.seq > write.stamp.seq) at--;
  const before = writes[at - 1];
  if (
    before !== undefined && isPlain(before) && isPlain(write) && !sequence.hasBetween(before.stamp.seq, write.stamp.seq)
  ) {
    const incoming = mergeRecords(write.plan, before.incoming, write.incoming!);
    return { base, writes: writes.with(at - 1, { stamp: write.stamp, plan: write.plan, incoming }) };
  }
  return { base, writes: writes.toSpliced(at, 0, write) };
}

/** Merged by the default rule: shallow, incoming wins. */
function isPlain({ plan, incoming, without, isLayer }: LogWrite): boolean {
  return incoming !== undefined && !plan.mergesWhole && without === undefined && !isLayer;
}

/**
 * The record that a log amounts to, and when it came.
 *
 * @param last Up to this sequence number.
 * @param isShown With what pending mutations show.
 */
export function foldLog({ base, writes }: RecordLog, last = Infinity, isShown = false): Version {
  let version = base;
  for (const write of writes) {
    if (write.stamp.seq <= last && (isShown || !write.isLayer)) version = mergeWrite(version, write);
  }
  return version;
}

/** A log without the writes that nothing in flight can come before; `undefined` when nothing is left. */
export function shortenLog(log: RecordLog, oldestInFlight: number): RecordLog | undefined {
  const { writes } = log;
  const at = writes.findIndex(({ stamp, isLayer }) => isLayer || stamp.seq >= oldestInFlight);
  // Merged only where it is needed: a `merge()` of the app may throw.
  if (at < 0) return undefined;
  return at === 0 ? log : { base: writes.slice(0, at).reduce(mergeWrite, log.base), writes: writes.slice(at) };
}

/** A record after one more write; the very version when its class does not want it merged. */
export function mergeWrite(before: Version, { stamp, plan, incoming, without: names, isLayer }: LogWrite): Version {
  const { record } = before;
  if (isLayer) return { record: incoming, stamp };
  if (names !== undefined) return record === undefined ? before : { record: without(record, names), stamp };
  // An item that was added to a list that is not there makes none.
  if (record === undefined && plan.rows?.amends) return before;
  if (incoming === undefined) return { record: undefined, stamp };
  if (!wantsMerge(plan, record, incoming, before.stamp, stamp)) return before;
  return { record: mergeRecords(plan, record, incoming), stamp };
}

/** A record after one occurrence of it in a response; the very version when its class does not want it merged. */
export function putOver(before: Version, walk: MemberWalk, stamp: Stamp, plan: Plan, input: object): Version {
  const { record } = before;
  if (record !== undefined && !plan.mergesWhole) return { record: mergedRecord(walk, plan, record, input), stamp };
  const incoming = freshRecord(walk, plan, input);
  return record === undefined ? { record: incoming, stamp } : mergeWrite(before, { stamp, plan, incoming });
}
