import { freshRecord, keepEqual, mergedRecord, mergeRecords } from "../normalize/record.ts";
import type { RecordTarget, Walk } from "../normalize/walk.ts";
import type { AnyReadable } from "../endpoint/interface.ts";
import { NormalizeError } from "../errors/normalize_error.ts";
import type { EntityRecord, Plan } from "../schemas/plan.ts";
import { type Entry, isSameShape } from "./entry.ts";
import type { Layer, LayerBase, Overlay } from "./layers.ts";
import { replay } from "./layers.ts";
import { isInstanceOf, NEVER, Slot, type Stamp, type Table } from "./tables.ts";
import { foldTail, mergeTail, type Tail, withWrite } from "./tail.ts";
import type { Store } from "./store.ts";

/** What a patch wants to put into a slot that is published already. */
export interface Staged {
  readonly patch: Patch;
  readonly plan: Plan;
  readonly pk: string;
  /** The record without layers; `undefined`: deleted. */
  rec: EntityRecord | undefined;
}

/** What a patch does to one table. */
export interface PatchTable {
  readonly table: Table;
  /** New pks. The slots are private until the commit, and so written directly; those that were empty are staged. */
  readonly fresh: Map<string, Slot>;
  /** Unknown pks that an optimistic function asked for. They stay private unless a layer shows a record there. */
  readonly asked: Map<string, Slot>;
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
  /** Slots that were there and were written, equal or not: they get the stamp. */
  readonly touched: Slot[] = [];
  /** Slots that were there and get another record. */
  readonly staged: Staged[] = [];
  readonly stagedSlots: Slot[] = [];
  readonly tables: PatchTable[] = [];
  readonly known: Table[] = [];
  /** Tails by slot; `undefined`: it folded away. */
  readonly tails: Map<Slot, Tail | undefined> = new Map();
  readonly entries: Entry[] = [];
  /** The layers from this patch on. */
  layers: readonly Layer[];
  overlay: Overlay | undefined;
  /** The tables of which a layer shows a record. */
  readonly shown: Set<Table> = new Set();
  /** Everything goes before this patch is applied. */
  reset = false;
  /** Written, but not to be trusted for long: what a mutation sent, or what overlapping mutations wrote. */
  readonly stale: Set<Slot> = new Set();
  /** A key that was read while mutations were in flight. */
  behind: string | undefined = undefined;
  /** The mutations have settled: what was read behind them is marked stale. */
  clearsBehind = false;
  /** Whether an entity without a pk is an error: nothing could ever find what was set by hand. */
  needsPk = false;
  /** What remained of the response that this patch was computed from. */
  result: unknown = undefined;
  /** The value that was normalized in place of a mutation's reply. */
  value: unknown = undefined;
  readonly #store: Store;
  readonly #oldest: number;
  readonly #byPlan: PatchTable[] = [];

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
  }

  put(plan: Plan, pk: string, input: object, walk: Walk): void {
    const part = this.#part(plan);
    const slot = published(part, pk);
    if (this.#oldest < this.stamp.place || this.#store.tails.size > 0) {
      if (this.#keepsTail(slot)) return this.#putInTail(part, slot, plan, pk, input, walk);
    }
    if (slot === undefined) {
      const fresh = part.fresh.get(pk);
      if (fresh === undefined) {
        // Before its members are walked: whoever meets the same pk below finds it.
        const made = new Slot(undefined, this.stamp);
        part.fresh.set(pk, made);
        part.hasRecords = true;
        made.rec = freshRecord(walk, plan, input);
      } else if (!plan.nests || !walk.isRepeated(input)) {
        fresh.rec = this.#merge(plan, fresh.rec, input, walk);
      }
      return;
    }
    const note = slot.next;
    if (note !== undefined && note.patch === this) {
      if (!plan.nests || !walk.isRepeated(input)) {
        const merged = this.#merge(plan, note.rec, input, walk);
        const before = this.#store.baseOf(slot);
        // Occurrences that differ from each other may amount to what is stored: then nothing has changed.
        note.rec = before === undefined || merged === note.rec ? merged : keepEqual(plan, before, merged);
      }
      return;
    }
    const base = this.#store.baseOf(slot);
    if (isInstanceOf(plan, slot, input)) return;
    const rec = this.#merge(plan, base, input, walk);
    this.#stage(part, slot, plan, pk, rec);
  }

  remove(plan: Plan, pk: string): void {
    const part = this.#part(plan);
    const slot = published(part, pk);
    if ((this.#oldest < this.stamp.place || this.#store.tails.size > 0) && this.#keepsTail(slot)) {
      this.#insert(part, slot, plan, pk, undefined);
    } else if (slot !== undefined) {
      this.#stage(part, slot, plan, pk, undefined);
    } else if (part.fresh.has(pk)) {
      part.fresh.get(pk)!.rec = undefined;
    }
  }

  know(plan: Plan): void {
    const { table } = this.#part(plan);
    if (!table.known && !this.known.includes(table)) this.known.push(table);
  }

  unsaved(plan: Plan, message: () => string): void {
    if (this.needsPk) throw new NormalizeError(`"${plan.key}"`, "", `${message()}: what is set by hand needs a pk`);
    this.#store.warnOnce(plan.entity, message);
  }

  slot(plan: Plan, pk: string): Slot {
    const part = this.#part(plan);
    let slot = published(part, pk) ?? part.fresh.get(pk) ?? part.asked.get(pk);
    if (slot === undefined) part.asked.set(pk, slot = new Slot(undefined, NEVER));
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

  tailOf(slot: Slot): Tail | undefined {
    return this.tails.has(slot) ? this.tails.get(slot) : this.#store.tails.get(slot);
  }

  /** What remains of an answer that this patch or the store holds. */
  resultOf(endpoint: AnyReadable, args: readonly unknown[]): unknown {
    const key = endpoint.key(...args);
    const entry =
      this.entries.find(({ key: other, shape }) =>
        other === key && (shape === undefined || isSameShape(shape, endpoint))
      ) ?? this.#store.entries.get(key, endpoint);
    return entry !== undefined && entry.hasResult && !entry.isInvalid ? entry.result : undefined;
  }

  /** The place of a record that is published or that this patch makes. */
  find(plan: Plan, pk: string): Slot | undefined {
    const part = this.#part(plan);
    return published(part, pk) ?? part.fresh.get(pk);
  }

  /** Every place that this patch writes. */
  *written(): Iterable<Slot> {
    yield* this.touched;
    for (const { fresh } of this.tables) yield* fresh.values();
  }

  /** The record that this patch would leave, layers not counted. */
  recordOf(plan: Plan, pk: string): EntityRecord | undefined {
    const slot = this.find(plan, pk);
    return slot === undefined ? undefined : this.baseOf(slot);
  }

  /** Ends the computing: folds tails, runs the layers over the new base. */
  seal(): this {
    for (const [slot, tail] of this.tails) {
      if (tail !== undefined) this.tails.set(slot, foldTail(tail, this.#oldest));
    }
    if (this.layers.length > 0 || this.#store.bases.size > 0) {
      this.overlay = replay(this, this.layers);
      this.layers = this.overlay.layers;
      for (const [slot, { plan, pk, record }] of this.overlay.writes) {
        if (record === undefined) continue;
        const part = this.#part(plan);
        this.shown.add(part.table);
        this.#arrive(part, pk, slot);
      }
    }
    return this;
  }

  #part(plan: Plan): PatchTable {
    return this.#byPlan[plan.id] ?? this.#addPart(plan);
  }

  #addPart(plan: Plan): PatchTable {
    const table = this.#store.tables.of(plan);
    let part = this.tables.find((other) => other.table === table);
    if (part === undefined) {
      part = { table, fresh: new Map(), asked: new Map(), hasWaiting: false, hasRecords: false };
      this.tables.push(part);
    }
    return this.#byPlan[plan.id] = part;
  }

  #merge(plan: Plan, base: EntityRecord | undefined, input: object, walk: Walk): EntityRecord {
    if (base === undefined) return freshRecord(walk, plan, input);
    return plan.hasMerge
      ? mergeRecords(plan, base, freshRecord(walk, plan, input))
      : mergedRecord(walk, plan, base, input);
  }

  #stage(part: PatchTable, slot: Slot, plan: Plan, pk: string, rec: EntityRecord | undefined): void {
    if (slot.next?.patch === this) {
      slot.next.rec = rec;
    } else {
      this.touched.push(slot);
      if (rec === this.#store.baseOf(slot)) return;
      const staged: Staged = slot.next = { patch: this, plan, pk, rec };
      this.staged.push(staged);
      this.stagedSlots.push(slot);
    }
    if (rec === undefined) return;
    part.hasRecords = true;
    this.#arrive(part, pk, slot);
  }

  /** A record that nobody saw until now is the last in its table, wherever its slot stood while it was waited for. */
  #arrive(part: PatchTable, pk: string, slot: Slot): void {
    if (slot.rec !== undefined || this.#store.baseOf(slot) !== undefined || part.fresh.has(pk)) return;
    part.hasWaiting ||= part.table.slots.has(pk);
    part.fresh.set(pk, slot);
  }

  #keepsTail(slot: Slot | undefined): boolean {
    return this.#oldest < this.stamp.place || (slot !== undefined && this.#store.tails.has(slot));
  }

  #putInTail(part: PatchTable, slot: Slot | undefined, plan: Plan, pk: string, input: object, walk: Walk): void {
    const known = slot ?? part.fresh.get(pk);
    if (known !== undefined && this.tails.has(known) && plan.nests && walk.isRepeated(input)) return;
    if (isInstanceOf(plan, slot, input)) return;
    this.#insert(part, slot, plan, pk, freshRecord(walk, plan, input));
  }

  #insert(
    part: PatchTable,
    before: Slot | undefined,
    plan: Plan,
    pk: string,
    incoming: EntityRecord | undefined,
  ): void {
    let slot = before ?? part.fresh.get(pk);
    if (slot === undefined) part.fresh.set(pk, slot = new Slot(undefined, this.stamp));
    const tail = this.tailOf(slot) ?? { base: this.baseOf(slot), writes: [] };
    const longer = withWrite(tail, { place: this.stamp.place, plan, incoming });
    this.tails.set(slot, longer);
    const base = this.#store.baseOf(slot);
    const merged = mergeTail(longer);
    const rec = merged !== undefined && base !== undefined && merged !== base ? keepEqual(plan, base, merged) : merged;
    if (before !== undefined) return this.#stage(part, slot, plan, pk, rec);
    slot.rec = rec;
    if (rec !== undefined) part.hasRecords = true;
  }
}

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
