import { makeDirty, type ViewNode } from "../denormalize/node.ts";
import { deepEqual } from "../normalize/deep_equal.ts";
import type { EntityRecord } from "../schemas/plan.ts";
import type { Contents } from "./contents.ts";
import type { Entry } from "./entry.ts";
import type { Patch } from "./patch.ts";
import type { RecordLog } from "./record_log.ts";
import { leave } from "./record_patch.ts";
import { shownOf } from "./response_view.ts";
import { noEntries, noItems } from "./shared_empty.ts";
import { NEVER, type Slot, type Table } from "./slot.ts";
import type { NamedPk } from "./temporary_ids.ts";

/**
 * Writes into a store what a patch wants. It cannot throw: everything that may fail was computed before.
 *
 * @param store Where to.
 * @param patch What.
 * @param turned Takes the views whose value may be another one now.
 */
export function applyPatch(store: Contents, patch: Patch, turned: ViewNode[]): void {
  if (patch.reset) {
    forget(store, turned);
    store.lastReset = patch.stamp.fetchedAt;
  }
  for (const { table, slots, isKnown } of patch.adopted) adopt(store, table, slots, isKnown, turned);
  writeRecords(store, patch, turned);
  if (patch.entries.length > 0) writeEntries(store, patch.entries, turned);
  showResults(store, patch.overlay?.results ?? noEntries(), turned);
  store.layers = patch.layers;
  // Those that failed are reported once. What takes the place of a temporary name, and a row that was waited for, stand
  // elsewhere in their tables from now on.
  const isMoved = patch.names.size + patch.reordered.size > 0;
  store.overlay = isMoved ? undefined : patch.overlay && { ...patch.overlay, failures: [] };
  if (patch.tableChanges.length > 0) {
    store.tableChanges = [...store.tableChanges, ...patch.tableChanges].sort((a, b) => a.stamp.seq - b.stamp.seq);
  }
  for (const key of patch.behind) store.behind.add(key);
}

function writeRecords(store: Contents, patch: Patch, turned: ViewNode[]): void {
  const { touched, stamp, tables } = patch;
  const shown = patch.overlay?.shown ?? noEntries<Slot, EntityRecord | undefined>();
  // What lies below the layers, before any of it is written.
  const bases = shown.size === 0
    ? noEntries<Slot, EntityRecord | undefined>()
    : new Map(Array.from(shown.keys(), (slot) => [slot, patch.baseOf(slot)]));
  for (const [slot, base] of store.bases) {
    // A layer showed it, and none does any more.
    if (!shown.has(slot) && slot.next === undefined) show(store, slot, base, turned);
  }
  if (patch.isAnswer) { for (const table of tables) table.isAsked = true; }
  for (const table of patch.known) know(store, table, turned);
  // Who has read while this was computed may have met rows that only arrive now.
  const moved = store.graph.uses === patch.uses ? patch.reordered : new Set([...patch.reordered, ...tables]);
  for (const table of moved) turnAll(store, table, turned, true);
  const isLast = stamp.seq >= store.lastSeq;
  if (isLast) store.lastSeq = stamp.seq;
  // Counted, where most patches have one: until it is optimized, an iterator costs as much as writing a record.
  for (let i = 0; i < touched.length; i++) {
    const slot = touched[i]!;
    const { next, rec } = slot;
    slot.next = undefined;
    const isCovered = shown.has(slot);
    // In the order of the table, also where a layer lies over it: rows that arrive are shown in that order.
    const seen = isCovered ? shown.get(slot) : next ?? undefined;
    if (seen === rec && rec === undefined && next !== null && store.bases.get(slot) === undefined) {
      arrive(store, slot, turned);
    }
    show(store, slot, seen, turned);
    if (isCovered || rec !== slot.rec) slot.table.version++;
    // What nobody knew was deleted.
    else if (next === null) turnNodes(slot, turned);
    // A late reply makes a record neither older nor younger.
    if (isLast || slot.stamp.seq <= stamp.seq) slot.stamp = stamp;
  }
  for (const [slot, record] of shown) show(store, slot, record, turned);
  showTables(store, shown, turned);
  const { bases: covered } = store;
  store.bases = bases;
  for (const [id, pk] of patch.names) rename(store, id, pk, turned);
  for (const slot of covered.keys()) leave(store, slot);
  if (patch.logs.size > 0) adoptLogs(store, patch);
  for (const slot of patch.named) unknow(store, slot, turned);
  for (const [slot, own] of patch.stamps) slot.stamp = own;
  for (const [slot, mark] of patch.stale) {
    slot.stamp = { ...slot.stamp, expiresAt: 0 };
    slot.table.version++;
    if (mark > patch.oldest) store.marks.set(slot, mark);
  }
  for (const [slot, unconfirmed] of patch.unconfirmed) {
    if (unconfirmed.marks.size > 0) (store.unconfirmed ??= new WeakMap()).set(slot, unconfirmed);
    else store.unconfirmed?.delete(slot);
  }
}

