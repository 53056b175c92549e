import type { Flight } from "./flight.ts";
import type { Ticket } from "../store/places.ts";
import type { Action, Dispatch } from "./middleware.ts";

/** Sees what a controller does behind all of its managers: for recordings, and for what plays them. */
export interface Tap {
  /**
   * Stands at the end of the chain, whoever sent the action.
   *
   * @param action What is about to happen.
   * @param next Makes it happen, and gives what the chain is to return; to be called once.
   */
  perform(action: Action, next: Dispatch): unknown;
  /**
   * A request starts, or starts anew. Its place in the order of writes is taken, and nothing of it is shown yet.
   *
   * @param flight Which one.
   */
  started(flight: Flight): void;
  /**
   * A request is over, whatever became of it; not told of those that a reset takes away.
   *
   * @param flight Which one.
   */
  ended(flight: Flight): void;
  /**
   * The server has answered a mutation that a reset took away.
   *
   * @param ticket What it was sent with.
   */
  forgotten(ticket: Ticket): void;
}
