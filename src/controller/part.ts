import type { Ticket } from "../store/sequence.ts";
import type { StorePart } from "../store/store.ts";
import type { Action, Dispatch, SubscribeAction, UnsubscribeAction } from "./action.ts";
import type { Flight } from "./flight.ts";

/** One element of the chain: gets the controller `C`, then what comes after it, and returns what takes its place. */
export type MiddlewareOf<C> = (controller: C) => (next: Dispatch) => Dispatch;

/** What a controller of type `C` is given by `use` or `managers`. All members are optional. */
export interface PartOf<C> extends StorePart {
  /** Its element of the chain; the first part sees actions first. */
  readonly middleware?: MiddlewareOf<C> | undefined;
  /** Called when the chain stands. */
  init?(controller: C): void;
  /**
   * Stands at the end of the chain, whoever sent the action.
   *
   * @param action What is about to happen.
   * @param next Makes it happen, and gives what the chain is to return; to be called once.
   */
  perform?(action: Action, next: Dispatch): unknown;
  /**
   * Takes a subscription that no middleware has claimed.
   *
   * @returns Whether it is taken care of: the parts after this one do not hear of it then.
   */
  serve?(subscription: SubscribeAction | UnsubscribeAction): boolean;
  /** A request starts, or starts anew. Its sequence number is taken, and nothing of it is shown yet. */
  started?(flight: Flight): void;
  /** A request is over, whatever became of it; not told of those that a reset takes away. */
  ended?(flight: Flight): void;
  /** The server has answered a mutation, sent with this ticket, that a reset took away. */
  forgotten?(ticket: Ticket): void;
  /** What the part would do by itself is not to be done until the function that this returns is called. */
  pause?(): () => void;
  /**
   * The controller stops: no timer, listener or connection may remain. A part of several controllers is told which one
   * stops.
   */
  cleanup?(controller?: C): void;
}

/** The chain of all parts that have an element of it, ending in `last`. */
export function chain<C>(controller: C, parts: readonly PartOf<C>[], last: Dispatch): Dispatch {
  return parts.reduceRight((next, part) => part.middleware?.(controller)(next) ?? next, last);
}
