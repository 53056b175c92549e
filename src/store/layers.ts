import type { AnyEndpoint, AnyReadable, Snapshot } from "../endpoint/interface.ts";
import { wholeCall } from "../endpoint/whole_call.ts";
import { findIncomplete } from "../denormalize/completeness.ts";
import { Graph, type RecordSource } from "../denormalize/graph.ts";
import type { RecordSlot } from "../denormalize/node.ts";
import { ScanIndex } from "../denormalize/scan_index.ts";
import { AbortOptimistic } from "../errors/abort_optimistic.ts";
import { RejoinError } from "../errors/rejoin_error.ts";
import { deepEqual } from "../normalize/deep_equal.ts";
import { amendedRecord, freshRecord, mergedRecord } from "../normalize/record.ts";
import type { MemberWalk, RecordTarget } from "../normalize/record_target.ts";
import { Walk } from "../normalize/walk.ts";
import { type Amendment, type AnySchema, isSchemaObject } from "../schemas/interface.ts";
import type { EntityRecord, Plan } from "../schemas/plan.ts";
import { type Entry, isSameShape } from "./entry.ts";
import type { Layer, LookedAt, Overlay } from "./layer.ts";
import { foldLog, type LogWrite, mergeWrite, type RecordLog, type Version } from "./record_log.ts";
import type { RecordPatch } from "./record_patch.ts";
import { isInstanceOf, type Slot, type Stamp } from "./slot.ts";
import { updatesOf } from "./updates.ts";

const ABORT = /* @__PURE__ */ new AbortOptimistic();

/**
 * Runs every layer, in order, and puts what it writes into the logs at its number among the writes of the base: what was
 * confirmed later is seen over it, as it will be when the reply comes. A layer that throws anything but an
 * `AbortOptimistic` is dropped. The logs must hold nothing of layers.
 */
