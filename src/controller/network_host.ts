import type { Store } from "../store/store.ts";
import type { Dispatch } from "./action.ts";

/** What the network needs of its controller. */
export interface NetworkHost {
  readonly store: Store;
  /** Sends an action through the whole chain. */
  readonly dispatch: Dispatch;
  /** The end of the chain: for what must happen whatever a middleware does. */
  readonly perform: Dispatch;
}
