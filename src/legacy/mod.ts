/**
 * The form of 5.0: an entity and its endpoints in one class.
 *
 * @module
 */
export { BaseResource } from "./base_resource.ts";
export { HookableResource, Resource, type ResourceEndpoints, type ResourceHooks } from "./resource.ts";
export type {
  CreateEndpoint,
  DeleteEndpoint,
  DetailEndpoint,
  EffectOf,
  EndpointOf,
  ListEndpoint,
  Open,
  ResourceBody,
  ResourceEndpoint,
  ResourceExtendOptions,
  ResultOf,
  UpdateEndpoint,
} from "./resource_endpoint.ts";
export type {
  OverridableResourceStatics,
  ResourceInput,
  ResourceInstance,
  ResourceStatics,
} from "./resource_statics.ts";
