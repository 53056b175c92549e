import { DIRTY, eachParent, EntityNode, type ViewNode } from "../../denormalize/node.ts";
import type { Patch } from "../../store/patch.ts";
import { isRead } from "../../store/holders.ts";
import { isBare } from "../../store/entry.ts";
import { ResponseView } from "../../store/response_view.ts";
import type { Store } from "../../store/store.ts";
import type { Slot } from "../../store/slot.ts";
import { isSince, rankOf, type Sample, seqOf } from "./age.ts";
import { dropKeys, dropMarks, markOf, releaseViews, tidy } from "./drop.ts";
import { heldIn } from "./held.ts";
import type { Rivals } from "./bound.ts";
import { inSteps } from "./steps.ts";
import { Sweep } from "./sweep.ts";
import { Trace } from "./trace.ts";

/** What one pass is to do. */
export interface PassPlan {
  /** What was neither asked for nor written since then may go; `undefined`: age takes nothing. */
  readonly old: Sample | undefined;
  /** What is young and may have to go; `undefined`: there is room for all of it. */
  readonly rivals: Rivals | undefined;
  /** Whether a read of a key is in flight. */
  readonly isInFlight: (key: string) => boolean;
  /** So many things are looked at, or references followed, in one step. */
  readonly stride: number;
}

/** After so many copies that were out of date when they were made, the last is made in one go. */
const MAX_COPIES = 3;

/**
 * One collection, in steps: mark what is in use or young, copy what is marked, let go of the rest in one moment, and
 * clear it up. Between two steps anything may happen; what is asked for, watched or written meanwhile is marked before
 * anything goes.
 */
