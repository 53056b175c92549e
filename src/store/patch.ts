import type { RecordTarget } from "../normalize/record_target.ts";
import { writeMembers } from "../normalize/write_members.ts";
import type { ReplyNote, SentRecord } from "../endpoint/interface.ts";
import { check } from "../errors/checks.ts";
import { NormalizeError } from "../errors/normalize_error.ts";
import { said } from "../errors/texts.ts";
import type { EntityRecord, Plan } from "../schemas/plan.ts";
import type { Basis } from "./basis.ts";
import type { Entry } from "./entry.ts";
import type { LayerBase } from "./layer_base.ts";
import type { Layer, Overlay } from "./layers.ts";
import { replay } from "./layers.ts";
import { added, NO_SLOTS, NONE, withSlot } from "./patch_records.ts";
import { RecordWrites } from "./record_writes.ts";
import { isInstanceOf, type Slot, type Stamp } from "./slot.ts";
import type { Table } from "./tables.ts";
import type { warnOfRounded } from "./rounded_pk.ts";
import { shortenLog } from "./record_log.ts";
import type { Contents } from "./contents.ts";
import type { NamedPk } from "./temporary_ids.ts";
import { afterWrite, has, type Open, openIn, type Unconfirmed, without } from "./unconfirmed.ts";

/**
 * What one action would do to the store, computed and not done: nothing of it is visible before `commit`, and a patch
 * that is dropped needs no undoing. Existing slots get a note (`slot.next`) that counts for this patch only.
 */
export class Patch extends RecordWrites implements RecordTarget, LayerBase {
  entries: readonly Entry[] = NONE;
  /** The layers from this patch on. */
  layers: readonly Layer[];
  overlay: Overlay | undefined;
  /** The tables of which a layer shows a record. */
  shown: ReadonlySet<Table> = NO_TABLES;
  /** Deleted records that it names: whoever was asked after the delete does not know that they ever were here. */
  named: ReadonlySet<Slot> = NO_SLOTS;
  /** Everything goes before this patch is applied. */
  reset = false;
  /** What the mutation sent whose reply this is, by pk. */
  sent: ReadonlyMap<string, { readonly plan: Plan; readonly sent: SentRecord }> = NONE_SENT;
  /** Of the records that this patch meets: what was sent of them and is not confirmed, then. */
  unconfirmed: ReadonlyMap<Slot, Unconfirmed> = NONE_UNCONFIRMED;
  #opened: readonly (Open & { readonly plan: Plan; readonly sent: SentRecord })[] = NONE;
  /** Written, but not to be trusted for long: what a mutation sent, or what overlapping mutations wrote. By mark. */
  stale: ReadonlyMap<Slot, number> = NO_MARKS;
  /** Where a mark of this patch stands in the order of writes. */
  mark: number | undefined = undefined;
  /** What it writes was brought by a read, or had been. */
  isAnswer = false;
  /** What it writes overlaps with the mutations that are in flight now: nobody knows which the server did first. */
  overlaps = false;
  /** Keys that were read while mutations were in flight. */
  behind: readonly string[] = NONE;
  /** The mutations have settled: what was read behind them is marked stale. */
  clearsBehind = false;
  /** What the answer of this patch stands on, to be settled when all is written. */
  basis: Basis | undefined = undefined;
  /** The stamp of records that an unchanged reply makes as young as this patch. */
  renewed: Stamp | undefined = undefined;
  /** What the reply leaves for other calls to find. */
  note: ReplyNote | undefined = undefined;
  /** The server's pks of what was shown under temporary names until now. */
  names: ReadonlyMap<string, NamedPk> = NO_NAMES;
  /** Whether an entity without a pk is an error: nothing could ever find what was set by hand. */
  needsPk = false;
  /** What remained of the response that this patch was computed from. */
  result: unknown = undefined;
  /** The value that was normalized in place of a mutation's reply. */
  value: unknown = undefined;
  readonly checkPk: RecordTarget["checkPk"];

  /**
   * @param store What it would change; only read here.
   * @param stamp Place and freshness of what it writes.
   * @param oldest The sequence number of the oldest other request in flight: later writes are kept apart, so that its reply can
   *   be put in before them.
   */
  constructor(store: Contents, stamp: Stamp, oldest: number) {
    super(store, stamp, oldest);
    this.layers = store.layers;
    this.checkPk = store.strict ? (...pk) => check<typeof warnOfRounded>("pk", store, ...pk) : undefined;
  }

