import type { RecordTarget } from "../normalize/record_target.ts";
import { Walk } from "../normalize/walk.ts";
import type { SentRecord } from "../endpoint/interface.ts";
import { check } from "../errors/checks.ts";
import { NormalizeError } from "../errors/normalize_error.ts";
import { said } from "../errors/texts.ts";
import type { EntityRecord, Plan } from "../schemas/plan.ts";
import type { Contents } from "./contents.ts";
import type { Entry } from "./entry.ts";
import { staleEntry } from "./freshness.ts";
import type { Layer, Overlay } from "./layer.ts";
import { replay } from "./layers.ts";
import { shortenLog } from "./record_log.ts";
import { isUnmet, RecordPatch } from "./record_patch.ts";
import type { warnOfRounded } from "./rounded_pk.ts";
import { added, noEntries, NONE, withEntry } from "./shared_empty.ts";
import { isInstanceOf, NEVER, type Slot, type Stamp, type Table } from "./slot.ts";
import type { NamedPk } from "./temporary_ids.ts";
import { afterWrite, has, type Open, openIn, type Unconfirmed, without } from "./unconfirmed.ts";
import type { warnOfUnsaved } from "./warnings.ts";

/**
 * What one action would do to the store, computed and not done: readers see nothing of it before `commit`. One that is
 * not committed is to be dropped before the next is computed.
 */
