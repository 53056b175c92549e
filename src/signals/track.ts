import { batch, Signal, signal } from "../deps/signals_core.ts";
import type { ViewNode } from "../denormalize/node.ts";
import { type Store, unwatch, watch } from "../store/store.ts";

/** One signal per watched root. */
const versions = new WeakMap<ViewNode, Version>();

/** One signal per store: its value counts commits. */
const commits = new WeakMap<Store, Signal<number>>();

/**
 * Subscribes whoever is running (a component, an effect, a computed) to a root. The signal is made when somebody first
 * reads the root, and dropped when the last reader goes: records that nobody looks at carry none.
 */
export function track(store: Store, view: ViewNode): void {
  const any = commitsOf(store);
  (versions.get(view) ?? new Version(store, view)).value;
  // A computed that nobody subscribes to is not told of anything: it finds out when it is read the next time.
  if (!versions.has(view)) any.value;
}

/**
 * The signal of one root: its value counts how often the root got another answer. It is the watcher itself, and its
 * options are everybody's: each closure would be paid for by every reader.
 */
class Version extends Signal<number> {
  readonly #store: Store;
  readonly #view: ViewNode;
  #count = 0;

  constructor(store: Store, view: ViewNode) {
    super(0, VERSION);
    this.#store = store;
    this.#view = view;
  }

  told(): void {
    this.value = ++this.#count;
  }

  start(): void {
    versions.set(this.#view, this);
    watch(this.#store, this.#view, this);
  }

  stop(): void {
    unwatch(this.#store, this.#view, this);
    // A computed that was subscribed to it until now is told of nothing from now on: it must not trust what it has.
    this.told();
    if (versions.get(this.#view) === this) versions.delete(this.#view);
  }
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
  let counter = commits.get(store);
  if (counter === undefined) {
    const made = counter = signal(0);
    let count = 0;
    commits.set(store, made);
    // Readers of several roots run once a commit.
    store.telling = (tell) =>
      batch(() => {
        made.value = ++count;
        tell();
      });
  }
  return counter;
}
