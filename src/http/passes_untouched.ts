import { RejoinError } from "../errors/rejoin_error.ts";

/**
 * Whether an error already says what its thrower wanted to say: an abort, or an error of this library.
 *
 * @param error Whatever was thrown.
 * @returns `true` if it is to be passed on as it is.
 */
export function passesUntouched(error: unknown): boolean {
  try {
    return RejoinError.is(error) || (error as { name?: unknown } | null | undefined)?.name === "AbortError";
  } catch {
    // a revoked Proxy throws at every touch
    return false;
  }
}
