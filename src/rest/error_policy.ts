import type { ErrorPolicy } from "../endpoint/interface.ts";
import { RejoinError } from "../errors/rejoin_error.ts";

/** How an error of a request meets data that is already there: softly, if it may pass by itself. */
export function policyFor(error: unknown): ErrorPolicy {
  if (!RejoinError.is(error)) return "hard";
  if (error.name === "TimeoutError") return "soft";
  if (error.name !== "NetworkError") return "hard";
  const { status } = error as { readonly status?: number };
  return status === undefined || status >= 500 ? "soft" : "hard";
}
