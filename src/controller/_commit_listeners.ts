import type { PlainPatch } from "../store/plain_patch.ts";
import { reportError, type Store } from "../store/store.ts";
import type { Action } from "./middleware.ts";

/** Is told of a commit. */
type Listener = (patch: PlainPatch, action: Action) => void;

/** One who is told. */
interface Subscriber {
  readonly listener: Listener;
  /** Commits since it was added that it has not been told of. */
  readonly untold: (readonly [PlainPatch, Action])[];
  /** It is being told, perhaps by whoever commits now. */
  isTold: boolean;
}

/** Who is told of commits. As long as there is nobody, the store describes none. */
export class CommitListeners {
  readonly #store: Store;
  readonly #subscribers = new Set<Subscriber>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** One more. Returns how to stop it. */
  add(listener: Listener): () => void {
    const subscriber: Subscriber = { listener, untold: [], isTold: false };
    this.#subscribers.add(subscriber);
    this.#store.onCommit = (patch, action) => this.#handOut(patch, action as Action);
    return () => {
      this.#subscribers.delete(subscriber);
      subscriber.untold.length = 0;
      if (this.#subscribers.size === 0) this.#store.onCommit = undefined;
    };
  }

  /** Each listener gets each commit, in order, also when a listener itself commits; one that throws stops no other. */
  #handOut(patch: PlainPatch, action: Action): void {
    const present = [...this.#subscribers];
    for (const { untold } of present) untold.push([patch, action]);
    for (const subscriber of present) tell(subscriber);
  }
}

/** Who commits while it is told of a commit is told of that one next; the others are told at once. */
function tell(subscriber: Subscriber): void {
  if (subscriber.isTold) return;
  subscriber.isTold = true;
  for (let told = subscriber.untold.shift(); told !== undefined; told = subscriber.untold.shift()) {
    try {
      subscriber.listener(...told);
    } catch (error) {
      reportError(error);
    }
  }
  subscriber.isTold = false;
}
