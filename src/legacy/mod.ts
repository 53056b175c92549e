/**
 * The class form of 5.0: an entity and its endpoints in one class.
 *
 * @module
 */
export { BaseResource, type ResourceInstance } from "./base_resource.ts";
export type * from "./endpoint_types.ts";
export { HookableResource, Resource, type ResourceEndpoints, type ResourceHooks } from "./resource.ts";
