import { eachOnce } from "../normalize/record.ts";
import { type AnySchema, isEntity, isSchemaObject } from "../schemas/interface.ts";
import { plainOf } from "../schemas/subjects.ts";
import type { Entry, Page } from "./entry.ts";
import { isNamed, joinLists, type PageRows, pageRows } from "./page_rows.ts";
import type { Patch } from "./patch.ts";
import type { Contents } from "./contents.ts";

/** What the pages of an entry amount to. */
export type Paginated = Pick<Entry, "pages" | "result" | "expiresAt">;

/** A page as it was answered. */
export interface NewPage extends Omit<Page, "order" | "isStale"> {
  /** The answer is not to be trusted. */
  readonly isMarked: boolean;
}

/**
 * An entry with one more page, or another answer of one. The first page is that of the entry itself.
 *
 * @param schema Where lists are in the answer.
 * @param before The entry as it was.
 * @param page The page.
 * @param rows Reads the rows of pages.
 * @returns `undefined` when a later answer of the page is there already.
 */
export function withPage(schema: AnySchema, before: Entry, page: NewPage, rows: PageRows): Paginated | undefined {
  const pagesBefore = pagesOf(before, rows.kept(page.result));
  const pages = [...pagesBefore];
  let at = pages.findIndex(({ key }) => key === page.key);
  const known = pages[at];
  if (known !== undefined && known.seq > page.seq) return undefined;
  const isFirst = page.key === "";
  if (known === undefined) {
    at = isFirst ? 0 : pages.findIndex(({ key, order }) => key !== "" && order > page.seq);
    if (at < 0) at = pages.length;
  }
  const { isMarked, ...answered } = page;
  // One before it was asked for again meanwhile: what that lost may be in neither.
  const isStale = isMarked || pages.slice(0, at).some(({ order, seq }) => order < page.seq && seq > page.seq);
  const order = known?.order ?? page.seq;
  pages.splice(at, known === undefined ? 0 : 1, { ...answered, order, isStale });
  const result = combine(schema, pages.map(({ result }) => result));
  const whole = rows.after(result);
  const were = rows.before(before.result);
  const isLost = (name: string) => were.has(name) && !whole.has(name);
  const each = pages.map(({ key, result }) => [...rows.after(result, key)]);
  const earlier = each.slice(0, at).flat();
  const own = each[at]!;
  const leads = ({ result }: NewPage | Page, { cursor }: Page) => leadsTo(schema, result, cursor);
  // It does not lead to where one led whose place it takes, or behind which it comes; or what is in no page any more may
  // have moved on to one that was not asked for again.
  const led = known ?? pages[at - 1];
  const isLate = [...were].some(isLost) ||
    (led !== undefined && pages.slice(at + 1).some((later) => leads(led, later) && !leads(page, later)));
  // Where rows are deleted in the pages before, these take its first ones. What is lost behind one that stays has not gone
  // there.
  const head = known && [...rows.before(known.result, page.key)].find((name) => isLost(name) || own.includes(name));
  const isEarly = (head !== undefined && isLost(head)) ||
    // Each row stands on one page, and none has left the pages that were counted.
    (page.isCounted && !(earlier.every((name) => whole.has(name)) && isUnique([...earlier, ...own])));
  pages.forEach((one, i) => {
    if (i < at ? isEarly : i > at && isLate) pages[i] = { ...one, isStale: true };
  });
  return { pages, result, expiresAt: expiryOf(before, pagesBefore, pages, isFirst) };
}

/**
 * Rows are deleted: nobody knows whether the pages behind theirs, answered meanwhile, were counted with them. Such pages
 * are to be asked for again.
 *
 * @param since Since when it may have been so, by the count of events.
 */
