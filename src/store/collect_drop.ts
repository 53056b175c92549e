import { clock } from "../deps/clock.ts";
import { isInferable } from "../denormalize/graph.ts";
import { dropDeadEdges, type ViewNode } from "../denormalize/node.ts";
import type { CollectAction } from "./collect_action.ts";
import { inSteps } from "./collect_steps.ts";
import { forgetView } from "./condemned.ts";
import { bareMark, type Entry, isBare } from "./entry.ts";
import type { PlainPatch } from "./plain_patch.ts";
import type { Store } from "./store.ts";

/**
 * Lets go of answers. It tells no reader, for none sees any of them; who listens to commits is told as of any other
 * removal.
 *
 * @param store Whose.
 * @param keys Their keys.
 * @param markOf What remains of an entry; nothing where it gives `undefined`.
 */
export function dropKeys(store: Store, keys: readonly string[], markOf: (entry: Entry) => Entry | undefined): void {
  const endpoints: PlainPatch["endpoints"][number][] = [];
  const marks = new Map<string, Entry[]>();
  for (const key of keys) {
    const remaining: Entry[] = [];
    for (const entry of store.entries.of(key)) {
      const mark = markOf(entry);
      if (mark !== undefined) remaining.push(mark);
      if (mark === undefined || !isBare(entry)) endpoints.push({ key, before: entry.result, after: undefined });
    }
    marks.set(key, remaining);
  }
  const drop = () => marks.forEach((remaining, key) => store.dropKey(key, remaining));
  // Of views of what was never answered, no reader of the state can tell.
  if (endpoints.length > 0) remove(store, drop, { endpoints });
  else drop();
}

/**
 * What is to remain of an entry while the records are there that would be read in its place: it would show what was
 * invalidated, or take for fresh what is not.
 */
export function markOf(entry: Entry): Entry | undefined {
  return entry.shape === undefined || isInferable(entry.shape.schema) ? bareMark(entry) : undefined;
}

/** Does what changes the state, as a commit does. */
export function remove(store: Store, act: () => void, part: Partial<PlainPatch>): void {
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
