import { NormalizeError } from "../errors/normalize_error.ts";
import { said } from "../errors/texts.ts";
import { Entity } from "../schemas/entity.ts";
import {
  type AnyEntity,
  type AnySchema,
  isEntity,
  isSchemaObject,
  ROWS,
  type RowsDeclaration,
  type StoredMembers,
} from "../schemas/interface.ts";
import { onceFor } from "../schemas/once_for.ts";
import { judgeLists } from "./judge_lists.ts";
import { RowsNode } from "./rows_node.ts";

/** One list (or object of items) as it is stored: its items, and the arguments that it is found by. */
export interface CollectionRecord extends StoredMembers {
  /** What refers to each item: pks in order, or by name. */
  readonly items: readonly unknown[] | { readonly [name: string]: unknown };
  /** The arguments, as text; `undefined` where an entity keeps the list for itself. */
  readonly args?: { readonly [name: string]: string } | undefined;
  /** The arguments that its own answer showed to be no comparison with the member of their name: a search. */
  readonly unknown?: readonly string[] | undefined;
  /** It comes in pages, also where no argument says so. */
  readonly isPaged?: boolean | undefined;
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

/** The same, told what each item is. */
export type MergeReferences = (
  existing: CollectionRecord["items"],
  incoming: CollectionRecord["items"],
  item: AnySchema,
) => CollectionRecord["items"];

const classOnce = /* @__PURE__ */ onceFor<typeof CollectionRows>();

/** The one class that reads and replaces the records of a table: collections that share the table read one object. */
export function sharedRows(key: string, item: AnySchema): typeof CollectionRows {
  return classOnce(item as object, key, () => rowsClass(key, item));
}

/**
 * The class of the records of a collection. Each way to change them is a class of its own that shares the table: so a
 * change has a sequence number, and is merged again like any other write when an older reply comes late.
 *
 * @param key The table.
 * @param item What each item is.
 * @param merge How this class changes what is there; without it, it replaces the items.
 */
export function rowsClass(key: string, item: AnySchema, merge?: MergeReferences): typeof CollectionRows {
  const rows: RowsDeclaration = { item, amends: merge !== undefined, judgeLists, node: RowsNode };
  class Rows extends CollectionRows {
    static override key = key;
    static override readonly [ROWS] = rows;
  }
  Rows.merge = merge === undefined
    ? (existing: CollectionRecord, incoming: CollectionRecord) => mergePages(existing, incoming, item)
    : (existing: CollectionRecord, incoming: CollectionRecord) => {
      const items = merge(existing.items, incoming.items, item);
      return items === existing.items ? existing : { ...existing, items };
    };
  return Rows;
}

/** How an app merges, with what it gives made sure of. */
export function checkedMerge(key: string, merge: MergeItems): MergeReferences {
  return (existing, incoming, item) => {
    const items = merge(existing, incoming);
    if (typeof items !== "object" || items === null || Array.isArray(items) !== Array.isArray(existing)) {
      throw new NormalizeError(`"${key}"`, "", said(135, { items, isList: Array.isArray(existing) }));
    }
    return items !== existing && Array.isArray(items) ? unique(item, items) : items as Items;
  };
}

/**
 * A list as it was answered replaces the items; of a list that was continued, those of its first page. A page replaces
 * what it brought before, or is the last.
 */
function mergePages(existing: CollectionRecord, incoming: CollectionRecord, item: AnySchema): CollectionRecord {
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
  const identityOf = identityIn(item);
  const followers = followersOf(listOf(existing.items), [...before, ...pages], identityOf);
  const there = new Set(listOf(existing.items).map(identityOf));
  const take = (identity: unknown) => {
    const taken = followers.get(identity) ?? [];
    followers.delete(identity);
    return taken;
  };
  const merged = pages.flatMap((page) => {
    // A page that is answered says itself what there is; of the others, what was taken out since stays out.
    if (page.key === key) return listOf(page.items);
    const own = listOf(page.items).filter((one) => there.has(identityOf(one)));
    const head = page === pages[0] ? take(HEAD) : [];
    return [...head, ...own.flatMap((one) => [one, ...take(identityOf(one))])];
  });
  return { ...whole, items: unique(item, merged) };
}

/** Stands for what the first items of a list follow. */
const HEAD: unique symbol = Symbol("head");

/** What was added by itself, by the item of a page that it follows. */
function followersOf(
  items: readonly unknown[],
  pages: readonly RowsPage[],
  identityOf: (kept: unknown) => unknown,
): Map<unknown, unknown[]> {
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
  declare static readonly [ROWS]: RowsDeclaration;

  /** A state may name as a list what is none. */
  static override validate({ items }: StoredMembers): boolean {
    return typeof (items ?? 0) !== "object";
  }

  override pk(): undefined {}
}

/** The entity that an item is, and what it is kept as. */
export function pickOf(item: AnySchema, kept: unknown): readonly [entity: AnyEntity, reference: unknown] | undefined {
  if (isEntity(item)) return [item, kept];
  return isSchemaObject(item) ? item.pick?.(kept) : undefined;
}

/** Names the record that an item refers to; `undefined` where it is data: `null`, what is not mapped, not saved yet. */
export function referenceOf(item: AnySchema, kept: unknown): string | undefined {
  if (isEntity(item)) return typeof kept === "string" && kept !== "" ? kept : undefined;
  const picked = pickOf(item, kept);
  return typeof picked?.[1] === "string" ? JSON.stringify([picked[0].key, picked[1]]) : undefined;
}

/** Tells one item from another; what refers to no record is only itself. */
function identityIn(item: AnySchema): (kept: unknown) => unknown {
  return (kept) => referenceOf(item, kept) ?? kept;
}

/** The items with each record once, the first of equals. */
export function unique(item: AnySchema, items: readonly unknown[]): readonly unknown[] {
  const kept = missingIn([], items, item);
  return kept.length === items.length ? items : kept;
}

type Items = CollectionRecord["items"];

const listOf = (items: Items): readonly unknown[] => Array.isArray(items) ? items : [];

/** Those of the second whose record is not in the first, each once. */
function missingIn(existing: readonly unknown[], incoming: readonly unknown[], item: AnySchema): readonly unknown[] {
  // A set of those that come: there are few of them, and they may come to a list of many.
  const missing = new Set(incoming.map((kept) => referenceOf(item, kept)));
  for (const kept of existing) missing.delete(referenceOf(item, kept));
  return incoming.filter((kept) => {
    const reference = referenceOf(item, kept);
    return reference === undefined || missing.delete(reference);
  });
}

/** Puts items that are not there yet behind the others. */
export function pushItems(existing: Items, incoming: Items, item: AnySchema): Items {
  const missing = missingIn(listOf(existing), listOf(incoming), item);
  return missing.length === 0 ? existing : [...listOf(existing), ...missing];
}

/** Puts items that are not there yet before the others. */
export function unshiftItems(existing: Items, incoming: Items, item: AnySchema): Items {
  const missing = missingIn(listOf(existing), listOf(incoming), item);
  return missing.length === 0 ? existing : [...missing, ...listOf(existing)];
}

/** Puts items under their names. */
export function assignItems(existing: Items, incoming: Items): Items {
  return { ...existing, ...incoming };
}

/** Takes items out. */
export function removeItems(existing: Items, incoming: Items, item: AnySchema): Items {
  const identityOf = identityIn(item);
  const gone = new Set(Object.values(incoming).map(identityOf));
  if (Array.isArray(existing)) {
    const kept = existing.filter((one) => !gone.has(identityOf(one)));
    return kept.length === existing.length ? existing : kept;
  }
  const entries = Object.entries(existing);
  const kept = entries.filter(([, one]) => !gone.has(identityOf(one)));
  return kept.length === entries.length ? existing : Object.fromEntries(kept);
}