export function markShifted(store: Contents, patch: Patch, since: number): void {
  const gone = patch.touched.filter((slot) => slot.next === null && store.baseOf(slot) !== undefined);
  if (gone.length === 0) return;
  const names = gone.map(({ table, pk }) => JSON.stringify([table.key, pk]));
  for (const entry of store.entries.all()) {
    const { pages = [], shape } = entry;
    // What this patch has marked is older than that already.
    if (shape === undefined || patch.entries.some(({ key }) => key === entry.key)) continue;
    const rows = pageRows(store, patch, shape.schema);
    const from = pages.findIndex(({ result, key }) => names.some((name) => rows.before(result, key).has(name)));
    const isShifted = ({ at, isCounted }: Page, index: number) => from >= 0 && index > from && isCounted && at > since;
    if (!pages.some(isShifted)) continue;
    const shifted = pages.map((page, index) => ({ ...page, isStale: page.isStale || isShifted(page, index) }));
    patch.addEntry({ ...entry, pages: shifted, expiresAt: 0 });
    markPages(patch, { pages: shifted, staleSeq: 0 });
  }
}

/** What the list says of its pages, their own answers say, too: to ask for those is what mends it. */
export function markPages(patch: Patch, list: Pick<Entry, "pages" | "staleSeq"> | undefined): void {
  for (const page of list?.pages ?? []) {
    if (!isOld(page, list!)) continue;
    for (const entry of patch.entriesOf(page.own)) patch.addEntry({ ...entry, expiresAt: 0 });
  }
}

/** A page is out of date, or was asked for before its list was marked stale. */
function isOld({ isStale, seq }: Page, { staleSeq }: Pick<Entry, "staleSeq">): boolean {
  return isStale || seq < staleSeq;
}

/** The pages of an entry; of one that came hydrated, those that its list keeps. One that had none has one. */
function pagesOf(entry: Entry, kept: readonly string[] | undefined): readonly Page[] {
  const { hasResult, seq, result, expiresAt, pages } = entry;
  if (pages !== undefined) return pages;
  const isStale = kept !== undefined && hasResult && expiresAt === 0;
  const page = { own: "", order: 0, at: 0, seq, result, expiresAt, cursor: [], isCounted: true, isStale };
  return (kept ?? (hasResult ? [""] : [])).map((key) => ({ key, ...page }));
}

/** The list is as fresh as its first page; not at all where that is not there, or a page is out of date. */
function expiryOf(before: Entry, known: readonly Page[], pages: readonly Page[], isFirst: boolean): number {
  const isOneOld = (all: readonly Page[]) => all.some((page) => isOld(page, before));
  const [first] = pages;
  if (first!.key !== "" || isOneOld(pages)) return 0;
  return isFirst || isOneOld(known) ? first!.expiresAt : before.expiresAt;
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

/** Names of arguments that say what a page begins behind, whatever stands before that; all other numbers count. */
const CURSOR = /after|before|since|until|cursor|token|key|id$/i;

/** The arguments that a page has and its list has not, as text; and whether one of them counts pages or rows. */
export function cursorOf(
  args: readonly unknown[],
  listArgs: readonly unknown[],
): Pick<NewPage, "cursor" | "isCounted"> {
  const cursor: string[] = [];
  let isCounted = false;
  args.forEach((arg, at) => {
    if (typeof arg !== "object" || arg === null) return;
    const of = listArgs[at];
    for (const [name, value] of Object.entries(arg)) {
      const isShared = typeof of === "object" && of !== null && (of as Record<string, unknown>)[name] === value;
      if (isShared || value === undefined || typeof value === "object") continue;
      cursor.push(String(value));
      isCounted ||= !CURSOR.test(name) && /^\d+$/.test(String(value));
    }
  });
  return { cursor, isCounted };
}

/** Lists one after the other, each item once; everything else as the last page has it. */
function combine(schema: AnySchema, results: readonly unknown[]): unknown {
  return joinLists(schema, results, ({ item, isList }, lists) => {
    if (isList && lists.some(Array.isArray)) {
      // What is no reference is the same as itself, and `null` as nothing.
      const seen = new Set<unknown>();
      const isNew = (kept: unknown) => kept === null || (!seen.has(kept) && seen.add(kept));
      return eachOnce(item, lists.filter(Array.isArray).flat().filter(isNew));
    }
    // A name may be that of a setter of prototypes: only entries are defined.
    if (isList === false && lists.every(isNamed)) {
      return Object.fromEntries(lists.flatMap((one) => Object.entries(one)));
    }
    return lists.at(-1);
  });
}

function isUnique(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}
