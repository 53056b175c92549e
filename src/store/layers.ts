import type { AnyEndpoint, AnyReadable, Snapshot } from "../endpoint/interface.ts";
import { wholeCall } from "../endpoint/whole_call.ts";
import { Graph, type RecordSource } from "../denormalize/graph.ts";
import type { RecordSlot } from "../denormalize/node.ts";
import { ScanIndex } from "../denormalize/scan_index.ts";
import { deepEqual } from "../normalize/deep_equal.ts";
import { amendedRecord, freshRecord, mergedRecord } from "../normalize/record.ts";
import type { RecordTarget } from "../normalize/record_target.ts";
import { Walk } from "../normalize/walk.ts";
import { AbortOptimistic } from "../errors/abort_optimistic.ts";
import { RejoinError } from "../errors/rejoin_error.ts";
import { type Amendment, type AnySchema, isSchemaObject } from "../schemas/interface.ts";
import type { EntityRecord, Plan } from "../schemas/plan.ts";
import { findIncomplete } from "../denormalize/completeness.ts";
import { type Entry, isSameShape } from "./entry.ts";
import { isInstanceOf, type Slot, type Stamp } from "./slot.ts";
import type { LayerBase } from "./layer_base.ts";
import { mergeWrite, type RecordLog, type Version } from "./record_log.ts";
import { updatesOf } from "./updates.ts";

/** What one pending mutation shows before the server answers. Layers stack in the order in which they started. */
export interface Layer {
  readonly endpoint: AnyEndpoint;
  readonly args: readonly unknown[];
  /** Where the reply will stand in the order of writes, and the layer until then: what is later is seen over it. */
  readonly seq: number;
  /** When it was put there; ms since 1970. */
  readonly date: number;
  /** The temporary names that it has asked for, and what remained of what it showed last. */
  readonly temporary: { readonly ids: string[]; shown: unknown };
}

/** One record that a layer writes. */
export interface LayerWrite extends Version {
  readonly plan: Plan;
  readonly pk: string;
}

/**
 * What layers have looked at. A commit that touches none of that changes nothing of what they show: they need not run
 * again.
 */
export interface LookedAt {
  /** Records, or where they would be. */
  readonly slots: Set<Slot>;
  /** The keys of tables of which a record that comes concerns them: one that is not there may get another slot. */
  readonly tables: Set<string>;
  /** Keys of answers. */
  readonly keys: Set<string>;
}

/** What the layers over a base amount to. */
export interface Overlay {
  /** What readers see of each record that a layer touches; a record without members: deleted. */
  readonly writes: ReadonlyMap<Slot, LayerWrite>;
  /** What is shown in place of what remains of answers. */
  readonly results: ReadonlyMap<Entry, unknown>;
  /** The layers that stay. */
  readonly layers: readonly Layer[];
  /** What they were made of. */
  readonly looked: LookedAt;
  /** What was thrown by those that do not. */
  readonly failures: readonly { readonly layer: Layer; readonly reason: unknown }[];
}

const ABORT = /* @__PURE__ */ new AbortOptimistic();

/**
 * Runs every layer, in order, each at its number among the writes of the base: what was confirmed later is seen over it,
 * as it will be when the reply comes. A layer that throws anything but an `AbortOptimistic` is dropped.
 */
