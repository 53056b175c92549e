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
import { Slot, type Stamp } from "../../store/slot.ts";

/** When something was stored and until when it is fresh; ms since 1970. `null` stands for `Infinity`, which JSON has not. */
export interface StateMeta {
  /** When it was stored. */
  readonly fetchedAt: number;
  /** Until when it is fresh. */
  readonly expiresAt: number | null;
}

/** What is known of one endpoint key. */
export interface EndpointMeta extends StateMeta {
  /** What the server last failed with. */
  readonly error?: { readonly name: string; readonly message: string; readonly status?: number } | undefined;
  /** It was invalidated and must not be shown. */
  readonly invalid?: true | undefined;
  /** It was answered, and nothing remained of the response: all of it is in the tables. JSON has no `undefined`. */
  readonly empty?: true | undefined;
}

/** Everything the store knows, as plain tables that JSON can carry. What pending mutations show is not in it. */
export interface State {
  /** The version of this form. A state that says another one is not read; one that says none is taken for this one. */
  readonly version?: number | undefined;
  /** Records by key and pk. */
  readonly entities: { readonly [key: string]: { readonly [pk: string]: EntityRecord } };
  /** What remained of the responses, by request key. */
  readonly endpoints: { readonly [key: string]: unknown };
  /** About the responses, by request key. */
  readonly meta: { readonly [key: string]: EndpointMeta };
  /** About the records, by key and pk; what is here and has no record was deleted. */
  readonly entitiesMeta: { readonly [key: string]: { readonly [pk: string]: StateMeta } };
  /** Always empty: layers are functions, and never leave the store. */
  readonly optimistic: readonly never[];
  /** When the store was last reset; 0 when it never was. */
  readonly lastReset: number;
  /**
   * The pks of a table in order of arrival, where that is not the order of its members: objects have names that look like
   * numbers first, and sorted.
   */
  readonly order?: { readonly [key: string]: readonly string[] };
  /** Of a page that a server has rendered, of each `AsyncBoundary` in order whether it was still waiting: 1 or 0. */
  readonly late?: readonly number[];
}

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

/**
 * What somebody gives for a state: `null`, as storage gives it that holds nothing, is an empty one.
 *
 * @returns `undefined` for one of another version, with a warning: to read half of it would be worse than to ask again.
 * @throws {RejoinError} If it is no object.
 */
export function stateFrom(given: Partial<State> | null | undefined): Partial<State> | undefined {
  const state = given ?? {};
  if (typeof state === "object" && !Array.isArray(state)) {
    const { version = VERSION } = state;
    if (version === VERSION) return state;
    return console.warn(sentenceOf(said(665, { version, known: VERSION }))) as undefined;
  }
  throw new RejoinError(said(660, { kind: Array.isArray(state) ? "an array" : `a ${typeof state}` }));
}

/** Fills an empty store with what another one described. Its data has sequence number 0: anything that is asked for now is later. */
export function loadState(store: Store, state: Partial<State>): void {
  for (const key of keysOf(state)) {
    const table = store.tables.named(key);
    table.known = table.isAsked = own(state.entities, key) !== undefined;
    for (const [pk, slot] of slotsOf(state, key, 0)) table.slots.set(pk, slot);
  }
  for (const entry of entriesOf(state, 0)) store.entries.set(entry);
  store.lastReset = state.lastReset ?? 0;
}

/** The tables of a state. */
export function keysOf({ entities, entitiesMeta }: Partial<State>): ReadonlySet<string> {
  return new Set([...Object.keys(entities ?? {}), ...Object.keys(entitiesMeta ?? {})]);
}

/** The records of one table of a state, and what was deleted of it, to be written with a sequence number. */
export function slotsOf(state: Partial<State>, key: string, seq: number): Map<string, Slot> {
  const slots = new Map<string, Slot>();
  const records = own(state.entities, key) ?? {};
  const order = own(state.order, key);
  for (const pk of new Set([...Array.isArray(order) ? order.map(String) : [], ...Object.keys(records)])) {
    const record = own(records, pk);
    // What somebody imports may be anything; a record is an object.
    if (typeof record !== "object" || record === null) continue;
    const meta = own(own(state.entitiesMeta, key), pk);
    const { fetchedAt = 0 } = meta ?? {};
    slots.set(pk, new Slot(record, { seq, fetchedAt, expiresAt: expiryOf(meta), lead: leadOf(fetchedAt) }));
  }
  for (const [pk, meta] of Object.entries(own(state.entitiesMeta, key) ?? {})) {
    if (slots.has(pk) || typeof meta !== "object" || meta === null) continue;
    const { fetchedAt } = meta;
    slots.set(pk, new Slot(undefined, { seq, fetchedAt, expiresAt: expiryOf(meta), lead: leadOf(fetchedAt) }));
  }
  return slots;
}

/** The answers and errors of a state, to be written with a sequence number. */
export function entriesOf({ meta, endpoints }: Partial<State>, seq: number): Entry[] {
  // What somebody imports may be anything here, too.
  const known = Object.entries(meta ?? {}).filter(([, one]) => typeof one === "object" && one !== null);
  return known.map(([key, { fetchedAt, expiresAt, error, invalid, empty }]) => ({
    ...emptyEntry(key, undefined, undefined),
    hasResult: empty === true || Object.hasOwn(endpoints ?? {}, key),
    result: own(endpoints, key),
    seq,
    fetchedAt,
    expiresAt: expiresAt ?? Infinity,
    lead: leadOf(fetchedAt),
    error: error === undefined || error === null ? undefined : errorFrom(error),
    isInvalid: invalid === true,
  }));
}

/** Member by member: to assign what was imported could set the prototype. */
function errorFrom({ name, message, status }: NonNullable<EndpointMeta["error"]>): Error {
  return Object.assign(new Error(message), { name }, status !== undefined && { status });
}

/** A member of a plain table that may have a prototype, as what JSON gives: a pk may be called `constructor`. */
function own<T>(table: { readonly [name: string]: T } | undefined, name: string): T | undefined {
  return table !== undefined && table !== null && Object.hasOwn(table, name) ? table[name] : undefined;
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

function expiryOf(meta: StateMeta | undefined): number {
  return meta === undefined ? 0 : meta.expiresAt ?? Infinity;
}

/** An error as plain data. */
export function describeError(error: unknown): { name: string; message: string; status?: number } {
  if (!isInstance(error, Error)) return { name: "Error", message: reasonOf(error) };
  const { status } = error as { status?: unknown };
  return { name: error.name, message: error.message, ...(typeof status === "number" ? { status } : {}) };
}
