import { clock } from "../../deps/clock.ts";
import { isInferable } from "../../denormalize/is_inferable.ts";
import { dropDeadEdges, makeDirty, type ViewNode } from "../../denormalize/node.ts";
import { bareMark, type Entry, isBare } from "../../store/entry.ts";
import type { PlainPatch } from "../../store/plain_patch.ts";
import type { Released, Store } from "../../store/store.ts";
import type { CollectAction } from "../../controller/action.ts";
import { inSteps } from "./steps.ts";

/** Does what changes the state, as a commit does; who listens to commits is told as of any other removal. */
export function remove(store: Store, act: () => void, what: Released): void {
  const action: CollectAction = { type: "collect", seq: store.sequence.take(), date: clock.now() };
  store.release(act, what, action);
}

/**
 * What is to remain of an entry whose answer goes: that it was invalidated or expired. Else what is read in its place,
 * from records, would show what is hidden, or take for fresh what is not.
 */
export function markOf(entry: Entry): Entry | undefined {
  return entry.shape === undefined || isInferable(entry.shape.schema) ? bareMark(entry) : undefined;
}

/** Lets go of answers, but for their marks. It tells no reader, for none sees any of them. */
export function dropKeys(store: Store, keys: readonly string[]): void {
  const endpoints: PlainPatch["endpoints"][number][] = [];
  const marks = new Map<string, Entry[]>();
  for (const key of keys) {
    const remaining: Entry[] = [];
    for (const entry of store.entries.of(key)) {
      const left = markOf(entry);
      if (left !== undefined) remaining.push(left);
      if (left === undefined || !isBare(entry)) endpoints.push({ key, before: entry.result, after: undefined });
    }
    marks.set(key, remaining);
  }
  const drop = () => marks.forEach((remaining, key) => store.dropKey(key, remaining));
  // Of views of what was never answered, no reader of the state can tell.
  if (endpoints.length > 0) remove(store, drop, { endpoints });
  else drop();
}

/** What may still hold it makes it anew when it is read. */
export function forgetView(view: ViewNode): void {
  if (view.parent !== undefined) makeDirty(view, []);
  view.release();
  view.value = undefined;
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

/** So many marks without an answer are kept: the oldest go first. */
const MAX_MARKS = 1_000;

/**
 * Lets go of the oldest marks that have no answer, where there are many. What was written before one of them is stale
 * from then on, whoever asks for it: it may be what the mark was about.
 */
export function* dropMarks(store: Store, stride: number): Generator<undefined, void, undefined> {
  const { entries, responsesByKey, tables } = store;
  const marks = [...entries.keys()].filter((key) => !responsesByKey.has(key) && entries.of(key).every(isBare));
  if (marks.length <= MAX_MARKS) return;
  const gone = marks.slice(0, marks.length - MAX_MARKS / 2);
  const seq = Math.max(...gone.flatMap((key) => entries.of(key).map(({ staleSeq }) => staleSeq)));
  for (const { slots } of tables.byKey.values()) {
    yield* inSteps(slots.values(), stride, (slot) => {
      const { stamp } = slot;
      if (stamp.seq < seq && stamp.expiresAt > 0) slot.stamp = { ...stamp, expiresAt: 0 };
    });
  }
  const stillBare = gone.filter((key) => !responsesByKey.has(key) && entries.of(key).every(isBare));
  remove(store, () => stillBare.forEach((key) => store.dropKey(key, [])), {});
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