export function replay(patch: RecordPatch, temporaryIds: TemporaryNames, layers: readonly Layer[]): Overlay {
  const looked: LookedAt = { slots: new Set(), tables: new Set(), keys: new Set() };
  const results = new Map<Entry, unknown>();
  const shown = new Map<Slot, EntityRecord | undefined>();
  const stay: Layer[] = [];
  const failures: { layer: Layer; reason: unknown }[] = [];
  const pending = new Set(layers.flatMap(({ temporary }) => temporary.ids));
  for (const layer of layers) {
    const { endpoint, seq, date, temporary } = layer;
    const args = temporaryIds.withPks(layer.args);
    // It is about a record that is not going to be made: nothing of it is ever sent.
    if ([...temporaryIds.unnamedIn(args)].some((id) => !pending.has(id))) continue;
    const below = new Below(patch, seq, looked, results);
    // What is shown before the server answers is a guess: stale from the beginning.
    const target = new LayerTarget(below, { seq, fetchedAt: date, expiresAt: 0 });
    try {
      const value: unknown = endpoint.getOptimisticResponse!(
        new LayerSnapshot(below, date, temporary.ids, () => temporaryIds.newId()),
        ...args,
      );
      const walk = new Walk(value, args, target);
      const result = temporary.shown = walk.run(endpoint.schema);
      const failure = walk.suspect && findIncomplete(endpoint.schema, result, target.lookUp);
      if (failure) throw failure;
      for (const [slot, write] of target.written) {
        // What is deleted and nobody has needs no place.
        if (write.incoming !== undefined) slot.table.slots.set(slot.pk, slot);
        const log = patch.logOf(slot) ??
          { base: { record: patch.baseOf(slot), stamp: patch.stampOf(slot) }, writes: [] };
        patch.setLog(slot, withLayer(log, write));
        shown.set(slot, undefined);
      }
      below.update(endpoint, result, args);
      stay.push(layer);
    } catch (reason) {
      if (RejoinError.is(reason) && reason.name === ABORT.name) stay.push(layer);
      else failures.push({ layer, reason });
    }
  }
  for (const slot of shown.keys()) shown.set(slot, shownBy(patch, slot));
  return { shown, results, layers: stay, looked, failures };
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

/** The names of what the server has not named yet. */
export interface TemporaryNames {
  /** Another one. */
  newId(): string;
  /** A value with the server's pks in place of temporary names. */
  withPks<T>(value: T): T;
  /** The temporary names in a value that have no pk. */
  unnamedIn(value: unknown): ReadonlySet<string>;
}

/** Reads of what there is without layers, for code that must not see what is pending. */
export function snapshotOf(patch: RecordPatch, fetchedAt: number): Snapshot {
  return new LayerSnapshot(new Below(patch), fetchedAt);
}

/** The same as a graph. */
export function graphBelow(patch: RecordPatch): Graph {
  return new Graph(new Below(patch));
}

/** Records as they are before a sequence number, with the layers that stand before it; or all of them, without layers. */
class Below implements RecordSource {
  readonly patch: RecordPatch;
  readonly #seq: number;
  readonly #looked: LookedAt | undefined;
  readonly #results: Map<Entry, unknown>;
  readonly #seen = new Map<Slot, RecordSlot>();
  /** Where nothing is: they join their tables only when something is written there. */
  readonly #asked = new Map<string, Slot>();

  constructor(patch: RecordPatch, seq = Infinity, looked?: LookedAt, results = new Map<Entry, unknown>()) {
    this.patch = patch;
    this.#seq = seq;
    this.#looked = looked;
    this.#results = results;
  }

  slot(plan: Plan, pk: string): RecordSlot {
    return this.see(this.slotOf(plan, pk));
  }

  slots(plan: Plan): RecordSlot[] | undefined {
    return this.#isKnown(plan) ? Array.from(this.slotsOf(plan), (slot) => this.see(slot)) : undefined;
  }

  pks(plan: Plan): string[] | undefined {
    if (!this.#isKnown(plan)) return undefined;
    return Array.from(this.slotsOf(plan)).flatMap((slot) => this.versionOf(slot).record === undefined ? [] : slot.pk);
  }

  index(plan: Plan, member: string): ScanIndex {
    return new ScanIndex(this, plan, member);
  }

  slotOf(plan: Plan, pk: string): Slot {
    const slot = this.patch.find(plan, pk) ?? this.#empty(plan, pk);
    this.#looked?.slots.add(slot);
    // Where only a layer shows it, its place goes with that: what comes then comes in another.
    if (this.patch.baseOf(slot) === undefined) this.#looked?.tables.add(plan.key);
    return slot;
  }

  #empty(plan: Plan, pk: string): Slot {
    const name = JSON.stringify([plan.key, pk]);
    let slot = this.#asked.get(name);
    if (slot === undefined) this.#asked.set(name, slot = this.patch.emptySlot(plan, pk));
    return slot;
  }

  slotsOf(plan: Plan): Iterable<Slot> {
    const slots = [...this.patch.slots(plan)];
    this.#looked?.tables.add(plan.key);
    if (this.#looked !== undefined) { for (const slot of slots) this.#looked.slots.add(slot); }
    return slots;
  }

  versionOf(slot: Slot): Version {
    const { patch } = this;
    const log = this.#seq === Infinity ? undefined : patch.logOf(slot);
    return log === undefined
      ? { record: patch.baseOf(slot), stamp: patch.stampOf(slot) }
      : foldLog(log, this.#seq, true);
  }

  /** Of a record that is not there: whether it was, or an earlier layer takes it away. */
  isDeleted(slot: Slot): boolean {
    return this.versionOf(slot).stamp.isNever === undefined && !this.patch.named.has(slot);
  }

  see(slot: Slot): RecordSlot {
    let seen = this.#seen.get(slot);
    if (seen === undefined) {
      seen = { rec: this.versionOf(slot).record, node: undefined, isDeleted: this.isDeleted(slot) };
      this.#seen.set(slot, seen);
    }
    return seen;
  }

  /** What a layer makes of other answers, those excepted that stand after it. */
  update(endpoint: AnyEndpoint, result: unknown, args: readonly unknown[]): void {
    const entriesOf = (key: string) => this.#entriesOf(key).filter(({ seq }) => seq < this.#seq);
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
    return entry?.hasResult && !entry.isInvalid ? this.#shownResult(entry) : undefined;
  }

  #entriesOf(key: string): readonly Entry[] {
    this.#looked?.keys.add(key);
    return this.patch.entriesOf(key);
  }

  #shownResult(entry: Entry): unknown {
    return this.#results.has(entry) ? this.#results.get(entry) : entry.result;
  }

  #isKnown(plan: Plan): boolean {
    this.#looked?.tables.add(plan.key);
    if (this.patch.isKnown(plan)) return true;
    // An earlier layer may show a record of it.
    return [...this.patch.slots(plan)].some((slot) => this.versionOf(slot).record !== undefined);
  }
}