export function replay(base: LayerBase, layers: readonly Layer[]): Overlay {
  const replayed = new Replay(base);
  const stay: Layer[] = [];
  const failures: { layer: Layer; reason: unknown }[] = [];
  const pending = new Set(layers.flatMap(({ temporary }) => temporary.ids));
  for (const layer of layers) {
    const { endpoint, seq, date, temporary } = layer;
    const args = base.withPks(layer.args);
    // It is about a record that is not going to be made: nothing of it is ever sent.
    if ([...base.unnamedIn(args)].some((id) => !pending.has(id))) continue;
    replayed.seq = seq;
    const source = new LayerSource(replayed);
    // What is shown before the server answers is a guess: stale from the beginning.
    const target = new LayerTarget(source, { seq, fetchedAt: date, expiresAt: 0 });
    try {
      const shown: unknown = endpoint.getOptimisticResponse!(new LayerSnapshot(source, date, temporary.ids), ...args);
      const walk = new Walk(shown, args, target);
      const result = temporary.shown = walk.run(endpoint.schema);
      if (walk.suspect) {
        const failure = findIncomplete(
          endpoint.schema,
          result,
          (plan, pk) => target.recordAt(plan, pk) ?? (replayed.isDeleted(replayed.slot(plan, pk)) ? null : undefined),
        );
        if (failure !== undefined) throw failure;
      }
      replayed.write(target.written);
      replayed.update(endpoint, result, args);
      stay.push(layer);
    } catch (reason) {
      if (RejoinError.is(reason) && reason.name === ABORT.name) stay.push(layer);
      else failures.push({ layer, reason });
    }
  }
  const { slots, tables, keys } = replayed;
  const looked = { slots, tables, keys };
  return { writes: replayed.finish(), results: replayed.results, layers: stay, looked, failures };
}

/** Reads of a base without layers, for code that must not see what is pending. */
export function snapshotOf(base: LayerBase, fetchedAt: number): Snapshot {
  const replayed = new Replay(base);
  replayed.seq = Infinity;
  return new LayerSnapshot(new LayerSource(replayed), fetchedAt);
}

/** Reads what there is where no layer lies over it. */
export function graphBelow(base: LayerBase): Graph {
  const replayed = new Replay(base);
  replayed.seq = Infinity;
  return new Graph(new LayerSource(replayed));
}

/** Records on their way through the order of writes: up to a sequence number, with the layers that stand before it. */
class Replay implements LookedAt {
  readonly base: LayerBase;
  readonly slots = new Set<Slot>();
  readonly tables = new Set<string>();
  readonly keys = new Set<string>();
  /** What is asked for is what is there just before this sequence number; it only grows. */
  seq = 0;
  /** What is shown in place of what remains of answers. */
  readonly results = new Map<Entry, unknown>();
  readonly #writes = new Map<Slot, LayerWrite>();
  /** The records that have a log, and how much of it is in them. */
  readonly #logged = new Map<Slot, { version: Version; merged: number }>();

  constructor(base: LayerBase) {
    this.base = base;
  }

  slot(plan: Plan, pk: string): Slot {
    const slot = this.base.slot(plan, pk);
    this.slots.add(slot);
    if (slot.rec === undefined) this.tables.add(plan.key);
    return slot;
  }

  *eachSlot(plan: Plan): Iterable<readonly [pk: string, slot: Slot]> {
    this.tables.add(plan.key);
    for (const each of this.base.eachSlot(plan)) {
      this.slots.add(each[1]);
      yield each;
    }
  }

  entriesOf(key: string): readonly Entry[] {
    this.keys.add(key);
    return this.base.entriesOf(key);
  }

  below(slot: Slot): EntityRecord | undefined {
    const log = this.base.logOf(slot);
    const write = this.#writes.get(slot);
    if (log === undefined) return write === undefined ? this.base.baseOf(slot) : write.record;
    // No layer touched it, and all of its log is earlier: the record that everybody else has.
    if (write === undefined && log.writes.at(-1)!.stamp.seq < this.seq) return this.base.baseOf(slot);
    return this.#advance(slot, log).version.record;
  }

  /** When that came. */
  stampBelow(slot: Slot): Stamp {
    const log = this.base.logOf(slot);
    if (log !== undefined) return this.#advance(slot, log).version.stamp;
    return this.#writes.get(slot)?.stamp ?? this.base.stampOf(slot);
  }

  /** Of a record that is not there: whether it was, or an earlier layer takes it away. */
  isDeleted(slot: Slot): boolean {
    return this.#writes.has(slot) || this.base.isDeleted(slot);
  }

  /** Whether an earlier layer shows a record of the table. */
  shows(plan: Plan): boolean {
    for (const write of this.#writes.values()) {
      if (write.plan.key === plan.key && write.record !== undefined) return true;
    }
    return false;
  }

