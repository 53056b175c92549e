import { RejoinError } from "./rejoin_error.ts";

/**
 * The error of a call that was aborted, or that a reset of the store ended: see `isEnding`.
 */
export class AbortError extends RejoinError {
  override name = "AbortError";
}
