import type { EntityRecord } from "../../schemas/plan.ts";
import type { EndpointMeta, State, StateMeta } from "./form.ts";

/** What has a form that no `stateOf` has given, by where it is: `entities.Article.5`. */
export function damageOf(state: Partial<State>): string[] {
  const damage: string[] = [];
  const look = (of: unknown, name: string, isSound: (value: unknown, own: string) => boolean): true => {
    if (of !== undefined && !isRecord(of)) damage.push(name);
    for (const own of namesIn(of)) if (!isSound(insideOf(of, own), own)) damage.push(`${name}.${own}`);
    return true;
  };
  const { entities, entitiesMeta, endpoints, meta, order } = state;
  look(entities, "entities", (records, key) => look(records, `entities.${key}`, recordIn(key)));
  look(entitiesMeta, "entitiesMeta", (metas, key) => look(metas, `entitiesMeta.${key}`, isStateMeta));
  look(endpoints, "endpoints", () => true);
  look(meta, "meta", isEndpointMeta);
  look(order, "order", isTexts);
  return damage;
}

/** A member of a plain table, whose own it must be: a pk may be called `constructor`. In what is no table it is `null`. */
export function insideOf(of: unknown, name: string): unknown {
  if (of === undefined) return undefined;
  return isRecord(of) ? Object.hasOwn(of, name) ? of[name] : undefined : null;
}

/** The names of a plain table. */
export function namesIn(of: unknown): string[] {
  return isRecord(of) ? Object.keys(of) : [];
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
export function recordIn(key: string): (value: unknown) => value is EntityRecord {
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
export function isStateMeta(meta: unknown): meta is StateMeta {
  return isRecord(meta) && Number.isFinite(meta.fetchedAt) &&
    (meta.expiresAt === null || typeof meta.expiresAt === "number");
}

/** It says what became of a request. */
export function isEndpointMeta(meta: unknown): meta is EndpointMeta {
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
