import { clock } from "../deps/clock.ts";
import { dropDeadEdges, type EntityNode, mark, type ViewNode } from "../denormalize/node.ts";
import type { CollectAction } from "./collect_action.ts";
import type { DoomedSlot } from "./collect_pass.ts";
import { inSteps } from "./collect_steps.ts";
import type { PlainPatch } from "./plain_patch.ts";
import type { Store } from "./store.ts";
import type { Table } from "./tables.ts";

/**
 * Lets go of answers. It tells no reader, for none sees any of them; who listens to commits is told as of any other
 * removal.
 *
 * @param store Whose.
 * @param keys Their keys.
 */
export function dropKeys(store: Store, keys: readonly string[]): void {
  const endpoints: PlainPatch["endpoints"][number][] = [];
  for (const key of keys) {
    for (const { result } of store.entries.of(key)) endpoints.push({ key, before: result, after: undefined });
  }
  // Of views of what was never answered, no reader of the state can tell.
  if (endpoints.length > 0) remove(store, () => keys.forEach((key) => store.dropKey(key)), { endpoints });
  else for (const key of keys) store.dropKey(key);
}

/**
 * Lets go of records, of all at once: a record without what it refers to is never to be seen. Who hears of it is as for
 * {@linkcode dropKeys}.
 *
 * @param store Whose.
 * @param slots The records, and places where none is.
 * @param views The views that stay.
 */
export function dropSlots(store: Store, slots: readonly DoomedSlot[], views: ReadonlySet<ViewNode>): void {
  const records: PlainPatch["records"][number][] = [];
  const doomed = slots.filter(({ table, pk, slot }) => table.slots.get(pk) === slot);
  const filled = doomed.filter(({ slot }) => slot.rec !== undefined);
  if (store.onCommit !== undefined) {
    for (const { table, pk, slot } of filled) records.push({ key: table.key, pk, before: slot.rec, after: undefined });
  }
  if (filled.length > 0) remove(store, () => clearSlots(store, doomed, views), { records });
  else clearSlots(store, doomed, views);
}

function clearSlots(store: Store, slots: readonly DoomedSlot[], views: ReadonlySet<ViewNode>): void {
  const emptied = new Set<Table>();
  for (const { table, pk, slot } of slots) {
    table.slots.delete(pk);
    if (slot.rec !== undefined) {
      if (table.indexes !== undefined) { for (const index of table.indexes.values()) index.collected(slot); }
      emptied.add(table);
      slot.rec = undefined;
    }
    let { node } = slot;
    slot.node = undefined;
    for (; node !== undefined; node = node.sibling) forgetNode(store, node);
  }
  for (const table of emptied) {
    table.version++;
    // What was there is not known any more; that there is nothing, nobody has said.
    if (table.known && !table.isShown && isUnseen(store, table, views)) table.known = false;
  }
}

/** Does what changes the state, as a commit does. */
function remove(store: Store, act: () => void, part: Partial<PlainPatch>): void {
  store.moment?.deref()?.keep();
  store.moment = undefined;
  const action: CollectAction = { type: "collect", place: store.places.take(), date: clock.now() };
  act();
  store.commits++;
  store.onCommit?.({ place: action.place, reset: false, records: [], endpoints: [], ...part }, action);
}

/** Releases the views of queries and tables that nobody needs, some at a time. */
export function* releaseViews(
  store: Store,
  stride: number,
  isIdle: (view: ViewNode) => boolean,
): Generator<undefined, void, undefined> {
  const { graph } = store;
  for (const views of graph.viewSets()) {
    yield* inSteps(views, stride, ([key, view]) => {
      if (view.watchers !== undefined || !isIdle(view)) return;
      views.delete(key);
      forgetView(view);
    });
  }
  for (const view of graph.allViews()) if (view.watchers === undefined && isIdle(view)) forgetView(view);
}

/** Forgets what was only there for the sake of what is gone, some at a time. */
export function* tidy(store: Store, stride: number): Generator<undefined, void, undefined> {
  const { entries, graph, notes, responsesByKey, tables } = store;
  for (const { indexes, slots } of tables.byKey.values()) {
    for (const index of indexes?.values() ?? []) index.tidy();
    yield* inSteps(slots.values(), stride, ({ node: first }) => {
      for (let node = first; node !== undefined; node = node.sibling) dropDeadEdges(node);
    });
  }
  for (const views of graph.viewSets()) yield* inSteps(views.values(), stride, dropDeadEdges);
  for (const view of graph.allViews()) dropDeadEdges(view);
  notes.collect((key) => entries.of(key).length > 0 || responsesByKey.has(key));
  tables.ids.collect((pk) => [...tables.byKey.values()].some(({ slots }) => slots.has(pk)));
}

function forgetNode(store: Store, node: EntityNode): void {
  store.broken.delete(node);
  forgetView(node);
  node.built = undefined;
  node.turned = undefined;
}

/** What may still hold it makes it anew when it is read. */
function forgetView(view: ViewNode): void {
  if (view.parent !== undefined) mark(view, []);
  view.release();
  view.value = undefined;
}

/** Nobody sees a table that has no record left. */
function isUnseen(store: Store, table: Table, views: ReadonlySet<ViewNode>): boolean {
  for (const { rec } of table.slots.values()) if (rec !== undefined) return false;
  for (const view of store.graph.allViews()) if (views.has(view) && table.plans.includes(view.plan)) return false;
  for (const index of table.indexes?.values() ?? []) if (index.isObserved) return false;
  return true;
}
