/**
 * REST: endpoints with a URL, and the resources made of them.
 *
 * @module
 */
export { type CallParts, RestEndpoint } from "./rest_endpoint.ts";
export { createResource } from "./create_resource.ts";
export type { AnySearch, HasTail, PathArgs, PathValue, ShortenPath } from "./path_types.ts";
export type {
  AnyRestEndpoint,
  Extend,
  MethodOf,
  RestArgs,
  RestEndpointOptions,
  RestExtendGenerics,
  RestExtendOptions,
  RestGenerics,
  RestHeaders,
  RestInit,
  RestMembers,
  RestOptions,
  RestResult,
  SideEffect,
} from "./rest_types.ts";
export type { DetailResource, Resource, ResourceOf, ResourceOptions, RestEndpointClass } from "./resource_types.ts";
