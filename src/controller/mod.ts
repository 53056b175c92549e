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
export type { CollectAction } from "./collect_action.ts";
export type { Part } from "./part.ts";
export type { PlainPatch } from "../store/plain_patch.ts";
export type { EndpointMeta, State, StateMeta } from "../store/state.ts";
export { record, type Recorder, type RecordOptions } from "./record.ts";
export type { RecordedAnswer, RecordedStep, RecordedView, Recording } from "./recording.ts";
export { type Replay, replay, type ReplayOptions } from "./replay.ts";
export type { StepData } from "./_plain_json.ts";
export type { Tap } from "./tap.ts";
