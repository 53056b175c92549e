import { RejoinError } from "./rejoin_error.ts";

/**
 * A call that cannot be, in the place where it stands: a hook outside of a provider.
 */
export class UsageError extends RejoinError {
  override name = "UsageError";
}
