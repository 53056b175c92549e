/**
 * The imperative surface and the chain of managers.
 *
 * @module
 */
export { Controller } from "./controller.ts";
export type {
  ControllerOptions,
  Reply,
  ResponseMeta,
  ResponseState,
  SetValue,
  Updater,
  WithLast,
} from "./controller_types.ts";
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
export type { CollectAction } from "./collect_action.ts";
export type { Part } from "./part.ts";
export type { PlainPatch } from "../store/plain_patch.ts";
export type { Tap } from "./tap.ts";
