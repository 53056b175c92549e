import { Graph } from "../denormalize/graph.ts";
import { eachParent, mark, type ViewNode } from "../denormalize/node.ts";
import { deepEqual } from "../normalize/deep_equal.ts";
import { Walk } from "../normalize/walk.ts";
import type { AnyReadable } from "../endpoint/interface.ts";
import { type AnySchema, isEntity } from "../schemas/interface.ts";
import type { EntityRecord, Plan } from "../schemas/plan.ts";
import { describeCommit, type PlainPatch } from "./plain_patch.ts";
import { emptyEntry, Entries, type Entry, isSameShape, shapeOf } from "./entry.ts";
import type { Layer } from "./layers.ts";
import { Patch } from "./patch.ts";
import { Places } from "./places.ts";
import { ResponseView } from "./response_view.ts";
import { NEVER, type Slot, type Table, Tables } from "./tables.ts";
import { foldTail, type Tail } from "./tail.ts";

/** Answers that nobody watches are kept up to this number; the oldest goes first. */
const MAX_UNWATCHED = 10_000;
/** How many answers are looked at for one to forget: where all are watched, a search would cost all of them each time. */
const MAX_LOOKS = 16;

/**
 * Everything that is known: tables of records, entries of endpoints, and the graph of what was read from them. Changed
 * by `commit` only: one batch, all or nothing; readers are told after all of it is written.
 */
export class Store {
  readonly tables: Tables = new Tables();
  readonly entries: Entries = new Entries();
  readonly places: Places = new Places();
  readonly graph: Graph;
  /** Freeze what is handed out, and warn. */
  readonly strict: boolean;
  /** What pending mutations show. */
  layers: readonly Layer[] = [];
  /** The records below the layers, of the slots that a layer touches. */
  bases: ReadonlyMap<Slot, EntityRecord | undefined> = NO_BASES;
  /** The tails of records that were written while an older request was in flight. */
  readonly tails: Map<Slot, Tail> = new Map();
  /** Entries that were answered while mutations were in flight: they are marked stale when those have settled. */
  readonly behind: Set<string> = new Set();
  /** Records that mutations wrote while others were in flight, and when. */
  readonly overlaps: Map<Slot, number> = new Map();
  /** ms since 1970; 0 when it never was. */
  lastReset = 0;
  /** Counts commits: a snapshot of another count is old. */
  commits = 0;
  /** Runs the telling of readers; the signals adapter puts a batch around it. */
  telling: (tell: () => void) => void = (tell) => tell();
  /** Is given each commit as plain data, when somebody wants it; before readers are told. Must not throw. */
  onCommit: ((patch: PlainPatch, action: unknown) => void) | undefined;
  /** Watched views whose reading threw: they stay dirty, so that no mark would reach them, and are tried at each commit. */
  readonly broken: Set<ViewNode> = new Set();
  /**
   * Engines forget what they learned of a class when a major collection finds no instance of it alive; the next response
   * would then be written several times slower.
   */
  readonly #alive: readonly unknown[];
  readonly #responses = new Map<string, ResponseView[]>();
  readonly #warned = new Set<unknown>();
  #shown: ReadonlySet<Table> = NO_TABLES;

  constructor(strict: boolean) {
    this.strict = strict;
    this.graph = new Graph(this.tables, strict);
    const patch = new Patch(this, NEVER, 0);
    this.#alive = [patch, new Walk([], NO_ARGS, patch)];
  }

  /** The record without layers. */
  baseOf(slot: Slot): EntityRecord | undefined {
    return this.bases.size > 0 && this.bases.has(slot) ? this.bases.get(slot) : slot.rec;
  }

