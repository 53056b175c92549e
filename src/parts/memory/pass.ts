import { dropDeadEdges, eachParent, EntityNode, makeDirty, type ViewNode } from "../../denormalize/node.ts";
import { type Entry, isBare } from "../../store/entry.ts";
import type { Patch } from "../../store/patch.ts";
import { ResponseView } from "../../store/response_view.ts";
import type { Slot } from "../../store/slot.ts";
import type { Released, Store } from "../../store/store.ts";
import type { Table } from "../../store/tables.ts";
import type { Rivals } from "./bound.ts";
import { dropMarks, inSteps, markOf, release } from "./release.ts";
import { heldIn } from "./retain.ts";
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
  readonly isInFlight: (key: string) => boolean;
  /** So many things are looked at, or references followed, in one step. */
  readonly stride: number;
}

/** When something was last asked for (`Infinity` while it is in use) and written, by the counts of a {@linkcode Sample}. */
type Use = readonly [uses: number, seq: number];

/** The slots of a table as they are, as far as they were looked at: those that stay, and those that go. */
interface Copy {
  readonly from: ReadonlyMap<string, Slot>;
  readonly rest: Iterator<[string, Slot]>;
  readonly to: Map<string, Slot>;
  readonly left: Map<Slot, string>;
}

/**
 * One collection, in steps. It marks what is in use or young, and lets go of answers and views that nobody needs, each
 * of which is a whole. Then it copies of each table what stays, and all tables get their copies in one moment: a record
 * without what it refers to is never to be seen. What goes is cleared up afterwards.
 *
 * Between two steps anything may happen: what is asked for, watched or written meanwhile is marked as well.
 */
export class Pass {
  readonly #store: Store;
  readonly #plan: PassPlan;
  readonly #trace: Trace;
  readonly #held: ReadonlySet<ViewNode>;
  readonly #copies = new Map<Table, Copy>();
  #steps: Iterator<undefined> | undefined;
  /** It came to its end, and nothing went. */
  isAtRest = false;

  constructor(store: Store, plan: PassPlan) {
    this.#store = store;
    this.#plan = plan;
    this.#trace = new Trace(store, plan.stride, (slot, table) => this.#stays(slot, table));
    this.#held = heldIn(store);
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
    this.#copies.clear();
  }

