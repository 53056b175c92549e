import type { PlainPatch } from "../store/plain_patch.ts";
import { reportError, type Store } from "../store/store.ts";
import type { Action } from "./middleware.ts";

/** Is told of a commit. */
type Listener = (patch: PlainPatch, action: Action) => void;

/** Who is told of commits. As long as there is nobody, the store describes none. */
export class CommitListeners {
  readonly #store: Store;
  readonly #listeners = new Set<Listener>();
  /** Commits that they have not been told of. */
  readonly #untold: (readonly [PlainPatch, Action])[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  /** One more. Returns how to stop it. */
  add(listener: Listener): () => void {
    this.#listeners.add(listener);
    this.#store.onCommit = (patch, action) => this.#handOut(patch, action as Action);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#store.onCommit = undefined;
    };
  }

  /** Each listener gets each commit, in order, also when a listener itself commits; one that throws stops no other. */
  #handOut(patch: PlainPatch, action: Action): void {
    this.#untold.push([patch, action]);
    if (this.#untold.length > 1) return;
    for (let told = this.#untold[0]; told !== undefined; this.#untold.shift(), told = this.#untold[0]) {
      for (const listener of [...this.#listeners]) {
        try {
          listener(...told);
        } catch (error) {
          reportError(error);
        }
      }
    }
  }
}
