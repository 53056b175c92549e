import { clock } from "../../deps/clock.ts";
import type { EntityRecord } from "../../schemas/plan.ts";
import { isInstance } from "../../errors/is_instance.ts";
import { tagOf } from "../../errors/kind_of.ts";
import { sameItems } from "../../normalize/record.ts";
import { reasonOf } from "../../errors/reason.ts";
import { freshUntil, setBack } from "../../store/freshness.ts";
import type { Store } from "../../store/store.ts";
import type { Stamp } from "../../store/slot.ts";
import { type EndpointMeta, type State, type StateMeta, VERSION } from "./form.ts";

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
    // A key with several shapes keeps the first that was answered: the others are asked for again.
    if ((entry.key in meta && (entry.key in endpoints || !entry.hasResult)) || isBinary(entry.result)) continue;
    // A request that names what the server never made: what it failed with is of no use elsewhere.
    if (store.tables.hasId(entry.key)) continue;
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

/** What JSON has no form for: it is asked for again. */
function isBinary(result: unknown): boolean {
  const tag = typeof result === "object" ? tagOf(result) : "";
  return tag === "Blob" || tag === "File" || tag === "ArrayBuffer" || tag === "ReadableStream";
}

function metaOf(arrival: Omit<Stamp, "seq">, now: number): StateMeta {
  const { fetchedAt } = arrival;
  const expiresAt = freshUntil(arrival, now);
  return {
    fetchedAt: fetchedAt === 0 ? 0 : fetchedAt + setBack(arrival, now),
    // JSON has no form for a time before all others either.
    expiresAt: expiresAt === Infinity ? null : Math.max(0, expiresAt),
  };
}

/** An error as plain data. */
export function describeError(error: unknown): { name: string; message: string; status?: number } {
  if (!isInstance(error, Error)) return { name: "Error", message: reasonOf(error) };
  const { status } = error as { status?: unknown };
  return { name: error.name, message: error.message, ...(typeof status === "number" ? { status } : {}) };
}
