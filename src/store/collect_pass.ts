import { CLEAN, eachParent, EntityNode, type ViewNode } from "../denormalize/node.ts";
import { dropKeys, dropSlots, releaseViews, tidy } from "./collect_drop.ts";
import { inSteps } from "./collect_steps.ts";
import { Trace } from "./collect_trace.ts";
import { type Entry, isSameShape } from "./entry.ts";
import type { Patch } from "./patch.ts";
import { ResponseView } from "./response_view.ts";
import type { Store } from "./store.ts";
import type { Slot, Table } from "./tables.ts";

/** A moment, by the counts that tell what came after it. */
export interface Sample {
  /** Time that had passed, in ms. */
  readonly time: number;
  /** How often a view had been asked for. */
  readonly uses: number;
  /** What was written since has a later place. */
  readonly place: number;
}

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

/** A record that may go. */
export interface DoomedSlot {
  readonly table: Table;
  readonly pk: string;
  readonly slot: Slot;
}

/**
 * One collection, in steps: mark what is in use or young, look for the rest, let it go in one commit, and clear up.
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
  /** Something other than marks has changed: pks have another slot. */
  #isVoid = false;
  #hasYoung = false;
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
    this.#trace = new Trace(store, this, plan.stride);
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

  /** Nothing is looked for any more. */
  end(): void {
    this.#isVoid = true;
    this.#store.graph.asked = undefined;
  }

  /** A patch was committed. */
  committed(patch: Patch): void {
    if (patch.reset || patch.names.size > 0) return this.end();
    const { tables } = this.#store;
    for (const [at, { plan }] of patch.staged.entries()) this.#again(patch.stagedSlots[at]!, tables.of(plan));
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

  /** What it refers to now may be other than when it was marked. */
  #again(slot: Slot, table: Table): void {
    slot.next = undefined;
    this.#trace.keep(slot, table);
  }

  *#run(): Generator<undefined, void, undefined> {
    const { entries, responsesByKey, tables, watched } = this.#store;
    const { stride } = this.#plan;
    const isCrowded = this.#size() > this.#plan.maxEntities;
    if (isCrowded) this.#rivals = [];
    else if (this.#plan.old === undefined) return;
    for (const view of [...watched, ...this.#held]) this.#trace.view(view);
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
    const slots: DoomedSlot[] = [];
    const find = (key: string) => {
      if (this.#isKept(key)) this.#key(key);
      else keys.push(key);
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
      dropKeys(this.#store, keys.slice(at, at + stride).filter((key) => !this.#isKept(key)));
      yield;
    }
    yield* this.#follow();
    if (this.#isShowing()) return;
    this.#settle(slots);
    dropSlots(this.#store, slots.filter(({ slot }) => !this.#trace.has(slot)), this.#trace.views);
    yield* tidy(this.#store, stride);
    this.isAtRest = !this.#hasYoung;
  }

  /** What a mutation shows was made of anything that its function looked at: nothing goes meanwhile. */
  #isShowing(): boolean {
    return this.#store.layers.length > 0;
  }

  /** Follows what was asked for, watched or written until now, and what it is made of, until nothing is left. */
  #settle(slots: readonly DoomedSlot[]): void {
    for (const { slot, table } of slots) {
      if (this.#isUsed(slot) || isSince(slot, this.#start)) this.#trace.keep(slot, table);
    }
    this.#catchUp();
    // Places that were made by readings since what refers to them was followed.
    for (const { slot, table } of slots) {
      if (slot.rec === undefined && this.#isAwaited(slot)) this.#trace.keep(slot, table);
    }
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
    rivals.sort((a, b) => b.rank - a.rank || b.place - a.place);
    let looks = 0;
    for (const { rank, place, keep } of rivals) {
      if (++looks % stride === 0) yield;
      if (this.#trace.count >= maxEntities && rank <= settled.uses && place <= settled.place) continue;
      keep();
      yield* this.#follow();
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
    const views: readonly ResponseView[] = this.#store.responsesByKey.get(key) ?? [];
    for (const view of views) this.#trace.view(view);
    for (const entry of this.#store.entries.of(key)) {
      // What was read is followed by what it was made of: that is more than the answer named.
      const view = views.find(({ endpoint }) => entry.shape !== undefined && isSameShape(endpoint, entry.shape));
      if (view === undefined || view.kids.length === 0 || view.state !== CLEAN) this.#trace.entry(entry);
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
    const { tails, bases, overlaps } = this.#store;
    for (let node = slot.node; node !== undefined; node = node.sibling) if (node.watchers !== undefined) return true;
    return tails.has(slot) || bases.has(slot) || overlaps.has(slot);
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

function placeOf({ place, stalePlace, updatePlace }: Entry): number {
  return Math.max(place, stalePlace, updatePlace);
}

function rankOf({ node: first }: Slot): number {
  let seen = 0;
  for (let node = first; node !== undefined; node = node.sibling) if (node.seen > seen) ({ seen } = node);
  return seen;
}

function isSince(slot: Slot, { uses, place }: Sample): boolean {
  return slot.stamp.place > place || rankOf(slot) > uses;
}