/** A table of which only a layer has a record is known as long as that is shown. */
function showTables(store: Contents, shown: ReadonlyMap<Slot, EntityRecord | undefined>, turned: ViewNode[]): void {
  if (shown.size + store.shownTables.size === 0) return;
  const tables = new Set<Table>();
  for (const [{ table }, record] of shown) if (record !== undefined) tables.add(table);
  for (const table of new Set([...store.shownTables, ...tables])) {
    const isShown = tables.has(table);
    if (isShown === table.isShown) continue;
    table.isShown = isShown;
    if (!table.known) turnAll(store, table, turned);
  }
  store.shownTables = tables;
}

function adoptLogs(store: Contents, { logs }: Patch): void {
  // A list under an older request: to put its logs into another map would cost a tenth of writing it.
  if (store.logs.size === 0) store.logs = logs as Map<Slot, RecordLog>;
  for (const [slot, log] of logs) {
    if (log === undefined) store.logs.delete(slot);
    else if (store.logs !== logs) store.logs.set(slot, log);
  }
}

/** Puts what readers see into a slot, and makes dirty what was made of it. */
function show(store: Contents, slot: Slot, rec: EntityRecord | undefined, turned: ViewNode[]): void {
  const { rec: before, table } = slot;
  if (before === rec) return;
  // The server confirmed what a layer showed: nobody needs to hear of it.
  if (rec !== undefined && before !== undefined && store.bases.has(slot) && deepEqual(before, rec)) return;
  slot.rec = rec;
  // Where a layer hid it, it was there all the time.
  const arrives = before === undefined && store.bases.get(slot) === undefined;
  if (table.indexes !== undefined) {
    for (const index of table.indexes.values()) index.changed(slot, before, rec, turned);
  }
  if (arrives) arrive(store, slot, turned);
  turnNodes(slot, turned);
}

/** A record is the last of its table, whether or not a layer hides it. */
function arrive(store: Contents, slot: Slot, turned: ViewNode[]): void {
  const { pk, table } = slot;
  for (const index of table.indexes?.values() ?? []) index.arrived(slot, pk, turned);
  for (const view of store.graph.allViews()) {
    if (view.plan.key !== table.key) continue;
    view.restart();
    makeDirty(view, turned);
  }
}

/** A deleted record was named by who does not know of it. */
function unknow(store: Contents, slot: Slot, turned: ViewNode[]): void {
  if (store.baseOf(slot) !== undefined) return;
  slot.stamp = NEVER;
  turnNodes(slot, turned);
  // What was asked for before the delete comes at the place where its log is.
  if (!store.logs.has(slot)) leave(store, slot);
}

/** A table has records, or its whole was written: it is known, and another than before. */
function know(store: Contents, table: Table, turned: ViewNode[]): void {
  table.version++;
  if (table.known) return;
  table.known = true;
  turnAll(store, table, turned);
}

/** The server has named a record: it takes the place of what was shown under the temporary name. */
function rename(store: Contents, id: string, named: NamedPk, turned: ViewNode[]): void {
  store.tables.ids.name(id, named);
  const pk = String(named);
  for (const view of watchedBy(store, id)) {
    // Told whatever it reads now: who asked with that name asks for another view from now on.
    store.broken.add(view);
  }
  for (const table of store.tables.byKey.values()) {
    const slot = table.slots.get(pk);
    const shown = table.slots.get(id);
    if (shown === undefined || slot === undefined) continue;
    // Where another layer hid it, nothing of it has changed.
    for (let { node } = shown; node !== undefined; node = node.sibling) {
      if (node.watchers !== undefined) store.broken.add(node);
    }
    store.graph.renamed(slot, id);
    // An object that was made of it before has the other name.
    for (let node = slot.node; node !== undefined; node = node.sibling) {
      node.built = undefined;
      makeDirty(node, turned);
    }
    putInPlaceOf(table.slots, id, pk, slot);
    turnAll(store, table, turned, true);
  }
}

