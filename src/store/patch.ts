import { broughtBy, freshRecord, keepEqual, mergedRecord, mergeIfWanted, mergeRecords } from "../normalize/record.ts";
import { type RecordChange, type RecordEffect, type RecordTarget, Walk } from "../normalize/walk.ts";
import type { ReplyNote, SentRecord } from "../endpoint/interface.ts";
import { check } from "../errors/checks.ts";
import { NormalizeError } from "../errors/normalize_error.ts";
import { said } from "../errors/texts.ts";
import type { EntityRecord, Plan } from "../schemas/plan.ts";
import type { Basis } from "./basis.ts";
import type { Entry } from "./entry.ts";
import type { Layer, LayerBase, Overlay } from "./layers.ts";
import { replay } from "./layers.ts";
import { isInstanceOf, NEVER, Slot, type Stamp, type Table } from "./tables.ts";
import type { Sweep } from "./sweeps.ts";
import type { warnOfRounded } from "./rounded_pk.ts";
import { foldTail, isLast, mergeTail, mergeWrite, type Tail, type TailWrite, type Version, withWrite } from "./tail.ts";
import type { Store } from "./store.ts";
import type { NamedPk } from "./temporary_ids.ts";
import { afterWrite, has, type Open, openIn, type Unconfirmed, without } from "./unconfirmed.ts";

/** What a patch wants to put into a slot that is published already. */
export interface Staged {
  readonly patch: Patch;
  readonly slot: Slot;
  readonly plan: Plan;
  readonly pk: string;
  /** The record without layers; `undefined`: deleted. */
  rec: EntityRecord | undefined;
}

/** What a patch does to one table. */
export interface PatchTable {
  readonly patch: Patch;
  readonly table: Table;
  /** New pks. The slots are private until the commit, and so written directly; those that were empty are staged. */
  fresh: Map<string, Slot>;
  /** Unknown pks that an optimistic function asked for. They stay private unless a layer shows a record there. */
  asked: Map<string, Slot>;
  /** Some of `fresh` are slots that readers made while they waited: the map cannot be taken over as it is. */
  hasWaiting: boolean;
  /** It is written a record: the table is known from then on. */
  hasRecords: boolean;
}

/**
 * What one action would do to the store, computed and not done: nothing of it is visible before `commit`, and a patch
 * that is dropped needs no undoing. Existing slots get a note (`slot.next`) that counts for this patch only.
 */
export class Patch implements RecordTarget, LayerBase {
  readonly stamp: Stamp;
  /** Slots that were there and were written what they hold: they get the stamp, as do those that are staged. */
  touched: readonly Slot[] = NONE;
  /** What is put into slots that were there and get another record. */
  staged: readonly Staged[] = NONE;
  tables: readonly PatchTable[] = NONE;
  known: readonly Table[] = NONE;
  /** Changes of whole tables that rows of older requests have to undergo when they come. */
  sweeps: readonly Sweep[] = NONE;
  /** The tables of these. */
  amended: readonly Table[] = NONE;
  /** Lists that may have changed in a way that only the server knows. */
  uncertain: ReadonlySet<Slot> = NO_SLOTS;
  /** Lists that something has joined or left at the place of this patch, whatever later writes make of it. */
  judged: ReadonlySet<Slot> = NO_SLOTS;
  /** Lists that something has joined or left. */
  moved: ReadonlySet<Slot> = NO_SLOTS;
  /** Records that were deleted and of which nobody knew anything. */
  missed: readonly { readonly plan: Plan; readonly pk: string }[] = NONE;
  /** Tails by slot; `undefined`: it folded away. */
  tails: ReadonlyMap<Slot, Tail | undefined> = NO_TAILS;
  /** Some of `tails` folded away. */
  foldsTails = false;
  /** Stamps of records for which a class did not want the last write: they are as old as the one before. */
  stamps: ReadonlyMap<Slot, Stamp> = NO_STAMPS;
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
  readonly #store: Store;
  readonly #oldest: number;
  /** What was there before a record that this patch makes. */
  #absence: Version | undefined;
  /** Of `touched` and of `staged` the first so many, to be asked for one. */
  #written: Set<Slot> | undefined;
  #lookedTouched = 0;
  #lookedStaged = 0;

