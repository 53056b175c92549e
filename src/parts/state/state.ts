import { said, sentenceOf } from "../../errors/texts.ts";
import { clock } from "../../deps/clock.ts";
import type { EntityRecord } from "../../schemas/plan.ts";
import { isInstance } from "../../errors/is_instance.ts";
import { sameItems } from "../../normalize/record.ts";
import { emptyEntry, type Entry } from "../../store/entry.ts";
import { reasonOf } from "../../errors/reason.ts";
import { RejoinError } from "../../errors/rejoin_error.ts";
import { freshUntil, setBack } from "../../store/freshness.ts";
import type { Store } from "../../store/store.ts";
import { Slot, type Stamp, type Table } from "../../store/slot.ts";
import type { EndpointMeta, State, StateMeta } from "./form.ts";
import { soundParts, type SoundState } from "./damage.ts";

export type { EndpointMeta, State, StateMeta };

/** The version of the form. Texts that name requests and lists are part of it. */
export const VERSION = 1;

/** The base of a store as plain data. */
export function describeState(store: Store): State {
  const now = clock.now();
  const entities: Record<string, Record<string, EntityRecord>> = Object.create(null);
  const entitiesMeta: Record<string, Record<string, StateMeta>> = Object.create(null);
  let order: Record<string, readonly string[]> | undefined;
  for (const table of store.tables.byKey.values()) {
    const pks: string[] = [];
    const records: Record<string, EntityRecord> = Object.create(null);
    const meta: Record<string, StateMeta> = Object.create(null);
    for (const [pk, slot] of table.slots) {
      const record = store.baseOf(slot);
      if (record === undefined && slot.stamp.isNever) continue;
      meta[pk] = metaOf(slot.stamp, now);
      if (record === undefined) continue;
      records[pk] = record;
      pks.push(pk);
    }
    if (table.known) entities[table.key] = records;
    // What was deleted is told of also where nobody knew any.
    if (table.known || Object.keys(meta).length > 0) entitiesMeta[table.key] = meta;
    if (!sameItems(pks, Object.keys(records))) (order ??= Object.create(null))[table.key] = pks;
  }
  const endpoints: Record<string, unknown> = Object.create(null);
  const meta: Record<string, EndpointMeta> = Object.create(null);
  for (const entry of store.entries.all()) {
    // A key with several shapes keeps the first: the others are asked for again.
    if (entry.key in meta || isBinary(entry.result)) continue;
    // A request that names what the server never made: what it failed with is of no use elsewhere.
    if (store.tables.ids.isIn(entry.key)) continue;
    if (entry.hasResult && entry.result !== undefined) endpoints[entry.key] = entry.result;
    meta[entry.key] = {
      ...metaOf(entry, now),
      ...(entry.error === undefined ? {} : { error: describeError(entry.error) }),
      ...(entry.isInvalid ? { invalid: true } : {}),
      ...(entry.hasResult && entry.result === undefined ? { empty: true } : {}),
    };
  }
  const { lastReset } = store;
  return {
    version: VERSION,
    entities,
    endpoints,
    meta,
    entitiesMeta,
    optimistic: [],
    lastReset,
    ...(order !== undefined && { order }),
  };
}

/** A state that may be read. */
export interface GivenState extends SoundState {
  readonly lastReset: unknown;
  readonly late: unknown;
}

/**
 * What somebody gives for a state: `null`, as storage gives it that holds nothing, is an empty one.
 *
 * @returns `undefined` for one of another version, with a warning: to read half of it would be worse than to ask again.
 * @throws {RejoinError} If it is no object.
 */
export function stateFrom(given: Partial<State> | null | undefined): GivenState | undefined {
  const state = given ?? {};
  if (typeof state === "object" && !Array.isArray(state)) {
    const { version = VERSION } = state;
    if (version !== VERSION) return console.warn(sentenceOf(said(665, { version, known: VERSION }))) as undefined;
    const { lastReset, late } = state;
    const parts = soundParts(state);
    if (parts.damage.length > 0) console.warn(sentenceOf(said(666, { damage: parts.damage })));
    return { ...parts, lastReset, late };
  }
  throw new RejoinError(said(660, { state }));
}