  write(written: ReadonlyMap<Slot, LayerWrite>): void {
    for (const [slot, write] of written) {
      this.#writes.set(slot, write);
      const log = this.base.logOf(slot);
      if (log !== undefined) this.#advance(slot, log).version = write;
    }
  }

  /** What a layer makes of other answers, those excepted that stand after it. */
  update(endpoint: AnyEndpoint, result: unknown, args: readonly unknown[]): void {
    const entriesOf = (key: string) => this.entriesOf(key).filter(({ seq }) => seq < this.seq);
    try {
      const updated = updatesOf(endpoint, result, args, entriesOf, (entry) => this.#shownResult(entry));
      for (const [entry, shown] of updated) this.results.set(entry, shown);
    } catch {
      // Said of the reply, whose update changes nothing then either.
    }
  }

  /** What remains of the answer of an endpoint, for reads of an optimistic function. */
  resultOf(endpoint: AnyReadable, key: string): unknown {
    const entry = this.entriesOf(key).find(({ shape }) => shape === undefined || isSameShape(shape, endpoint));
    return entry?.hasResult && !entry.isInvalid ? this.#shownResult(entry) : undefined;
  }

  #shownResult(entry: Entry): unknown {
    return this.results.has(entry) ? this.results.get(entry) : entry.result;
  }

  /** What readers see in the end. */
  finish(): ReadonlyMap<Slot, LayerWrite> {
    this.seq = Infinity;
    for (const [slot, { plan, pk, stamp }] of this.#writes) {
      let record: EntityRecord | undefined;
      try {
        record = this.below(slot);
      } catch {
        // A merge() that cannot bear what a layer shows: without it, it did.
        record = this.base.baseOf(slot);
      }
      // What is shown again, unchanged, stays the same object.
      if (record !== undefined && slot.rec !== undefined && deepEqual(record, slot.rec)) record = slot.rec;
      this.#writes.set(slot, { plan, pk, record, stamp });
    }
    return this.#writes;
  }

  #advance(slot: Slot, { base, writes }: RecordLog): { version: Version } {
    let state = this.#logged.get(slot);
    if (state === undefined) this.#logged.set(slot, state = { version: base, merged: 0 });
    for (; state.merged < writes.length && writes[state.merged]!.stamp.seq < this.seq; state.merged++) {
      state.version = mergeWrite(state.version, writes[state.merged]!);
    }
    return state;
  }
}

/** Records as they are below a layer. */
class LayerSource implements RecordSource {
  readonly replayed: Replay;
  readonly #seen = new Map<Slot, RecordSlot>();

  constructor(replayed: Replay) {
    this.replayed = replayed;
  }

  slot(plan: Plan, pk: string): RecordSlot {
    return this.#see(this.replayed.slot(plan, pk));
  }

  slots(plan: Plan): RecordSlot[] | undefined {
    return this.#isKnown(plan) ? Array.from(this.replayed.eachSlot(plan), ([, slot]) => this.#see(slot)) : undefined;
  }

  pks(plan: Plan): string[] | undefined {
    if (!this.#isKnown(plan)) return undefined;
    const pks: string[] = [];
    for (const [pk, slot] of this.replayed.eachSlot(plan)) {
      if (this.replayed.below(slot) !== undefined) pks.push(pk);
    }
    return pks;
  }

  index(plan: Plan, member: string): ScanIndex {
    return new ScanIndex(this, plan, member);
  }

  /** Whether an object is one that a reader of the store, or of this snapshot, was given. */
  isOwnInstance(plan: Plan, slot: Slot, input: object): boolean {
    return isInstanceOf(plan, slot, input) || isInstanceOf(plan, this.#seen.get(slot), input);
  }

  #isKnown(plan: Plan): boolean {
    this.replayed.tables.add(plan.key);
    return this.replayed.base.isKnown(plan) || this.replayed.shows(plan);
  }

  #see(slot: Slot): RecordSlot {
    let seen = this.#seen.get(slot);
    if (seen === undefined) {
      const { replayed } = this;
      seen = { rec: replayed.below(slot), node: undefined, isDeleted: replayed.isDeleted(slot) };
      this.#seen.set(slot, seen);
    }
    return seen;
  }
}