class LayerSnapshot implements Snapshot {
  readonly abort = ABORT;
  readonly fetchedAt: number;
  readonly #below: Below;
  readonly #ids: string[];
  readonly #newId: (() => string) | undefined;
  #asked = 0;
  #graph: Graph | undefined;

  constructor(below: Below, fetchedAt: number, ids: string[] = [], newId?: () => string) {
    this.#below = below;
    this.fetchedAt = fetchedAt;
    this.#ids = ids;
    this.#newId = newId;
  }

  temporaryId(): string {
    const at = this.#asked++;
    return this.#ids[at] ??= this.#newId!();
  }

  get(schema: AnySchema, ...args: readonly unknown[]): unknown {
    const graph = this.#graph ??= new Graph(this.#below);
    return graph.query(schema, args).read(graph);
  }

  getResponse(endpoint: AnyReadable, ...args: readonly unknown[]): { readonly data: unknown } {
    // A query is read by itself: there is no response of it.
    if (isSchemaObject(endpoint)) return { data: this.get(endpoint, ...args) };
    const call = wholeCall(endpoint, args);
    const { schema } = call.endpoint;
    const result = this.#below.resultOf(call.endpoint, call.endpoint.key(...call.args));
    if (result === undefined) return { data: this.get(schema, ...call.args) };
    const graph = this.#graph ??= new Graph(this.#below);
    return { data: graph.view(schema, result, call.args).read(graph) };
  }
}

/** Takes what one layer writes: whole records. It counts only when the layer ends well. */
class LayerTarget implements RecordTarget {
  readonly written = new Map<Slot, LogWrite>();
  readonly #below: Below;
  readonly #stamp: Stamp;

  constructor(below: Below, stamp: Stamp) {
    this.#below = below;
    this.#stamp = stamp;
  }

  /** The record as the layer would leave it; `null`: deleted. */
  readonly lookUp = (plan: Plan, pk: string): EntityRecord | null | undefined => {
    return this.recordAt(plan, pk) ?? (this.#below.isDeleted(this.#below.slotOf(plan, pk)) ? null : undefined);
  };

  recordAt(plan: Plan, pk: string): EntityRecord | undefined {
    return this.#versionOf(this.#below.slotOf(plan, pk)).record;
  }

  put(plan: Plan, pk: string, input: object, walk: MemberWalk): void {
    const slot = this.#below.slotOf(plan, pk);
    // An object that a reader of the store, or of the snapshot, was given.
    if (isInstanceOf(plan, slot, input) || isInstanceOf(plan, this.#below.see(slot), input)) return;
    const before = this.#versionOf(slot);
    const { record } = before;
    if (record !== undefined && !plan.mergesWhole) {
      return this.#write(slot, plan, mergedRecord(walk, plan, record, input));
    }
    const incoming = freshRecord(walk, plan, input);
    if (record === undefined) return this.#write(slot, plan, incoming);
    const after = mergeWrite(before, { stamp: this.#stamp, plan, incoming });
    if (after !== before) this.#write(slot, plan, after.record);
  }

  remove(plan: Plan, pk: string): void {
    this.#write(this.#below.slotOf(plan, pk), plan, undefined);
  }

  know(): void {}

  amend(plan: Plan, changeOf: Amendment["of"]): void {
    for (const slot of this.#below.slotsOf(plan)) {
      const { record } = this.#versionOf(slot);
      const changed = record && amendedRecord(record, changeOf(record)?.writes);
      if (changed !== record) this.#write(slot, plan, changed);
    }
  }

  records(plan: Plan): EntityRecord[] {
    return Array.from(this.#below.slotsOf(plan), (slot) => this.#versionOf(slot).record)
      .filter((record) => record !== undefined);
  }

  unsaved(): void {}

  #versionOf(slot: Slot): Version {
    const own = this.written.get(slot);
    return own === undefined ? this.#below.versionOf(slot) : { record: own.incoming, stamp: own.stamp };
  }

  #write(slot: Slot, plan: Plan, incoming: EntityRecord | undefined): void {
    this.written.set(slot, { stamp: this.#stamp, plan, incoming, isLayer: true });
  }
}