  /** What a mutation sent of a record, before its reply is walked. */
  addSent(plan: Plan, sent: SentRecord, args: readonly unknown[]): void {
    this.sent = new Map(this.sent).set(sent.pk, { plan, sent });
    if (!sent.isSilent) return;
    const { members } = this.#open(plan, sent.pk, undefined)!;
    writeMembers(plan, sent.pk, members, args, this);
  }

  /** An answer was walked: what it should have said of what was sent, and did not, is not there. */
  omitUnsaid(key: string): void {
    for (const [slot, { plan, pk, marks }] of this.unconfirmed) {
      const names = [...marks].filter(([, mark]) => mark.seq < this.stamp.seq && mark.by?.testKey(key));
      if (names.length === 0) continue;
      const omitted = names.map(([name]) => name);
      const part = this.partOf(plan);
      if (this.mayKeepLogs() && this.keepsLog(slot)) {
        this.insert(part, slot, plan, pk, {}, this.stamp, undefined, omitted);
      } else this.stage(part, slot, plan, pk, without(this.baseOf(slot)!, omitted));
      this.#setUnconfirmed(slot, { plan, pk, marks: new Map([...marks].filter(([name]) => !omitted.includes(name))) });
    }
  }

  /** A mutation's reply was walked: what it does not say of what was sent is not confirmed. */
  settleSent(): void {
    const { seq } = this.stamp;
    for (const { plan, sent, names, isPart } of this.#opened) {
      if (names.length === 0 && !isPart) continue;
      const slot = this.find(plan, sent.pk)!;
      this.markStale(slot);
      if (names.length === 0) continue;
      // What was sent of records in it is no more than that either.
      if (names.some((name) => plan.byName.has(name))) { for (const one of this.written()) this.markStale(one); }
      const marks = new Map((this.unconfirmed.get(slot) ?? this.store.unconfirmed?.get(slot))?.marks);
      const later = this.logOf(slot)?.writes.filter(({ stamp }) => stamp.seq > seq) ?? [];
      for (const name of names) {
        // What was written later says it already.
        if (!later.some(({ incoming }) => has(incoming, name))) marks.set(name, { seq, by: sent.confirmedBy });
      }
      this.#setUnconfirmed(slot, { plan, pk: sent.pk, marks });
    }
  }

  #open(plan: Plan, pk: string, input: object | undefined): Open | undefined {
    const found = this.sent.get(pk);
    if (found?.plan.key !== plan.key || this.#opened.some(({ sent }) => sent === found.sent)) return undefined;
    const open = openIn(plan, this.recordOf(plan, pk), found.sent, input, !this.find(plan, pk)?.stamp.expiresAt);
    this.#opened = added(this.#opened, { ...found, ...open });
    return open;
  }

  protected override meet(plan: Plan, pk: string, input: object): object {
    if (this.sent.size === 0 && this.store.unconfirmed === undefined) return input;
    const slot = this.find(plan, pk);
    const before = slot && (this.unconfirmed.get(slot) ?? this.store.unconfirmed?.get(slot));
    // Also where nothing is different: it was met.
    if (before && !isInstanceOf(plan, slot, input)) {
      this.#setUnconfirmed(slot!, afterWrite(before, this.stamp.seq, input));
    }
    const open = this.#open(plan, pk, input);
    return open === undefined ? input : { ...input, ...open.members };
  }

