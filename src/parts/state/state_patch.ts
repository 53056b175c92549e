import { clock } from "../../deps/clock.ts";
import { copyPlain } from "../../endpoint/copy_plain.ts";
import { RejoinError } from "../../errors/rejoin_error.ts";
import { said, sentenceOf } from "../../errors/texts.ts";
import { isRecord } from "../../normalize/record.ts";
import type { EntityRecord } from "../../schemas/plan.ts";
import { emptyEntry } from "../../store/entry.ts";
import { type Patch, patchAt } from "../../store/patch.ts";
import { Slot, type Stamp, type Table } from "../../store/slot.ts";
import type { Store } from "../../store/store.ts";
import { type EndpointMeta, type State, type StateMeta, VERSION } from "./form.ts";

/**
 * Whether a state is of the version that this release reads: to read half of another one would be worse than to ask
 * again. That it is not is a warning.
 *
 * @throws {RejoinError} If it is no object.
 */
export function isOfThisVersion(state: object): boolean {
  if (!isRecord(state)) throw new RejoinError(said(660, { state }));
  const { version = VERSION } = state;
  if (version !== VERSION) console.warn(sentenceOf(said(665, { version, known: VERSION })));
  return version === VERSION;
}

/**
 * Writes what a state holds. What has a form that no `stateOf` gives is left out, and a warning names it. Nobody knows
 * then what the rest lacks: it is shown, and asked for again.
 *
 * @param store Where.
 * @param given What. A copy is taken: what its owner does to it afterwards changes nothing.
 * @param at Where it stands in the order of writes, and when; ms since 1970.
 */
export function statePatch(
  store: Store,
  given: Partial<State>,
  at: { readonly seq: number; readonly date: number },
): Patch {
  const state = copyPlain(given);
  const damage: string[] = [];
  const sound = <T>(of: unknown, path: string, isSound: (value: unknown) => value is T): Map<string, T> => {
    const members = new Map<string, T>();
    if (isRecord(of)) {
      for (const [name, value] of Object.entries(of)) {
        if (isSound(value)) members.set(name, value);
        else damage.push(`${path}.${name}`);
      }
    } else if (of !== undefined) damage.push(path);
    return members;
  };
  const tablesOf = <T>(of: unknown, path: string, soundIn: (key: string) => (value: unknown) => value is T) => {
    const tables = sound(of, path, isRecord) as Map<string, unknown>;
    tables.forEach((table, key) => tables.set(key, sound(table, `${path}.${key}`, soundIn(key))));
    return tables as Map<string, Map<string, T>>;
  };
  const entities = tablesOf(state.entities, "entities", recordIn);
  // No record was left out: of a table all are there, and what has none was deleted.
  const isWhole = damage.length === 0;
  const entitiesMeta = tablesOf(state.entitiesMeta, "entitiesMeta", () => isMeta);
  const order = sound(state.order, "order", isTexts);
  const endpoints = sound(state.endpoints, "endpoints", isReadable);
  const meta = sound(state.meta, "meta", isMeta);
  const isSound = damage.length === 0;
  if (!isSound) console.warn(sentenceOf(said(666, { damage })));
  const now = clock.now();
  const stampOf = ({ fetchedAt = 0, expiresAt = 0 }: Partial<StateMeta> = {}): Stamp & { readonly lead: number } => ({
    seq: at.seq,
    fetchedAt,
    expiresAt: isSound ? expiresAt ?? Infinity : 0,
    // What comes from another clock, which may be ahead of this one, is not younger than what comes now.
    lead: clock.lead(now) + Math.max(0, fetchedAt - now),
  });
  /** Whether what another state has brought is the later one. Marks have no time: of these the last one counts. */
  const isOlder = ({ fetchedAt = 0, expiresAt = 0 }: Partial<StateMeta> = {}, there: Stamp): boolean =>
    at.seq === 0 && fetchedAt > 0 &&
    (there.fetchedAt === fetchedAt ? there.expiresAt < (expiresAt ?? Infinity) : there.fetchedAt > fetchedAt);
  doubtUnclaimed(store);
  const patch = patchAt(store, at);
  patch.isAnswer = true;
  const stamps = patch.stamps = new Map<Slot, Stamp>();
  const known = new Set<Table>();
  for (const key of new Set([...entities.keys(), ...entitiesMeta.keys()])) {
    const table = store.tables.named(key);
    const records = entities.get(key) ?? new Map<string, EntityRecord>();
    const metas = entitiesMeta.get(key) ?? new Map<string, StateMeta>();
    for (const pk of new Set([...order.get(key) ?? [], ...records.keys(), ...metas.keys()])) {
      const record = records.get(pk);
      const stamp = metas.get(pk);
      if (record === undefined && !(isWhole && stamp)) continue;
      const slot = table.slots.get(pk) ?? new Slot(table, pk);
      if (isOlder(stamp, slot.stamp)) continue;
      patch.arrive(slot);
      patch.stage(slot, record);
      stamps.set(slot, stampOf(stamp));
    }
    if (isWhole && entities.has(key)) known.add(table);
  }
  patch.known = known;
  for (const [key, { error, invalid, empty, ...stamp }] of meta) {
    if (store.entries.of(key).some((entry) => isOlder(stamp, entry))) continue;
    const hasResult = invalid === undefined && (endpoints.has(key) || empty !== undefined);
    patch.addEntry({
      ...emptyEntry(key, undefined, undefined),
      ...stampOf(stamp),
      hasResult,
      // What others brought was marked stale for this key. If it was written since, it is asked for once more.
      staleSeq: !hasResult && stamp.expiresAt === 0 ? at.seq + 0.5 : 0,
      result: endpoints.get(key),
      // Member by member: to assign what was imported could set the prototype.
      error: error && Object.assign(new Error(error.message), { name: error.name, status: error.status }),
      isInvalid: invalid !== undefined,
    });
  }
  return patch;
}

