import type { AnyEndpoint } from "../endpoint/interface.ts";
import type { CollectAction } from "./collect_action.ts";
import type { StoreAction } from "../store/reducers/mod.ts";
import type { Controller } from "./controller.ts";

/** A request is wanted. Middleware may answer it itself, delay it, or let it through to the network. */
export interface FetchAction {
  /** Tells it from the actions that change the store. */
  readonly type: "fetch";
  /** What to call. */
  readonly endpoint: AnyEndpoint;
  /** Its arguments. */
  readonly args: readonly unknown[];
  /** What `endpoint.key(...args)` gave. */
  readonly key: string;
}

/**
 * Somebody shows an endpoint and wants its answer kept up to date. The manager that sees to it does not pass the action
 * on. Nothing is stored.
 */
export interface SubscribeAction {
  /** Tells it from the others. */
  readonly type: "subscribe";
  /** What is shown. */
  readonly endpoint: AnyEndpoint;
  /** Its arguments. */
  readonly args: readonly unknown[];
  /** What `endpoint.key(...args)` gave. */
  readonly key: string;
}

/** Somebody who subscribed needs it no more: once for each `subscribe`, with the same endpoint, arguments and key. */
export interface UnsubscribeAction extends Omit<SubscribeAction, "type"> {
  /** Tells it from the others. */
  readonly type: "unsubscribe";
}

/** Everything that goes through the middleware. */
export type Action = StoreAction | FetchAction | SubscribeAction | UnsubscribeAction | CollectAction;

/**
 * Handles an action: for `fetch` it returns a promise of the result, for others nothing, and the store has changed when
 * it returns.
 */
export type Dispatch = (action: Action) => unknown;

/** One element of the chain: gets the controller, then what comes after it, and returns what takes its place. */
export type Middleware = (controller: Controller) => (next: Dispatch) => Dispatch;

/**
 * Something that accompanies a controller: polling, a stream, devtools. All members are optional.
 *
 * @example A log of everything that happens
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Entity, type Manager } from "@rejoin/data";
 *
 * class User extends Entity {
 *   id = "";
 *   static key = "User";
 * }
 * const seen: string[] = [];
 * const log: Manager = {
 *   middleware: () => (next) => (action) => {
 *     seen.push(action.type);
 *     return next(action);
 *   },
 * };
 * const controller = new Controller({ managers: [log] });
 * controller.set(User, { id: "1" }, { id: "1" });
 * assert(seen.join() === "set");
 * ```
 */
export interface Manager {
  /** Its element of the chain; the first manager sees actions first. */
  readonly middleware?: Middleware | undefined;
  /** Called when the chain stands. */
  init?(controller: Controller): void;
  /**
   * Called when the controller stops: no timer, listener or connection may remain. A manager of several controllers is
   * told which one stops.
   */
  cleanup?(controller?: Controller): void;
}

/** The chain of all managers, ending in `last`. */
export function chain(controller: Controller, managers: readonly Manager[], last: Dispatch): Dispatch {
  let next = last;
  for (let i = managers.length - 1; i >= 0; i--) {
    const { middleware } = managers[i]!;
    if (middleware !== undefined) next = middleware(controller)(next);
  }
  return next;
}
