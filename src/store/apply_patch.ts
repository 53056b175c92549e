import { makeDirty, type ViewNode } from "../denormalize/node.ts";
import { deepEqual } from "../normalize/deep_equal.ts";
import type { EntityRecord } from "../schemas/plan.ts";
import type { Entry } from "./entry.ts";
import type { Patch } from "./patch.ts";
import { shownOf } from "./response_view.ts";
import type { Contents } from "./contents.ts";
import { NEVER, type Slot, type Stamp } from "./slot.ts";
import type { Table } from "./tables.ts";
import type { RecordLog } from "./record_log.ts";
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
  writeRecords(store, patch, turned);
  if (patch.entries.length > 0) writeEntries(store, patch.entries, turned);
  showResults(store, patch.overlay?.results ?? NO_RESULTS, turned);
  store.layers = patch.layers;
  // Those that failed are reported once. What takes the place of a temporary name, and a row that was waited for, stand
  // elsewhere in their tables from now on.
  const isMoved = patch.names.size > 0 || patch.tables.some(({ hasWaiting }) => hasWaiting);
  store.overlay = isMoved ? undefined : patch.overlay && { ...patch.overlay, failures: [] };
  if (patch.tableChanges.length > 0) {
    store.tableChanges = [...store.tableChanges, ...patch.tableChanges].sort((a, b) => a.stamp.seq - b.stamp.seq);
  }
  for (const key of patch.behind) store.behind.add(key);
  if (patch.clearsBehind) store.behind.clear();
}

function writeRecords(store: Contents, patch: Patch, turned: ViewNode[]): void {
  const covered = patch.overlay?.writes;
  let bases: Map<Slot, EntityRecord | undefined> | undefined;
  if (covered !== undefined) {
    // Slots that a layer touched before and touches no more show their base again.
    for (const slot of store.bases.keys()) {
      if (!covered.has(slot) && slot.next?.patch !== patch) show(store, slot, store.bases.get(slot), turned);
    }
    for (const [slot, { record }] of covered) {
      const base = patch.baseOf(slot);
      // What a layer deletes and nobody has needs no place.
      if (record !== undefined || base !== undefined) (bases ??= new Map()).set(slot, base);
      show(store, slot, record, turned);
    }
  }
  const { staged, tables, touched, known } = patch;
  // Counted, where most patches have one: until it is optimized, an iterator costs as much as writing a record.
  for (let i = 0; i < staged.length; i++) {
    const { slot, plan, rec } = staged[i]!;
    if (covered === undefined || !covered.has(slot)) show(store, slot, rec, turned);
    store.tables.of(plan).version++;
  }
  store.bases = bases ?? NO_BASES;
  for (let i = 0; i < tables.length; i++) {
    if (patch.isAnswer) tables[i]!.table.isAsked = true;
    adopt(store, tables[i]!, turned);
  }
  if (patch.names.size > 0) { for (const [id, pk] of patch.names) rename(store, id, pk, turned); }
  const { stamp } = patch;
  const isLast = stamp.seq >= store.lastSeq;
  if (isLast) store.lastSeq = stamp.seq;
  for (let i = 0; i < staged.length; i++) stampSlot(staged[i]!.slot, stamp, isLast);
  for (let i = 0; i < touched.length; i++) {
    // What nobody knew was deleted.
    if (touched[i]!.rec === undefined) turnNodes(touched[i]!, turned);
    stampSlot(touched[i]!, stamp, isLast);
  }
  if (patch.named.size > 0) { for (const slot of patch.named) unknow(store, slot, turned); }
  if (patch.stamps.size > 0) { for (const [slot, stamp] of patch.stamps) slot.stamp = stamp; }
  if (patch.stale.size > 0) {
    for (const [slot, mark] of patch.stale) {
      slot.stamp = { ...slot.stamp, expiresAt: 0 };
      if (mark > patch.oldest) store.marks.set(slot, mark);
    }
    // They may be of any.
    for (const table of store.tables.byKey.values()) table.version++;
  }
  if (patch.logs.size > 0) adoptLogs(store, patch);
  for (const [slot, unconfirmed] of patch.unconfirmed) {
    if (unconfirmed.marks.size > 0) (store.unconfirmed ??= new WeakMap()).set(slot, unconfirmed);
    else store.unconfirmed?.delete(slot);
  }
  for (let i = 0; i < known.length; i++) know(store, known[i]!, turned);
  showTables(store, patch.shown, turned);
}

function adoptLogs(store: Contents, { logs, endsLogs }: Patch): void {
  if (store.logs.size === 0 && !endsLogs) {
    // A list under an older request: to put its logs into another map would cost a tenth of writing it.
    store.logs = logs as Map<Slot, RecordLog>;
    return;
  }
  for (const [slot, log] of logs) {
    if (log === undefined) store.logs.delete(slot);
    else store.logs.set(slot, log);
  }
}