/**
 * Lists may come with a state before anything has named their class: nobody knows what they are of. The first write that
 * is no read's may be about each of them: they are stale then, and so are answers that may hold them.
 */
function doubtUnclaimed(store: Store): void {
  const leave = store.join({
    committed({ isAnswer, touched }) {
      if (isAnswer || touched.length === 0) return;
      leave();
      const unclaimed = [...store.tables.byKey.values()].filter(({ plans }) => plans.length === 0);
      const lists = unclaimed.flatMap(({ slots }) => [...slots.values()]).filter(({ rec }) => rec?.items);
      if (lists.length === 0) return;
      for (const slot of lists) slot.stamp = { ...slot.stamp, expiresAt: 0 };
      for (const entry of store.entries.all()) if (!entry.shape) store.entries.set({ ...entry, expiresAt: 0 });
    },
  });
}

/** Such as names of records. */
function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}

/** It may be anything. A symbol stands where something could not be read. */
function isReadable(value: unknown): value is unknown {
  return typeof value !== "symbol";
}

/** It says how old something is, and what became of a request. */
function isMeta(value: unknown): value is EndpointMeta {
  const { fetchedAt, expiresAt, error } = (value ?? {}) as Partial<EndpointMeta>;
  return Number.isFinite(fetchedAt) && (expiresAt === null || Number.isFinite(expiresAt)) &&
    (error === undefined || isRecord(error) && isTexts([error.name, error.message]));
}

/** What a record of a table is. */
function recordIn(key: string): (value: unknown) => value is EntityRecord {
  const isItems = key[0] === "[" ? Array.isArray : key[0] === "{" ? isRecord : undefined;
  return (value): value is EntityRecord => isRecord(value) && (isItems === undefined || isList(value, isItems));
}

function isList(
  { items, args = {}, unknown = [], pages = [] }: EntityRecord,
  isItems: (of: unknown) => boolean,
): boolean {
  return isItems(items) && isRecord(args) && isTexts(Object.values(args)) && isTexts(unknown) && Array.isArray(pages) &&
    pages.every((page) => isRecord(page) && isTexts([page.key]) && isItems(page.items));
}
