/**
 * The imperative surface and the chain of managers.
 *
 * @module
 */
export { Controller, type ControllerOptions, type Manager } from "./controller.ts";
export type { Reply, ResponseMeta, ResponseState, SetValue, Updater, WithLast } from "./controller_types.ts";
export { ExpiryStatus } from "../store/freshness.ts";
export type { PlainPatch } from "../store/plain_patch.ts";