/** A table of which only a layer has a record is known as long as that is shown; who shows it makes its views dirty. */
function showTables(store: Contents, shown: ReadonlySet<Table>, turned: ViewNode[]): void {
  if (shown.size === 0 && store.shownTables.size === 0) return;
  for (const table of new Set([...store.shownTables, ...shown])) {
    const isShown = shown.has(table);
    if (isShown === table.isShown) continue;
    table.isShown = isShown;
    if (!table.known) turnAll(store, table, turned);
  }
  store.shownTables = shown.size === 0 ? NO_TABLES : shown;
}

/** Puts what readers see into a slot, and makes dirty what was made of it. */
function show(store: Contents, slot: Slot, rec: EntityRecord | undefined, turned: ViewNode[]): void {
  const before = slot.rec;
  if (before === rec) return;
  // The server confirmed what a layer showed: nobody needs to hear of it.
  if (rec !== undefined && before !== undefined && store.bases.has(slot) && deepEqual(before, rec)) return;
  slot.rec = rec;
  if (store.tables.indexed.size > 0) reindex(store, slot, before, turned);
  turnNodes(slot, turned);
}

/** A deleted record was named by who does not know of it. */
function unknow(store: Contents, slot: Slot, turned: ViewNode[]): void {
  if (store.baseOf(slot) !== undefined) return;
  slot.stamp = NEVER;
  turnNodes(slot, turned);
}

function reindex(store: Contents, slot: Slot, before: EntityRecord | undefined, turned: ViewNode[]): void {
  for (const { indexes } of store.tables.indexed) {
    for (const index of indexes!.values()) index.changed(slot, before, slot.rec, turned);
  }
}

/** A table has records, or its whole was written: it is known, and another than before. */
function know(store: Contents, table: Table, turned: ViewNode[]): void {
  table.version++;
  if (table.known) return;
  table.known = true;
  turnAll(store, table, turned);
}

/** New records join their table, in order of arrival. */
function adopt(store: Contents, part: Patch["tables"][number], turned: ViewNode[]): void {
  const { table, fresh } = part;
  table.part = undefined;
  if (part.hasRecords) know(store, table, turned);
  if (fresh.size > 0) arrive(store, part, turned);
}

function arrive(store: Contents, { table, fresh, hasWaiting }: Patch["tables"][number], turned: ViewNode[]): void {
  let isMoved = hasWaiting;
  const views = [...store.graph.allViews()].filter((view) => view.plan.key === table.key);
  if (table.slots.size === 0) {
    table.slots = fresh;
    for (const index of table.indexes?.values() ?? []) index.restart(turned);
  } else {
    fresh.forEach((slot, pk) => {
      const waiting = table.slots.get(pk);
      if (waiting !== undefined) {
        // Somebody made it to wait for the record; it arrives now, behind what arrived before.
        table.slots.delete(pk);
        if (waiting !== slot) {
          isMoved = true;
          slot.node = waiting.node;
          for (let node = slot.node; node !== undefined; node = node.sibling) {
            node.slot = slot;
            makeDirty(node, turned);
          }
        }
      }
      table.slots.set(pk, slot);
      for (const view of views) view.add(slot);
      if (table.indexes !== undefined) {
        for (const index of table.indexes.values()) index.arrived(slot, pk, turned);
      }
    });
  }
  if (isMoved || table.slots === fresh) { for (const view of views) view.restart(); }
  for (const view of views) makeDirty(view, turned);
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
    table.known = false;
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
  store.bases = NO_BASES;
  showTables(store, NO_TABLES, turned);
  store.logs.clear();
  store.tableChanges = [];
  store.behind.clear();
  store.overlaps.clear();
  store.marks.clear();
  store.unconfirmed = undefined;
  store.notes.clear();
  store.tables.ids.clear();
}

/** Makes dirty what was made of a record. */
function turnNodes(slot: Slot, turned: ViewNode[]): void {
  for (let node = slot.node; node !== undefined; node = node.sibling) makeDirty(node, turned);
}

/** A record is written: it is as young as that, but a late reply makes it neither older nor younger. */
function stampSlot(slot: Slot, stamp: Stamp, isLast: boolean): void {
  if (isLast || slot.stamp.seq <= stamp.seq) slot.stamp = stamp;
  slot.next = undefined;
}

const NO_BASES: Contents["bases"] = new Map();
const NO_RESULTS: Contents["results"] = new Map();
const NO_TABLES: Contents["shownTables"] = new Set();
