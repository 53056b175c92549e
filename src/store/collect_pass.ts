import { eachParent, EntityNode, type ViewNode } from "../denormalize/node.ts";
import { isSince, placeOf, rankOf, type Sample } from "./collect_age.ts";
import { Doom, type DoomedSlot } from "./collect_doom.ts";
import { dropKeys, markOf, releaseViews, tidy } from "./collect_drop.ts";
import { inSteps, sortInSteps } from "./collect_steps.ts";
import { Trace } from "./collect_trace.ts";
import { isBare } from "./entry.ts";
import { isRead } from "./holders.ts";
import { isMarkOfUse } from "./mark_of_use.ts";
import type { Patch } from "./patch.ts";
import { ResponseView } from "./response_view.ts";
import type { Store } from "./store.ts";
import type { Slot, Table } from "./tables.ts";

/** What one pass is to do. */
export interface PassPlan {
  /** What was neither asked for nor written since then may go; `undefined`: age takes nothing. */
  readonly old: Sample | undefined;
  /** With more records than this, those go as well that were not read for longest. */
  readonly maxEntities: number;
  /** What was asked for or written since then stays, however many there are. */
  readonly settled: Sample;
  /** The earlier moments, the oldest first. */
  readonly samples: readonly Sample[];
  /** What is held by hand. */
  readonly retained: Iterable<() => ViewNode>;
  /** Whether a read of a key is in flight. */
  readonly isInFlight: (key: string) => boolean;
  /** So many things are looked at, or references followed, in one step. */
  readonly stride: number;
}

/**
 * One collection, in steps: mark what is in use or young, condemn the rest, let it go in one moment, and clear it up.
 * Between two steps anything may happen; what is asked for, watched or written meanwhile is followed before anything goes.
 */
export class CollectPass {
  readonly #store: Store;
  readonly #plan: PassPlan;
  readonly #start: Sample;
  readonly #trace: Trace;
  readonly #held: ReadonlySet<ViewNode>;
  /** With a bound: the keys that are kept because they were asked for lately. */
  readonly #recent = new Set<string>();
  /** With a bound: what is young and may have to go. */
  #rivals: Rival[] | undefined;
  /** Slots whose mark or note a patch has taken, which may be dropped itself. */
  readonly #taken = new Map<Slot, Table>();
  readonly #doom = new Doom();
  /** What goes is gone, if not cleared up. */
  #isGone = false;
  /** Something other than marks has changed: pks have another slot. */
  #isVoid = false;
  #hasYoung = false;
  /** With a bound: more stays than it allows, because it was asked for or written a moment ago. */
  isUnsettled = false;
  /** It came to its end, and nothing that is left will grow too old. */
  isAtRest = false;
  readonly #steps: Generator<undefined, void, undefined>;

  /**
   * @param store Whose memory.
   * @param plan What to do.
   * @param start This moment.
   */
  constructor(store: Store, plan: PassPlan, start: Sample) {
    this.#store = store;
    this.#plan = plan;
    this.#start = start;
    this.#trace = new Trace(store, plan.stride);
    store.graph.asked = [];
    const held = new Set<ViewNode>();
    for (const retained of plan.retained) {
      try {
        held.add(read(store, retained()));
      } catch {
        // A key or pk of the app that throws: whoever reads with it meets the error there.
      }
    }
    this.#held = held;
    this.#steps = this.#run();
  }

