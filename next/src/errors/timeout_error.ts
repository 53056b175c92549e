import { RejoinError } from "./rejoin_error.ts";

/**
 * No complete answer came within the deadline (30 seconds, or the `deadline` of the endpoint).
 */
export class TimeoutError extends RejoinError {
  override name = "TimeoutError";
}