/** Gives a slot the position of another, which goes. Only what is behind it is written anew: most have just arrived. */
function putInPlaceOf(slots: Map<string, Slot>, gone: string, pk: string, slot: Slot): void {
  slots.delete(pk);
  let behind: [pk: string, slot: Slot][] | undefined;
  for (const each of slots) {
    if (each[0] === gone) behind = [];
    else behind?.push(each);
  }
  slots.delete(gone);
  slots.set(pk, slot);
  for (const [name, other] of behind!) {
    slots.delete(name);
    slots.set(name, other);
  }
}

/** The watched views that were asked for with arguments in which a temporary name is. */
function* watchedBy(store: Contents, id: string): Iterable<ViewNode> {
  const name = new RegExp(`${id}(?!\\d)`);
  const isIn = (key: unknown) => typeof key === "string" && name.test(key);
  for (const views of store.graph.viewSets()) {
    for (const [key, view] of views) if (view.watchers !== undefined && isIn(key)) yield view;
  }
  for (const view of store.responses(isIn)) if (view.watchers !== undefined) yield view;
}

/** Every reading of a table as a whole is another; with `isOther`, its rows are. */
function turnAll(store: Contents, table: Table, turned: ViewNode[], isOther = false): void {
  for (const view of store.graph.allViews()) {
    if (view.plan.key !== table.key) continue;
    if (isOther) view.restart();
    makeDirty(view, turned);
  }
  for (const index of table.indexes?.values() ?? []) index[isOther ? "restart" : "turnAll"](turned);
}

function writeEntries(store: Contents, entries: readonly Entry[], turned: ViewNode[]): void {
  for (const entry of entries) {
    store.entries.set(entry);
    for (const view of store.responsesByKey.get(entry.key) ?? []) {
      // Of hydrated ones the first takes it.
      const own = store.entries.claim(entry.key, view.endpoint, view.args);
      if (own === undefined || (own !== entry && view.entry === own)) continue;
      view.entry = own;
      makeDirty(view, turned);
    }
  }
}

function showResults(store: Contents, results: ReadonlyMap<Entry, unknown>, turned: ViewNode[]): void {
  if (store.results.size + results.size === 0) return;
  const keys = new Set(Array.from([...store.results.keys(), ...results.keys()], ({ key }) => key));
  store.results = results;
  for (const key of keys) {
    for (const view of store.responsesByKey.get(key) ?? []) {
      const shown = shownOf(results, view.entry);
      // What is shown again, unchanged, stays the same object.
      if (deepEqual(view.shown, shown)) continue;
      view.shown = shown;
      makeDirty(view, turned);
    }
  }
}

function forget(store: Contents, turned: ViewNode[]): void {
  for (const table of store.tables.byKey.values()) {
    table.known = table.isShown = false;
    const { slots } = table;
    table.slots = new Map();
    for (const [pk, slot] of slots) {
      show(store, slot, undefined, turned);
      slot.stamp = NEVER;
      slot.next = undefined;
      // Who has read it is told when it comes again.
      if (slot.node !== undefined) table.slots.set(pk, slot);
    }
    turnAll(store, table, turned, true);
  }
  store.entries.clear();
  for (const view of store.responses(() => true)) {
    view.entry = undefined;
    // What nobody shows now was asked for by somebody else: no mark is to bring back its key.
    if (view.watchers === undefined) view.seen = 0;
    makeDirty(view, turned);
  }
  store.bases = noEntries();
  store.shownTables = noItems();
  store.logs.clear();
  store.tableChanges = [];
  store.behind.clear();
  store.overlaps.clear();
  store.marks.clear();
  store.unconfirmed = undefined;
  store.tables.ids.clear();
}

/** Records of another store, in its order; those of which somebody has read keep their place in the graph. */
function adopt(
  store: Contents,
  table: Table,
  slots: ReadonlyMap<string, Slot>,
  isKnown: boolean,
  turned: ViewNode[],
): void {
  for (const [pk, given] of slots) {
    const slot = table.slots.get(pk) ?? given;
    table.slots.delete(pk);
    table.slots.set(pk, slot);
    slot.rec = given.rec;
    slot.stamp = given.stamp;
    turnNodes(slot, turned);
  }
  table.isAsked = true;
  if (isKnown) know(store, table, turned);
  turnAll(store, table, turned, true);
}

/** Makes dirty what was made of a record. */
function turnNodes(slot: Slot, turned: ViewNode[]): void {
  for (let node = slot.node; node !== undefined; node = node.sibling) makeDirty(node, turned);
}