/** Fills an empty store with what another one described. Its data has sequence number 0: anything that is asked for now is later. */
export function loadState(store: Store, state: GivenState): void {
  for (const key of keysOf(state)) {
    const table = store.tables.named(key);
    table.known = table.isAsked = isKnown(state, key);
    for (const [pk, slot] of slotsOf(state, table, 0)) table.slots.set(pk, slot);
  }
  for (const entry of entriesOf(state, 0)) store.entries.set(entry);
  store.lastReset = typeof state.lastReset === "number" ? state.lastReset : 0;
}

/** The tables of a state. */
export function keysOf({ entities, entitiesMeta }: GivenState): ReadonlySet<string> {
  return new Set([...entities?.keys() ?? [], ...entitiesMeta?.keys() ?? []]);
}

/** All of a table is there: nothing was left out of it. */
export function isKnown({ entities }: GivenState, key: string): boolean {
  const records = entities?.get(key);
  return records != null && ![...records.values()].includes(undefined);
}

/** The records of one table of a state, and what was deleted of it, to be written with a sequence number. */
export function slotsOf(state: GivenState, table: Table, seq: number): Map<string, Slot> {
  const { key } = table;
  const { entities, entitiesMeta, order } = state;
  const slots = new Map<string, Slot>();
  const records = entities && entities.get(key);
  const metas = entitiesMeta?.get(key);
  for (const pk of new Set([...order?.get(key) ?? [], ...records?.keys() ?? [], ...metas?.keys() ?? []])) {
    const record = records?.get(pk);
    const meta = metas?.get(pk);
    // Where a record should be and is none, it was not deleted.
    if (record === undefined && (meta === undefined || records === null || records?.has(pk))) continue;
    const { fetchedAt = 0 } = meta ?? {};
    slots.set(
      pk,
      new Slot(table, pk, record, { seq, fetchedAt, expiresAt: expiryOf(meta, state), lead: leadOf(fetchedAt) }),
    );
  }
  return slots;
}

/** The answers and errors of a state, to be written with a sequence number. */
export function entriesOf(state: GivenState, seq: number): Entry[] {
  const { endpoints } = state;
  const entries: Entry[] = [];
  for (const [key, meta] of state.meta ?? []) {
    if (meta === undefined) continue;
    const { fetchedAt, error, invalid, empty } = meta;
    const isAnswered = endpoints?.has(key) === true;
    entries.push({
      ...emptyEntry(key, undefined, undefined),
      hasResult: isAnswered || empty === true,
      result: endpoints?.get(key),
      seq,
      fetchedAt,
      expiresAt: expiryOf(meta, state),
      lead: leadOf(fetchedAt),
      error: error && errorFrom(error),
      isInvalid: invalid === true,
    });
  }
  return entries;
}

/** Member by member: to assign what was imported could set the prototype. */
function errorFrom({ name, message, status }: NonNullable<EndpointMeta["error"]>): Error {
  return Object.assign(new Error(message), { name }, status !== undefined && { status });
}

/** What JSON has no form for: it is asked for again. */
function isBinary(result: unknown): boolean {
  const tag = typeof result === "object" ? Object.prototype.toString.call(result).slice(8, -1) : "";
  return tag === "Blob" || tag === "File" || tag === "ArrayBuffer" || tag === "ReadableStream";
}

function metaOf(arrival: Omit<Stamp, "seq">, now: number): StateMeta {
  const { fetchedAt } = arrival;
  const expiresAt = freshUntil(arrival, now);
  return {
    fetchedAt: fetchedAt === 0 ? 0 : fetchedAt + setBack(arrival, now),
    expiresAt: expiresAt === Infinity ? null : expiresAt,
  };
}

/** What comes from another clock, which may be ahead of this one, is not younger than what comes now. */
function leadOf(fetchedAt = 0): number {
  const now = clock.now();
  return clock.lead(now) + Math.max(0, fetchedAt - now);
}

/** What is damaged is shown, and asked for again. */
function expiryOf(meta: StateMeta | undefined, { damage }: GivenState): number {
  return meta === undefined || damage.length > 0 ? 0 : meta.expiresAt ?? Infinity;
}

/** An error as plain data. */
export function describeError(error: unknown): { name: string; message: string; status?: number } {
  if (!isInstance(error, Error)) return { name: "Error", message: reasonOf(error) };
  const { status } = error as { status?: unknown };
  return { name: error.name, message: error.message, ...(typeof status === "number" ? { status } : {}) };
}
