import type { ErrorPolicy } from "../endpoint/interface.ts";
import { RejoinError } from "../errors/rejoin_error.ts";

/** How an error of a request meets data that is already there: softly, if it may pass by itself. */
export function policyFor(error: unknown): ErrorPolicy {
  const { name, status = 500 } = (RejoinError.is(error) ? error : {}) as {
    readonly name?: string;
    readonly status?: number;
  };
  return name === "TimeoutError" || name === "NetworkError" && status >= 500 ? "soft" : "hard";
}
