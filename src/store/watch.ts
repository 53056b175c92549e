import { ConstNode, EntityNode, type ViewNode, type Watcher } from "../denormalize/node.ts";
import { ResponseView } from "./response_view.ts";
import type { Contents } from "./contents.ts";

/** A store, for who watches it. */
export interface Watchable extends Pick<Contents, "broken" | "graph" | "watched"> {
  /** Who hears of it. */
  readonly parts: readonly {
    /** A view has its first watcher. */
    watched?(view: ViewNode): void;
  }[];
}

/**
 * Tells a watcher after each commit that gave a view another value.
 *
 * @returns How to stop it.
 */
export function watch(store: Watchable, view: ViewNode, watcher: Watcher): () => void {
  addWatcher(store, view, watcher);
  return () => unwatch(store, view, watcher);
}

/** The same for a watcher that calls {@linkcode unwatch} itself: a closure would be paid for by every reader. */
export function addWatcher(store: Watchable, view: ViewNode, watcher: Watcher): void {
  // It never changes, and belongs to every store: a watcher of one would be kept by the readers of another.
  if (view instanceof ConstNode) return;
  try {
    // A view that nobody has read is dirty already, and would not be marked.
    view.read(store.graph);
  } catch {
    // The reader meets the error when it reads.
    store.broken.add(view);
  }
  const { watchers } = view;
  // Most views have one watcher: a set would be paid for by each of them.
  if (watchers === undefined) view.watchers = watcher;
  else if (watchers instanceof Set) watchers.add(watcher);
  else if (watchers !== watcher) view.watchers = new Set([watchers, watcher]);
  if (watchers === undefined) {
    if (!isTabled(view)) store.watched.add(view);
    const { parts } = store;
    // Counted: mostly there are none, and an iterator would be paid for by every reader.
    for (let i = 0; i < parts.length; i++) parts[i]!.watched?.(view);
  }
}

/** It is found in a table of the store. */
function isTabled(view: ViewNode): boolean {
  return view instanceof EntityNode || view instanceof ResponseView;
}

/** The watcher is told of the view no more. */
export function unwatch(store: Watchable, view: ViewNode, watcher: Watcher): void {
  const { watchers } = view;
  if (watchers === watcher) view.watchers = undefined;
  else if (watchers instanceof Set && watchers.delete(watcher) && watchers.size === 0) view.watchers = undefined;
  if (watchers === undefined || view.watchers !== undefined) return;
  if (!isTabled(view)) store.watched.delete(view);
  // From now on its age counts.
  store.graph.use(view);
}

/** How many watchers a view has. */
export function countWatchers({ watchers }: ViewNode): number {
  return watchers === undefined ? 0 : watchers instanceof Set ? watchers.size : 1;
}

/** The watchers of those views whose answer is another now. */
export function toBeTold(store: Watchable, views: readonly ViewNode[], before: readonly unknown[]): Iterable<Watcher> {
  const told = new Set<Watcher>();
  views.forEach((view, at) => {
    if (!hasTurned(store, view, before[at])) return;
    const { watchers } = view;
    if (watchers instanceof Set) { for (const watcher of watchers) told.add(watcher); }
    else if (watchers !== undefined) told.add(watchers);
  });
  return told;
}

/** Whether a watched view answers otherwise than before: with another value, with an error, or without one again. */
function hasTurned(store: Watchable, view: ViewNode, before: unknown): boolean {
  const wasBroken = store.broken.size > 0 && store.broken.delete(view);
  if (view.watchers === undefined) return false;
  let isTold = wasBroken;
  try {
    if (!Object.is(view.read(store.graph), before)) isTold = true;
  } catch {
    // Whoever reads it meets the error there.
    store.broken.add(view);
    isTold = !wasBroken;
  }
  if (isTold) store.graph.asked?.push(view);
  return isTold;
}
