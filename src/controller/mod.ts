/**
 * The imperative surface and the chain of managers.
 *
 * @module
 */
export {
  Controller,
  type ControllerOptions,
  type Reply,
  type ResponseMeta,
  type ResponseState,
  type SetValue,
  type Updater,
  type WithLast,
} from "./controller.ts";
export type { Explanation, Gap } from "./explain.ts";
export type { PastAction } from "./history.ts";
export type { StoreSnapshot } from "./store_snapshot.ts";
export type { Flight } from "./flight.ts";
export type {
  Action,
  Dispatch,
  FetchAction,
  Manager,
  Middleware,
  SubscribeAction,
  UnsubscribeAction,
} from "./middleware.ts";
export { ExpiryStatus } from "../store/freshness.ts";
export type { MemoryOptions } from "../store/collect.ts";
export type { CollectAction } from "../store/collect_action.ts";
export type { PlainPatch } from "../store/plain_patch.ts";
export type { EndpointMeta, State, StateMeta } from "../store/state.ts";
