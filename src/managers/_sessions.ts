import type { Controller } from "../controller/controller.ts";
import { reportError } from "../errors/report_error.ts";

/** What a manager does for one controller. */
export interface Session {
  /** Takes back every timer, listener and connection. */
  stop(): void;
}

/** The sessions of a manager: one for each controller that it accompanies, from `init` to `cleanup`. */
export class Sessions<S extends Session> {
  readonly #byController = new Map<Controller, S>();

  /** The session of a controller; `undefined` before `init` and after `cleanup`. */
  get(controller: Controller): S | undefined {
    return this.#byController.get(controller);
  }

  /** Starts a session, unless there is one. */
  open(controller: Controller, start: () => S): void {
    if (!this.#byController.has(controller)) this.#byController.set(controller, start());
  }

  /** Ends the session of a controller; of every controller when none is named. One that throws does not keep the others. */
  close(controller?: Controller): void {
    for (const [owner, session] of [...this.#byController]) {
      if (controller !== undefined && owner !== controller) continue;
      this.#byController.delete(owner);
      attempt(() => session.stop());
    }
  }
}

/**
 * Runs code of the app: what it throws, at once or as a promise, is reported, and stops nothing here.
 *
 * @param run What to run.
 * @param report Is told of what was thrown. Defaults to reporting it as an uncaught error.
 */
export function attempt(run: () => unknown, report: (reason: unknown) => void = reportError): void {
  try {
    const result = run();
    if (result instanceof Promise) result.catch(report);
  } catch (error) {
    report(error);
  }
}