  /** The view of an endpoint and its arguments; the same one for the same key and shape. */
  response(endpoint: AnyReadable, args: readonly unknown[], key: string): ResponseView {
    let views = this.#responses.get(key);
    if (views === undefined) {
      if (this.#responses.size >= MAX_UNWATCHED) this.#dropUnwatched();
      this.#responses.set(key, views = []);
    }
    let view = views.find((candidate) => isSameShape(candidate.endpoint, endpoint));
    if (view === undefined) views.push(view = new ResponseView(endpoint, args, key, this.entries.get(key, endpoint)));
    return view;
  }

  /** The views of endpoints whose key passes. */
  *responses(testKey: (key: string) => boolean): Iterable<ResponseView> {
    for (const [key, views] of this.#responses) if (testKey(key)) yield* views;
  }

  /**
   * Applies a patch. Cannot throw: everything that may fail was computed before. Readers are told when all is written.
   *
   * @param patch What to do.
   * @param action What it was computed from, for `onCommit`.
   */
  commit(patch: Patch, action: unknown): void {
    const description = this.onCommit === undefined ? undefined : describeCommit(this, patch);
    const turned: ViewNode[] = [];
    if (patch.reset) {
      this.#forget(turned);
      this.lastReset = patch.stamp.fetchedAt;
    }
    this.#writeRecords(patch, turned);
    this.#writeEntries(patch.entries, turned);
    this.layers = patch.layers;
    if (patch.behind !== undefined) this.behind.add(patch.behind);
    if (patch.clearsBehind) this.behind.clear();
    this.commits++;
    // First of all: a reader that is told may commit again, and patches are handed out in order.
    if (description !== undefined) this.onCommit?.(description, action);
    this.#tell(turned);
  }

  /** Whether an answer is an entity whose record is not there (any more). */
  isDeleted(schema: AnySchema, result: unknown): boolean {
    if (!isEntity(schema) || typeof result !== "string") return false;
    const slot = this.tables.of(this.graph.planOf(schema)).slots.get(result);
    return slot === undefined || this.baseOf(slot) === undefined;
  }

  /** The keys of answers that hold the record which the arguments of a mutation name. */
  keysHolding(schema: AnySchema, args: readonly unknown[]): Set<string> {
    const keys = new Set<string>();
    if (!isEntity(schema)) return keys;
    const plan = this.graph.planOf(schema);
    const pk = this.graph.pkOf(plan, args);
    const slot = pk === undefined ? undefined : this.tables.of(plan).slots.get(pk);
    if (slot !== undefined) { for (const entry of this.entriesHolding(slot)) keys.add(entry.key); }
    return keys;
  }

  /** After a request has settled: what was only kept for its sake goes. */
  fold(): void {
    if (this.tails.size === 0) return;
    const oldest = this.places.oldest();
    if (oldest === Infinity) this.tails.clear();
    else {
      for (const [slot, tail] of this.tails) {
        const folded = foldTail(tail, oldest);
        if (folded === undefined) this.tails.delete(slot);
        else if (folded !== tail) this.tails.set(slot, folded);
      }
    }
  }

  /**
   * The entries of every key that passes. Reads without an entry of their own, inferred from records, get one that is
   * empty, so that it can be marked.
   */
  matchingEntries(
    test: { testKey(key: string): boolean },
    only?: Pick<Entry, "key" | "shape">,
  ): Entry[] {
    const entries = [...this.entries.matching((key) => test.testKey(key))];
    for (const view of this.responses((key) => test.testKey(key))) {
      if (view.entry === undefined && !isQuery(view.endpoint)) {
        entries.push(emptyEntry(view.key, shapeOf(view.endpoint)));
      }
    }
    if (only !== undefined && !entries.some((entry) => entry.key === only.key)) {
      entries.push(emptyEntry(only.key, only.shape));
    }
    return entries;
  }

  /**
   * The entries whose answers hold a record, as far as somebody has read them. Reads without an entry of their own,
   * inferred from the record, get one that is empty, so that it can be marked.
   */
  entriesHolding(slot: Slot): Entry[] {
    const entries: Entry[] = [];
    const seen = new Set<ViewNode>();
    const stack: ViewNode[] = [];
    for (let node = slot.node; node !== undefined; node = node.sibling) stack.push(node);
    while (stack.length > 0) {
      const node = stack.pop()!;
      if (seen.has(node)) continue;
      seen.add(node);
      if (node instanceof ResponseView && !isQuery(node.endpoint)) {
        entries.push(node.entry ?? emptyEntry(node.key, shapeOf(node.endpoint)));
      }
      eachParent(node, (parent) => stack.push(parent));
    }
    return entries;
  }

  /**
   * Says a sentence to the developer; in strict mode only.
   *
   * @param about A class, or the name of an endpoint: once for each, whatever the place. A list of a thousand unsaved
   *   rows is one sentence.
   * @param message Makes the sentence.
   */
  warnOnce(about: unknown, message: () => string): void {
    if (!this.strict || this.#warned.has(about)) return;
    this.#warned.add(about);
    console.warn(message());
  }

  #writeRecords(patch: Patch, turned: ViewNode[]): void {
    const covered = patch.overlay?.writes;
    const bases = new Map<Slot, EntityRecord | undefined>();
    if (covered !== undefined) {
      // Slots that a layer touched before and touches no more show their base again.
      for (const slot of this.bases.keys()) {
        if (!covered.has(slot) && slot.next?.patch !== patch) this.#show(slot, this.bases.get(slot), turned);
      }
      for (const [slot, { record }] of covered) {
        const base = patch.baseOf(slot);
        // What a layer deletes and nobody has needs no place.
        if (record !== undefined || base !== undefined) bases.set(slot, base);
        this.#show(slot, record, turned);
      }
    }
    const { staged, stagedSlots } = patch;
    for (let i = 0; i < staged.length; i++) {
      const slot = stagedSlots[i]!;
      if (covered === undefined || !covered.has(slot)) this.#show(slot, staged[i]!.rec, turned);
    }
    this.bases = bases.size === 0 ? NO_BASES : bases;
    for (const part of patch.tables) this.#adopt(part, turned);
    for (const slot of patch.touched) {
      // A late reply makes a record neither older nor younger.
      if (slot.stamp.place <= patch.stamp.place) slot.stamp = patch.stamp;
      slot.next = undefined;
    }
    for (const slot of patch.stale) slot.stamp = { ...slot.stamp, expiresAt: 0 };
    for (const [slot, tail] of patch.tails) {
      if (tail === undefined) this.tails.delete(slot);
      else this.tails.set(slot, tail);
    }
    for (const table of patch.known) {
      table.known = true;
      this.#turnAll(table.plans, turned);
    }
    this.#showTables(patch.shown);
  }

  /** A table of which only a layer has a record is known as long as that is shown; who shows it marks its views. */
  #showTables(shown: ReadonlySet<Table>): void {
    for (const table of this.#shown) if (!shown.has(table)) table.isShown = false;
    for (const table of shown) table.isShown = true;
    this.#shown = shown.size === 0 ? NO_TABLES : shown;
  }

  /** Puts what readers see into a slot, and marks what was made of it. */
  #show(slot: Slot, rec: EntityRecord | undefined, turned: ViewNode[]): void {
    if (slot.rec === rec) return;
    // The server confirmed what a layer showed: nobody needs to hear of it.
    if (rec !== undefined && slot.rec !== undefined && this.bases.has(slot) && deepEqual(slot.rec, rec)) return;
    slot.rec = rec;
    for (let node = slot.node; node !== undefined; node = node.sibling) mark(node, turned);
  }

  /** New records join their table, in order of arrival. */
  #adopt(part: Patch["tables"][number], turned: ViewNode[]): void {
    const { table, fresh } = part;
    if (part.hasRecords && !table.known) {
      table.known = true;
      this.#turnAll(table.plans, turned);
    }
    if (fresh.size === 0) return;
    let isMoved = part.hasWaiting;
    const views = [...this.graph.allViews()].filter((view) => table.plans.includes(view.plan));
    if (table.slots.size === 0) table.slots = fresh;
    else {
      fresh.forEach((slot, pk) => {
        const waiting = table.slots.get(pk);
        if (waiting !== undefined) {
          // Somebody made it to wait for the record; it arrives now, behind what arrived before.
          table.slots.delete(pk);
          if (waiting !== slot) {
            isMoved = true;
            slot.node = waiting.node;
            for (let node = slot.node; node !== undefined; node = node.sibling) {
              node.slot = slot;
              mark(node, turned);
            }
          }
        }
        table.slots.set(pk, slot);
        for (const view of views) view.add(slot);
      });
    }
    if (isMoved || table.slots === fresh) { for (const view of views) view.restart(); }
    for (const view of views) mark(view, turned);
  }

