import type { Action, Dispatch } from "../controller/action.ts";
import type { Controller } from "../controller/controller.ts";
import { RejoinError } from "../errors/rejoin_error.ts";
import { said } from "../errors/texts.ts";
import { hydrate } from "../parts/state/hydrate.ts";
import type { State } from "../parts/state/form.ts";
import { describeState } from "../parts/state/state.ts";
import { isOfThisVersion } from "../parts/state/state_patch.ts";
import { stateOf } from "../parts/state/state_of.ts";
import { subjectOf } from "./subject_of.ts";
import { expireWatched } from "./_watched.ts";

/**
 * Shows other moments of a store in the place of the present one, to all that read it. Meanwhile nothing is sent and
 * nothing is stored, as far as actions come by {@linkcode TimeTravel.handle}.
 */
export class TimeTravel {
  readonly #controller: Controller;
  #present: State | undefined;
  /** The same as others see it: without what never leaves the process. */
  #seen: State | undefined;
  #isShowing = false;

  /** @param controller Whose store. */
  constructor(controller: Controller) {
    this.#controller = controller;
  }

  /** The present, also while another moment is shown. */
  get present(): State {
    return this.#present ?? describeState(this.#controller.store);
  }

  /** What `stateOf` says of it. */
  get seen(): State {
    return this.#seen ?? stateOf(this.#controller);
  }

  /** Whether actions are to go by {@linkcode TimeTravel.handle}. */
  get isAway(): boolean {
    return this.#isShowing || this.#present !== undefined;
  }

  /** Shows another moment. What is in flight is given up. One of another version is none, which is a warning. */
  show(state: Partial<State>): void {
    if (!isOfThisVersion(state)) return;
    this.#seen = this.seen;
    this.#present = this.present;
    this.#replace(state);
  }

  /** Shows the present again. */
  end(): void {
    const present = this.#present;
    if (present === undefined) return;
    this.settle(present);
    this.refresh();
  }

  /**
   * Makes a state the present; {@linkcode TimeTravel.refresh} is to follow.
   *
   * @param state Which one. Defaults to the one that is shown.
   */
  settle(state?: Partial<State>): void {
    // First: who asks as soon as it is told asks in the present.
    this.#present = this.#seen = undefined;
    if (state !== undefined) this.#replace(state);
  }

  /** What is mounted may have missed something, or have waited. */
  refresh(): void {
    expireWatched(this.#controller, () => true);
  }

  /** Takes the place of what would change the moment that is shown, or the server: that has to wait. */
  handle(action: Action, next: Dispatch): unknown {
    const isOurs = this.#isShowing && (action.type === "replace" || this.#present === undefined);
    if (isOurs || action.type === "subscribe" || action.type === "unsubscribe") return next(action);
    const message = said(703, { type: action.type, subject: subjectOf(action, this.#controller.store) });
    if (action.type === "fetch") {
      // No promise: a component waits for the store, and whoever awaits it learns why there is nothing.
      return { then: (_: unknown, reject: (reason: unknown) => void) => reject(new RejoinError(message)) };
    }
    this.#controller.store.warnOnce("devtools", message);
  }

  #replace(state: Partial<State>): void {
    this.#isShowing = true;
    try {
      hydrate(this.#controller, state);
    } finally {
      this.#isShowing = false;
    }
  }
}
