import { DIRTY, dropDeadEdges, eachParent, EntityNode, makeDirty, type ViewNode } from "../../denormalize/node.ts";
import { letGo } from "../../denormalize/derived_view.ts";
import { type Entry, isBare } from "../../store/entry.ts";
import type { Patch } from "../../store/patch.ts";
import { ResponseView } from "../../store/response_view.ts";
import type { Slot } from "../../store/slot.ts";
import type { Released, Store } from "../../store/store.ts";
import type { Rivals } from "./bound.ts";
import { dropMarks, inSteps, markOf, release } from "./release.ts";
import type { Sample } from "./sample.ts";
import { Trace } from "./trace.ts";

/** What one pass is to do. */
export interface PassPlan {
  /** This moment. */
  readonly start: Sample;
  /** What was neither asked for nor written since then may go. */
  readonly old: Pick<Sample, "uses" | "seq">;
  /** What is younger and may have to go; `undefined`: there is room for all of it. */
  readonly rivals: Rivals | undefined;
  /** Whether a read of a key is in flight. */
  readonly isReading: (key: string) => boolean;
  /** So many things are looked at, or references followed, in one step. */
  readonly stride: number;
}

/** When something was last asked for (`Infinity` while it is in use) and written, by the counts of a {@linkcode Sample}. */
type Use = readonly [uses: number, seq: number];

/**
 * One collection, in steps. It marks what is in use or young, and lets go of answers and views that nobody needs, each
 * of which is a whole. What is left of the records goes in one moment, for one without what it refers to is never to be seen, and
 * is cleared up afterwards.
 *
 * Between two steps anything may happen: what is asked for, watched or written meanwhile is marked as well.
 */
export class Pass {
  readonly #store: Store;
  readonly #plan: PassPlan;
  readonly #trace: Trace;
  readonly #held: ReadonlySet<ViewNode>;
  /** What is to go; from one moment on, what is gone and not cleared up yet. */
  #gone: Slot[] = [];
  #steps: Iterator<undefined> | undefined;

  constructor(store: Store, plan: PassPlan) {
    this.#store = store;
    this.#plan = plan;
    this.#trace = new Trace(store);
    this.#held = new Set(store.parts.flatMap((part) => part.held?.() ?? []));
    store.graph.asked = [];
    this.#steps = this.#run();
  }

