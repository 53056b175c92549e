import { Entity } from "./entity.ts";
import { type AnySchema, ROWS, type RowsDeclaration, type StoredMembers } from "./interface.ts";

/** One list (or object of items) as it is stored: its items, and the arguments that it is found by. */
export interface CollectionRecord extends StoredMembers {
  /** What refers to each item: pks in order, or by name. */
  readonly items: readonly unknown[] | { readonly [name: string]: unknown };
  /** The arguments, as text; `undefined` where an entity keeps the list for itself. */
  readonly args?: { readonly [name: string]: string } | undefined;
  /** Of a list that was continued: what each page brought, in the order in which pages were first asked for. */
  readonly pages?: readonly RowsPage[] | undefined;
}

/** What one page of a list brought. */
export interface RowsPage {
  /** Names the request; `""`: the list itself. */
  readonly key: string;
  /** What refers to each item. */
  readonly items: readonly unknown[] | { readonly [name: string]: unknown };
}

/** How items that come meet those that are there. Pure. */
export type MergeItems = (existing: CollectionRecord["items"], incoming: CollectionRecord["items"]) => unknown;

const classes = new WeakMap<object, Map<string, typeof CollectionRows>>();

/** The one class that reads and replaces the records of a table: collections that share the table read one object. */
export function sharedRows(key: string, item: AnySchema): typeof CollectionRows {
  let byKey = classes.get(item as object);
  if (byKey === undefined) classes.set(item as object, byKey = new Map());
  let rows = byKey.get(key);
  if (rows === undefined) byKey.set(key, rows = rowsClass(key, item));
  return rows;
}

/**
 * The class of the records of a collection. Each way to change them is a class of its own that shares the table: so a
 * change has a place in the order of writes, and is merged again like any other write when an older reply comes late.
 *
 * @param key The table.
 * @param item What each item is.
 * @param merge How this class changes what is there; without it, it replaces the items.
 */
export function rowsClass(key: string, item: AnySchema, merge?: MergeItems): typeof CollectionRows {
  const rows: RowsDeclaration = { item, amends: merge !== undefined };
  class Rows extends CollectionRows {
    static override key = key;
    static readonly [ROWS] = rows;
  }
  if (merge === undefined) Rows.merge = mergePages;
  else {
    Rows.merge = (existing: CollectionRecord, incoming: CollectionRecord) => {
      const items = merge(existing.items, incoming.items);
      return items === existing.items ? existing : { ...existing, items };
    };
  }
  return Rows;
}

/**
 * A list as it was answered replaces the items; of a list that was continued, those of its first page. A page replaces
 * what it brought before, or is the last.
 */
function mergePages(existing: CollectionRecord, incoming: CollectionRecord): CollectionRecord {
  if (existing.pages === undefined && incoming.pages === undefined) return { ...existing, ...incoming };
  const [{ key, items }] = incoming.pages as readonly [RowsPage] ?? [{ key: "", items: incoming.items }];
  const before = existing.pages ?? [{ key: "", items: existing.items }];
  const at = before.findIndex((page) => page.key === key);
  const pages = at >= 0
    ? before.map((page, index) => index === at ? { key, items } : page)
    : key === ""
    ? [{ key, items }, ...before]
    : [...before, { key, items }];
  const whole = { ...existing, ...incoming, pages };
  if (!Array.isArray(items)) return { ...whole, items: { ...existing.items, ...items } };
  const followers = followersOf(listOf(existing.items), [...before, ...pages]);
  const there = new Set(listOf(existing.items).map(identityOf));
  const merged = pages.flatMap((page) => {
    // A page that is answered says itself what there is; of the others, what was taken out since stays out.
    if (page.key === key) return listOf(page.items);
    const own = listOf(page.items).filter((item) => there.has(identityOf(item)));
    const head = page === pages[0] ? followers.get(HEAD) ?? [] : [];
    return [...head, ...own.flatMap((item) => [item, ...followers.get(identityOf(item)) ?? []])];
  });
  return { ...whole, items: unique(merged) };
}

/** Stands for what the first items of a list follow. */
const HEAD: unique symbol = Symbol("head");

/** What was added by itself, by the item of a page that it follows. */
function followersOf(items: readonly unknown[], pages: readonly RowsPage[]): Map<unknown, unknown[]> {
  const paged = new Set(pages.flatMap((page) => listOf(page.items)).map(identityOf));
  const followers = new Map<unknown, unknown[]>();
  let last: unknown = HEAD;
  for (const item of items) {
    const identity = identityOf(item);
    if (paged.has(identity)) last = identity;
    else if (followers.has(last)) followers.get(last)!.push(item);
    else followers.set(last, [item]);
  }
  return followers;
}

/** What all collections have in common: nobody makes an instance of it, reads give the items themselves. */
class CollectionRows extends Entity {
  static override key = "";

  override pk(): undefined {}
}

/** Tells one item from another: by pk, or by pk and tag; what has neither is only itself. */
export function identityOf(kept: unknown): unknown {
  if (typeof kept !== "object" || kept === null) return kept;
  const { id, schema } = kept as { readonly id?: unknown; readonly schema?: unknown };
  return typeof id === "string" && typeof schema === "string" ? JSON.stringify([schema, id]) : kept;
}

/** The items with each once, the first of equals. */
export function unique(items: readonly unknown[]): readonly unknown[] {
  const seen = new Set<unknown>();
  const kept = items.filter((item) => {
    const identity = identityOf(item);
    if (seen.has(identity)) return false;
    seen.add(identity);
    return true;
  });
  return kept.length === items.length ? items : kept;
}

type Items = CollectionRecord["items"];

const listOf = (items: Items): readonly unknown[] => Array.isArray(items) ? items : [];

/** Those of the second that are not in the first. */
function missingIn(existing: readonly unknown[], incoming: readonly unknown[]): readonly unknown[] {
  const there = new Set(existing.map(identityOf));
  return unique(incoming).filter((item) => !there.has(identityOf(item)));
}

/** Puts items that are not there yet behind the others. */
export function pushItems(existing: Items, incoming: Items): Items {
  const missing = missingIn(listOf(existing), listOf(incoming));
  return missing.length === 0 ? existing : [...listOf(existing), ...missing];
}

/** Puts items that are not there yet before the others. */
export function unshiftItems(existing: Items, incoming: Items): Items {
  const missing = missingIn(listOf(existing), listOf(incoming));
  return missing.length === 0 ? existing : [...missing, ...listOf(existing)];
}

/** Puts items under their names. */
export function assignItems(existing: Items, incoming: Items): Items {
  return { ...existing, ...incoming };
}

/** Takes items out. */
export function removeItems(existing: Items, incoming: Items): Items {
  const gone = new Set(Object.values(incoming).map(identityOf));
  if (Array.isArray(existing)) {
    const kept = existing.filter((item) => !gone.has(identityOf(item)));
    return kept.length === existing.length ? existing : kept;
  }
  const entries = Object.entries(existing);
  const kept = entries.filter(([, item]) => !gone.has(identityOf(item)));
  return kept.length === entries.length ? existing : Object.fromEntries(kept);
}
