import { batch, type Signal, signal } from "../deps/signals_core.ts";
import type { ViewNode } from "../denormalize/node.ts";
import { type Store, watch } from "../store/store.ts";

/** One signal per watched root: its value counts how often the root got another answer. */
const versions = new WeakMap<ViewNode, Signal<number>>();

/** One signal per store: its value counts commits. */
const commits = new WeakMap<Store, Signal<number>>();

/**
 * Subscribes whoever is running (a component, an effect, a computed) to a root. The signal is made when somebody first
 * reads the root, and dropped when the last reader goes: records that nobody looks at carry none.
 */
export function track(store: Store, view: ViewNode): void {
  const any = commitsOf(store);
  (versions.get(view) ?? makeVersion(store, view)).value;
  // A computed that nobody subscribes to is not told of anything: it finds out when it is read the next time.
  if (!versions.has(view)) any.value;
}

function makeVersion(store: Store, view: ViewNode): Signal<number> {
  let stop: (() => void) | undefined;
  const made: Signal<number> = signal(0, {
    watched: () => {
      versions.set(view, made);
      stop = watch(store, view, () => made.value = made.peek() + 1);
    },
    unwatched: () => {
      stop?.();
      // A computed that was subscribed to it until now is told of nothing from now on: it must not trust what it has.
      made.value = made.peek() + 1;
      if (versions.get(view) === made) versions.delete(view);
    },
  });
  return made;
}

function commitsOf(store: Store): Signal<number> {
  let counter = commits.get(store);
  if (counter === undefined) {
    const made = counter = signal(0);
    commits.set(store, made);
    // Readers of several roots run once a commit.
    store.telling = (tell) =>
      batch(() => {
        made.value = made.peek() + 1;
        tell();
      });
  }
  return counter;
}
