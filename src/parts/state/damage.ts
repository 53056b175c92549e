import type { EntityRecord } from "../../schemas/plan.ts";
import type { EndpointMeta, State, StateMeta } from "./form.ts";

/** The members of a table by name, `undefined` for one that is damaged. In place of the whole, `null`: it is no table. */
export type Members<T> = ReadonlyMap<string, T | undefined> | null | undefined;

/** A state of which each part was looked at, once. */
export interface SoundState {
  readonly entities: Members<Members<EntityRecord>>;
  readonly entitiesMeta: Members<Members<StateMeta>>;
  readonly endpoints: Members<unknown>;
  readonly meta: Members<EndpointMeta>;
  readonly order: Members<string[]>;
  /** What has a form that no `stateOf` has given, by where it is: `entities.Article.5`. */
  readonly damage: readonly string[];
}

/** Looks at everything in a state. */
export function soundParts({ entities, entitiesMeta, endpoints, meta, order }: Partial<State>): SoundState {
  const damage: string[] = [];
  const sound = <T>(of: unknown, name: string, isSound: (value: unknown) => value is T): Members<T> => {
    if (of === undefined) return undefined;
    if (!isRecord(of)) return damage.push(name), null;
    return new Map(
      Object.entries(of).map(([own, value]) => {
        if (isSound(value)) return [own, value];
        damage.push(`${name}.${own}`);
        return [own, undefined];
      }),
    );
  };
  const tables = <T>(of: unknown, name: string, soundIn: (key: string) => (value: unknown) => value is T) => {
    const all = sound(of, name, isAnything);
    return all && new Map(Array.from(all, ([key, table]) => [key, sound(table, `${name}.${key}`, soundIn(key))]));
  };
  return {
    entities: tables(entities, "entities", recordIn),
    entitiesMeta: tables(entitiesMeta, "entitiesMeta", () => isStateMeta),
    endpoints: sound(endpoints, "endpoints", isAnything),
    meta: sound(meta, "meta", isEndpointMeta),
    order: sound(order, "order", isTexts),
    damage,
  };
}

function isAnything(_: unknown): _ is unknown {
  return true;
}

/** A record, or a table. */
export function isRecord(value: unknown): value is EntityRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Such as names of records. */
export function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
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

/** It says how old something is. */
function isStateMeta(meta: unknown): meta is StateMeta {
  return isRecord(meta) && Number.isFinite(meta.fetchedAt) &&
    (meta.expiresAt === null || typeof meta.expiresAt === "number");
}

/** It says what became of a request. */
function isEndpointMeta(meta: unknown): meta is EndpointMeta {
  if (!isStateMeta(meta)) return false;
  const { error, invalid = true, empty = true } = meta as EndpointMeta;
  if (invalid !== true || empty !== true) return false;
  if (error === undefined) return true;
  return isRecord(error) && isText(error.name) && isText(error.message) &&
    ["undefined", "number"].includes(typeof error.status);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
