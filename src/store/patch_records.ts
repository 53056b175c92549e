import type { EntityRecord, Plan } from "../schemas/plan.ts";
import type { Contents } from "./contents.ts";
import { NEVER, Slot, type Staged, type Stamp } from "./slot.ts";
import type { PatchTable, Table } from "./tables.ts";
import { foldLog, type RecordLog } from "./record_log.ts";

/** The records of a patch: what it has written so far lies over what the store has. */
export abstract class PatchRecords {
  readonly stamp: Stamp;
  /** Slots that were there and were written what they hold: they get the stamp, as do those that are staged. */
  touched: readonly Slot[] = NONE;
  /** What is put into slots that were there and get another record. */
  staged: readonly Staged[] = NONE;
  tables: readonly PatchTable[] = NONE;
  known: readonly Table[] = NONE;
  /** Tails by slot; `undefined`: it folded away. */
  logs: ReadonlyMap<Slot, RecordLog | undefined> = NO_LOGS;
  /** Some of `logs` folded away. */
  endsLogs = false;
  /** Stamps of records for which a class did not want the last write: they are as old as the one before. */
  stamps: ReadonlyMap<Slot, Stamp> = NO_STAMPS;
  protected readonly store: Contents;
  /** The sequence number of the oldest other request in flight. */
  readonly oldest: number;
  /** Of `touched` and of `staged` the first so many, to be asked for one. */
  #written: Set<Slot> | undefined;
  #lookedTouched = 0;
  #lookedStaged = 0;

  constructor(store: Contents, stamp: Stamp, oldest: number) {
    this.store = store;
    this.stamp = stamp;
    this.oldest = oldest;
  }

  slot(plan: Plan, pk: string): Slot {
    const part = this.partOf(plan);
    let slot = published(part, pk) ?? part.fresh.get(pk) ?? part.asked.get(pk);
    if (slot === undefined) askedOf(part).set(pk, slot = new Slot(undefined, NEVER));
    return slot;
  }

  *eachSlot(plan: Plan): Iterable<readonly [pk: string, slot: Slot]> {
    const { table, fresh, asked } = this.partOf(plan);
    for (const seq of table.slots) if (!fresh.has(seq[0])) yield seq;
    yield* fresh;
    for (const seq of asked) if (!fresh.has(seq[0])) yield seq;
  }

  isKnown(plan: Plan): boolean {
    const { table, hasRecords } = this.partOf(plan);
    return table.known || hasRecords || this.known.includes(table);
  }

  baseOf(slot: Slot): EntityRecord | undefined {
    return slot.next !== undefined && slot.next.patch === this ? slot.next.rec : this.store.baseOf(slot);
  }

