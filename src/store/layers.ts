import type { AnyEndpoint, AnyReadable, Snapshot } from "../endpoint/interface.ts";
import { wholeCall } from "../endpoint/whole_call.ts";
import { findIncomplete } from "../denormalize/completeness.ts";
import { Graph } from "../denormalize/graph.ts";
import type { RecordSlot, RecordSource } from "../denormalize/node.ts";
import { AbortOptimistic } from "../errors/abort_optimistic.ts";
import { RejoinError } from "../errors/rejoin_error.ts";
import { deepEqual } from "../normalize/deep_equal.ts";
import { amendedRecord } from "../normalize/record.ts";
import type { MemberWalk, RecordTarget } from "../normalize/record_target.ts";
import { Walk } from "../normalize/walk.ts";
import { type Amendment, type AnySchema, isSchemaObject } from "../schemas/interface.ts";
import type { EntityRecord, Fields, Plan } from "../schemas/plan.ts";
import { type Entry, isSameShape, updatesOf } from "./entry.ts";
import type { Covered, Failure, Layer, Overlay } from "./layer.ts";
import { foldLog, type LogWrite, putOver, type RecordLog, type Version } from "./record_log.ts";
import type { RecordPatch } from "./record_patch.ts";
import { isInstanceOf, Slot, type Stamp, type Table } from "./slot.ts";

const ABORT = /* @__PURE__ */ new AbortOptimistic();

/**
 * Runs every layer, in order, and puts what it writes into the logs at its number among the writes of the base: what was
 * confirmed later is seen over it, as it will be when the reply comes. A layer that throws anything but an
 * `AbortOptimistic` is dropped. The logs must hold nothing of layers.
 *
 * @param failures Takes what was thrown by those that are dropped.
 */
export function replay(patch: RecordPatch, layers: readonly Layer[], failures: Failure[]): Overlay {
  const { aliases } = patch.store.tables;
  const looked = new Set<unknown>();
  const results = new Map<Entry, unknown>();
  const slots = new Set<Slot>();
  const stay = layers.filter((layer) => {
    const { endpoint, seq, date, temporary } = layer;
    const args = aliases?.resolve(layer.args, patch.names) ?? layer.args;
    // It is about a record that is not going to be made: nothing of it is ever sent.
    if (aliases?.isLost(args, layers)) return false;
    // What is shown before the server answers is a guess: stale from the beginning.
    const view = new LayerView(patch, { seq, fetchedAt: date, expiresAt: 0 }, looked, results);
    try {
      const value: unknown = endpoint.getOptimisticResponse!(new LayerSnapshot(view, date, temporary.ids), ...args);
      const walk = new Walk(value, args, view);
      const result = temporary.shown = walk.run(endpoint.schema);
      const failure = walk.suspect && findIncomplete(endpoint.schema, result, (plan, pk) => view.lookUp(plan, pk));
      if (failure) throw failure;
      for (const [slot, write] of view.written) {
        // What is deleted and nobody has needs no place.
        if (write.incoming !== undefined) slot.table.slots.set(slot.pk, slot);
        patch.setLog(slot, withLayer(patch.logOf(slot) ?? { base: patch.versionOf(slot), writes: [] }, write));
        slots.add(slot);
      }
      view.update(endpoint, result, args);
      return true;
    } catch (reason) {
      if (RejoinError.is(reason) && reason.name === ABORT.name) return true;
      failures.push({ layer, reason });
      return false;
    }
  });
  const covered = new Map<Slot, Covered>();
  for (const slot of slots) covered.set(slot, { shown: shownBy(patch, slot), base: patch.baseOf(slot) });
  return { covered, results, layers: stay, looked, isMoved: false };
}

function withLayer({ base, writes }: RecordLog, write: LogWrite): RecordLog {
  const at = writes.findIndex(({ stamp }) => stamp.seq >= write.stamp.seq);
  return { base, writes: writes.toSpliced(at < 0 ? writes.length : at, 0, write) };
}

