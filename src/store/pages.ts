import { define } from "../normalize/record.ts";
import {
  type AnySchema,
  isEntity,
  isSchemaObject,
  plainOf,
  type SchemaObject,
  type StoredMembers,
} from "../schemas/interface.ts";
import type { Entry } from "./entry.ts";

/** One page of the answer of a list. */
export interface Page {
  /** Names the request of the page; the key of the entry for the first. */
  readonly key: string;
  /** Where its first request stood in the order of writes: pages stand in that order, whatever the order of replies. */
  readonly order: number;
  /** Where its present answer stands. */
  readonly place: number;
  /** What remained of its answer. */
  readonly result: unknown;
  /** Until when the answer is fresh; ms since 1970. */
  readonly expiresAt: number;
  /** The arguments that the list does not have: a cursor, a number, an offset. */
  readonly cursor: readonly string[];
  /** The page before it named its cursor. */
  readonly isLed: boolean;
  /** A page before it has been fetched again since, and leads elsewhere. */
  readonly isStale: boolean;
}

/** What the pages of an entry amount to. */
export type Paginated = Pick<Entry, "pages" | "result" | "expiresAt">;

/** A page as it was answered. */
export type NewPage = Pick<Page, "key" | "place" | "result" | "expiresAt" | "cursor">;

/**
 * An entry with one more page, or another answer of one. The first page is that of the entry itself.
 *
 * @param schema Where lists are in the answer.
 * @param before The entry as it was.
 * @param page The page.
 * @param isLost Whether a row of one answer is neither in another nor deleted.
 * @returns `undefined` when a later answer of the page is there already.
 */
export function withPage(
  schema: AnySchema,
  before: Entry,
  page: NewPage,
  isLost: (before: unknown, after: unknown) => boolean,
): Paginated | undefined {
  const pages = [...before.pages ?? firstPage(before)];
  let at = pages.findIndex(({ key }) => key === page.key);
  const known = pages[at];
  if (known !== undefined && known.place > page.place) return undefined;
  const isFirst = page.key === before.key;
  if (known === undefined) {
    at = isFirst ? 0 : pages.findIndex(({ key, order }) => key !== before.key && order > page.place);
    if (at < 0) at = pages.length;
  }
  const isLed = known?.isLed ?? (at > 0 && leadsTo(schema, pages[at - 1]!.result, page.cursor));
  const next: Page = { ...page, order: known?.order ?? page.place, isLed, isStale: false };
  pages.splice(at, known === undefined ? 0 : 1, next);
  const result = combine(schema, pages.map(({ result }) => result));
  const follower = pages[at + 1];
  if (follower !== undefined) {
    const leads = !follower.isLed || leadsTo(schema, page.result, follower.cursor);
    // What is in no page any more may have moved on to one that was not asked for again.
    if (!leads || isLost(before.hasResult ? before.result : undefined, result)) {
      for (let i = at + 1; i < pages.length; i++) pages[i] = { ...pages[i]!, isStale: true };
    }
  }
  return { pages, result, expiresAt: expiryOf(before, pages, isFirst) };
}

/** An entry that had no pages until now has one. */
function firstPage({ hasResult, key, place, result, expiresAt }: Entry): readonly Page[] {
  return hasResult ? [{ key, order: 0, place, result, expiresAt, cursor: [], isLed: false, isStale: false }] : [];
}

/** The list is as fresh as its first page; not at all where that is not there, or leads elsewhere than it did. */
function expiryOf(before: Entry, pages: readonly Page[], isFirst: boolean): number {
  const [first] = pages;
  if (first!.key !== before.key || pages.some(({ isStale }) => isStale)) return 0;
  if (isFirst) return first!.expiresAt;
  return before.pages?.some(({ isStale }) => isStale) && first!.place >= before.stalePlace
    ? first!.expiresAt
    : before.expiresAt;
}

/** Whether an answer names a cursor beside its lists: as a member, or in an address. */
function leadsTo(schema: AnySchema, result: unknown, cursor: readonly string[]): boolean {
  if (cursor.length === 0) return false;
  const missing = new Set(cursor);
  const stack: (readonly [schema: AnySchema, value: unknown, name: string])[] = [[schema, result, ""]];
  while (stack.length > 0 && missing.size > 0) {
    const [schema, value, name] = stack.pop()!;
    const declared = plainOf(schema);
    // Rows are pks, and a page number may be one of them.
    if (Array.isArray(declared) || isEntity(declared) || isSchemaObject(declared)) continue;
    if (typeof value === "object" && value !== null) {
      const members = (declared ?? {}) as { readonly [name: string]: AnySchema };
      for (const [own, member] of Object.entries(value)) {
        stack.push([Object.hasOwn(members, own) ? members[own] : undefined, member, Array.isArray(value) ? name : own]);
      }
    } else if (value !== undefined && value !== null) {
      const text = String(value);
      // A number may also count pages, or rows.
      if (!/^\d+$/.test(text) || /next/i.test(name)) missing.delete(text);
      const search = text.indexOf("?");
      if (search >= 0) { for (const [, part] of new URLSearchParams(text.slice(search))) missing.delete(part); }
    }
  }
  return missing.size === 0;
}