  #turnAll(plans: readonly Plan[], turned: ViewNode[]): void {
    for (const view of this.graph.allViews()) if (plans.includes(view.plan)) mark(view, turned);
  }

  #writeEntries(entries: readonly Entry[], turned: ViewNode[]): void {
    for (const entry of entries) {
      this.entries.set(entry);
      for (const view of this.#responses.get(entry.key) ?? []) {
        if (entry.shape !== undefined && !isSameShape(view.endpoint, entry.shape)) continue;
        view.entry = entry;
        mark(view, turned);
      }
    }
  }

  #forget(turned: ViewNode[]): void {
    for (const table of this.tables.byKey.values()) {
      table.known = false;
      const { slots } = table;
      table.slots = new Map();
      for (const [pk, slot] of slots) {
        this.#show(slot, undefined, turned);
        slot.next = undefined;
        // Who has read it is told when it comes again.
        if (slot.node !== undefined) table.slots.set(pk, slot);
      }
    }
    for (const view of this.graph.allViews()) {
      view.restart();
      mark(view, turned);
    }
    this.entries.clear();
    for (const view of this.responses(() => true)) {
      view.entry = undefined;
      mark(view, turned);
    }
    this.bases = NO_BASES;
    this.#showTables(NO_TABLES);
    this.tails.clear();
    this.behind.clear();
    this.overlaps.clear();
  }

  /**
   * Tells the watchers of what turned, but only where the answer is another object now. One that throws does not keep
   * the others from being told.
   */
  #tell(turned: readonly ViewNode[]): void {
    const views = this.broken.size === 0 ? turned : [...new Set([...turned, ...this.broken])];
    // All of them before the first is read: reading one reads others, which would then seem to be as they were.
    const before = views.map((view) => view.value);
    const told = new Set<() => void>();
    views.forEach((view, index) => {
      const wasBroken = this.broken.delete(view);
      if (view.watchers === undefined) return;
      let isTold = wasBroken;
      try {
        if (!Object.is(view.read(this.graph), before[index])) isTold = true;
      } catch {
        // Whoever reads it meets the error there.
        this.broken.add(view);
        isTold = !wasBroken;
      }
      if (isTold) { for (const watcher of view.watchers) told.add(watcher); }
    });
    try {
      // Also when nobody is told: an adapter may count commits, for readers that look again by themselves.
      this.telling(() => {
        for (const watcher of told) {
          try {
            watcher();
          } catch (error) {
            reportError(error);
          }
        }
      });
    } catch (error) {
      // An effect that runs at the end of the batch.
      reportError(error);
    }
  }

  #dropUnwatched(): void {
    let looks = MAX_LOOKS;
    for (const [key, views] of this.#responses) {
      this.#responses.delete(key);
      if (views.every((view) => view.watchers === undefined)) {
        for (const view of views) view.release();
        return;
      }
      // Watched: it is asked again when all others have been.
      this.#responses.set(key, views);
      if (--looks === 0) return;
    }
  }
}

/** A query is a schema and an endpoint without a fetch at once: it has no entry. */
function isQuery(endpoint: AnyReadable): boolean {
  return typeof endpoint !== "function";
}

const NO_ARGS: readonly unknown[] = Object.freeze([]);
const NO_BASES: ReadonlyMap<Slot, EntityRecord | undefined> = new Map();
const NO_TABLES: ReadonlySet<Table> = new Set();

/** Hands an error to the platform as an uncaught one, without unwinding the caller. */
export function reportError(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

/** Calls a function after each commit that gave a view another value. */
export function watch(store: Store, view: ViewNode, callback: () => void): () => void {
  try {
    // A view that nobody has read is dirty already, and would not be marked.
    view.read(store.graph);
  } catch {
    // The reader meets the error when it reads.
    store.broken.add(view);
  }
  (view.watchers ??= new Set()).add(callback);
  return () => {
    view.watchers?.delete(callback);
    if (view.watchers?.size === 0) view.watchers = undefined;
  };
}
