import { makeDirty, type ViewNode } from "../denormalize/node.ts";
import { deepEqual } from "../normalize/deep_equal.ts";
import type { EntityRecord } from "../schemas/plan.ts";
import type { Contents } from "./contents.ts";
import type { Entry } from "./entry.ts";
import { NO_OVERLAY, type Overlay } from "./layer.ts";
import type { Patch } from "./patch.ts";
import type { RecordLog } from "./record_log.ts";
import { leave } from "./record_patch.ts";
import { shownOf } from "./response_view.ts";
import { NEVER, type Slot, type Table } from "./slot.ts";

/**
 * Writes into a store what a patch wants. It cannot throw: everything that may fail was computed before.
 *
 * @param store Where to.
 * @param patch What.
 * @param turned Takes the views whose value may be another one now.
 */
export function applyPatch(store: Contents, patch: Patch, turned: ViewNode[]): void {
  const { overlay: { results } } = store;
  if (patch.reset) {
    forget(store, turned);
    store.lastReset = patch.stamp.fetchedAt;
  }
  writeRecords(store, patch, turned);
  if (patch.entries.length > 0) writeEntries(store, patch.entries, turned);
  showResults(store, results, turned);
  patch.lists?.commit(store);
  for (const key of patch.behind) store.behind.add(key);
}

function writeRecords(store: Contents, patch: Patch, turned: ViewNode[]): void {
  const { touched, stamp, tables } = patch;
  const { covered: before } = store;
  const { overlay: { covered } } = patch;
  for (const [slot, { base }] of before) {
    // A layer showed it, and none does any more.
    if (!covered.has(slot) && slot.next === undefined) show(store, slot, base, turned);
  }
  if (patch.isAnswer) { for (const table of [...tables, ...patch.known]) table.isAsked = true; }
  for (const table of patch.known) know(store, table, turned);
  // Who has read while this was computed may have met rows that only arrive now.
  const moved = store.graph.uses === patch.uses ? patch.reordered : new Set([...patch.reordered, ...tables]);
  for (const { key } of moved) store.graph.turnTable(key, turned);
  const isLast = stamp.seq >= store.lastSeq;
  if (isLast) store.lastSeq = stamp.seq;
  // Counted, where most patches have one: until it is optimized, an iterator costs as much as writing a record.
  for (let i = 0; i < touched.length; i++) {
    const slot = touched[i]!;
    const { next, rec } = slot;
    slot.next = undefined;
    const cover = covered.get(slot);
    // In the order of the table, also where a layer lies over it: rows that arrive are shown in that order.
    const seen = cover === undefined ? next ?? undefined : cover.shown;
    show(store, slot, seen, turned);
    // What a layer showed until now may be what is confirmed, and not what lay below.
    if (cover !== undefined || before.has(slot) || rec !== slot.rec) slot.table.version++;
    // What nobody knew was deleted.
    else if (next === null) turnNodes(slot, turned);
    // A late reply makes a record neither older nor younger.
    if (isLast || slot.stamp.seq <= stamp.seq) slot.stamp = stamp;
  }
  for (const [slot, { shown }] of covered) show(store, slot, shown, turned);
  store.overlay = patch.overlay;
  store.tables.aliases?.rename(store, patch, turned);
  for (const slot of before.keys()) leave(store, slot);
  if (patch.logs.size > 0) adoptLogs(store, patch);
  for (const slot of patch.named) unknow(store, slot, turned);
  for (const [slot, own] of patch.stamps) slot.stamp = own;
  for (const [slot, mark] of patch.stale) {
    slot.stamp = { ...slot.stamp, expiresAt: 0 };
    slot.table.version++;
    if (mark > patch.oldest) store.marks.set(slot, mark);
  }
  for (const [slot, unconfirmed] of patch.unconfirmed) {
    if (unconfirmed.size > 0) (store.unconfirmed ??= new WeakMap()).set(slot, unconfirmed);
    else store.unconfirmed?.delete(slot);
  }
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
  if (rec !== undefined && before !== undefined && store.covered.has(slot) && deepEqual(before, rec)) return;
  // Where a layer hid it, it was there all the time.
  const arrives = before === undefined && store.baseOf(slot) === undefined;
  slot.rec = rec;
  store.graph.changed(slot, before, arrives, turned);
  // Of a table that is not known, a layer shows it: as long as it does, all of that can be read.
  if (!table.known) store.graph.turnTable(table.key, turned);
  turnNodes(slot, turned);
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
  store.graph.turnTable(table.key, turned);
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

function showResults(store: Contents, before: Overlay["results"], turned: ViewNode[]): void {
  const { overlay: { results } } = store;
  if (before.size + results.size === 0) return;
  for (const key of new Set([...before.keys(), ...results.keys()].map(({ key }) => key))) {
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
    const { slots } = table;
    table.slots = new Map();
    for (const [pk, slot] of slots) {
      show(store, slot, undefined, turned);
      slot.stamp = NEVER;
      // Who has read it is told when it comes again; it may do so at once.
      if (slot.node !== undefined || slot.next !== undefined) table.slots.set(pk, slot);
    }
    table.known = false;
    store.graph.turnTable(table.key, turned);
  }
  for (const view of store.responses(() => true)) {
    view.entry = undefined;
    // What nobody shows now was asked for by somebody else: no mark is to bring back its key.
    if (view.watchers === undefined) view.seen = 0;
    makeDirty(view, turned);
  }
  store.overlay = NO_OVERLAY;
  store.tableChanges = [];
  store.unconfirmed = undefined;
  const { behind, entries, logs, marks, overlaps, tables: { aliases } } = store;
  for (const kept of [behind, entries, aliases, logs, marks, overlaps]) kept?.clear();
}

/** Makes dirty what was made of a record. */
function turnNodes(slot: Slot, turned: ViewNode[]): void {
  for (let node = slot.node; node !== undefined; node = node.sibling) makeDirty(node, turned);
}