  #setUnconfirmed(slot: Slot, unconfirmed: Unconfirmed): void {
    if (this.unconfirmed === NONE_UNCONFIRMED) this.unconfirmed = new Map();
    (this.unconfirmed as Map<Slot, Unconfirmed>).set(slot, unconfirmed);
  }

  /** An answer is written as well. */
  addEntry(entry: Entry): void {
    this.entries = added(this.entries, entry);
  }

  unsaved(plan: Plan, input: object, path: () => string): void {
    const { key } = plan;
    if (this.needsPk) throw new NormalizeError(`"${key}"`, "", said(301, { key, path: path(), input }));
    this.store.warnOnce(plan.entity, () => said(300, { key, path: path(), input }));
  }

  newId(): string {
    return this.store.tables.ids.next();
  }

  withPks<T>(value: T): T {
    return this.store.tables.ids.resolve(value, this.names);
  }

  unnamedIn(value: unknown): ReadonlySet<string> {
    return this.store.tables.ids.unnamedIn(value, this.names);
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

  /** The same, for who tells what was deleted (`null`) from what was never here. */
  lookUp(plan: Plan, pk: string): EntityRecord | null | undefined {
    const slot = this.find(plan, pk);
    if (slot === undefined) return undefined;
    return this.baseOf(slot) ?? (this.isDeleted(slot) ? null : undefined);
  }

  isDeleted(slot: Slot): boolean {
    return slot.next?.patch === this || (this.stampOf(slot).isNever === undefined && !this.named.has(slot));
  }

  refer(plan: Plan, pk: string): void {
    const slot = this.store.tables.of(plan).slots.get(pk);
    if (slot === undefined || slot.stamp.isNever || slot.stamp.seq >= this.stamp.seq) return;
    if (this.store.baseOf(slot) !== undefined) return;
    this.named = withSlot(this.named, slot);
  }

  /** Ends the computing: folds logs, runs the layers over the new base. */
  seal(): this {
    if (this.logs.size > 0) {
      for (const [slot, log] of this.logs) {
        const folded = log && shortenLog(log, this.oldest);
        if (folded === log) continue;
        this.ownLogs().set(slot, folded);
        this.endsLogs ||= folded === undefined;
      }
    }
    if (this.layers.length > 0 || this.store.bases.size > 0) {
      const shown = new Set<Table>();
      const { overlay } = this.store;
      this.overlay = overlay === undefined || this.#touches(overlay) ? replay(this, this.layers) : overlay;
      this.layers = this.overlay.layers;
      for (const [slot, { plan, pk, record }] of this.overlay.writes) {
        if (record === undefined) continue;
        const part = this.partOf(plan);
        shown.add(part.table);
        this.arrive(part, pk, slot);
      }
      this.shown = shown;
    }
    return this;
  }

  /** Whether the layers may show something else over this patch than they do. */
  #touches({ looked, layers }: Overlay): boolean {
    if (this.layers !== layers || this.reset || this.names.size > 0) return true;
    const { slots, tables, keys } = looked;
    for (const { table, fresh } of this.tables) if (fresh.size > 0 && tables.has(table.key)) return true;
    for (const table of this.known) if (tables.has(table.key)) return true;
    for (const slot of this.written()) if (slots.has(slot)) return true;
    for (const also of [this.logs, this.stamps, this.stale, this.named]) {
      for (const slot of also.keys()) if (slots.has(slot)) return true;
    }
    return this.entries.some(({ key }) => keys.has(key));
  }

  /** All records of a table, as another store had them. */
  adopt(table: Table, fresh: Map<string, Slot>, hasRecords: boolean): void {
    Object.assign(this.addPart(table), { fresh, hasWaiting: true, hasRecords });
  }

  /** What some mutations showed goes. */
  dropLayers(dropped: readonly (Layer | undefined)[] = NONE): void {
    if (dropped.length > 0) this.layers = this.layers.filter((layer) => !dropped.includes(layer));
  }

  /** A record is not to be trusted for long. */
  markStale(slot: Slot, mark = this.mark!): void {
    if (this.stale === NO_MARKS) this.stale = new Map();
    (this.stale as Map<Slot, number>).set(slot, mark);
  }

  /** Whether it writes what carries a later mark: that stays stale, and so is the answer which was asked for before. */
  keepMarks(): boolean {
    const { marks } = this.store;
    if (marks.size === 0) return false;
    let isMarked = false;
    for (const slot of this.written()) {
      const mark = marks.get(slot);
      if (mark === undefined || mark < this.stamp.seq) continue;
      this.markStale(slot, mark);
      isMarked = true;
    }
    return isMarked;
  }
}

/** A patch at the sequence number of an action that brings nothing which could be fresh. */
export function patchAt(store: Contents, { seq, date }: { readonly seq: number; readonly date: number }): Patch {
  return new Patch(store, { seq, fetchedAt: date, expiresAt: 0 }, store.sequence.oldest());
}

// Most patches write one record: what they do not need is not made. Shared, and so never written.
const NO_TABLES: ReadonlySet<Table> = new Set();
const NO_MARKS: ReadonlyMap<Slot, number> = new Map();
const NONE_SENT: Patch["sent"] = new Map();
const NONE_UNCONFIRMED: Patch["unconfirmed"] = new Map();
const NO_NAMES: ReadonlyMap<string, NamedPk> = new Map();
