import { clock } from "../deps/clock.ts";
import type { RecordTarget } from "../normalize/record_target.ts";
import { Walk } from "../normalize/walk.ts";
import type { Amendment, AnyEntity } from "../schemas/interface.ts";
import type { SentRecord } from "../endpoint/interface.ts";
import { check } from "../errors/checks.ts";
import { NormalizeError } from "../errors/normalize_error.ts";
import { said } from "../errors/texts.ts";
import type { EntityRecord, Plan } from "../schemas/plan.ts";
import type { Contents } from "./contents.ts";
import type { Entry } from "./entry.ts";
import { staleEntry } from "./freshness.ts";
import { type Failure, type Layer, NO_OVERLAY, type Overlay } from "./layer.ts";
import { replay } from "./layers.ts";
import type { ListChanges } from "../collections/list_changes.ts";
import { shortenLog } from "./record_log.ts";
import { isUnmet, RecordPatch } from "./record_patch.ts";
import { added, NO_ENTRIES, NONE, withEntry } from "./shared_empty.ts";
import { isInstanceOf, NEVER, type Slot, type Stamp } from "./slot.ts";
import { afterWrite, has, type Open, openIn, type Unconfirmed, without } from "./unconfirmed.ts";
import type { warnOfRecord, warnOfUnsaved } from "./warnings.ts";

/** Where an action stands. */
export interface Placed {
  /** In the order of writes. */
  readonly seq: number;
  /** When; ms since 1970. */
  readonly date: number;
}

/** What shows nothing any more. */
export interface Ended {
  /** That of the mutation which is over. */
  readonly layer?: Layer | undefined;
  /** Those of mutations in doubt, which were shown until now. */
  readonly released?: readonly Layer[] | undefined;
}

/**
 * What one action would do to the store, computed and not done: readers see nothing of it before `commit`. One that is
 * not committed is to be dropped before the next is computed.
 */
export class Patch extends RecordPatch implements RecordTarget {
  /** The layers from this patch on. */
  layers: readonly Layer[];
  overlay: Overlay;
  /** Those that failed, and why. */
  failures: readonly Failure[] = NONE;
  /** Everything goes before this patch is applied. */
  reset = false;
  /** What the mutation sent whose reply this is, by pk. */
  sent: ReadonlyMap<string, { readonly plan: Plan; readonly sent: SentRecord }> = NO_ENTRIES;
  /** Of the records that this patch meets: what was sent of them and is not confirmed, then. */
  unconfirmed: ReadonlyMap<Slot, Unconfirmed> = NO_ENTRIES;
  #opened: readonly (Open & { readonly plan: Plan; readonly sent: SentRecord })[] = NONE;
  /** Written, but not to be trusted for long: what a mutation sent, or what overlapping mutations wrote. By mark. */
  stale: ReadonlyMap<Slot, number> = NO_ENTRIES;
  /** Where a mark of this patch stands in the order of writes. */
  mark: number | undefined = undefined;
  /** What it writes was brought by a read, or had been. */
  isAnswer = false;
  /** What it writes overlaps with the mutations that are in flight now: nobody knows which the server did first. */
  overlaps = false;
  /** Keys that were read while mutations were in flight. */
  behind: readonly string[] = NONE;
  /** The classes of what it met without a pk, by their keys. */
  unnamed: Readonly<Record<string, AnyEntity>> | undefined;
  /** Whether an entity without a pk is an error: nothing could ever find what was set by hand. */
  needsPk = false;
  /** What remained of the response that this patch was computed from. */
  result: unknown = undefined;
  /** The value that was normalized in place of a mutation's reply. */
  value: unknown = undefined;
  /** How often views had been asked for when it was begun. */
  readonly uses: number;
  readonly checkPk: RecordTarget["checkPk"];
  #lists: ListChanges | undefined;

  /**
   * @param store What it would change; only read here.
   * @param stamp Place and freshness of what it writes.
   */
  constructor(store: Contents, stamp: Stamp) {
    super(store, stamp);
    this.overlay = store.overlay;
    this.layers = this.overlay.layers;
    this.checkPk = store.strict ? (...pk) => check<typeof warnOfRecord>("pk", store, ...pk) : undefined;
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
    for (const [slot, marks] of this.unconfirmed) {
      const said = new Map([...marks].filter(([, { seq, by }]) => seq >= this.stamp.seq || !by?.testKey(key)));
      if (said.size === marks.size) continue;
      const omitted = [...marks.keys()].filter((name) => !said.has(name));
      if (this.keepsLog(slot)) this.insert(slot, slot.table.plans[0]!, {}, this.stamp, undefined, omitted);
      else this.stage(slot, without(this.baseOf(slot)!, omitted));
      this.unconfirmed = withEntry(this.unconfirmed, slot, said);
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
      if (names.some((name) => this.fieldsOf(plan).byName.has(name))) {
        for (const one of this.touched) this.markStale(one);
      }
      const marks = new Map(this.#unconfirmedOf(slot));
      const later = this.logOf(slot)?.writes.filter(({ stamp, isLayer }) => !isLayer && stamp.seq > seq) ?? [];
      for (const name of names) {
        // What was written later says it already.
        if (!later.some(({ incoming }) => has(incoming, name))) marks.set(name, { seq, by: sent.confirmedBy });
      }
      this.unconfirmed = withEntry(this.unconfirmed, slot, marks);
    }
  }

  #open(plan: Plan, pk: string, input: object | undefined): Open | undefined {
    const found = this.sent.get(pk);
    if (found?.plan.key !== plan.key || this.#opened.some(({ sent }) => sent === found.sent)) return undefined;
    const known = { entity: plan.entity, fields: this.fieldsOf(plan) };
    const open = openIn(known, this.recordOf(plan, pk), found.sent, input, !this.find(plan, pk)?.stamp.expiresAt);
    this.#opened = added(this.#opened, { ...found, ...open });
    return open;
  }

  protected override meet(plan: Plan, pk: string, input: object): object {
    if (this.sent.size === 0 && this.store.unconfirmed === undefined) return input;
    const slot = this.find(plan, pk);
    const before = slot && this.#unconfirmedOf(slot);
    // Also where nothing is different: it was met.
    if (before && !isInstanceOf(plan, slot, input)) {
      this.unconfirmed = withEntry(this.unconfirmed, slot!, afterWrite(before, this.stamp.seq, input));
    }
    const open = this.#open(plan, pk, input);
    return open === undefined ? input : { ...input, ...open.members };
  }

  #unconfirmedOf(slot: Slot): Unconfirmed | undefined {
    return this.unconfirmed.get(slot) ?? this.store.unconfirmed?.get(slot);
  }