  /** When the record without any layer came. */
  stampOf(slot: Slot): Stamp {
    const known = this.stamps.get(slot);
    if (known !== undefined) return known;
    const written = this.#written ??= new Set();
    const { touched, staged } = this;
    while (this.#lookedTouched < touched.length) written.add(touched[this.#lookedTouched++]!);
    while (this.#lookedStaged < staged.length) written.add(staged[this.#lookedStaged++]!.slot);
    return written.has(slot) ? this.stampAfter(slot) : slot.stamp;
  }

  logOf(slot: Slot): RecordLog | undefined {
    return this.logs.has(slot) ? this.logs.get(slot) : this.store.logs.get(slot);
  }

  /** The slot of a record that is published or that this patch makes. */
  find(plan: Plan, pk: string): Slot | undefined {
    const part = this.partOf(plan);
    return published(part, pk) ?? part.fresh.get(pk);
  }

  /** Every slot that this patch writes. */
  *written(): Iterable<Slot> {
    yield* this.touched;
    for (const { slot } of this.staged) yield slot;
    for (const { fresh } of this.tables) yield* fresh.values();
  }

  /** The record that this patch would leave, layers not counted. */
  recordOf(plan: Plan, pk: string): EntityRecord | undefined {
    const slot = this.find(plan, pk);
    return slot === undefined ? undefined : this.baseOf(slot);
  }

  /**
   * The record as it is at the sequence number of this patch: what was written later is not in it.
   *
   * @param isBefore Without what this patch writes.
   */
  recordAt(plan: Plan, pk: string, isBefore = false): EntityRecord | undefined {
    // What this patch makes was not there before.
    const slot = isBefore ? published(this.partOf(plan), pk) : this.find(plan, pk);
    if (slot === undefined) return undefined;
    const log = isBefore ? this.store.logs.get(slot) : this.logOf(slot);
    if (log === undefined) return isBefore ? this.store.baseOf(slot) : this.baseOf(slot);
    const { seq } = this.stamp;
    return foldLog({ base: log.base, writes: log.writes.filter(({ stamp }) => stamp.seq <= seq) }).record;
  }

  records(plan: Plan): EntityRecord[] {
    const records: EntityRecord[] = [];
    for (const [, slot] of this.eachSlot(plan)) {
      const record = this.baseOf(slot);
      if (record !== undefined) records.push(record);
    }
    return records;
  }

  protected partOf(plan: Plan): PatchTable {
    const table = this.store.tables.of(plan);
    const { part } = table;
    return part !== undefined && part.patch === this ? part : this.addPart(table);
  }

  protected addPart(table: Table): PatchTable {
    // A patch that was computed meanwhile may have left its own note.
    for (let i = 0; i < this.tables.length; i++) {
      if (this.tables[i]!.table === table) return table.part = this.tables[i]!;
    }
    const part = { patch: this, table, fresh: NO_PLACES, asked: NO_PLACES, hasWaiting: false, hasRecords: false };
    this.tables = added(this.tables, part);
    return table.part = part;
  }

  /** The stamp that a slot gets which this patch has written: a late reply makes a record neither older nor younger. */
  protected stampAfter(slot: Slot): Stamp {
    return slot.stamp.seq <= this.stamp.seq ? this.stamp : slot.stamp;
  }

  protected stage(
    part: PatchTable,
    slot: Slot,
    plan: Plan,
    pk: string,
    rec: EntityRecord | undefined,
    base: EntityRecord | undefined = this.store.baseOf(slot),
  ): void {
    if (slot.next?.patch === this) {
      slot.next.rec = rec;
    } else {
      if (rec === base) {
        this.touched = added(this.touched, slot);
        return;
      }
      this.staged = added(this.staged, slot.next = { patch: this, slot, plan, pk, rec });
    }
    if (rec === undefined) return;
    part.hasRecords = true;
    if (base === undefined) this.arrive(part, pk, slot);
  }

  /** A record that nobody saw until now is the last in its table, wherever its slot stood while it was waited for. */
  protected arrive(part: PatchTable, pk: string, slot: Slot): void {
    if (slot.rec !== undefined || this.store.baseOf(slot) !== undefined || part.fresh.has(pk)) return;
    part.hasWaiting ||= part.table.slots.get(pk) !== undefined;
    freshOf(part).set(pk, slot);
  }

  protected ownLogs(): Map<Slot, RecordLog | undefined> {
    if (this.logs === NO_LOGS) this.logs = new Map();
    return this.logs as Map<Slot, RecordLog | undefined>;
  }

  protected ownStamps(): Map<Slot, Stamp> {
    if (this.stamps === NO_STAMPS) this.stamps = new Map();
    return this.stamps as Map<Slot, Stamp>;
  }
}

// Most patches write one record: what they do not need is not made. Shared, and so never written.
export const NONE: readonly never[] = /* @__PURE__ */ Object.freeze([]);
export const NO_SLOTS: ReadonlySet<Slot> = new Set();
const NO_LOGS: ReadonlyMap<Slot, RecordLog | undefined> = new Map();
const NO_STAMPS: ReadonlyMap<Slot, Stamp> = new Map();
const NO_PLACES: Map<string, Slot> = new Map();

/**
 * A list of a patch with one item more. The first makes a list that has room for just that one: one which grew by `push`
 * has room for seventeen.
 */
export function added<T>(list: readonly T[], item: T): readonly T[] {
  if (list === NONE) return [item];
  (list as T[]).push(item);
  return list;
}

export function withSlot(slots: ReadonlySet<Slot>, slot: Slot): ReadonlySet<Slot> {
  return (slots === NO_SLOTS ? new Set<Slot>() : slots as Set<Slot>).add(slot);
}

export function freshOf(part: PatchTable): Map<string, Slot> {
  return part.fresh === NO_PLACES ? part.fresh = new Map() : part.fresh;
}

function askedOf(part: PatchTable): Map<string, Slot> {
  return part.asked === NO_PLACES ? part.asked = new Map() : part.asked;
}

/** The slot of a record that readers have; `undefined` when it is this patch that makes it. */
export function published(part: PatchTable, pk: string): Slot | undefined {
  const slot = part.table.slots.get(pk);
  if (slot !== undefined && slot.rec === undefined && part.fresh.size > 0) {
    // Somebody who read while this patch was computed has made another one to wait at.
    const own = part.fresh.get(pk);
    if (own !== undefined && own !== slot) return undefined;
  }
  return slot;
}