  /** A patch was committed: what it wrote is marked, be it that nothing else needs it. */
  committed(patch: Patch): void {
    const { graph: { asked }, layers, responsesByKey } = this.#store;
    if (asked === undefined) return;
    // Pks have other slots or none, or a mutation shows something: its function may have looked at anything.
    const { named, names, overlay, reset } = patch;
    if (reset || names.size + named.size > 0 || layers.length > 0 || overlay !== undefined) return this.end();
    for (const slot of patch.touched) {
      this.#trace.keep(slot, slot.table);
      this.#trace.again(slot, slot.table);
    }
    // What is not copied yet is looked at then.
    for (const slot of patch.stale.keys()) {
      if (this.#copies.get(slot.table)?.left.has(slot)) this.#trace.keep(slot, slot.table);
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
    for (const table of tables.byKey.values()) this.#copies.set(table, copyOf(table));
    do {
      yield* this.#copy();
      // What was asked for or written until now, without a pause.
      for (const _ of this.#follow());
      for (const [table, copy] of this.#copies) {
        // Records that have another position, or took that of one which went.
        while (this.#copies.get(table) === copy && this.#take(table, copy));
      }
      for (const _ of this.#follow());
    } while (this.#unfinished() !== undefined);
    graph.asked = undefined;
    this.#flip();
    yield* this.#clear();
    yield* dropMarks(this.#store, marks, stride);
    tables.ids.collect((pk) => [...tables.byKey.values()].some(({ slots }) => slots.has(pk)));
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
        this.#consider(this.#useOf(slot), () => trace.keep(slot, table));
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
    // What must not be shown needs nothing.
    for (const entry of this.#store.entries.of(key)) if (!entry.isInvalid) this.#trace.entry(entry);
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
    let count = 0;
    for (let more = this.#trace.step(); more > 0; more = this.#trace.step()) {
      count += more;
      if (count < this.#plan.stride) continue;
      count = 0;
      yield;
    }
  }

  /** Lets go of answers that nobody needs, but for their marks. It tells no reader, for none sees any of them. */
  #dropKeys(keys: readonly string[], bare: string[]): void {
    const { entries, responsesByKey } = this.#store;
    const endpoints: NonNullable<Released["endpoints"]>[number][] = [];
    const remains = new Map<string, Entry[]>();
    for (const key of keys) {
      if (this.#trace.kept.has(key) || isSince(this.#plan.start, this.#useOfKey(key))) continue;
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
    for (const view of graph.allViews()) if (isIdle(view)) forgetView(view);
  }

  /** Copies of each table what stays, with what joins it meanwhile. */
  *#copy(): Generator<undefined> {
    for (let found; (found = this.#unfinished()) !== undefined;) {
      const [table, copy] = found;
      for (let count = 0; count < this.#plan.stride && isShort(copy); count++) {
        // What came to its end does not see what joins later.
        if (this.#take(table, copy)) continue;
        this.#copies.set(table, copyOf(table));
        break;
      }
      yield;
    }
  }

  /** Takes the next slot of a table; whether there was one. One that stands elsewhere now comes again. */
  #take(table: Table, { left, rest, to }: Copy): boolean {
    const { done, value } = rest.next();
    if (done) return false;
    const [pk, slot] = value;
    for (let { node } = slot; node !== undefined; node = node.sibling) dropDeadEdges(node);
    if (isSince(this.#plan.start, this.#useOf(slot))) this.#trace.keep(slot, table);
    to.delete(pk);
    left.delete(slot);
    if (this.#trace.kept.has(slot) || isAwaited(slot)) to.set(pk, slot);
    else left.set(slot, pk);
    return true;
  }

  /** The next table of which there is more to copy. */
  #unfinished(): [Table, Copy] | undefined {
    return [...this.#copies].find(([, copy]) => isShort(copy));
  }

  /** A slot stays: where it was passed over, its table is copied anew, for the order of its records. */
  #stays(slot: Slot, table: Table): void {
    if (this.#copies.get(table)?.left.has(slot)) this.#copies.set(table, copyOf(table));
  }

  /** From now on what goes is gone. It tells no reader, for none sees any of it. */
  #flip(): void {
    // A table of which nothing goes keeps its slots.
    for (const [table, { left }] of this.#copies) if (left.size === 0) this.#copies.delete(table);
    this.isAtRest = this.#copies.size === 0;
    if (this.isAtRest) return;
    const records: NonNullable<Released["records"]>[number][] = [];
    if (this.#store.parts.some(({ released }) => released !== undefined)) {
      for (const [{ key }, { left }] of this.#copies) {
        left.forEach((pk, { rec }) => rec !== undefined && records.push({ key, pk, before: rec, after: undefined }));
      }
    }
    release(this.#store, { records }, () => {
      for (const [table, { left, to }] of this.#copies) {
        table.slots = to;
        table.version++;
        const indexes = [...table.indexes?.values() ?? []];
        for (const index of indexes) index.hasGone = true;
        // What was there is not known any more; that there is nothing, nobody has said.
        const isSeen = hasRecord(to.values()) || !hasRecord(left.keys()) || indexes.some((index) => index.isObserved);
        if (!isSeen) table.known = false;
      }
    });
  }

  /** Clears up what is gone: whoever still holds a view of it finds that nothing is there. */
  *#clear(): Generator<undefined> {
    for (const [table, { left }] of this.#copies) {
      const indexes = [...table.indexes?.values() ?? []];
      yield* inSteps(left.keys(), this.#plan.stride, (slot) => {
        for (const index of indexes) index.collected([slot]);
        slot.rec = undefined;
        for (let { node } = slot; node !== undefined; node = node.sibling) forgetView(node);
      });
      for (const index of indexes) index.hasGone = false;
      this.#copies.delete(table);
    }
  }

  #useOfKey(key: string): Use {
    const { behind, entries, responsesByKey } = this.#store;
    const views = responsesByKey.get(key) ?? [];
    const isUsed = behind.has(key) || this.#plan.isInFlight(key) ||
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

function copyOf(table: Table): Copy {
  // An index that nobody has a bucket of is built again when somebody asks.
  for (const index of table.indexes?.values() ?? []) index.tidy();
  return { from: table.slots, rest: table.slots.entries(), to: new Map(), left: new Map() };
}

function isShort({ from, left, to }: Copy): boolean {
  return to.size + left.size < from.size;
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
function isAwaited({ node: first, rec }: Slot): boolean {
  let isFound = false;
  for (let node = first; rec === undefined && node !== undefined; node = node.sibling) {
    eachParent(node, (parent) => isFound ||= !(parent instanceof EntityNode) || parent.slot.rec !== undefined);
  }
  return isFound;
}

function forgetView(view: ViewNode): void {
  if (view.parent !== undefined) makeDirty(view, []);
  view.release();
  view.value = undefined;
}