  /** Does one step; whether there are more. */
  step(): boolean {
    if (!this.#isVoid && !this.#steps.next().done) return true;
    this.end();
    return false;
  }

  /** Nothing is looked for any more; what is gone already is cleared up at once. */
  end(): void {
    this.#isVoid = true;
    this.#store.graph.asked = undefined;
    this.#rivals = undefined;
    if (this.#isGone) this.#doom.clear(Infinity);
    this.#doom.end();
  }

  /** A patch was committed. */
  committed(patch: Patch): void {
    if (this.#isGone) return;
    if (patch.reset || patch.names.size > 0) return this.end();
    const { tables } = this.#store;
    for (const { slot, plan } of patch.staged) this.#again(slot, tables.of(plan));
    for (const { table, fresh } of patch.tables) for (const slot of fresh.values()) this.#again(slot, table);
    for (const [slot, { plan }] of patch.overlay?.writes ?? []) this.#again(slot, tables.of(plan));
    for (const entry of patch.entries) {
      this.#trace.entry(entry);
      // Who is told of it reads it again, after this.
      for (const view of this.#store.responsesByKey.get(entry.key) ?? []) this.watched(view);
    }
  }

  /** A view has its first watcher. */
  watched(view: ViewNode): void {
    this.#store.graph.asked?.push(view);
  }

  /** A patch has taken the mark or note of a slot. */
  staged(slot: Slot, table: Table): void {
    if (!this.#isGone && this.#trace.has(slot)) this.#taken.set(slot, table);
  }

  /** What it refers to now may be other than when it was marked. */
  #again(slot: Slot, table: Table): void {
    table.condemned?.spare(slot);
    slot.next = undefined;
    this.#trace.keep(slot, table);
  }

  *#run(): Generator<undefined, void, undefined> {
    const { entries, responsesByKey, tables, watched } = this.#store;
    const { stride } = this.#plan;
    const isCrowded = this.#size() > this.#plan.maxEntities;
    if (isCrowded) this.#rivals = [];
    else if (this.#plan.old === undefined) return;
    yield* inSteps([...watched, ...this.#held], stride, (view) => this.#trace.view(view));
    yield* this.#follow();
    yield* inSteps(responsesByKey.keys(), stride, (key) => this.#look(key));
    yield* inSteps(entries.keys(), stride, (key) => {
      if (!responsesByKey.has(key)) this.#look(key);
    });
    for (const table of tables.byKey.values()) {
      yield* inSteps(table.slots.values(), stride, (slot) => {
        if (this.#isUsed(slot)) this.#trace.keep(slot, table);
        else this.#young(rankOf(slot), slot.stamp.place, () => this.#trace.keep(slot, table));
      });
    }
    for (const views of this.#store.graph.viewSets()) {
      yield* inSteps(views.values(), stride, (view) => {
        if (!(view instanceof EntityNode)) this.#young(view.seen, 0, () => this.#trace.view(view));
      });
    }
    yield* this.#follow();
    if (this.#rivals !== undefined) yield* this.#admit(this.#rivals);

    const keys: string[] = [];
    const marks: string[] = [];
    const slots: DoomedSlot[] = [];
    const find = (key: string) => {
      if (this.#isKept(key)) return this.#key(key);
      const ofKey = entries.of(key);
      if (ofKey.some(markOf)) marks.push(key);
      if (responsesByKey.has(key) || !ofKey.every((entry) => isBare(entry) && markOf(entry) !== undefined)) {
        keys.push(key);
      }
    };
    yield* inSteps(responsesByKey.keys(), stride, find);
    yield* inSteps(entries.keys(), stride, (key) => {
      if (!responsesByKey.has(key)) find(key);
    });
    for (const table of tables.byKey.values()) {
      yield* inSteps(table.slots, stride, ([pk, slot]) => {
        if (this.#trace.has(slot)) return;
        if (this.#isUsed(slot) || isSince(slot, this.#start)) this.#trace.keep(slot, table);
        else slots.push({ table, pk, slot });
      });
    }
    yield* releaseViews(this.#store, stride, (view) => {
      // What is made of it may have been asked for since the last step.
      this.#catchUp();
      return !this.#trace.views.has(view) && view.seen <= this.#start.uses;
    });
    for (let at = 0; at < keys.length; at += stride) {
      if (this.#isShowing()) return;
      dropKeys(this.#store, keys.slice(at, at + stride).filter((key) => !this.#isKept(key)), markOf);
      yield;
    }
    yield* this.#follow();
    yield* inSteps(slots, stride, (slot) => this.#condemn(slot));
    if (this.#isShowing()) return;
    this.#catchUp();
    this.#isGone = true;
    this.#store.graph.asked = undefined;
    this.#doom.drop(this.#store, this.#trace.views);
    while (this.#doom.clear(stride)) yield;
    this.#doom.end();
    yield* this.#dropMarks(marks);
    yield* tidy(this.#store, stride);
    this.isAtRest = !this.#hasYoung;
  }

  /** Lets go of the marks whose records are gone, one at a time: what one counts for may have to be searched for. */
  *#dropMarks(keys: readonly string[]): Generator<undefined, void, undefined> {
    const { entries, responsesByKey } = this.#store;
    for (const key of keys) {
      yield;
      if (this.#isShowing()) return;
      const marks = entries.of(key);
      if (responsesByKey.has(key) || this.#isKept(key) || !marks.every(isBare)) continue;
      const ofUse = marks.filter((mark) => isMarkOfUse(this.#store, mark));
      if (ofUse.length < marks.length) {
        dropKeys(this.#store, [key], (entry) => ofUse.includes(entry) ? entry : undefined);
      }
    }
  }

  /** What a mutation shows was made of anything that its function looked at: nothing goes meanwhile. */
  #isShowing(): boolean {
    return this.#store.layers.length > 0;
  }

  /** Notes a place as one that goes, if nobody has come to need it. From then on whoever asks for it keeps it. */
  #condemn(doomed: DoomedSlot): void {
    this.#catchUp();
    const { table, pk, slot } = doomed;
    if (table.slots.get(pk) !== slot || this.#trace.has(slot)) return;
    // Places that were made by readings since what refers to them was followed.
    const isAwaited = slot.rec === undefined && this.#isAwaited(slot);
    if (isAwaited || this.#isUsed(slot) || isSince(slot, this.#start)) return this.#trace.keep(slot, table);
    this.#doom.add(doomed);
    const { broken } = this.#store;
    // Without a watcher there is nobody to be told.
    if (broken.size > 0) { for (let node = slot.node; node !== undefined; node = node.sibling) broken.delete(node); }
  }

  /** Follows what was asked for or written until now, without a pause. */
  #catchUp(): void {
    this.#drain();
    while (this.#trace.step() > 0);
  }

  /** Whether something that stays waits for a record. */
  #isAwaited({ node: first }: Slot): boolean {
    let isAwaited = false;
    for (let node = first; node !== undefined; node = node.sibling) {
      eachParent(node, (parent) => {
        // What is no record and does not stay was released.
        if (!(parent instanceof EntityNode) || this.#trace.has(parent.slot as Slot)) isAwaited = true;
      });
    }
    return isAwaited;
  }

  /** Follows everything that was found so far. */
  *#follow(): Generator<undefined, void, undefined> {
    this.#drain();
    let count = 0;
    for (let more = this.#trace.step(); more > 0; more = this.#trace.step()) {
      count += more;
      if (count < this.#plan.stride) continue;
      count = 0;
      yield;
    }
  }

  /** Follows what was asked for or told of since the last time. */
  #drain(): void {
    for (const [slot, table] of this.#taken) this.#again(slot, table);
    this.#taken.clear();
    this.#doom.takeSpared((slot, table) => this.#trace.keep(slot, table));
    const { graph } = this.#store;
    const asked = graph.asked!;
    if (asked.length === 0) return;
    graph.asked = [];
    for (const view of asked) if (view instanceof ResponseView) this.#key(view.key);
    this.#trace.again(asked);
  }

  /** Lets in what is young, what was asked for last first, until there are as many records as are wanted. */
  *#admit(rivals: Rival[]): Generator<undefined, void, undefined> {
    const { maxEntities, settled, stride } = this.#plan;
    yield* sortInSteps(rivals, (a, b) => b.rank - a.rank || b.place - a.place, 8 * stride);
    let looks = 0;
    for (const { rank, place, keep } of rivals) {
      if (++looks % stride === 0) yield;
      const { count } = this.#trace;
      const isFull = count >= maxEntities;
      if (isFull && rank <= settled.uses && place <= settled.place) continue;
      keep();
      yield* this.#follow();
      if (isFull && this.#trace.count > count) this.isUnsettled = true;
    }
  }

  /** Marks what a key holds if it is in use or young. */
  #look(key: string): void {
    if (this.#isKeyUsed(key)) return this.#key(key);
    const place = Math.max(0, ...this.#store.entries.of(key).map(placeOf));
    const seen = Math.max(0, ...(this.#store.responsesByKey.get(key) ?? []).map((view) => view.seen));
    this.#young(seen, place, () => {
      this.#recent.add(key);
      this.#key(key);
    });
  }

  #young(seen: number, place: number, keep: () => void): void {
    const { old } = this.#plan;
    if (old !== undefined && seen <= old.uses && place <= old.place) return;
    this.#hasYoung = true;
    if (this.#rivals === undefined) keep();
    else this.#rivals.push({ rank: Math.max(seen, this.#usesAt(place)), place, keep });
  }

  /** How often views had been asked for when something was written. */
  #usesAt(place: number): number {
    const { samples } = this.#plan;
    for (let at = samples.length - 1; at >= 0; at--) if (samples[at]!.place < place) return samples[at]!.uses;
    return 0;
  }

  #key(key: string): void {
    for (const view of this.#store.responsesByKey.get(key) ?? []) this.#trace.view(view);
    for (const entry of this.#store.entries.of(key)) {
      // What was read is followed by what it was made of: that is more than the answer named.
      if (!isRead(this.#store, entry)) this.#trace.entry(entry);
    }
  }

  #isKept(key: string): boolean {
    if (this.#isKeyUsed(key) || this.#recent.has(key)) return true;
    const since = this.#rivals === undefined ? this.#plan.old! : this.#start;
    return (this.#store.responsesByKey.get(key)?.some(({ seen }) => seen > since.uses) ?? false) ||
      this.#store.entries.of(key).some((entry) => placeOf(entry) > since.place);
  }

  #isKeyUsed(key: string): boolean {
    const { responsesByKey, behind } = this.#store;
    return behind.has(key) || this.#plan.isInFlight(key) ||
      (responsesByKey.get(key)?.some((view) => view.watchers !== undefined || this.#held.has(view)) ?? false);
  }

  #isUsed(slot: Slot): boolean {
    const { tails, bases, overlaps, marks } = this.#store;
    for (let node = slot.node; node !== undefined; node = node.sibling) if (node.watchers !== undefined) return true;
    return tails.has(slot) || bases.has(slot) || overlaps.has(slot) || marks.has(slot);
  }

  #size(): number {
    let size = 0;
    for (const { slots } of this.#store.tables.byKey.values()) size += slots.size;
    return size;
  }
}

/** Something that is young, of which there is too much. */
interface Rival {
  readonly rank: number;
  readonly place: number;
  readonly keep: () => void;
}

/** A view as it is now. One that cannot be read is followed as far as it was. */
function read(store: Store, view: ViewNode): ViewNode {
  try {
    view.read(store.graph);
  } catch {
    // Whoever reads it meets the error there.
  }
  return view;
}