  override get lists(): ListChanges | undefined {
    return this.#lists ??= this.store.tables.openLists?.(this);
  }

  amend(plan: Plan, amendment: Amendment): void {
    this.store.tables.of(plan);
    this.lists?.amend(plan, amendment);
  }

  /**
   * An answer is written as well.
   *
   * @param isTooEarly It is stale, and while mutations are in flight, to ask again would only be answered too early again.
   */
  addEntry(entry: Entry, isTooEarly = false): void {
    this.entries = added(this.entries, entry);
    if (isTooEarly) this.behind = added(this.behind, entry.key);
  }

  /** Answers are stale. */
  expire(entries: Iterable<Entry>, seq: number, isTooEarly?: boolean): void {
    for (const entry of entries) this.addEntry(staleEntry(entry, seq, isTooEarly), isTooEarly);
  }

  unsaved(plan: Plan, input: object, path: () => string): void {
    const { key } = plan;
    if (this.needsPk) throw new NormalizeError(`"${key}"`, "", said(301, { key, path: path(), input }));
    this.unnamed = { ...this.unnamed, [key]: plan.entity };
    check<typeof warnOfUnsaved>("unsaved", this.store, plan, path, input);
  }

  /** A record for who tells what was deleted (`null`) from what was never here. */
  lookUp(plan: Plan, pk: string): EntityRecord | null | undefined {
    const slot = this.find(plan, pk);
    return slot && (this.baseOf(slot) ?? (this.isDeleted(slot) ? null : undefined));
  }

  /** Ends the computing: folds logs, runs the layers over the new base. */
  seal(): this {
    const isRerun = this.layers !== this.overlay.layers || this.#isLookedAt();
    if (isRerun) {
      for (const slot of this.overlay.covered.keys()) {
        const log = this.logOf(slot);
        if (log !== undefined) this.setLog(slot, { ...log, writes: log.writes.filter(({ isLayer }) => !isLayer) });
      }
    }
    for (const [slot, log] of this.logs) {
      const shorter = log && shortenLog(log, this.oldest);
      if (shorter !== log) this.setLog(slot, shorter);
    }
    this.store.tables.aliases?.place(this);
    if (isRerun) {
      const failures: Failure[] = this.failures = [];
      this.overlay = replay(this, this.layers, failures);
      const coming = [...this.overlay.covered].filter(([slot, { shown, base }]) =>
        shown !== undefined && base === undefined && slot.rec === undefined
      );
      // Where one of them was waited for, or hidden, all of them: each is behind those before it.
      if (!coming.every(([slot]) => isUnmet(slot) && !this.store.covered.has(slot))) {
        for (const [slot] of coming) this.arrive(slot);
        this.store.tables.aliases?.place(this);
        this.overlay = { ...this.overlay, isMoved: true };
      }
    }
    return this;
  }

  /** Whether it touches what the layers have looked at. */
  #isLookedAt(): boolean {
    const { isMoved, looked } = this.overlay;
    if (isMoved || looked.size === 0) return isMoved;
    const marked = [...this.stale.keys(), ...this.named].map(({ table }) => table);
    return [...this.tables, ...this.known, ...marked, ...this.entries.map(({ key }) => key)]
      .some((each) => looked.has(each));
  }

  /** What some mutations showed goes. */
  dropLayers({ layer, released = NONE }: Ended): void {
    const stay = this.layers.filter((one) => one !== layer && !released.includes(one));
    if (stay.length < this.layers.length) this.layers = stay;
  }

  /** Everything that is there goes before. */
  forget(): void {
    this.reset = true;
    this.layers = NONE;
    this.overlay = NO_OVERLAY;
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

/** A patch at the sequence number of an action. Without a time, it brings nothing which could be fresh. */
export function patchAt(store: Contents, { seq, date }: Placed, expiresAt = 0): Patch {
  return new Patch(store, { seq, fetchedAt: date, expiresAt, lead: clock.lead() });
}