class LayerSnapshot implements Snapshot {
  readonly abort = ABORT;
  readonly fetchedAt: number;
  readonly #source: LayerSource;
  readonly #ids: string[];
  #asked = 0;
  #graph: Graph | undefined;

  constructor(source: LayerSource, fetchedAt: number, ids: string[] = []) {
    this.#source = source;
    this.fetchedAt = fetchedAt;
    this.#ids = ids;
  }

  temporaryId(): string {
    const at = this.#asked++;
    return this.#ids[at] ??= this.#source.replayed.base.newId();
  }

  get(schema: AnySchema, ...args: readonly unknown[]): unknown {
    const graph = this.#graph ??= new Graph(this.#source);
    return graph.query(schema, args).read(graph);
  }

  getResponse(endpoint: AnyReadable, ...args: readonly unknown[]): { readonly data: unknown } {
    // A query is read by itself: there is no response of it.
    if (isSchemaObject(endpoint)) return { data: this.get(endpoint, ...args) };
    const call = wholeCall(endpoint, args);
    const { schema } = call.endpoint;
    const result = this.#source.replayed.resultOf(call.endpoint, call.endpoint.key(...call.args));
    if (result === undefined) return { data: this.get(schema, ...call.args) };
    const graph = this.#graph ??= new Graph(this.#source);
    return { data: graph.view(schema, result, call.args).read(graph) };
  }
}

/** Takes what one layer writes; it counts only when the layer ends well. */
class LayerTarget implements RecordTarget {
  readonly written = new Map<Slot, LayerWrite>();
  readonly #source: LayerSource;
  readonly #stamp: Stamp;

  constructor(source: LayerSource, stamp: Stamp) {
    this.#source = source;
    this.#stamp = stamp;
  }

  /** The record as the layer would leave it. */
  recordAt(plan: Plan, pk: string): EntityRecord | undefined {
    const { replayed } = this.#source;
    const slot = replayed.slot(plan, pk);
    const own = this.written.get(slot);
    return own === undefined ? replayed.below(slot) : own.record;
  }

  put(plan: Plan, pk: string, input: object, walk: Walk): void {
    const { replayed } = this.#source;
    const slot = replayed.slot(plan, pk);
    const own = this.written.get(slot);
    if (this.#source.isOwnInstance(plan, slot, input)) return;
    const below = own === undefined ? replayed.below(slot) : own.record;
    const stamp = this.#stamp;
    let record: EntityRecord | undefined;
    if (below === undefined) record = freshRecord(walk, plan, input);
    else if (!plan.mergesWhole) record = mergedRecord(walk, plan, below, input);
    else {
      const before: Version = { record: below, stamp: own?.stamp ?? replayed.stampBelow(slot) };
      const after = mergeWrite(before, { stamp, plan, incoming: freshRecord(walk, plan, input) });
      if (after === before) return;
      ({ record } = after);
    }
    this.written.set(slot, { plan, pk, record, stamp });
  }

  remove(plan: Plan, pk: string): void {
    const slot = this.#source.replayed.slot(plan, pk);
    this.written.set(slot, { plan, pk, record: undefined, stamp: this.#stamp });
  }

  know(): void {}

  amend(plan: Plan, changeOf: Amendment["of"]): void {
    for (const [pk, slot] of this.#source.replayed.eachSlot(plan)) {
      const record = this.recordAt(plan, pk);
      const changed = record && amendedRecord(record, changeOf(record)?.writes);
      if (changed !== record) this.written.set(slot, { plan, pk, record: changed, stamp: this.#stamp });
    }
  }

  records(plan: Plan): EntityRecord[] {
    const records: EntityRecord[] = [];
    for (const [pk] of this.#source.replayed.eachSlot(plan)) {
      const record = this.recordAt(plan, pk);
      if (record !== undefined) records.push(record);
    }
    return records;
  }

  unsaved(): void {}
}
