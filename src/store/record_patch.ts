import { broughtBy, freshRecord, keepEqual, mergedRecord } from "../normalize/record.ts";
import type { MemberWalk } from "../normalize/record_target.ts";
import type { NamedPk } from "../parts/temporary_ids/with_texts.ts";
import type { EntityRecord, Fields, Plan } from "../schemas/plan.ts";
import type { Contents } from "./contents.ts";
import type { Entry } from "./entry.ts";
import type { ListChanges } from "../collections/list_changes.ts";
import {
  foldLog,
  isLast,
  type LogWrite,
  mergeWrite,
  putOver,
  type RecordLog,
  type Version,
  withWrite,
} from "./record_log.ts";
import { added, NO_ENTRIES, NO_ITEMS, NONE, withEntry, withItem } from "./shared_empty.ts";
import { isInstanceOf, NEVER, Slot, type Stamp, type Table } from "./slot.ts";

/**
 * The records of a patch: written over what is there, or at their sequence number among writes that are later. What a
 * record is going to be waits in its slot (`next`); a patch that is not committed is to be dropped.
 */
export abstract class RecordPatch {
  readonly stamp: Stamp;
  /**
   * The sequence number of the oldest other request in flight: later writes are kept apart, so that its reply can be put
   * in before them.
   */
  readonly oldest: number;
  readonly store: Contents;
  /** Slots that were written, if only with what they hold: they get the stamp. */
  touched: readonly Slot[] = NONE;
  /** The tables of these. */
  tables: ReadonlySet<Table> = NO_ITEMS;
  /** Those that are known from this patch on. */
  known: ReadonlySet<Table> = NO_ITEMS;
  /** Those in which a slot that was there before stands elsewhere now. */
  reordered: ReadonlySet<Table> = NO_ITEMS;
  /** Logs by slot; `undefined`: it folded away. */
  logs: ReadonlyMap<Slot, RecordLog | undefined> = NO_ENTRIES;
  /** When records came that have a log: a class may not have wanted the last write. */
  stamps: ReadonlyMap<Slot, Stamp> = NO_ENTRIES;
  /** Deleted records that it names: whoever was asked after the delete does not know that they ever were here. */
  named: ReadonlySet<Slot> = NO_ITEMS;
  entries: readonly Entry[] = NONE;
  /** The server's pks of what was shown under temporary names until now. */
  names: ReadonlyMap<string, NamedPk> = NO_ENTRIES;
  /** The slot that it made last: what is to be written there may throw. */
  #made: Slot | undefined;

  constructor(store: Contents, stamp: Stamp) {
    this.store = store;
    this.stamp = stamp;
    this.oldest = store.sequence.oldest();
  }

  /** Where a record is, or is waited for. */
  find(plan: Plan, pk: string): Slot | undefined {
    return this.store.tables.of(plan).slots.get(pk);
  }