/** What readers see in the end. */
function shownBy(patch: RecordPatch, slot: Slot): EntityRecord | undefined {
  let record: EntityRecord | undefined;
  try {
    record = foldLog(patch.logOf(slot)!, Infinity, true).record;
  } catch {
    // A merge() that cannot bear what a layer shows: without it, it did.
    record = patch.baseOf(slot);
  }
  // What is shown again, unchanged, stays the same object.
  return record !== undefined && slot.rec !== undefined && deepEqual(record, slot.rec) ? slot.rec : record;
}

/** Reads of what there is without layers, for code that must not see what is pending. */
export function snapshotOf(patch: RecordPatch, fetchedAt: number): Snapshot {
  return new LayerSnapshot(new LayerView(patch), fetchedAt);
}

/** The same as a graph. */
export function graphBelow(patch: RecordPatch): Graph {
  return new Graph(new LayerView(patch));
}

/**
 * Records as one layer finds them, before its sequence number and with the layers that stand before it, and as it writes
 * them: whole records, which count only when it ends well. Without a layer: all records, without layers.
 */
class LayerView implements RecordSource, RecordTarget {
  readonly written = new Map<Slot, LogWrite>();
  readonly #patch: RecordPatch;
  readonly #stamp: Stamp | undefined;
  readonly #looked: Set<unknown>;
  readonly #results: Map<Entry, unknown>;
  readonly #seen = new Map<Slot, RecordSlot>();
  /** Where nothing is: they join their tables only when something is written there. */
  readonly #asked = new Map<string, Slot>();

  constructor(
    patch: RecordPatch,
    stamp?: Stamp,
    looked = new Set<unknown>(),
    results = new Map<Entry, unknown>(),
  ) {
    this.#patch = patch;
    this.#stamp = stamp;
    this.#looked = looked;
    this.#results = results;
  }

  fieldsOf(plan: Plan): Fields {
    return this.#patch.fieldsOf(plan);
  }

  slot(plan: Plan, pk: string): RecordSlot {
    return this.#see(this.#slotOf(plan, pk));
  }

  slots(plan: Plan): RecordSlot[] | undefined {
    // An earlier layer may show a record of it.
    const isKnown = this.#patch.isKnown(plan) || this.#records(plan).length > 0;
    return isKnown ? this.#slotsOf(plan).map((slot) => this.#see(slot)) : undefined;
  }

  put(plan: Plan, pk: string, input: object, walk: MemberWalk): void {
    const slot = this.#slotOf(plan, pk);
    // An object that a reader of the store, or of the snapshot, was given.
    if (isInstanceOf(plan, slot, input) || isInstanceOf(plan, this.#see(slot), input)) return;
    const before = this.#versionOf(slot);
    const after = putOver(before, walk, this.#stamp!, plan, input);
    if (after !== before) this.#write(slot, plan, after.record);
  }

  remove(plan: Plan, pk: string): void {
    this.#write(this.#slotOf(plan, pk), plan, undefined);
  }

  know(): void {}

  amend(plan: Plan, amendment: Amendment): void {
    const changeOf = amendment(this.#records(plan));
    for (const slot of this.#slotsOf(plan)) {
      const { record } = this.#versionOf(slot);
      const changed = record && amendedRecord(record, changeOf(record)?.writes);
      if (changed !== record) this.#write(slot, plan, changed);
    }
  }

  recordAt(plan: Plan, pk: string): EntityRecord | undefined {
    return this.#versionOf(this.#slotOf(plan, pk)).record;
  }

  /** The record as the layer would leave it; `null`: deleted. */
  lookUp(plan: Plan, pk: string): EntityRecord | null | undefined {
    const slot = this.#slotOf(plan, pk);
    return this.#versionOf(slot).record ?? (this.#isDeleted(slot) ? null : undefined);
  }

  newId(): string {
    return this.#patch.store.tables.newId();
  }

  /** What a layer makes of other answers, those excepted that stand after it. */
  update(endpoint: AnyEndpoint, result: unknown, args: readonly unknown[]): void {
    const entriesOf = (key: string) => this.#entriesOf(key).filter(({ seq }) => seq < this.#stamp!.seq);
    try {
      const updated = updatesOf(endpoint, result, args, entriesOf, (entry) => this.#shownResult(entry));
      for (const [entry, shown] of updated) this.#results.set(entry, shown);
    } catch {
      // Said of the reply, whose update changes nothing then either.
    }
  }

  /** What remains of the answer of an endpoint. */
  resultOf(endpoint: AnyReadable, key: string): unknown {
    const entry = this.#entriesOf(key).find(({ shape }) => shape === undefined || isSameShape(shape, endpoint));
    return entry?.hasResult ? this.#shownResult(entry) : undefined;
  }

  #entriesOf(key: string): readonly Entry[] {
    this.#looked.add(key);
    return this.#patch.entriesOf(key);
  }

  #shownResult(entry: Entry): unknown {
    return this.#results.has(entry) ? this.#results.get(entry) : entry.result;
  }

  #table(plan: Plan): Table {
    const table = this.#patch.store.tables.of(plan);
    this.#looked.add(table);
    return table;
  }

  #records(plan: Plan): EntityRecord[] {
    return this.#slotsOf(plan).map((slot) => this.#versionOf(slot).record).filter((record) => record !== undefined);
  }

  #slotsOf(plan: Plan): Slot[] {
    return [...this.#table(plan).slots.values()];
  }

  #slotOf(plan: Plan, pk: string): Slot {
    const table = this.#table(plan);
    let slot = table.slots.get(pk);
    if (slot === undefined) {
      const name = JSON.stringify([table.key, pk]);
      slot = this.#asked.get(name) ?? new Slot(table, pk);
      this.#asked.set(name, slot);
    }
    return slot;
  }