export class Pass {
  readonly #store: Store;
  readonly #plan: PassPlan;
  readonly #start: Sample;
  readonly #trace: Trace;
  readonly #sweep: Sweep;
  readonly #held: ReadonlySet<ViewNode>;
  /** The keys that are kept because they were asked for lately. */
  readonly #recent = new Set<string>();
  /** What goes is gone, if not cleared up. */
  #isGone = false;
  #isOver = false;
  /** The copies have all that stays. */
  #isCopied = false;
  /** Records were written that it is not told of one by one, for they are what they were. */
  #isWritten = false;
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
    this.#trace = new Trace(store, plan.stride);
    this.#sweep = new Sweep(store, plan.stride, (slot) => this.#stays(slot));
    store.graph.asked = [];
    const held = new Set<ViewNode>();
    for (const find of heldIn(store)) {
      try {
        held.add(read(store, find()));
      } catch {
        // A key or pk of the app that throws: whoever reads with it meets the error there.
      }
    }
    this.#held = held;
    this.#steps = this.#run();
  }

  /** Does one step; whether there are more. */
  step(): boolean {
    if (!this.#isOver && !this.#steps.next().done) return true;
    this.end();
    return false;
  }

  /** Nothing is looked for any more; what is gone already is cleared up at once. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#store.graph.asked = undefined;
    if (this.#isGone) { for (const _ of this.#sweep.clear()); }
  }

  /** A patch was committed. */
  committed(patch: Patch): void {
    if (this.#isGone || this.#isOver) return;
    // Pks have another slot.
    if (patch.reset || patch.names.size > 0) return this.end();
    if (patch.touched.length > 0) this.#isWritten = true;
    for (const slot of [...patch.touched, ...patch.overlay?.shown.keys() ?? []]) this.#trace.again(slot, slot.table);
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

  *#run(): Generator<undefined, void, undefined> {
    if (!(yield* this.#mark())) return;
    yield* this.#dropAnswers();
    for (let copies = 1; !this.#isCopied; copies++) {
      if (copies < MAX_COPIES) yield* this.#copy();
      else for (const _ of this.#copy());
    }
    if (this.#isShowing()) return;
    this.#isGone = true;
    this.#store.graph.asked = undefined;
    this.#sweep.flip(this.#trace.views);
    yield* this.#sweep.clear();
    yield* dropMarks(this.#store, this.#plan.stride);
    yield* tidy(this.#store, this.#plan.stride);
    this.isAtRest = !this.#hasYoung;
  }

  /** Marks what is in use and what is young; whether anything may go. */
  *#mark(): Generator<undefined, boolean, undefined> {
    const { entries, responsesByKey, tables, watched } = this.#store;
    const { old, rivals, stride } = this.#plan;
    if (rivals === undefined && old === undefined) return false;
    yield* inSteps([...watched, ...this.#held], stride, (view) => this.#trace.view(view));
    yield* this.#follow();
    yield* inSteps(responsesByKey.keys(), stride, (key) => this.#look(key));
    yield* inSteps(entries.keys(), stride, (key) => {
      if (!responsesByKey.has(key)) this.#look(key);
    });
    for (const table of tables.byKey.values()) {
      yield* inSteps(table.slots.values(), stride, (slot) => {
        if (this.#isUsed(slot)) this.#trace.keep(slot, table);
        else this.#young(rankOf(slot), slot.stamp.seq, () => this.#trace.keep(slot, table));
      });
    }
    for (const views of this.#store.graph.viewSets()) {
      yield* inSteps(views.values(), stride, (view) => {
        if (!(view instanceof EntityNode)) this.#young(view.seen, 0, () => this.#trace.view(view));
      });
    }
    yield* this.#follow();
    if (rivals !== undefined) yield* rivals.admit(this.#trace, stride, () => this.#follow());
    return true;
  }

  /** Lets go of answers and views that nobody needs, one after the other: each is a whole. */
  *#dropAnswers(): Generator<undefined, void, undefined> {
    const { entries, responsesByKey } = this.#store;
    const { stride } = this.#plan;
    const keys: string[] = [];
    const find = (key: string) => {
      if (this.#isKept(key)) return this.#key(key);
      const isBareMark = !responsesByKey.has(key) &&
        entries.of(key).every((entry) => isBare(entry) && markOf(entry) !== undefined);
      if (!isBareMark) keys.push(key);
    };
    yield* inSteps(responsesByKey.keys(), stride, find);
    yield* inSteps(entries.keys(), stride, (key) => {
      if (!responsesByKey.has(key)) find(key);
    });
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
  }

  /** Copies what stays. What is marked or written while that goes on may have been passed over. */
  *#copy(): Generator<undefined, void, undefined> {
    this.#isWritten = false;
    yield* this.#keepUsed();
    const { size } = this.#trace.slots;
    yield* this.#sweep.copy();
    this.#catchUp();
    this.#isCopied = this.#sweep.finish() && !this.#isWritten && this.#trace.slots.size === size;
  }

  /** Marks what has come to be in use since it was looked at. */
  *#keepUsed(): Generator<undefined, void, undefined> {
    for (const table of this.#store.tables.byKey.values()) {
      yield* inSteps(table.slots.values(), this.#plan.stride, (slot) => {
        if (this.#isUsed(slot) || isSince(slot, this.#start)) this.#trace.keep(slot, table);
      });
    }
    yield* this.#follow();
  }

  #stays(slot: Slot): boolean {
    if (this.#trace.slots.has(slot)) return true;
    // A slot that a reading has made since what refers to it was followed.
    return slot.rec === undefined && this.#isAwaited(slot);
  }

  /** What a mutation shows was made of anything that its function looked at: nothing goes meanwhile. */
  #isShowing(): boolean {
    return this.#store.layers.length > 0;
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
        if (!(parent instanceof EntityNode) || this.#trace.slots.has(parent.slot as Slot)) isAwaited = true;
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

  /** Follows what was asked for since the last time. */
  #drain(): void {
    const { graph } = this.#store;
    const asked = graph.asked!;
    if (asked.length === 0) return;
    graph.asked = [];
    for (const view of asked) if (view instanceof ResponseView) this.#key(view.key);
    this.#trace.viewsAgain(asked);
  }

  /** Marks what a key holds if it is in use or young. */
  #look(key: string): void {
    if (this.#isKeyUsed(key)) return this.#key(key);
    const seq = Math.max(0, ...this.#store.entries.of(key).map(seqOf));
    const seen = Math.max(0, ...(this.#store.responsesByKey.get(key) ?? []).map((view) => view.seen));
    this.#young(seen, seq, () => {
      this.#recent.add(key);
      this.#key(key);
    });
  }

  #young(seen: number, seq: number, keep: () => void): void {
    const { old, rivals } = this.#plan;
    if (old !== undefined && seen <= old.uses && seq <= old.seq) return;
    this.#hasYoung = true;
    if (rivals === undefined) keep();
    else rivals.add(seen, seq, keep);
  }

  #key(key: string): void {
    for (const view of this.#store.responsesByKey.get(key) ?? []) {
      // What it was made of last may go: if that is what it is made of again by then, it has other slots.
      if (view.state === DIRTY && view.watchers === undefined && !this.#held.has(view)) view.release();
      else this.#trace.view(view);
    }
    for (const entry of this.#store.entries.of(key)) {
      // What was read is followed by what it was made of: that is more than the answer named.
      if (!isRead(this.#store, entry)) this.#trace.entry(entry);
    }
  }

  #isKept(key: string): boolean {
    if (this.#isKeyUsed(key) || this.#recent.has(key)) return true;
    const { uses, seq } = this.#start;
    return (this.#store.responsesByKey.get(key)?.some(({ seen }) => seen > uses) ?? false) ||
      this.#store.entries.of(key).some((entry) => seqOf(entry) > seq);
  }

  #isKeyUsed(key: string): boolean {
    const { responsesByKey, behind } = this.#store;
    return behind.has(key) || this.#plan.isInFlight(key) ||
      (responsesByKey.get(key)?.some((view) => view.watchers !== undefined || this.#held.has(view)) ?? false);
  }

  #isUsed(slot: Slot): boolean {
    const { logs, bases, overlaps, marks } = this.#store;
    for (let node = slot.node; node !== undefined; node = node.sibling) if (node.watchers !== undefined) return true;
    return logs.has(slot) || bases.has(slot) || overlaps.has(slot) || marks.has(slot);
  }
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