  /** The same; made where it is unknown. */
  slot(plan: Plan, pk: string): Slot {
    const table = this.store.tables.of(plan);
    let slot = table.slots.get(pk);
    if (slot === undefined) table.slots.set(pk, slot = this.#made = new Slot(table, pk));
    return slot;
  }

  isKnown(plan: Plan): boolean {
    const table = this.store.tables.of(plan);
    return table.known || this.known.has(table);
  }

  /** The record that this patch leaves, layers not counted. */
  baseOf(slot: Slot): EntityRecord | undefined {
    return slot.next === undefined ? this.store.baseOf(slot) : slot.next ?? undefined;
  }

  /** When that came. */
  stampOf(slot: Slot): Stamp {
    // A late reply makes a record neither older nor younger.
    return this.stamps.get(slot) ??
      (slot.next === undefined || slot.stamp.seq > this.stamp.seq ? slot.stamp : this.stamp);
  }

  /** Both. */
  versionOf(slot: Slot): Version {
    return { record: this.baseOf(slot), stamp: this.stampOf(slot) };
  }

  /** Of a record that is not there: whether it was. */
  isDeleted(slot: Slot): boolean {
    return this.stampOf(slot).isNever === undefined && !this.named.has(slot);
  }

  logOf(slot: Slot): RecordLog | undefined {
    return this.logs.has(slot) ? this.logs.get(slot) : this.store.logs.get(slot);
  }

  recordOf(plan: Plan, pk: string): EntityRecord | undefined {
    const slot = this.find(plan, pk);
    return slot && this.baseOf(slot);
  }

  /**
   * The record as it is at the sequence number of this patch: what was written later is not in it.
   *
   * @param isBefore Without what this patch writes.
   */
  recordAt(plan: Plan, pk: string, isBefore = false): EntityRecord | undefined {
    const slot = this.find(plan, pk);
    if (slot === undefined) return undefined;
    const log = isBefore ? this.store.logs.get(slot) : this.logOf(slot);
    if (log !== undefined) return foldLog(log, this.stamp.seq).record;
    return isBefore ? this.store.baseOf(slot) : this.baseOf(slot);
  }

  /** The answers of a key, as this patch leaves them: one for each shape. */
  entriesOf(key: string): readonly Entry[] {
    const stored = this.store.entries.of(key);
    const own = this.entries.filter((entry) => entry.key === key);
    if (own.length === 0) return stored;
    const latest = new Map([...stored, ...own].map((entry) => [entry.shape, entry]));
    // One that came hydrated is the first one's that is answered.
    if (stored[0]?.shape === undefined && latest.size > 1) latest.delete(undefined);
    return [...latest.values()];
  }

  /** Nothing of it happens. */
  drop(): void {
    for (const slot of this.touched) {
      slot.next = undefined;
      leave(this.store, slot);
    }
    if (this.#made !== undefined) leave(this.store, this.#made);
  }

  /** What it means for lists; `undefined`: there are none. */
  abstract readonly lists: ListChanges | undefined;

  /** An occurrence of a record, with what is written with it; and what of it is confirmed. */
  protected abstract meet(plan: Plan, pk: string, input: object): object;

  put(plan: Plan, pk: string, given: object, walk: MemberWalk): void {
    const input = this.meet(plan, pk, given);
    const slot = this.slot(plan, pk);
    const isMet = slot.next !== undefined;
    const base = this.baseOf(slot);
    const keepsLog = this.keepsLog(slot);
    if ((!isMet || keepsLog) && isInstanceOf(plan, slot, input)) return;
    if (keepsLog) this.#putInLog(slot, plan, input, walk);
    // As it is for most: what `putOver` gives would be paid for by each row of a list.
    else if (base === undefined) this.stage(slot, freshRecord(walk, plan, input));
    else if (!plan.mergesWhole) this.stage(slot, mergedRecord(walk, plan, base, input), isMet ? plan : undefined);
    else {
      const before = this.versionOf(slot);
      const after = putOver(before, walk, this.stamp, plan, input);
      if (after !== before) this.stage(slot, after.record, isMet ? plan : undefined);
    }
    if (plan.rows !== undefined && !isMet && base === undefined) this.lists!.arrive(slot);
  }

  remove(plan: Plan, pk: string): void {
    const slot = this.slot(plan, pk);
    if (this.keepsLog(slot)) this.insert(slot, plan, undefined);
    else this.stage(slot, undefined);
  }

  fieldsOf(plan: Plan): Fields {
    return this.store.tables.fieldsOf(plan);
  }

  know(plan: Plan): void {
    const table = this.store.tables.of(plan);
    if (!table.known) this.known = withItem(this.known, table);
  }

  refer(plan: Plan, pk: string): void {
    const slot = this.find(plan, pk);
    if (slot === undefined || slot.stamp.isNever || slot.stamp.seq >= this.stamp.seq) return;
    if (this.store.baseOf(slot) === undefined) this.named = withItem(this.named, slot);
  }

  /** A request is in flight that was sent before this one. */
  get hasOlder(): boolean {
    return this.oldest < this.stamp.seq;
  }

  /** Whether a write of it is kept apart from those that are there. */
  keepsLog(slot: Slot): boolean {
    // Of this patch: a row that a later change was put upon already, and that the response names once more.
    return this.hasOlder || (this.store.logs.size > 0 && this.store.logs.has(slot)) || this.logs.has(slot);
  }

  #putInLog(slot: Slot, plan: Plan, input: object, walk: MemberWalk): void {
    const log = this.logOf(slot);
    if (
      plan.rows === undefined && !plan.mergesWhole && this.fieldsOf(plan).areKept && (!log || isLast(log, this.stamp))
    ) {
      // Merged as it is walked, it is compared with what is there before anything of it is copied.
      const base = this.baseOf(slot);
      const record = base === undefined ? freshRecord(walk, plan, input) : mergedRecord(walk, plan, base, input);
      const last = log?.writes.at(-1);
      // The response has said all of it already, as of a user whom many rows name.
      if (record === base && last?.incoming === record && last.stamp === this.stamp) return;
      const incoming = base === undefined ? record : broughtBy(walk, record, input);
      this.insert(slot, plan, incoming, this.stamp, { record, stamp: this.stamp });
    } else this.insert(slot, plan, freshRecord(walk, plan, input));
  }

  /** Puts a write at its sequence number; `known`: what the record amounts to then, where that was found already. */
  insert(
    slot: Slot,
    plan: Plan,
    incoming: EntityRecord | undefined,
    at: Stamp = this.stamp,
    known?: Version,
    without?: readonly string[],
  ): void {
    const present = this.versionOf(slot);
    const log = this.logOf(slot);
    const write: LogWrite = { stamp: at, plan, incoming, without };
    const longer = log === undefined ? { base: present, writes: [write] } : withWrite(log, write, this.store.sequence);
    this.logs = withEntry(this.logs, slot, longer);
    // What comes last is merged over what is there: records that repeat in a response would cost all their writes each time.
    const comesLast = log === undefined || isLast(log, at);
    const version = known ?? (comesLast ? mergeWrite(present, write) : foldLog(longer));
    const { record } = version;
    // A delete that a later answer does not know of is none, whatever comes before it.
    const isNever = !comesLast && record === undefined && present.stamp.isNever;
    const stamp = isNever ? NEVER : version.stamp;
    // That of the patch it gets anyhow, where it is not older than its own.
    if (stamp !== this.stamp || slot.stamp.seq > stamp.seq || this.stamps.has(slot)) {
      this.stamps = withEntry(this.stamps, slot, stamp);
    }
    this.stage(slot, record, comesLast && present.record === this.store.baseOf(slot) ? undefined : plan);
  }

  /**
   * A slot is going to hold a record, or none.
   *
   * @param plan Where several writes may amount to what is there already: its parts that are equal stay what they are.
   */
  stage(slot: Slot, rec: EntityRecord | undefined, plan?: Plan): void {
    const { table, next } = slot;
    if (next === undefined) {
      this.touched = added(this.touched, slot);
      this.tables = withItem(this.tables, table);
    }
    if (rec !== undefined && rec !== next) {
      const base = this.store.baseOf(slot);
      if (base === undefined) {
        if (!next && slot.rec === undefined && slot !== this.#made) this.arrive(slot);
        if (!table.known) this.known = withItem(this.known, table);
      } else if (plan !== undefined) rec = keepEqual(plan, base, rec);
    }
    slot.next = rec ?? null;
  }

  /** A record that nobody saw until now is the last in its table, wherever its slot stood while it was waited for. */
  arrive(slot: Slot): void {
    const { table: { slots }, table, pk } = slot;
    slots.delete(pk);
    slots.set(pk, slot);
    this.reordered = withItem(this.reordered, table);
  }

  /** Where the log of a slot is replaced. */
  setLog(slot: Slot, log: RecordLog | undefined): void {
    this.logs = withEntry(this.logs, slot, log);
  }
}

/** A place that nobody needs any more goes: what comes there later is the last in its table. */
export function leave({ covered }: Contents, slot: Slot): void {
  const { rec, pk, table: { slots } } = slot;
  if (rec === undefined && isUnmet(slot) && !covered.has(slot) && slots.get(pk) === slot) slots.delete(pk);
}

/** Nobody has read it, nothing was deleted there or marked: this patch has made it, at the end of its table. */
export function isUnmet({ node, stamp }: Slot): boolean {
  return node === undefined && stamp === NEVER;
}
