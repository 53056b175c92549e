/**
 * Endpoints without a protocol.
 *
 * @module
 */
export { Endpoint, EndpointBase, type EndpointConstructor, type EndpointFunction } from "./endpoint.ts";
export type {
  BaseEndpointMembers,
  BaseEndpointOptions,
  CheckOwn,
  EndpointExtendOptions,
  EndpointOptions,
  Invalid,
  KnownOptions,
  OrUndefined,
  OwnOptions,
  PolicyMembers,
  TypesOf,
  WithOwn,
} from "./endpoint_types.ts";
export type * from "./readable.ts";
export type {
  AnyEndpoint,
  AnyReadable,
  EndpointDefaults,
  EndpointPolicy,
  EndpointTypes,
  ErrorPolicy,
  MutationReply,
  ReadEndpoint,
  ResultUpdates,
  Snapshot,
} from "./interface.ts";
