import { RejoinError } from "./rejoin_error.ts";

/**
 * What `getOptimisticResponse` throws, as `snapshot.abort` or anew, to show nothing before the server answers. It never
 * leaves the store.
 */
export class AbortOptimistic extends RejoinError {
  override name = "AbortOptimistic";
  constructor() {
    super(402);
  }
}
