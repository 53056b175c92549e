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
export type { Manager } from "./middleware.ts";
export { ExpiryStatus } from "../store/freshness.ts";
export type { PlainPatch } from "../store/plain_patch.ts";
