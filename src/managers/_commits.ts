import type { Controller } from "../controller/controller.ts";
import { onCommit } from "../parts/commits/on_commit.ts";
import type { PlainPatch } from "../store/plain_patch.ts";

/** Tells which patches an action has become. */
export class Commits {
  /** Ends the listening. */
  readonly stop: () => void;
  readonly #store: Controller["store"];
  /** The actions that are being carried out, each inside of the one before. */
  readonly #running: Running[] = [];
  /** How many commits there were up to the last one that it was told of. */
  #told: number;

  constructor(controller: Controller) {
    this.#store = controller.store;
    this.#told = this.#store.commits;
    this.stop = onCommit(controller, (patch) => {
      const count = ++this.#told;
      // Who was told before may have sent an action since, which is not the one that this belongs to.
      this.#running.findLast(({ from }) => from < count)?.patches.push(patch);
    });
  }

  /**
   * Sends an action on.
   *
   * @param send Does it.
   * @param done Is told what was committed meanwhile, but for what actions inside of this one have become, and what
   *   `send` has thrown.
   * @returns What `send` gave.
   */
  during(send: () => unknown, done: (patches: readonly PlainPatch[], thrown: Thrown | undefined) => void): unknown {
    const running: Running = { from: this.#store.commits, patches: [] };
    let thrown: Thrown | undefined;
    this.#running.push(running);
    try {
      return send();
    } catch (reason) {
      thrown = { reason };
      throw reason;
    } finally {
      this.#running.pop();
      done(running.patches, thrown);
    }
  }
}

/** What an action threw. */
export interface Thrown {
  readonly reason: unknown;
}

/** An action that is being carried out. */
interface Running {
  /** How many commits there were before it. */
  readonly from: number;
  readonly patches: PlainPatch[];
}