  #versionOf(slot: Slot): Version {
    const own = this.written.get(slot);
    if (own !== undefined) return { record: own.incoming, stamp: own.stamp };
    const log = this.#stamp && this.#patch.logOf(slot);
    return log === undefined ? this.#patch.versionOf(slot) : foldLog(log, this.#stamp!.seq, true);
  }

  /** Of a record that is not there: whether it was, or a layer takes it away. */
  #isDeleted(slot: Slot): boolean {
    return this.#versionOf(slot).stamp.isNever === undefined && !this.#patch.named.has(slot);
  }

  #see(slot: Slot): RecordSlot {
    let seen = this.#seen.get(slot);
    if (seen === undefined) {
      seen = { pk: slot.pk, rec: this.#versionOf(slot).record, node: undefined, isDeleted: this.#isDeleted(slot) };
      this.#seen.set(slot, seen);
    }
    return seen;
  }

  #write(slot: Slot, plan: Plan, incoming: EntityRecord | undefined): void {
    this.written.set(slot, { stamp: this.#stamp!, plan, incoming, isLayer: true });
  }
}

class LayerSnapshot implements Snapshot {
  readonly abort = ABORT;
  readonly fetchedAt: number;
  readonly #view: LayerView;
  readonly #graph: Graph;
  readonly #ids: string[];
  #asked = 0;

  constructor(view: LayerView, fetchedAt: number, ids: string[] = []) {
    this.#view = view;
    this.#graph = new Graph(view);
    this.fetchedAt = fetchedAt;
    this.#ids = ids;
  }

  temporaryId(): string {
    const at = this.#asked++;
    return this.#ids[at] ??= this.#view.newId();
  }

  get(schema: AnySchema, ...args: readonly unknown[]): unknown {
    return this.#graph.query(schema, args).read(this.#graph);
  }

  getResponse(endpoint: AnyReadable, ...args: readonly unknown[]): { readonly data: unknown } {
    // A query is read by itself: there is no response of it.
    if (isSchemaObject(endpoint)) return { data: this.get(endpoint, ...args) };
    const call = wholeCall(endpoint, args);
    const { schema } = call.endpoint;
    const result = this.#view.resultOf(call.endpoint, call.endpoint.key(...call.args));
    if (result === undefined) return { data: this.get(schema, ...call.args) };
    return { data: this.#graph.view(schema, result, call.args).read(this.#graph) };
  }
}
