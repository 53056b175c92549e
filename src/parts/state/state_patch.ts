import { clock } from "../../deps/clock.ts";
import { RejoinError } from "../../errors/rejoin_error.ts";
import { said, sentenceOf } from "../../errors/texts.ts";
import type { EntityRecord } from "../../schemas/plan.ts";
import { emptyEntry } from "../../store/entry.ts";
import { ListChanges } from "../lists/list_changes.ts";
import { type Patch, patchAt } from "../../store/patch.ts";
import { Slot, type Stamp } from "../../store/slot.ts";
import type { Store } from "../../store/store.ts";
import { adopt } from "./adopt.ts";
import { type EndpointMeta, type State, type StateMeta, VERSION } from "./form.ts";

/** A state, or what storage gives that holds none. */
export type GivenState = Partial<State> | null | undefined;

/**
 * Whether a state is of the version that this release reads: to read half of another one would be worse than to ask
 * again. That it is not is a warning.
 *
 * @throws {RejoinError} If it is no object.
 */
export function isOfThisVersion(given: GivenState): boolean {
  const state = given ?? {};
  if (!isRecord(state)) throw new RejoinError(said(660, { state }));
  const { version = VERSION } = state;
  if (version !== VERSION) console.warn(sentenceOf(said(665, { version, known: VERSION })));
  return version === VERSION;
}

/** Of what nothing is known. */
const UNKNOWN: StateMeta = { fetchedAt: 0, expiresAt: 0 };

/**
 * Writes what a state holds. What has a form that no `stateOf` gives is left out, and a warning names it. Nobody knows
 * then what the rest lacks: it is shown, and asked for again.
 *
 * @param store Where.
 * @param given What.
 * @param at Where it stands in the order of writes, and when; ms since 1970.
 */
export function statePatch(
  store: Store,
  given: GivenState,
  at: { readonly seq: number; readonly date: number },
): Patch {
  const state = given ?? {};
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
  const tablesOf = <T>(of: unknown, path: string, soundIn: (key: string) => (value: unknown) => value is T) =>
    new Map(
      Array.from(sound(of, path, isRecord), ([key, table]) => [key, sound(table, `${path}.${key}`, soundIn(key))]),
    );
  const entities = tablesOf(state.entities, "entities", recordIn);
  // No record was left out: of a table all are there, and what has none was deleted.
  const isWhole = damage.length === 0;
  const entitiesMeta = tablesOf(state.entitiesMeta, "entitiesMeta", () => isMeta);
  const order = sound(state.order, "order", isTexts);
  const endpoints = sound(state.endpoints, "endpoints", isReadable);
  const meta = sound(state.meta, "meta", isMeta);
  if (damage.length > 0) console.warn(sentenceOf(said(666, { damage })));
  const now = clock.now();
  const stampOf = ({ fetchedAt, expiresAt } = UNKNOWN): Stamp & { readonly lead: number } => ({
    seq: at.seq,
    fetchedAt,
    expiresAt: damage.length > 0 ? 0 : expiresAt ?? Infinity,
    // What comes from another clock, which may be ahead of this one, is not younger than what comes now.
    lead: clock.lead(now) + Math.max(0, fetchedAt - now),
  });
  // It may hold lists of which no class is here yet.
  store.tables.openLists ??= (patch) => new ListChanges(patch);
  const patch = patchAt(store, at);
  patch.adopted = Array.from(new Set([...entities.keys(), ...entitiesMeta.keys()]), (key) => {
    const table = store.tables.named(key);
    const records = entities.get(key) ?? new Map<string, EntityRecord>();
    const metas = entitiesMeta.get(key) ?? new Map<string, StateMeta>();
    const slots = new Map<string, Slot>();
    for (const pk of new Set([...order.get(key) ?? [], ...records.keys(), ...metas.keys()])) {
      const record = records.get(pk);
      const stamp = metas.get(pk);
      if (record !== undefined || isWhole && stamp !== undefined) {
        slots.set(pk, new Slot(table, pk, record, stampOf(stamp)));
      }
    }
    const isKnown = isWhole && entities.has(key);
    return { table, slots, write: (turned) => adopt(store, table, slots, isKnown, turned) };
  });
  for (const [key, { error, invalid, empty, ...stamp }] of meta) {
    const hasResult = invalid === undefined && (endpoints.has(key) || empty !== undefined);
    patch.addEntry({
      ...emptyEntry(key, undefined, undefined),
      ...stampOf(stamp),
      hasResult,
      // What others brought was marked stale for this key. If it was written since, it is asked for once more.
      staleSeq: !hasResult && stamp.expiresAt === 0 ? at.seq + 0.5 : 0,
      result: hasResult ? endpoints.get(key) : undefined,
      // Member by member: to assign what was imported could set the prototype.
      error: error && Object.assign(new Error(error.message), { name: error.name, status: error.status }),
      isInvalid: invalid !== undefined,
    });
  }
  return patch;
}

/** A record, or a table. */
export function isRecord(value: unknown): value is EntityRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Such as names of records. */
function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
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

/** What a record of a table is. Lists are ours: their tables are named `[Article]` or `{Article}`, and whatever follows. */
function recordIn(key: string): (value: unknown) => value is EntityRecord {
  const isItems = key.startsWith("[") ? Array.isArray : key.startsWith("{") ? isRecord : undefined;
  return (value): value is EntityRecord => isRecord(value) && (isItems === undefined || isList(value, isItems));
}

function isList(
  { items, args = {}, unknown = [], pages = [] }: EntityRecord,
  isItems: (of: unknown) => boolean,
): boolean {
  return isItems(items) && isRecord(args) && isTexts(Object.values(args)) && isTexts(unknown) && Array.isArray(pages) &&
    pages.every((page) => isRecord(page) && isText(page.key) && isItems(page.items));
}