  /** Does one step; whether there are more. */
  step(): boolean {
    if (this.#steps?.next().done === false) return true;
    this.end();
    return false;
  }

  /** Nothing is looked for any more; what is gone already is cleared up at once. */
  end(): void {
    if (this.#store.graph.asked === undefined) { for (const _ of this.#clear()); }
    this.#steps = this.#store.graph.asked = undefined;
    this.#gone = [];
  }

  /** A patch was committed: what it wrote is marked, be it that nothing else needs it. */
  committed(patch: Patch): void {
    const { graph: { asked }, layers, responsesByKey } = this.#store;
    if (asked === undefined) return;
    // Pks have other slots or none, or a mutation shows something: its function may have looked at anything.
    const { named, names, reset } = patch;
    if (reset || names.size + named.size + layers.length > 0) return this.end();
    for (const slot of [...patch.touched, ...patch.stale.keys()]) {
      this.#trace.keep(slot);
      this.#trace.again(slot);
    }
    for (const entry of patch.entries) {
      this.#trace.entry(entry);
      // Who is told of it reads it again, after this.
      asked.push(...responsesByKey.get(entry.key) ?? []);
    }
  }

  *#run(): Generator<undefined> {
    const { graph, tables } = this.#store;
    const { stride } = this.#plan;
    const idle: string[] = [];
    const marks: string[] = [];
    yield* this.#mark(idle);
    for (let at = 0; at < idle.length; at += stride) {
      this.#dropKeys(idle.slice(at, at + stride), marks);
      yield;
    }
    yield* this.#dropViews();
    for (const { slots } of tables.byKey.values()) {
      yield* inSteps(slots.values(), stride, (slot) => this.#sweep(slot));
    }
    // What was asked for or written until now, without a pause.
    for (const _ of this.#follow());
    graph.asked = undefined;
    this.#drop();
    yield* this.#clear();
    yield* dropMarks(this.#store, marks, stride);
    tables.aliases?.collect();
  }

  /** Marks what is in use and what is young. */
  *#mark(idle: string[]): Generator<undefined> {
    const { graph, tables, watched } = this.#store;
    const { rivals, stride } = this.#plan;
    const trace = this.#trace;
    yield* inSteps([...watched, ...this.#held], stride, (view) => trace.view(view));
    yield* inSteps(keysOf(this.#store), stride, (key) => {
      this.#consider(this.#useOfKey(key), () => this.#keepKey(key));
      if (!trace.kept.has(key)) idle.push(key);
    });
    for (const table of tables.byKey.values()) {
      yield* inSteps(table.slots.values(), stride, (slot) => {
        this.#consider(this.#useOf(slot), () => trace.keep(slot));
      });
    }
    for (const views of graph.viewSets()) {
      yield* inSteps(views.values(), stride, (view) => this.#consider([view.seen, 0], () => trace.view(view)));
    }
    yield* this.#follow();
    if (rivals !== undefined) yield* rivals.admit(trace, stride, () => this.#follow());
  }

  /** Marks what is in use, and what is young where there is room. */
  #consider(use: Use, keep: () => void): void {
    const { old, rivals } = this.#plan;
    if (!isSince(old, use)) return;
    if (rivals === undefined || use[0] === Infinity) keep();
    else rivals.add(...use, keep);
  }

  #keepKey(key: string): void {
    this.#trace.kept.add(key);
    this.#store.responsesByKey.get(key)?.forEach((view) => this.#trace.view(view));
    for (const entry of this.#store.entries.of(key)) this.#trace.entry(entry);
  }

  /** Follows everything that was found, or asked for, so far. */
  *#follow(): Generator<undefined> {
    const { asked } = this.#store.graph;
    if (asked !== undefined && asked.length > 0) {
      this.#store.graph.asked = [];
      this.#trace.forgetViews();
      for (const view of asked) {
        if (view instanceof ResponseView) this.#keepKey(view.key);
        else this.#trace.view(view);
      }
    }
    for (let count = 1; this.#trace.step(); count++) if (count % this.#plan.stride === 0) yield;
  }

  /** Lets go of answers that nobody needs, but for their marks. It tells no reader, for none sees any of them. */
  #dropKeys(keys: readonly string[], bare: string[]): void {
    const { entries, responsesByKey } = this.#store;
    const endpoints: NonNullable<Released["endpoints"]>[number][] = [];
    const remains = new Map<string, Entry[]>();
    for (const key of keys) {
      // A read behind a mutation takes the horizon back: what was old when it was marked may be young now.
      if (!this.#trace.kept.has(key) && isSince(this.#plan.start, this.#useOfKey(key))) this.#keepKey(key);
      if (this.#trace.kept.has(key)) continue;
      const all = entries.of(key);
      const marks = all.flatMap((entry) => markOf(entry) ?? []);
      if (marks.length > 0 && all.every(isBare) && !responsesByKey.has(key)) bare.push(key);
      else remains.set(key, marks);
      for (const entry of all) if (!isBare(entry)) endpoints.push({ key, before: entry.result, after: undefined });
    }
    if (remains.size === 0) return;
    release(this.#store, { endpoints }, () => remains.forEach((marks, key) => this.#store.dropKey(key, marks)));
  }

  /** Forgets the views of queries and tables that nobody needs. What may still hold one makes it anew when it reads it. */
  *#dropViews(): Generator<undefined> {
    const { graph } = this.#store;
    const isIdle = (view: ViewNode): boolean => {
      dropDeadEdges(view);
      // What was made of it since it was looked at is no edge that is dead.
      return !this.#trace.kept.has(view) && view.watchers === undefined && view.seen <= this.#plan.start.uses &&
        view.parent === undefined;
    };
    for (const views of graph.viewSets()) {
      yield* inSteps(views, this.#plan.stride, ([key, view]) => {
        if (isIdle(view) && views.delete(key)) forgetView(view);
      });
    }
  }

  /** A record that nobody needs is to go. */
  #sweep(slot: Slot): void {
    for (let { node } = slot; node !== undefined; node = node.sibling) dropDeadEdges(node);
    if (isSince(this.#plan.start, this.#useOf(slot))) this.#trace.keep(slot);
    if (this.#trace.kept.has(slot) || isAwaited(slot)) return;
    this.#gone.push(slot);
    // A record that went before, and is waited for, would come back with what it was made of then.
    eachHolder(slot, (parent) => {
      if (parent instanceof EntityNode && parent.state === DIRTY) parent.built = undefined;
    });
  }

  /** From now on what goes is gone. It tells no reader, for none sees any of it. */
  #drop(): void {
    // What was kept since, or has left its table, is none of it.
    const gone = this.#gone = this.#gone.filter((slot) =>
      !this.#trace.kept.has(slot) && slot.table.slots.get(slot.pk) === slot
    );
    if (gone.length === 0) return;
    const filled = gone.filter(({ rec }) => rec !== undefined);
    const released: Released = {
      // Made for who wants to hear of it.
      get records() {
        return filled.map(({ table: { key }, pk, rec }) => ({ key, pk, before: rec, after: undefined }));
      },
    };
    release(this.#store, released, () => {
      for (const { table: { slots }, pk } of gone) slots.delete(pk);
      for (const table of new Set(filled.map(({ table }) => table))) {
        table.version++;
        let isShown = false;
        for (const index of this.#store.graph.indexes.get(table.key)?.values() ?? []) {
          index.found = undefined;
          for (const view of index.views) {
            if (this.#trace.kept.has(view)) isShown = true;
            else forgetView(view);
          }
        }
        // What was there is not known any more; that there is nothing, nobody has said.
        table.known &&= isShown || hasRecord(table.slots.values());
      }
    });
  }

  /** Clears up what is gone: whoever still holds a view of it finds that nothing is there. */
  *#clear(): Generator<undefined> {
    yield* inSteps(this.#gone, this.#plan.stride, (slot) => {
      slot.rec = undefined;
      for (let { node } = slot; node !== undefined; node = node.sibling) forgetView(node);
    });
    this.#gone = [];
  }

  #useOfKey(key: string): Use {
    const { behind, entries, responsesByKey } = this.#store;
    const views = responsesByKey.get(key) ?? [];
    const isUsed = behind.has(key) || this.#plan.isReading(key) ||
      views.some((view) => view.watchers !== undefined || this.#held.has(view));
    return [
      isUsed ? Infinity : Math.max(0, ...views.map(({ seen }) => seen)),
      Math.max(0, ...entries.of(key).flatMap(({ seq, staleSeq, updateSeq }) => [seq, staleSeq, updateSeq])),
    ];
  }

  #useOf(slot: Slot): Use {
    const { logs, marks, overlaps } = this.#store;
    let seen = logs.has(slot) || overlaps.has(slot) || marks.has(slot) ? Infinity : 0;
    for (let { node } = slot; node !== undefined; node = node.sibling) {
      seen = Math.max(seen, node.watchers === undefined ? node.seen : Infinity);
    }
    return [seen, slot.stamp.seq];
  }
}

function isSince(then: PassPlan["old"], [uses, seq]: Use): boolean {
  return uses > then.uses || seq > then.seq;
}

function* keysOf({ entries, responsesByKey }: Store): Iterable<string> {
  yield* responsesByKey.keys();
  for (const key of entries.keys()) if (!responsesByKey.has(key)) yield key;
}

function hasRecord(slots: Iterable<Slot>): boolean {
  for (const { rec } of slots) if (rec !== undefined) return true;
  return false;
}

/** Whether something waits for a record, be it something that goes: then the next pass takes its place. */
function isAwaited(slot: Slot): boolean {
  let isFound = false;
  if (slot.rec === undefined) {
    eachHolder(slot, (parent) => isFound ||= !(parent instanceof EntityNode) || parent.slot.rec !== undefined);
  }
  return isFound;
}

/** Visits what was made of a record. */
function eachHolder(slot: Slot, visit: (parent: ViewNode) => void): void {
  for (let { node } = slot; node !== undefined; node = node.sibling) eachParent(node, visit);
}

function forgetView(view: ViewNode): void {
  if (view.parent !== undefined) makeDirty(view, []);
  letGo(view);
  view.value = undefined;
}
