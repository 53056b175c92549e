import type { Controller } from "../controller/controller.ts";
import type { PlainPatch } from "../store/plain_patch.ts";
import type { Session } from "./_sessions.ts";

/** Tells which patches an action has become. */
export class Commits implements Session {
  /** Ends the listening. */
  readonly stop: () => void;
  readonly #patches: PlainPatch[] = [];
  #depth = 0;

  constructor(controller: Controller) {
    this.stop = controller.onCommit((patch) => {
      if (this.#depth > 0) this.#patches.push(patch);
    });
  }

  /**
   * Sends an action on.
   *
   * @param send Does it.
   * @param done Is told what was committed meanwhile, but for what actions inside of this one have become; also when
   *   `send` throws.
   * @returns What `send` gave.
   */
  during(send: () => unknown, done: (patches: readonly PlainPatch[]) => void): unknown {
    const from = this.#patches.length;
    this.#depth++;
    try {
      return send();
    } finally {
      this.#depth--;
      done(this.#patches.splice(from));
    }
  }
}