export class Patch extends RecordPatch implements RecordTarget {
  /** The layers from this patch on. */
  layers: readonly Layer[];
  overlay: Overlay | undefined;
  /** Everything goes before this patch is applied. */
  reset = false;
  /** Of a store that had these records; they take the place of what is there. */
  adopted: readonly { readonly table: Table; readonly slots: ReadonlyMap<string, Slot>; readonly isKnown: boolean }[] =
    NONE;
  /** What the mutation sent whose reply this is, by pk. */
  sent: ReadonlyMap<string, { readonly plan: Plan; readonly sent: SentRecord }> = noEntries();
  /** Of the records that this patch meets: what was sent of them and is not confirmed, then. */
  unconfirmed: ReadonlyMap<Slot, Unconfirmed> = noEntries();
  #opened: readonly (Open & { readonly plan: Plan; readonly sent: SentRecord })[] = NONE;
  /** Written, but not to be trusted for long: what a mutation sent, or what overlapping mutations wrote. By mark. */
  stale: ReadonlyMap<Slot, number> = noEntries();
  /** Where a mark of this patch stands in the order of writes. */
  mark: number | undefined = undefined;
  /** What it writes was brought by a read, or had been. */
  isAnswer = false;
  /** What it writes overlaps with the mutations that are in flight now: nobody knows which the server did first. */
  overlaps = false;
  /** Keys that were read while mutations were in flight. */
  behind: readonly string[] = NONE;
  /** The server's pks of what was shown under temporary names until now. */
  names: ReadonlyMap<string, NamedPk> = noEntries();
  /** Whether an entity without a pk is an error: nothing could ever find what was set by hand. */
  needsPk = false;
  /** What remained of the response that this patch was computed from. */
  result: unknown = undefined;
  /** The value that was normalized in place of a mutation's reply. */
  value: unknown = undefined;
  /** How often views had been asked for when it was begun. */
  readonly uses: number;
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
    this.uses = store.graph.uses;
    // A patch only to read with takes nobody's place.
    if (stamp !== NEVER) store.draft = this;
  }

  /** What a mutation sent of a record, before its reply is walked. */
  addSent(plan: Plan, sent: SentRecord, args: readonly unknown[]): void {
    this.sent = withEntry(this.sent, sent.pk, { plan, sent });
    if (!sent.isSilent) return;
    const { members } = this.#open(plan, sent.pk, undefined)!;
    new Walk(members, args, this).put(plan, sent.pk, members);
  }

  /** An answer was walked: what it should have said of what was sent, and did not, is not there. */
  omitUnsaid(key: string): void {
    for (const [slot, { plan, pk, marks }] of this.unconfirmed) {
      const omitted = [...marks].flatMap(([name, mark]) =>
        mark.seq < this.stamp.seq && mark.by?.testKey(key) ? [name] : []
      );
      if (omitted.length === 0) continue;
      if (this.logOf(slot) || this.hasOlder) this.insert(slot, plan, {}, this.stamp, undefined, omitted);
      else this.stage(slot, without(this.baseOf(slot)!, omitted));
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
      if (names.some((name) => plan.byName.has(name))) { for (const one of this.touched) this.markStale(one); }
      const marks = new Map((this.unconfirmed.get(slot) ?? this.store.unconfirmed?.get(slot))?.marks);
      const later = this.logOf(slot)?.writes.filter(({ stamp, isLayer }) => !isLayer && stamp.seq > seq) ?? [];
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
    this.unconfirmed = withEntry(this.unconfirmed, slot, unconfirmed);
  }

  /** An answer is written as well. */
  addEntry(entry: Entry): void {
    this.entries = added(this.entries, entry);
  }

  /**
   * Answers are stale.
   *
   * @param isTooEarly While mutations are in flight, to ask again would only be answered too early again.
   */
  expire(entries: Iterable<Entry>, seq: number, isTooEarly = false): void {
    for (const entry of entries) {
      this.addEntry({ ...staleEntry(entry, seq), ...isTooEarly && { mark: entry.mark } });
      if (isTooEarly) this.behind = added(this.behind, entry.key);
    }
  }

  unsaved(plan: Plan, input: object, path: () => string): void {
    const { key } = plan;
    if (this.needsPk) throw new NormalizeError(`"${key}"`, "", said(301, { key, path: path(), input }));
    check<typeof warnOfUnsaved>("unsaved", this.store, plan, path, input);
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

  /** A record for who tells what was deleted (`null`) from what was never here. */
  lookUp(plan: Plan, pk: string): EntityRecord | null | undefined {
    const slot = this.find(plan, pk);
    return slot && (this.baseOf(slot) ?? (this.isDeleted(slot) ? null : undefined));
  }

  /** Ends the computing: folds logs, runs the layers over the new base. */
  seal(): this {
    const { bases, overlay } = this.store;
    const hasLayers = this.layers.length > 0 || bases.size > 0;
    const isRerun = hasLayers && (overlay === undefined || this.#touches(overlay));
    if (isRerun) {
      for (const slot of bases.keys()) {
        const log = this.logOf(slot);
        if (log !== undefined) this.setLog(slot, { ...log, writes: log.writes.filter(({ isLayer }) => !isLayer) });
      }
    }
    for (const [slot, log] of this.logs) if (log !== undefined) this.setLog(slot, shortenLog(log, this.oldest));
    if (isRerun) {
      this.overlay = replay(this, this, this.layers);
      this.layers = this.overlay.layers;
      const { shown } = this.overlay;
      const coming = [...shown.keys()].filter((slot) =>
        shown.get(slot) !== undefined && slot.rec === undefined && this.baseOf(slot) === undefined
      );
      // Where one of them was waited for, all of them: each is behind those before it.
      if (!coming.every(isUnmet)) coming.forEach((slot) => this.arrive(slot));
    } else if (hasLayers) this.overlay = overlay;
    return this;
  }

  /** Whether the layers may show something else over this patch than they do. */
  #touches({ looked, layers }: Overlay): boolean {
    if (this.layers !== layers || this.reset || this.names.size > 0) return true;
    const { slots, tables, keys } = looked;
    for (const table of this.known) if (tables.has(table.key)) return true;
    for (const slot of this.touched) {
      if (slots.has(slot) || (slot.rec === undefined && tables.has(slot.table.key))) return true;
    }
    for (const also of [this.stale, this.named]) for (const slot of also.keys()) if (slots.has(slot)) return true;
    return this.entries.some(({ key }) => keys.has(key));
  }

  /** What some mutations showed goes. */
  dropLayers(dropped: readonly (Layer | undefined)[] = NONE): void {
    if (dropped.length > 0) this.layers = this.layers.filter((layer) => !dropped.includes(layer));
  }

  /** A record is not to be trusted for long. */
  markStale(slot: Slot, mark: number = this.mark!): void {
    this.stale = withEntry(this.stale, slot, mark);
  }

  /** Whether it writes what carries a later mark: that stays stale, and so is the answer which was asked for before. */
  keepMarks(): boolean {
    const { marks } = this.store;
    if (marks.size === 0) return false;
    let isMarked = false;
    for (const slot of this.touched) {
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