/** Finds the record of a collection's list, as it was or as it is going to be. */
export type FindList = (collection: SchemaObject, kept: string) => StoredMembers | undefined;

/** What stands in the lists of an answer, with the schema of each item. Along the declaration only. */
export function* rowsOf(
  given: AnySchema,
  result: unknown,
  find: FindList,
): Iterable<readonly [item: AnySchema, kept: unknown]> {
  const schema = plainOf(given);
  if (isEntity(schema) || typeof schema !== "object" || schema === null || result === undefined) return;
  if (isSchemaObject(schema) && schema.isCollection) {
    const { items = [] } = (typeof result === "string" && find(schema, result) || {}) as { readonly items?: object };
    const { item } = schema as { readonly item?: AnySchema };
    for (const kept of Object.values(items)) yield [item, kept];
    return;
  }
  const item = Array.isArray(schema) ? schema[0] as AnySchema : isSchemaObject(schema) ? schema.items?.item : undefined;
  if (item !== undefined) {
    for (const kept of Object.values(result ?? {})) yield [item, kept];
  } else if (isSchemaObject(schema)) {
    const { schema: inner } = schema as { readonly schema?: AnySchema };
    if (inner !== undefined) yield* rowsOf(inner, result, find);
  } else if (isNamed(result)) {
    for (const [name, member] of Object.entries(schema)) {
      if (Object.hasOwn(result, name)) yield* rowsOf(member as AnySchema, result[name], find);
    }
  }
}

/** The arguments that a page has and its list has not, as text. */
export function cursorOf(args: readonly unknown[], listArgs: readonly unknown[]): readonly string[] {
  const cursor: string[] = [];
  args.forEach((arg, at) => {
    if (typeof arg !== "object" || arg === null) return;
    const of = listArgs[at];
    for (const [name, value] of Object.entries(arg)) {
      const isShared = typeof of === "object" && of !== null && (of as Record<string, unknown>)[name] === value;
      if (!isShared && value !== undefined && typeof value !== "object") cursor.push(String(value));
    }
  });
  return cursor;
}

/** Lists one after the other, each item once; everything else as the last page has it. Along the declaration only. */
function combine(given: AnySchema, results: readonly unknown[]): unknown {
  const schema = plainOf(given);
  const last = results.at(-1);
  const isList = Array.isArray(schema) || (isSchemaObject(schema) && schema.items?.isList === true);
  if (isList && results.some(Array.isArray)) {
    return uniqueItems(results.flatMap((one) => Array.isArray(one) ? one : []));
  }
  if (isSchemaObject(schema) && schema.items?.isList === false && results.every(isNamed)) {
    // A name may be that of a setter of prototypes: only entries are defined.
    return Object.fromEntries(results.flatMap((one) => Object.entries(one)));
  }
  if (isSchemaObject(schema) && !schema.isCollection) {
    const { schema: inner } = schema as { readonly schema?: AnySchema };
    return inner === undefined ? last : combine(inner, results);
  }
  if (typeof schema !== "object" || schema === null || isSchemaObject(schema) || isEntity(schema)) return last;
  if (Array.isArray(schema) || !isNamed(last)) return last;
  const combined: Record<string, unknown> = { ...last };
  for (const [name, member] of Object.entries(schema as { readonly [member: string]: AnySchema })) {
    const parts = results.filter(isNamed).filter((one) => Object.hasOwn(one, name)).map((one) => one[name]);
    if (parts.length === 0 || !(Object.hasOwn(last, name) || parts.some(Array.isArray))) continue;
    define(combined, name, combine(member, parts));
  }
  return combined;
}

function isNamed(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function uniqueItems(items: readonly unknown[]): readonly unknown[] {
  const seen = new Set<unknown>();
  return items.filter((item) => {
    const identity = isNamed(item) && typeof item.id === "string" && typeof item.schema === "string"
      ? JSON.stringify([item.schema, item.id])
      : item;
    if (seen.has(identity) && identity !== null) return false;
    seen.add(identity);
    return true;
  });
}