  /**
   * @param store What it would change; only read here.
   * @param stamp Place and freshness of what it writes.
   * @param oldest The place of the oldest other request in flight: later writes are kept apart, so that its reply can
   *   be put in before them.
   */
  constructor(store: Store, stamp: Stamp, oldest: number) {
    this.#store = store;
    this.stamp = stamp;
    this.#oldest = oldest;
    this.layers = store.layers;
    this.checkPk = store.strict ? (...pk) => check<typeof warnOfRounded>("pk", store, ...pk) : undefined;
  }

  put(plan: Plan, pk: string, given: object, walk: Walk): void {
    const input = this.sent.size > 0 || this.#store.unconfirmed !== undefined ? this.#meet(plan, pk, given) : given;
    const part = this.#part(plan);
    const slot = published(part, pk);
    if (this.#mayKeepTails() && this.#keepsTail(slot ?? part.fresh.get(pk))) {
      return this.#putInTail(part, slot, plan, pk, input, walk);
    }
    if (slot === undefined) {
      const fresh = part.fresh.get(pk);
      if (fresh === undefined) {
        const made = this.#make(part, plan, pk, input, walk);
        if (plan.rows !== undefined && this.#store.sweeps.length > 0) this.#sweep(part, made, pk);
      } else if (!plan.nests || !walk.isRepeated(plan, input)) {
        fresh.rec = this.#merge(plan, fresh.rec, this.stamp, input, walk);
      }
      return;
    }
    const base = this.#store.baseOf(slot);
    const note = slot.next;
    if (note !== undefined && note.patch === this) {
      if (!plan.nests || !walk.isRepeated(plan, input)) {
        const merged = this.#merge(plan, note.rec, this.stamp, input, walk);
        // Occurrences that differ from each other may amount to what is stored: then nothing has changed.
        note.rec = base === undefined || merged === note.rec ? merged : keepEqual(plan, base, merged);
      }
      return;
    }
    if (isInstanceOf(plan, slot, input)) return;
    if (plan.hasShouldUpdate && base !== undefined) {
      const before: Version = { record: base, stamp: this.stampOf(slot) };
      const after = mergeWrite(before, { stamp: this.stamp, plan, incoming: freshRecord(walk, plan, input) });
      if (after !== before) this.#stage(part, slot, plan, pk, after.record);
      return;
    }
    const rec = this.#merge(plan, base, slot.stamp, input, walk);
    this.#stage(part, slot, plan, pk, rec, base);
    if (base === undefined && plan.rows !== undefined && this.#store.sweeps.length > 0) this.#sweep(part, slot, pk);
  }

  /** What a mutation sent of a record, before its reply is walked. */
  addSent(plan: Plan, sent: SentRecord, args: readonly unknown[]): void {
    this.sent = new Map(this.sent).set(sent.pk, { plan, sent });
    if (!sent.isSilent) return;
    const { members } = this.#open(plan, sent.pk, undefined)!;
    Walk.write(plan, sent.pk, members, args, this);
  }

  /** An answer was walked: what it should have said of what was sent, and did not, is not there. */
  omitUnsaid(key: string): void {
    for (const [slot, { plan, pk, marks }] of this.unconfirmed) {
      const names = [...marks].filter(([, mark]) => mark.place < this.stamp.place && mark.by?.testKey(key));
      if (names.length === 0) continue;
      const omitted = names.map(([name]) => name);
      const part = this.#part(plan);
      if (this.#mayKeepTails() && this.#keepsTail(slot)) {
        this.#insert(part, slot, plan, pk, {}, this.stamp, undefined, omitted);
      } else this.#stage(part, slot, plan, pk, without(this.baseOf(slot)!, omitted));
      this.#setUnconfirmed(slot, { plan, pk, marks: new Map([...marks].filter(([name]) => !omitted.includes(name))) });
    }
  }

  /** A mutation's reply was walked: what it does not say of what was sent is not confirmed. */
  settleSent(): void {
    const { place } = this.stamp;
    for (const { plan, sent, names, isPart } of this.#opened) {
      if (names.length === 0 && !isPart) continue;
      const slot = this.find(plan, sent.pk)!;
      this.markStale(slot);
      if (names.length === 0) continue;
      const marks = new Map((this.unconfirmed.get(slot) ?? this.#store.unconfirmed?.get(slot))?.marks);
      const later = this.tailOf(slot)?.writes.filter(({ stamp }) => stamp.place > place) ?? [];
      for (const name of names) {
        // What was written later says it already.
        if (!later.some(({ incoming }) => has(incoming, name))) marks.set(name, { place, by: sent.confirmedBy });
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

  /** An occurrence of a record, with what is written with it; and what of it is confirmed. */
  #meet(plan: Plan, pk: string, input: object): object {
    const slot = this.find(plan, pk);
    const before = slot && (this.unconfirmed.get(slot) ?? this.#store.unconfirmed?.get(slot));
    // Also where nothing is different: it was met.
    if (before && !isInstanceOf(plan, slot, input)) {
      this.#setUnconfirmed(slot!, afterWrite(before, this.stamp.place, input));
    }
    const open = this.#open(plan, pk, input);
    return open === undefined ? input : { ...input, ...open.members };
  }

  #setUnconfirmed(slot: Slot, unconfirmed: Unconfirmed): void {
    if (this.unconfirmed === NONE_UNCONFIRMED) this.unconfirmed = new Map();
    (this.unconfirmed as Map<Slot, Unconfirmed>).set(slot, unconfirmed);
  }

  /** A request is in flight that was sent before this one. */
  get hasOlder(): boolean {
    return this.#oldest < this.stamp.place;
  }

  /** An answer is written as well. */
  addEntry(entry: Entry): void {
    this.entries = added(this.entries, entry);
  }

  remove(plan: Plan, pk: string): void {
    const part = this.#part(plan);
    const slot = published(part, pk);
    if (this.#mayKeepTails() && this.#keepsTail(slot ?? part.fresh.get(pk))) {
      this.#insert(part, slot, plan, pk, undefined);
    } else if (slot !== undefined) {
      this.#stage(part, slot, plan, pk, undefined);
    } else if (part.fresh.has(pk)) {
      part.fresh.get(pk)!.rec = undefined;
      // Nobody knew it; who refers to it shall know that it is gone.
    } else freshOf(part).set(pk, new Slot(undefined, this.stamp));
    if (slot !== undefined && slot.rec === undefined) this.missed = added(this.missed, { plan, pk });
  }

  know(plan: Plan): void {
    const { table } = this.#part(plan);
    if (!table.known && !this.known.includes(table)) this.known = [...this.known, table];
  }

  amend(plan: Plan, changeOf: RecordChange): void {
    const part = this.#part(plan);
    const sweep: Sweep = { stamp: this.stamp, table: part.table, changeOf };
    this.amended = added(this.amended, part.table);
    for (const [pk, slot] of [...this.places(plan)]) this.#amend(part, slot, pk, sweep);
    // Rows that an older request brings later have to be changed as well.
    if (this.#oldest < this.stamp.place) this.sweeps = [...this.sweeps, sweep];
  }

  #amend(part: PatchTable, slot: Slot, pk: string, { stamp, changeOf }: Sweep): void {
    const record = this.baseOf(slot);
    const { writes = NONE, isUncertain, isMoved } = (record && changeOf(record)) ?? NO_EFFECT;
    const before = published(part, pk);
    for (const { plan, incoming } of writes) {
      if (stamp !== this.stamp || this.#keepsTail(before)) this.#insert(part, before, plan, pk, incoming, stamp);
      else {
        const merged = mergeRecords(plan, this.baseOf(slot), incoming);
        if (before === undefined) slot.rec = merged;
        else this.#stage(part, slot, plan, pk, merged);
      }
    }
    if (writes.length > 0) this.judged = withSlot(this.judged, slot);
    if (isUncertain) this.uncertain = withSlot(this.uncertain, slot);
    if (isMoved || this.baseOf(slot) !== record) this.moved = withSlot(this.moved, slot);
  }

  records(plan: Plan): EntityRecord[] {
    const records: EntityRecord[] = [];
    for (const [, slot] of this.places(plan)) {
      const record = this.baseOf(slot);
      if (record !== undefined) records.push(record);
    }
    return records;
  }

  unsaved(plan: Plan, input: object, path: () => string): void {
    const { key } = plan;
    if (this.needsPk) throw new NormalizeError(`"${key}"`, "", said(301, { key, path: path(), input }));
    this.#store.warnOnce(plan.entity, () => said(300, { key, path: path(), input }));
  }

  slot(plan: Plan, pk: string): Slot {
    const part = this.#part(plan);
    let slot = published(part, pk) ?? part.fresh.get(pk) ?? part.asked.get(pk);
    if (slot === undefined) askedOf(part).set(pk, slot = new Slot(undefined, NEVER));
    return slot;
  }

  *places(plan: Plan): Iterable<readonly [pk: string, slot: Slot]> {
    const { table, fresh, asked } = this.#part(plan);
    for (const place of table.slots) if (!fresh.has(place[0])) yield place;
    yield* fresh;
    for (const place of asked) if (!fresh.has(place[0])) yield place;
  }

  isKnown(plan: Plan): boolean {
    const { table, hasRecords } = this.#part(plan);
    return table.known || hasRecords || this.known.includes(table);
  }

  baseOf(slot: Slot): EntityRecord | undefined {
    return slot.next !== undefined && slot.next.patch === this ? slot.next.rec : this.#store.baseOf(slot);
  }

  /** When the record without any layer came. */
  stampOf(slot: Slot): Stamp {
    const known = this.stamps.get(slot);
    if (known !== undefined) return known;
    const written = this.#written ??= new Set();
    const { touched, staged } = this;
    while (this.#lookedTouched < touched.length) written.add(touched[this.#lookedTouched++]!);
    while (this.#lookedStaged < staged.length) written.add(staged[this.#lookedStaged++]!.slot);
    return written.has(slot) ? this.#stampAfter(slot) : slot.stamp;
  }

  tailOf(slot: Slot): Tail | undefined {
    return this.tails.has(slot) ? this.tails.get(slot) : this.#store.tails.get(slot);
  }

  newId(): string {
    return this.#store.tables.ids.next();
  }

  withPks<T>(value: T): T {
    return this.#store.tables.ids.resolve(value, this.names);
  }

  unnamedIn(value: unknown): ReadonlySet<string> {
    return this.#store.tables.ids.unnamedIn(value, this.names);
  }

  /** The answers of a key, as this patch leaves them: one for each shape. */
  entriesOf(key: string): readonly Entry[] {
    const stored = this.#store.entries.of(key);
    const own = this.entries.filter((entry) => entry.key === key);
    if (own.length === 0) return stored;
    const latest = new Map([...stored, ...own].map((entry) => [entry.shape, entry]));
    // One that came hydrated is the first one's that is answered.
    if (stored[0]?.shape === undefined && latest.size > 1) latest.delete(undefined);
    return [...latest.values()];
  }

  /** The place of a record that is published or that this patch makes. */
  find(plan: Plan, pk: string): Slot | undefined {
    const part = this.#part(plan);
    return published(part, pk) ?? part.fresh.get(pk);
  }

  /** Every place that this patch writes. */
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

  /** The same, for who tells what was deleted (`null`) from what was never here. */
  lookUp(plan: Plan, pk: string): EntityRecord | null | undefined {
    const slot = this.find(plan, pk);
    if (slot === undefined) return undefined;
    const isDeleted = slot.next?.patch === this || (slot.stamp.isNever === undefined && !this.named.has(slot));
    return this.baseOf(slot) ?? (isDeleted ? null : undefined);
  }

  refer(plan: Plan, pk: string): void {
    const slot = this.#store.tables.of(plan).slots.get(pk);
    if (slot === undefined || slot.stamp.isNever || slot.stamp.place >= this.stamp.place) return;
    if (this.#store.baseOf(slot) !== undefined) return;
    this.named = withSlot(this.named, slot);
  }

  /**
   * The record as it is at the place of this patch: what was written later is not in it.
   *
   * @param isBefore Without what this patch writes.
   */
  recordAt(plan: Plan, pk: string, isBefore = false): EntityRecord | undefined {
    // What this patch makes was not there before.
    const slot = isBefore ? published(this.#part(plan), pk) : this.find(plan, pk);
    if (slot === undefined) return undefined;
    const tail = isBefore ? this.#store.tails.get(slot) : this.tailOf(slot);
    if (tail === undefined) return isBefore ? this.#store.baseOf(slot) : this.baseOf(slot);
    const { place } = this.stamp;
    return mergeTail({ base: tail.base, writes: tail.writes.filter(({ stamp }) => stamp.place <= place) }).record;
  }

  /** Ends the computing: folds tails, runs the layers over the new base. */
  seal(): this {
    if (this.tails.size > 0) {
      for (const [slot, tail] of this.tails) {
        const folded = tail && foldTail(tail, this.#oldest);
        if (folded === tail) continue;
        this.#tails().set(slot, folded);
        this.foldsTails ||= folded === undefined;
      }
    }
    if (this.layers.length > 0 || this.#store.bases.size > 0) {
      const shown = new Set<Table>();
      this.overlay = replay(this, this.layers);
      this.layers = this.overlay.layers;
      for (const [slot, { plan, pk, record }] of this.overlay.writes) {
        if (record === undefined) continue;
        const part = this.#part(plan);
        shown.add(part.table);
        this.#arrive(part, pk, slot);
      }
      this.shown = shown;
    }
    return this;
  }

  /** All records of a table, as another store had them. */
  adopt(table: Table, fresh: Map<string, Slot>, hasRecords: boolean): void {
    Object.assign(this.#addPart(table), { fresh, hasWaiting: true, hasRecords });
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
    const { marks } = this.#store;
    if (marks.size === 0) return false;
    let isMarked = false;
    for (const slot of this.written()) {
      const mark = marks.get(slot);
      if (mark === undefined || mark < this.stamp.place) continue;
      this.markStale(slot, mark);
      isMarked = true;
    }
    return isMarked;
  }

  #tails(): Map<Slot, Tail | undefined> {
    if (this.tails === NO_TAILS) this.tails = new Map();
    return this.tails as Map<Slot, Tail | undefined>;
  }

  #stamps(): Map<Slot, Stamp> {
    if (this.stamps === NO_STAMPS) this.stamps = new Map();
    return this.stamps as Map<Slot, Stamp>;
  }

  #part(plan: Plan): PatchTable {
    const table = this.#store.tables.of(plan);
    const { part } = table;
    return part !== undefined && part.patch === this ? part : this.#addPart(table);
  }

  #addPart(table: Table): PatchTable {
    // A patch that was computed meanwhile may have left its own note.
    for (let i = 0; i < this.tables.length; i++) {
      if (this.tables[i]!.table === table) return table.part = this.tables[i]!;
    }
    const part = { patch: this, table, fresh: NO_PLACES, asked: NO_PLACES, hasWaiting: false, hasRecords: false };
    this.tables = added(this.tables, part);
    return table.part = part;
  }

  /** A record of which nobody knew. */
  #make(part: PatchTable, plan: Plan, pk: string, input: object, walk: Walk): Slot {
    // Before its members are walked: whoever meets the same pk below finds it.
    const made = new Slot(undefined, this.stamp);
    freshOf(part).set(pk, made);
    part.hasRecords = true;
    made.rec = freshRecord(walk, plan, input);
    return made;
  }

  #merge(plan: Plan, base: EntityRecord | undefined, stamp: Stamp, input: object, walk: Walk): EntityRecord {
    if (base === undefined) return freshRecord(walk, plan, input);
    return plan.mergesWhole
      ? mergeIfWanted(plan, base, freshRecord(walk, plan, input), stamp, this.stamp)
      : mergedRecord(walk, plan, base, input);
  }

  #stage(
    part: PatchTable,
    slot: Slot,
    plan: Plan,
    pk: string,
    rec: EntityRecord | undefined,
    base = this.#store.baseOf(slot),
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
    if (base === undefined) this.#arrive(part, pk, slot);
  }

  /** A record that nobody saw until now is the last in its table, wherever its slot stood while it was waited for. */
  #arrive(part: PatchTable, pk: string, slot: Slot): void {
    if (slot.rec !== undefined || this.#store.baseOf(slot) !== undefined || part.fresh.has(pk)) return;
    part.hasWaiting ||= part.table.slots.get(pk) !== undefined;
    freshOf(part).set(pk, slot);
  }

  /** The stamp that a slot gets which this patch has written: a late reply makes a record neither older nor younger. */
  #stampAfter(slot: Slot): Stamp {
    return slot.stamp.place <= this.stamp.place ? this.stamp : slot.stamp;
  }

  #mayKeepTails(): boolean {
    return this.#oldest < this.stamp.place || this.#store.tails.size > 0 || this.tails.size > 0;
  }

  #keepsTail(slot: Slot | undefined): boolean {
    return this.#oldest < this.stamp.place ||
      // Of this patch: a row that a later change was put upon already, and that the response names once more.
      (slot !== undefined && (this.#store.tails.has(slot) || this.tails.has(slot)));
  }

  #putInTail(part: PatchTable, slot: Slot | undefined, plan: Plan, pk: string, input: object, walk: Walk): void {
    const known = slot ?? part.fresh.get(pk);
    if (known === undefined && plan.rows === undefined) {
      const made = this.#make(part, plan, pk, input, walk);
      const base = this.#absence ??= { record: undefined, stamp: this.stamp };
      this.#tails().set(made, { base, writes: [{ stamp: this.stamp, plan, incoming: made.rec }] });
      return;
    }
    const tail = known === undefined ? undefined : this.tails.get(known);
    if (tail !== undefined && plan.nests && walk.isRepeated(plan, input)) return;
    if (isInstanceOf(plan, slot, input)) return;
    // A record that repeats in a response is compared with what this response said of it before.
    const last = tail?.writes.at(-1);
    if (last?.stamp === this.stamp && last.plan === plan && last.incoming !== undefined && !plan.mergesWhole) {
      const incoming = mergedRecord(walk, plan, last.incoming, input);
      if (incoming !== last.incoming) this.#insert(part, slot, plan, pk, incoming);
      return;
    }
    const isRow = plan.rows !== undefined;
    const base = known === undefined ? undefined : this.baseOf(known);
    if (!isRow && !plan.mergesWhole && plan.keepsMembers && this.#comesLast(known, tail)) {
      // Merged as it is walked, it is compared with what is there before anything of it is copied.
      const record = base === undefined ? freshRecord(walk, plan, input) : mergedRecord(walk, plan, base, input);
      const incoming = base === undefined ? record : broughtBy(walk, plan, record, input);
      return this.#insert(part, slot, plan, pk, incoming, this.stamp, { record, stamp: this.stamp });
    }
    this.#insert(part, slot, plan, pk, freshRecord(walk, plan, input));
    const isNew = isRow && base === undefined;
    if (isNew && this.#store.sweeps.length > 0) this.#sweep(part, (slot ?? part.fresh.get(pk))!, pk);
  }

  /** Whether what this patch writes is later than all of a tail; `own`: the one of this patch, if it has one. */
  #comesLast(slot: Slot | undefined, own: Tail | undefined): boolean {
    const tail = own ?? (slot === undefined ? undefined : this.#store.tails.get(slot));
    return tail === undefined || isLast(tail, this.stamp);
  }

  /** A row that comes late undergoes what has happened to its table since. */
  #sweep(part: PatchTable, slot: Slot, pk: string): void {
    for (const sweep of this.#store.sweeps) {
      if (sweep.table === part.table && sweep.stamp.place > this.stamp.place) this.#amend(part, slot, pk, sweep);
    }
  }

  /** Puts a write at its place; `known`: what the record amounts to then, where that was found already. */
  #insert(
    part: PatchTable,
    before: Slot | undefined,
    plan: Plan,
    pk: string,
    incoming: EntityRecord | undefined,
    at = this.stamp,
    known?: Version,
    without?: readonly string[],
  ): void {
    let slot = before ?? part.fresh.get(pk);
    if (slot === undefined) freshOf(part).set(pk, slot = new Slot(undefined, this.stamp));
    const present: Version = {
      record: this.baseOf(slot),
      stamp: slot.next?.patch === this ? this.stamp : slot.stamp,
    };
    const tail = this.tailOf(slot);
    const write: TailWrite = { stamp: at, plan, incoming, without };
    const longer = tail === undefined
      ? { base: present, writes: [write] }
      : withWrite(tail, write, (after, before) => this.#store.places.hasBetween(after, before));
    this.#tails().set(slot, longer);
    const base = this.#store.baseOf(slot);
    // What comes last is merged over what is there: records that repeat in a response would cost all their writes each time.
    const comesLast = tail === undefined || isLast(tail, at);
    const { record: merged, stamp } = known ??
      (comesLast ? mergeWrite({ record: present.record, stamp: this.stampOf(slot) }, write) : mergeTail(longer));
    if (stamp.place !== this.#stampAfter(slot).place) this.#stamps().set(slot, stamp);
    else if (this.stamps.size > 0) this.#stamps().delete(slot);
    // Merged over the very base, it has the parts of it already that are equal.
    const isOther = merged !== undefined && base !== undefined && !(comesLast && present.record === base);
    const rec = isOther ? keepEqual(plan, base, merged) : merged;
    if (before !== undefined) return this.#stage(part, slot, plan, pk, rec);
    slot.rec = rec;
    if (rec !== undefined) part.hasRecords = true;
  }
}

/** A patch at the place of an action that brings nothing which could be fresh. */
export function patchAt(store: Store, { place, date }: { readonly place: number; readonly date: number }): Patch {
  return new Patch(store, { place, fetchedAt: date, expiresAt: 0 }, store.places.oldest());
}

// Most patches write one record: what they do not need is not made. Shared, and so never written.
const NONE: readonly never[] = /* @__PURE__ */ Object.freeze([]);
const NO_EFFECT: RecordEffect = /* @__PURE__ */ Object.freeze({});
const NO_SLOTS: ReadonlySet<Slot> = new Set();
const NO_TAILS: ReadonlyMap<Slot, Tail | undefined> = new Map();
const NO_STAMPS: ReadonlyMap<Slot, Stamp> = new Map();
const NO_TABLES: ReadonlySet<Table> = new Set();
const NO_MARKS: ReadonlyMap<Slot, number> = new Map();
const NONE_SENT: Patch["sent"] = new Map();
const NONE_UNCONFIRMED: Patch["unconfirmed"] = new Map();
const NO_PLACES: Map<string, Slot> = new Map();

/**
 * A list of a patch with one item more. The first makes a list that has room for just that one: one which grew by `push`
 * has room for seventeen.
 */
function added<T>(list: readonly T[], item: T): readonly T[] {
  if (list === NONE) return [item];
  (list as T[]).push(item);
  return list;
}

function withSlot(slots: ReadonlySet<Slot>, slot: Slot): ReadonlySet<Slot> {
  return (slots === NO_SLOTS ? new Set<Slot>() : slots as Set<Slot>).add(slot);
}

function freshOf(part: PatchTable): Map<string, Slot> {
  return part.fresh === NO_PLACES ? part.fresh = new Map() : part.fresh;
}

function askedOf(part: PatchTable): Map<string, Slot> {
  return part.asked === NO_PLACES ? part.asked = new Map() : part.asked;
}

const NO_NAMES: ReadonlyMap<string, NamedPk> = new Map();

/** The slot of a record that readers have; `undefined` when it is this patch that makes it. */
function published(part: PatchTable, pk: string): Slot | undefined {
  const slot = part.table.slots.get(pk);
  if (slot !== undefined && slot.rec === undefined && part.fresh.size > 0) {
    // Somebody who read while this patch was computed has made another one to wait at.
    const own = part.fresh.get(pk);
    if (own !== undefined && own !== slot) return undefined;
  }
  return slot;
}
