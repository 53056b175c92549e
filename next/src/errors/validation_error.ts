import { RejoinError } from "./rejoin_error.ts";

/**
 * The reply of a read whose record its own class refuses: `validate` returned something truthy. Nothing was written, and
 * the error is kept as the answer of the call, so that it is not asked for again and again.
 */
export class ValidationError extends RejoinError {
  override name = "ValidationError";
}
