import { NormalizeError } from "../errors/normalize_error.ts";
import { said } from "../errors/texts.ts";
import { eachOnce } from "../normalize/record.ts";
import { Entity } from "../schemas/entity.ts";
import { type AnySchema, ROWS, type RowsDeclaration, type StoredMembers } from "../schemas/interface.ts";
import { madeIn, onceFor } from "../schemas/once_for.ts";
import { type CollectionRecord, identityIn, type Items, missingIn } from "./collection_items.ts";
import { Aliases } from "../parts/temporary_ids/aliases.ts";
import { ListChanges } from "./list_changes.ts";
import type { Patch } from "../store/patch.ts";
import type { Tables } from "../store/tables.ts";

/** What is written to change a list. */
export interface RowsChange {
  /** What comes, by name where the items are. */
  readonly items: Items;
  /** What goes. */
  readonly gone?: readonly unknown[];
  /** What comes is first. */
  readonly isFirst?: boolean;
}

/** How items that come meet those that are there. Pure. */
export type MergeItems = (existing: Items, incoming: Items) => unknown;

/** What all collections have in common: nobody makes an instance of it, reads give the items themselves. */
class CollectionRows extends Entity {
  static override key = "";
  declare static readonly [ROWS]: RowsDeclaration;
  /** Changes what is there: a class of its own that shares the table. */
  declare static change: typeof CollectionRows;

  /** A state may name as a list what is none. */
  static override validate({ items }: StoredMembers): boolean {
    return typeof (items ?? 0) !== "object";
  }

  override pk(): undefined {}
}

const openLists = (patch: Patch) => new ListChanges(patch);
const openAliases = (tables: Tables) => new Aliases(tables);

const classOnce = /* @__PURE__ */ onceFor<typeof CollectionRows>();

/** The one class that reads and replaces the records of a table: collections that share the table read one object. */
export function sharedRows(key: string, item: AnySchema): typeof CollectionRows {
  return classOnce(item as object, key, () => {
    const rows = rowsClass(key, item, false, (existing, incoming) => withPages(existing, incoming, item));
    rows.change = changingRows(key, item, (items, change) => changed(items, change, item));
    return rows;
  });
}

/** Changes lists as an app says, with what it gives made sure of. */
export function addingRows(key: string, item: AnySchema, merge: MergeItems): typeof CollectionRows {
  return changingRows(key, item, (existing, { items: incoming }) => {
    const items = merge(existing, incoming);
    if (typeof items !== "object" || items === null || Array.isArray(items) !== Array.isArray(existing)) {
      throw new NormalizeError(`"${key}"`, "", said(135, { items, isList: Array.isArray(existing) }));
    }
    return items !== existing && Array.isArray(items) ? eachOnce(item, items) : items as Items;
  });
}

/**
 * A class that changes the items of records that are there. So a change has a sequence number, and is merged again like
 * any other write when an older reply comes late.
 */
function changingRows(
  key: string,
  item: AnySchema,
  change: (items: Items, change: RowsChange) => Items,
): typeof CollectionRows {
  return rowsClass(key, item, true, (existing, incoming) => {
    const items = change(existing.items, incoming);
    return items === existing.items ? existing : { ...existing, items };
  });
}

function rowsClass(
  key: string,
  item: AnySchema,
  amends: boolean,
  merge: (existing: CollectionRecord, incoming: CollectionRecord) => CollectionRecord,
): typeof CollectionRows {
  return class extends CollectionRows {
    static override key = key;
    static override readonly [ROWS]: RowsDeclaration = { item, amends, rules: new Map(), openLists, openAliases };
    static override merge = merge;
  };
}

/** Takes out what goes; what comes is put under its name, or where it is not there yet before or behind the others. */
function changed(existing: Items, { items, gone = [], isFirst }: RowsChange, item: AnySchema): Items {
  const identityOf = identityIn(item);
  const out = new Set(gone.map(identityOf));
  const isKept = (kept: unknown) => !out.has(identityOf(kept));
  const isSame = out.size === 0 || Object.values(existing).every(isKept);
  if (!Array.isArray(existing)) {
    if (isSame && Object.keys(items).length === 0) return existing;
    return { ...Object.fromEntries(Object.entries(existing).filter(([, kept]) => isKept(kept))), ...items };
  }
  const kept = isSame ? existing : existing.filter(isKept);
  const missing = missingIn(kept, items, item);
  return missing.length === 0 ? kept : isFirst ? [...missing, ...kept] : [...kept, ...missing];
}

/**
 * A list as it was answered replaces the items; of a list that was continued, those of its first page. A page replaces
 * what it brought before, or is the last.
 */
function withPages(existing: CollectionRecord, incoming: CollectionRecord, item: AnySchema): CollectionRecord {
  if (existing.pages === undefined && incoming.pages === undefined) return { ...existing, ...incoming };
  const [page = { key: "", items: incoming.items }] = incoming.pages ?? [];
  const before = existing.pages ?? [{ key: "", items: existing.items }];
  const at = before.findIndex(({ key }) => key === page.key);
  const pages = at >= 0 ? before.with(at, page) : page.key === "" ? [page, ...before] : [...before, page];
  const whole = { ...existing, ...incoming, pages };
  if (!Array.isArray(page.items)) return { ...whole, items: { ...existing.items, ...page.items } };
  const identityOf = identityIn(item);
  const row: readonly unknown[] = Object.values(existing.items);
  // What was added by itself, behind the item of a page that it follows.
  const paged = new Set([...before, page].flatMap(({ items }) => Object.values(items)).map(identityOf));
  const followers = new Map<unknown, unknown[]>();
  let last: unknown = HEAD;
  for (const one of row) {
    if (paged.has(identityOf(one))) last = identityOf(one);
    else madeIn(followers, last, () => []).push(one);
  }
  // What follows the last row of all is no part of what the last page says there is.
  if (pages.at(-1) === page && last !== HEAD) followers.delete(last);
  const take = (identity: unknown) => {
    const taken = followers.get(identity) ?? [];
    followers.delete(identity);
    return taken;
  };
  const there = new Set(row.map(identityOf));
  // From the last page: what follows an item of several pages stands in the last of them.
  const merged = pages.reduceRight<unknown[]>((behind, each, index) => {
    // Nor is what followed its rows as they were, also where these stand on another page now.
    if (each === page) { for (const one of Object.values(before[at]?.items ?? [])) take(identityOf(one)); }
    const rows = Object.values(each.items).flatMap((one) => {
      const identity = identityOf(one);
      const taken = take(identity);
      // A page that is answered says itself what there is; of the others, what was taken out since stays out.
      if (each === page) return [one];
      return there.has(identity) ? [one, ...taken] : [];
    });
    return [...index === 0 && each !== page ? take(HEAD) : [], ...rows, ...behind];
  }, []);
  return { ...whole, items: eachOnce(item, merged) };
}

/** Stands for what the first items of a list follow. */
const HEAD: unique symbol = Symbol("head");
