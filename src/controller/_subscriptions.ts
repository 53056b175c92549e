import { said } from "../errors/texts.ts";
import type { Controller } from "./controller.ts";
import {
  type Action,
  chain,
  type Dispatch,
  type Manager,
  type SubscribeAction,
  type UnsubscribeAction,
} from "./middleware.ts";

/** Subscriptions that no manager in the list has claimed. */
export class Subscriptions {
  /** Makes the manager that serves them. */
  make: (() => Manager) | undefined;
  /** That manager, since the first subscription. */
  manager: Manager | undefined;
  readonly #controller: Controller;
  /** Its element of the chain, which ends there. */
  #dispatch: Dispatch = (action) => this.#warn(action);

  constructor(controller: Controller) {
    this.#controller = controller;
  }

  /** Hands one to the manager, where there is any. */
  serve(action: SubscribeAction | UnsubscribeAction): unknown {
    if (this.manager === undefined && this.make !== undefined) {
      const manager = this.manager = this.make();
      this.#dispatch = chain(this.#controller, [manager], (unclaimed) => this.#warn(unclaimed));
      manager.init?.(this.#controller);
    }
    return this.#dispatch(action);
  }

  #warn(action: Action): void {
    if (action.type !== "subscribe") return;
    const { name } = action.endpoint;
    this.#controller.store.warnOnce(`subscription of ${name}`, said(602, { name }));
  }
}
