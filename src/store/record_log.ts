import { mergeRecords, wantsMerge } from "../normalize/record.ts";
import type { EntityRecord, Plan } from "../schemas/plan.ts";
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
}

/**
 * The writes of one record that are later than the oldest request in flight, and what was there before them. A late
 * reply is put in at its sequence number, and the log is merged again. At rest there is none: the record is one object.
 *
 * ```
 * base ──▶ write 3 ──▶ (late reply 4) ──▶ write 5 ──▶ what readers see
 * ```
 */
export interface RecordLog {
  readonly base: Version;
  /** In order of sequence number. */
  readonly writes: readonly LogWrite[];
}

/** Whether a write with a stamp is later than all of a log. */
export function isLast({ writes }: RecordLog, stamp: Stamp): boolean {
  return writes.length === 0 || writes.at(-1)!.stamp.seq <= stamp.seq;
}

/**
 * A log with one more write, after those of the same sequence number. Two that stand next to each other are one, where nothing
 * can come between them and their classes merge by the default rule: a record that is written a thousand times while an
 * old request hangs keeps one write.
 *
 * @param hasBetween Whether a reply may still come after one sequence number and before another.
 */
export function withWrite(
  log: RecordLog,
  write: LogWrite,
  hasBetween: (after: number, before: number) => boolean,
): RecordLog {
  const { base, writes } = log;
  if (writes.length === 0) return { base, writes: [write] };
  let at = writes.length;
  while (at > 0 && writes[at - 1]!.stamp.seq > write.stamp.seq) at--;
  const before = writes[at - 1];
  if (before !== undefined && isPlain(before) && isPlain(write)) {
    if (!hasBetween(before.stamp.seq, write.stamp.seq)) {
      const incoming = mergeRecords(write.plan, before.incoming, write.incoming!);
      if (incoming === before.incoming && before.stamp === write.stamp) return log;
      return { base, writes: writes.with(at - 1, { stamp: write.stamp, plan: write.plan, incoming }) };
    }
  }
  return { base, writes: writes.toSpliced(at, 0, write) };
}

/** Merged by the default rule: shallow, incoming wins. */
function isPlain({ plan, incoming, without }: LogWrite): boolean {
  return incoming !== undefined && !plan.mergesWhole && without === undefined;
}

/** The record that a log amounts to, and when it came. */
export function foldLog(log: RecordLog): Version {
  let version = log.base;
  for (const write of log.writes) version = mergeWrite(version, write);
  return version;
}

/** A log without the writes that nothing in flight can come before; `undefined` when nothing is left. */
export function shortenLog(log: RecordLog, oldestInFlight: number): RecordLog | undefined {
  const { writes } = log;
  let { base } = log;
  let folded = 0;
  while (folded < writes.length && writes[folded]!.stamp.seq < oldestInFlight) {
    base = mergeWrite(base, writes[folded++]!);
  }
  if (folded === 0) return log;
  return folded === writes.length ? undefined : { base, writes: writes.slice(folded) };
}

/** A record after one more write; the very version when its class does not want it merged. */
export function mergeWrite(before: Version, { stamp, plan, incoming, without: names }: LogWrite): Version {
  const { record } = before;
  if (names !== undefined) return record === undefined ? before : { record: without(record, names), stamp };
  // An item that was added to a list that is not there makes none.
  if (record === undefined && plan.rows?.amends) return before;
  if (incoming === undefined) return { record: undefined, stamp };
  if (record !== undefined && !wantsMerge(plan, record, incoming, before.stamp, stamp)) return before;
  return { record: mergeRecords(plan, record, incoming), stamp };
}
