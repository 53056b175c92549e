/**
 * The imperative surface and the chain of managers.
 *
 * @module
 */
export { Controller, type ControllerOptions, type ResponseState, type SetValue, type Updater } from "./controller.ts";
export type { Flight } from "./flight.ts";
export type { Action, Dispatch, FetchAction, Manager, Middleware } from "./middleware.ts";
export { ExpiryStatus } from "../store/freshness.ts";
export type { PlainPatch } from "../store/plain_patch.ts";
export type { EndpointMeta, State, StateMeta } from "../store/state.ts";
