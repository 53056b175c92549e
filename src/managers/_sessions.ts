import type { Action, Dispatch } from "../controller/action.ts";
import type { Controller, Manager, Middleware } from "../controller/controller.ts";
import { attempt } from "../errors/report_error.ts";

/** What a manager does for one controller. */
export interface Session {
  /** Begins, when it is to be found: what it begins may have something to say at once. */
  start?(): void;
  /** Its element of the chain. */
  handle(action: Action, next: Dispatch): unknown;
  /** Takes back every timer, listener and connection. */
  stop(): void;
}

/** A manager that may accompany several controllers: it has a session for each, from `init` to `cleanup`. */
export class SessionManager implements Manager {
  readonly #open: (controller: Controller) => Session | undefined;
  readonly #sessions = new Map<Controller, Session>();

  /** @param open What is done for a controller; `undefined`: nothing. */
  constructor(open: (controller: Controller) => Session | undefined) {
    this.#open = open;
  }

  /** Hands each action to the session of its controller. */
  readonly middleware: Middleware = (controller) => (next) => (action) => {
    const session = this.#sessions.get(controller);
    return session === undefined ? next(action) : session.handle(action, next);
  };

  /** @param controller Which one is accompanied from now on. */
  init(controller: Controller): void {
    if (this.#sessions.has(controller)) return;
    const session = this.#open(controller);
    if (session === undefined) return;
    this.#sessions.set(controller, session);
    session.start?.();
  }

  /** @param controller Which one stops; all of them when left out. One whose end throws does not keep the others. */
  cleanup(controller?: Controller): void {
    for (const [owner, session] of [...this.#sessions]) {
      if (controller !== undefined && owner !== controller) continue;
      this.#sessions.delete(owner);
      attempt(() => session.stop());
    }
  }
}
