import { batch, Signal, signal } from "../deps/signals_core.ts";
import type { ViewNode } from "../denormalize/node.ts";
import type { Store } from "../store/store.ts";
import { addWatcher, unwatch } from "../store/watch.ts";

/** One signal per store: its value counts commits. */
const commits = new WeakMap<Store, Signal<number>>();

/**
 * Subscribes whoever is running (a component, an effect, a computed) to a root. The signal is made when somebody first
 * reads the root, and dropped when the last reader goes: records that nobody looks at carry none.
 */
export function track(store: Store, view: ViewNode): void {
  const version = versionOf(view) ?? new Version(store, view);
  version.value;
  // A computed that nobody subscribes to is not told of anything: it finds out when it is read the next time.
  if (!version.isWatching) commitsOf(store).value;
}

/**
 * The signal of one root: its value counts how often the root got another answer. It is the watcher itself, and its
 * options are everybody's: each closure would be paid for by every reader.
 */
class Version extends Signal<number> {
  readonly #store: Store;
  readonly #view: ViewNode;
  /** Somebody is subscribed to it, so it stands among the watchers of its root. */
  isWatching = false;

  constructor(store: Store, view: ViewNode) {
    super(0, VERSION);
    this.#store = store;
    this.#view = view;
  }

  told(): void {
    this.value = this.peek() + 1;
  }

  start(): void {
    // Before the first commit that it is told of: the telling of several is one batch.
    commitsOf(this.#store);
    this.isWatching = true;
    addWatcher(this.#store, this.#view, this);
  }

  stop(): void {
    this.isWatching = false;
    unwatch(this.#store, this.#view, this);
    // A computed that was subscribed to it until now is told of nothing from now on: it must not trust what it has.
    this.told();
  }
}

/** The one signal of a root stands among its watchers: a weak map of all of them costs a mount half as much again. */
function versionOf({ watchers }: ViewNode): Version | undefined {
  if (watchers === undefined) return undefined;
  if (watchers instanceof Version) return watchers;
  if (!(watchers instanceof Set)) return undefined;
  for (const watcher of watchers) if (watcher instanceof Version) return watcher;
  return undefined;
}

const VERSION = {
  watched(this: Signal<number>): void {
    (this as Version).start();
  },
  unwatched(this: Signal<number>): void {
    (this as Version).stop();
  },
};

function commitsOf(store: Store): Signal<number> {
  return commits.get(store) ?? countCommits(store);
}

function countCommits(store: Store): Signal<number> {
  const counter = signal(0);
  let count = 0;
  commits.set(store, counter);
  // Readers of several roots run once a commit.
  const tell = () => {
    counter.value = ++count;
    store.tell();
  };
  store.telling = () => batch(tell);
  return counter;
}
